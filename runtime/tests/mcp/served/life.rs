//! How serving ends, and what a server that changes means to clients.

use std::time::{Duration, Instant};

use kontext_runtime::server::Http;
use serde_json::json;

use super::{Client, LONG, Served, said};
use crate::plans::{adapter, address, but, calling, fake};
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

pub async fn a_call_that_asked_for_progress_is_answered_after_the_input_ended() {
    let served = served(&["legacy"]);
    for modern in [false, true] {
        let mut client = if modern { served.modern().await } else { served.legacy().await };
        client.call("echo", json!({})).await;
        let asked =
            json!({ "name": "progress", "arguments": { "ms": 100 }, "_meta": { "progressToken": "mine" } });
        let id = client.request("tools/call", asked).await;
        client.finish().await;
        let answer = client.answer(id).await;
        assert_eq!(said(&answer["result"]), "done", "{answer}");
        let steps = client.told.iter().filter(|told| told["method"] == "notifications/progress").count();
        assert_eq!(steps, 3, "{:?}", client.told);
        assert!(client.next().await.is_none());
        tokio::time::timeout(LONG, client.served).await.unwrap().unwrap();
    }
    served.server.close().await;
}

/// A client whose output nobody reads, which says this, and then perhaps closes its input.
async fn unheard(served: &Served, lines: &str, closes: bool) -> usize {
    use tokio::io::AsyncWriteExt;
    let (mut writer, input) = tokio::io::duplex(1 << 10);
    let (_unread, output) = tokio::io::duplex(1 << 10);
    let serving = served.server.serve_client((input, output), std::future::pending());
    let mut said = 0;
    let talking = async {
        while said < lines.len() {
            let writing = writer.write(&lines.as_bytes()[said..]);
            match tokio::time::timeout(Duration::from_secs(5), writing).await {
                Ok(written) => said += written.unwrap(),
                Err(_) => break,
            }
        }
        if closes {
            drop(writer);
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = serving => {}
        () = talking => {}
        () = tokio::time::sleep(LONG) => panic!("it does not end"),
    }
    said
}

/// A beginning of the older era, and as many calls that give this much.
fn calls(count: usize, size: usize) -> String {
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } });
    let mut lines = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello }).to_string();
    for id in 1..=count {
        let call = json!({ "name": "long", "arguments": { "size": size } });
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call });
        lines.push_str(&format!("\n{request}"));
    }
    lines.push('\n');
    lines
}

pub async fn a_client_that_reads_nothing_does_not_hold_the_end() {
    let served = served(&["legacy"]);
    served.legacy().await.call("echo", json!({})).await;
    let lines = calls(1, 1 << 20);
    assert_eq!(unheard(&served, &lines, true).await, lines.len());
    served.server.close().await;
}

pub async fn a_client_that_reads_nothing_is_asked_for_nothing_more() {
    let served = served(&["legacy"]);
    served.legacy().await.call("echo", json!({})).await;
    let lines = calls(2000, 1 << 20);
    let said = unheard(&served, &lines, false).await;
    assert!(said < lines.len() / 2, "{said} of {} bytes were read", lines.len());
    served.server.close().await;
}

pub async fn a_number_is_given_to_one_request_at_a_time() {
    let served = served(&["legacy"]);
    let mut client = served.legacy().await;
    client.call("echo", json!({})).await;
    let slow = json!({ "name": "slow", "arguments": { "ms": 600 } });
    let request = |params| json!({ "jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": params });
    client.send(&request(slow)).await;
    client.send(&request(json!({ "name": "echo", "arguments": {} }))).await;
    let refused = client.next().await.unwrap();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!("x"), &json!(-32600)), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("is not answered yet"), "{refused}");
    assert_eq!(said(&client.next().await.unwrap()["result"]), "slow");
    client.send(&request(json!({ "name": "echo", "arguments": {} }))).await;
    assert_eq!(said(&client.next().await.unwrap()["result"]), "both");
    served.server.close().await;
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

/// Waits until the tool `late` is there, which no list asked for after a minute would bring in this time.
async fn hear_of_late(client: &mut Client) {
    let started = Instant::now();
    while !client.names().await.contains(&"late".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    assert!(started.elapsed() < Duration::from_secs(40), "it was not told");
}

pub async fn servers_of_the_newer_era_are_subscribed_to() {
    let served = served(&["modern", "tells"]);
    let mut client = served.legacy().await;
    client.call("echo", json!({})).await;
    client.call("grow", json!({})).await;
    hear_of_late(&mut client).await;
    // The one that comes after it is subscribed to as well.
    assert_eq!(client.call("die", json!({})).await["isError"], true);
    client.call("pid", json!({})).await;
    while client.names().await.contains(&"late".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    client.call("grow", json!({})).await;
    hear_of_late(&mut client).await;
    served.server.close().await;
}

pub async fn a_subscription_that_ended_is_asked_for_again() {
    let served = served(&["modern", "tells"]);
    let mut client = served.legacy().await;
    client.call("echo", json!({})).await;
    while client.call("unsubscribe", json!({})).await["isError"] == true {
        client.call("pid", json!({})).await;
    }
    // Whether this is told or found by the list after the next subscription is all the same.
    client.call("grow", json!({})).await;
    hear_of_late(&mut client).await;
    served.server.close().await;
}

pub async fn a_server_that_takes_no_subscription_is_served_all_the_same() {
    for mode in [&["modern", "promises"][..], &["modern", "tells", "accepts-nothing"], &["modern"]] {
        let served = served(mode);
        let mut client = served.legacy().await;
        client.call("grow", json!({})).await;
        assert_eq!(said(&client.call("echo", json!({})).await), "both", "{mode:?}");
        assert!(served.warnings.lock().unwrap().is_empty(), "{mode:?}");
        served.server.close().await;
    }
}

pub async fn a_server_behind_an_address_is_subscribed_to() {
    // It is another kontext, whose plan is replaced.
    let upstream = Served::new(plan_of(json!({})));
    let listening = Http::new("0", None, Vec::new()).unwrap().listen().await.unwrap();
    let url = listening.url();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let there = upstream.server.clone();
    let serving = tokio::spawn(async move { there.serve_http(listening, async { _ = stopped.await }).await });
    let server = but(address(&url, &[]), json!({ "expose": "all", "prefix": "" }));
    let served = Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let mut client = served.legacy().await;
    client.names().await;
    let mut plan = plan_of(json!({ "b": adapter(
        but(fake(&["legacy"]), json!({ "expose": { "only": ["pid"] }, "prefix": "" })), calling("echo", json!({}))) }));
    plan.digest = "another".to_owned();
    upstream.put(Ok(plan), "1");
    let started = Instant::now();
    while !client.names().await.contains(&"pid".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    assert!(started.elapsed() < Duration::from_secs(40), "it was not told");
    let begun = Instant::now();
    served.server.close().await;
    stop.send(()).unwrap();
    serving.await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
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
