//! How long a call takes, beside the same words over bare pipes. Run when asked for: it prints and asserts little.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::life::{op, with_ops};
use crate::plans::calling;

const CALLS: usize = 1000;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn bare() -> Duration {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let mut child =
        command.args(["fake", "modern"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let times = (0..CALLS).map(|id| {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "echo", "arguments": { "q": "x" } } });
        let started = Instant::now();
        to.write_all(format!("{call}\n").as_bytes()).unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        assert!(line.contains("structuredContent"));
        started.elapsed()
    });
    let times = times.collect();
    drop(to);
    child.wait().unwrap();
    median(times)
}

pub async fn a_call_costs_little() {
    let bare = bare();
    let (_machine, runtime) = with_ops(&["modern"], &[("echo", calling("echo", json!({ "q": "x" })))]);
    op(&runtime, "echo").await.unwrap();
    let mut times = Vec::new();
    for _ in 0..CALLS {
        let started = Instant::now();
        op(&runtime, "echo").await.unwrap();
        times.push(started.elapsed());
    }
    runtime.close().await;
    let through = median(times);
    println!("p50 of {CALLS} calls: {through:?} through the driver and its guard, {bare:?} over bare pipes");
    assert!(through < bare * 20 + Duration::from_millis(2), "{through:?} {bare:?}");
}
