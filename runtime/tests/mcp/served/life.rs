//! How serving ends, and what a server that changes means to clients.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{LONG, Served, said};
use crate::plans::{adapter, but, calling, fake};
use crate::support::plan_of;

fn served(mode: &[&str]) -> Served {
    let server = but(fake(mode), json!({ "expose": "all", "prefix": "" }));
    Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })))
}

pub async fn the_end_of_the_input_is_the_end() {
    let served = served(&["legacy", "ignores-eof"]);
    let mut client = served.legacy().await;
    let pid = said(&client.call("pid", json!({})).await).to_owned();
    let time = client.end().await;
    assert!(time < Duration::from_secs(20), "{time:?}");
    let started = Instant::now();
    served.server.close().await;
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(!std::path::Path::new(&format!("/proc/{pid}/stat")).exists());
}

pub async fn calls_that_run_are_answered_and_those_that_hang_are_given_up() {
    let served = served(&["legacy"]);
    let mut client = served.legacy().await;
    client.call("echo", json!({})).await;
    let quick = client.request("tools/call", json!({ "name": "slow", "arguments": { "ms": 300 } })).await;
    let hung = client.request("tools/call", json!({ "name": "slow", "arguments": { "ms": 600000 } })).await;
    use tokio::io::AsyncWriteExt;
    client.writer.shutdown().await.unwrap();
    assert_eq!(said(&client.answer(quick).await["result"]), "slow");
    assert!(client.answer(hung).await["error"]["message"].as_str().unwrap().contains("given up"));
    assert!(client.next().await.is_none());
    tokio::time::timeout(LONG, client.served).await.unwrap().unwrap();
}

pub async fn a_server_that_gets_more_tools_is_listed_again() {
    let served = served(&["legacy"]);
    let mut client = served.legacy().await;
    while !client.names().await.contains(&"grow".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    client.call("grow", json!({})).await;
    while !client.names().await.contains(&"late".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    assert_eq!(said(&client.call("late", json!({})).await), "late");
    served.server.close().await;
}

pub async fn a_server_that_was_started_again_is_listened_to() {
    let served = served(&["legacy"]);
    let mut client = served.legacy().await;
    let pid = said(&client.call("pid", json!({})).await).to_owned();
    assert_eq!(client.call("die", json!({})).await["isError"], true);
    assert_ne!(said(&client.call("pid", json!({})).await), pid);
    client.call("grow", json!({})).await;
    while !client.names().await.contains(&"late".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    served.server.close().await;
}
