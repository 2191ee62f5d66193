//! A server that has nothing to serve says so, and a new plan is served from the moment it is there.

use std::time::{Duration, Instant};

use kontext_plan::Plan;
use kontext_runtime::RunError;
use serde_json::json;

use super::{NOTES, Served, said};
use crate::plans::{adapter, but, calling, fake};
use crate::support::{Machine, command, plan_of, with};

fn missing() -> RunError {
    let at = kontext_plan::Origin { file: "repo:.kontext.toml".to_owned(), line: 1, column: 1 };
    RunError {
        at: Some(at),
        ..RunError::new("stale-plan", "the plan is stale: `x` changed").mended("; run `kontext build`")
    }
}

/// A plan with one declared tool of this name; the digest tells plans apart.
fn declaring(name: &str) -> Plan {
    let tool = json!({ "name": name, "description": "Says its name", "schema": { "type": "object" }, "at": 0,
        "op": { "inline": command(&["printf", name], json!({})) } });
    let ops = json!({ "go": command(&["true"], json!({})) });
    let mut plan = plan_of(json!({ "a": with(crate::support::adapter(ops), json!({ "tools": [tool] })) }));
    plan.digest = name.to_owned();
    plan
}

pub async fn the_reason_is_in_the_conversation() {
    let served = Served::of(Machine::new(&[]), Err(missing()));
    for modern in [false, true] {
        let mut client = if modern { served.modern().await } else { served.legacy().await };
        let instructions = client.hello["instructions"].as_str().unwrap().to_owned();
        assert_eq!(client.names().await, ["kontext_status"]);
        let result = client.call("kontext_status", json!({})).await;
        let why = "kontext cannot serve its tools here: the plan is stale: `x` changed\n  --> .kontext.toml:1:1\n\
            To mend it, run `kontext build`; the tools then appear in this connection by themselves.";
        assert_eq!(said(&result), why);
        assert!(instructions.starts_with(why), "{instructions}");
        assert_eq!(result["structuredContent"]["id"], "stale-plan");
        assert_eq!(result["isError"], false);
        // Whatever else is called is answered with the same.
        let result = client.call("kontext_search", json!({ "query": "x" })).await;
        assert!(result["isError"] == true && said(&result) == why, "{result}");
    }
    assert!(served.warnings.lock().unwrap()[0].contains("the plan is stale"));
}

pub async fn a_new_plan_is_served_at_once() {
    let served = Served::of(Machine::new(&[]), Err(missing()));
    let mut legacy = served.legacy().await;
    let mut modern = served.modern().await;
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    modern.request("subscriptions/listen", listen).await;
    let accepted = modern.hear("notifications/subscriptions/acknowledged").await;
    assert_eq!(accepted["params"]["notifications"]["toolsListChanged"], true, "{accepted}");
    legacy.names().await;
    served.put(Ok(declaring("first")), "1");
    for client in [&mut legacy, &mut modern] {
        client.hear("notifications/tools/list_changed").await;
        assert_eq!(client.names().await, [NOTES.as_slice(), &["first"]].concat());
        assert_eq!(said(&client.call("first", json!({})).await), "first");
        assert!(said(&client.call("kontext_status", json!({})).await).contains("list them again"));
    }
    // One that cannot be served changes nothing but what people are told.
    served.put(Err(missing()), "22");
    let started = Instant::now();
    while !served.warnings.lock().unwrap().iter().any(|told| told.contains("the new plan is not served")) {
        assert!(started.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(said(&legacy.call("first", json!({})).await), "first");
    // Nor does one that went.
    std::fs::remove_file(&served.file).unwrap();
    served.put(Ok(declaring("second")), "333");
    for client in [&mut legacy, &mut modern] {
        client.hear("notifications/tools/list_changed").await;
        assert_eq!(client.names().await, [NOTES.as_slice(), &["second"]].concat());
    }
}

pub async fn the_status_looks_again_itself() {
    let served = Served::of(Machine::new(&[]), Err(missing()));
    let mut client = served.modern().await;
    // No file is written, so nothing tells.
    *served.plan.lock().unwrap() = Ok(declaring("first"));
    assert!(said(&client.call("kontext_status", json!({})).await).contains("list them again"));
    assert_eq!(client.names().await, [NOTES.as_slice(), &["first"]].concat());
}

pub async fn calls_end_on_the_plan_they_began_on() {
    let server = but(fake(&["legacy"]), json!({ "expose": "all", "prefix": "" }));
    let mut plan = plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) }));
    plan.digest = "old".to_owned();
    let served = Served::new(plan);
    let mut client = served.legacy().await;
    let pid = said(&client.call("pid", json!({})).await).to_owned();
    let alive = || std::path::Path::new(&format!("/proc/{pid}/stat")).exists();
    let slow = client.request("tools/call", json!({ "name": "slow", "arguments": { "ms": 1500 } })).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    served.put(Ok(declaring("first")), "1");
    while !client.names().await.contains(&"first".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    assert_eq!(said(&client.call("first", json!({})).await), "first");
    assert!(alive(), "the call is not over");
    let answer = client.answer(slow).await;
    assert_eq!(said(&answer["result"]), "slow", "{answer}");
    let started = Instant::now();
    while alive() {
        assert!(started.elapsed() < Duration::from_secs(60), "the old server is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let error = client.ask("tools/call", json!({ "name": "pid", "arguments": {} })).await;
    assert_eq!(error["error"]["code"], -32602);
}
