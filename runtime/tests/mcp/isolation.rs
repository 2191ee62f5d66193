//! What a bad server costs: its own calls, and bounded memory.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::life::{op, with_ops};
use crate::plans::{but, calling};

fn resident() -> usize {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

pub async fn long_lines_are_read() {
    for size in [200_000, 5_000_000] {
        let (_machine, runtime) =
            with_ops(&["legacy"], &[("long", calling("long", json!({ "size": size })))]);
        assert_eq!(op(&runtime, "long").await.unwrap().len(), size);
        runtime.close().await;
    }
}

pub async fn what_is_larger_than_an_answer_is_said_so() {
    let ops = [
        ("long", calling("long", json!({ "size": 9_000_000 }))),
        ("longer", calling("long", json!({ "size": 17_000_000 }))),
        ("echo", calling("echo", json!({}))),
    ];
    let (_machine, runtime) = with_ops(&["legacy"], &ops);
    for name in ["long", "longer"] {
        assert_eq!(op(&runtime, name).await.unwrap_err().id, "too-large", "{name}");
        assert_eq!(op(&runtime, "echo").await.unwrap(), "{}");
    }
    runtime.close().await;
}

pub async fn an_endless_line_ends_its_server() {
    let ops = [("endless", calling("endless", json!({}))), ("echo", calling("echo", json!({})))];
    let (_machine, runtime) = with_ops(&["modern"], &ops);
    let error = op(&runtime, "endless").await.unwrap_err();
    assert_eq!(error.id, "too-large", "{}", error.message);
    assert!(error.message.contains("a line of more than 16 MiB"), "{}", error.message);
    assert_eq!(op(&runtime, "echo").await.unwrap(), "{}");
    runtime.close().await;
}

pub async fn a_flood_is_waded_through() {
    flood(300).await;
}

/// 500 MB on each of standard output and standard error.
pub async fn a_flood_of_500_mb_is_waded_through() {
    flood(8_400).await;
}

async fn flood(pieces: u64) {
    let before = resident();
    let flood = but(calling("flood", json!({ "pieces": pieces })), json!({ "timeout_ms": 300_000 }));
    let questions = but(calling("questions", json!({})), json!({ "timeout_ms": 30_000 }));
    let (_machine, runtime) = with_ops(&["legacy"], &[("flood", flood), ("questions", questions)]);
    assert_eq!(op(&runtime, "flood").await.unwrap(), "after the flood");
    assert_eq!(op(&runtime, "questions").await.unwrap(), "asked");
    let more = resident().saturating_sub(before);
    println!("{} MB of noise: {more} KiB more", pieces * 60_000 / 1_000_000);
    assert!(more < 120_000, "{more} KiB more");
    runtime.close().await;
}

pub async fn an_answer_to_nothing_is_no_answer() {
    let wrong = but(calling("wrong-id", json!({})), json!({ "timeout_ms": 300 }));
    let ops = [("wrong", wrong), ("echo", calling("echo", json!({})))];
    let (_machine, runtime) = with_ops(&["modern"], &ops);
    assert_eq!(op(&runtime, "wrong").await.unwrap_err().id, "timed-out");
    assert_eq!(op(&runtime, "echo").await.unwrap(), "{}");
    runtime.close().await;
}

pub async fn a_deaf_server_is_replaced() {
    let large = "x".repeat(1_000_000);
    let limit = json!({ "timeout_ms": 400 });
    let ops = [
        ("deaf", but(calling("deaf", json!({})), limit.clone())),
        ("large", but(calling("echo", json!({ "large": large })), limit)),
        ("pid", calling("pid", json!({}))),
    ];
    let (_machine, runtime) = with_ops(&["legacy"], &ops);
    let first = op(&runtime, "pid").await.unwrap();
    let started = Instant::now();
    assert_eq!(op(&runtime, "deaf").await.unwrap_err().id, "timed-out");
    assert_eq!(op(&runtime, "large").await.unwrap_err().id, "timed-out");
    assert_ne!(op(&runtime, "pid").await.unwrap(), first);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    runtime.close().await;
}

pub async fn a_list_that_never_comes_costs_its_call() {
    let bind = but(crate::plans::binding("find", &["query"]), json!({ "timeout_ms": 300 }));
    let ops = [("bind", bind), ("echo", calling("echo", json!({})))];
    let (_machine, runtime) = with_ops(&["legacy", "hangs-list"], &ops);
    assert_eq!(op(&runtime, "bind").await.unwrap_err().id, "timed-out");
    assert_eq!(op(&runtime, "echo").await.unwrap(), "{}");
    runtime.close().await;
}
