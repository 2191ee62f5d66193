//! Batches over HTTP: of the one revision that has them, and of no other.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::asking::{post, raw, request};
use super::{LONG, until_metric, up};

fn hello(revision: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } })
}

fn called(id: u64, tool: &str, query: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": { "name": tool, "arguments": { "query": query } } })
}

#[tokio::test]
async fn the_revision_that_has_batches_gets_one_list_of_answers() {
    let up = up().await;
    let begun = post(&up, "", &hello("2025-03-26")).await;
    assert_eq!(begun.message()["result"]["protocolVersion"], "2025-03-26", "{begun:?}");
    let session = format!("Mcp-Session-Id: {}\r\n", begun.header("mcp-session-id").unwrap());
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let only = post(&up, &session, &json!([ready])).await;
    assert_eq!((only.status, only.body.as_str()), (202, ""));
    let batch = json!([
        called(1, "echo", "one"), ready, called(2, "echo", "two"), hello("2025-03-26"), { "id": 7 },
        { "jsonrpc": "2.0", "id": "x", "method": "ping" }, called(2, "echo", "again"),
    ]);
    let answer = post(&up, &session, &batch).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{answer:?}");
    let answers = answer.message();
    let seen: Vec<(Value, Value)> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["id"].clone(),
                match &one["error"]["code"] {
                    Value::Null => one["result"]["content"][0]["text"].clone(),
                    code => code.clone(),
                },
            )
        })
        .collect();
    let expected = [
        (json!(1), json!("one")),
        (json!(2), json!("two")),
        (json!(1), json!(-32600)),
        (json!(7), json!(-32600)),
        (json!("x"), Value::Null),
        (json!(2), json!(-32600)),
    ];
    assert_eq!(seen, expected);
    for (body, code) in [("[]", -32600), ("[1", -32700)] {
        let answer = raw(&up, &request(&session, body)).await;
        assert_eq!(
            (answer.status, answer.message()["error"]["code"].as_i64()),
            (400, Some(code)),
            "{answer:?}"
        );
    }
}

#[tokio::test]
async fn a_cancelled_call_does_not_hold_its_batch() {
    let up = up().await;
    let begun = post(&up, "", &hello("2025-03-26")).await;
    let session = format!("Mcp-Session-Id: {}\r\n", begun.header("mcp-session-id").unwrap());
    let batch = json!([called(1, "hang", "100"), called(2, "echo", "two")]);
    let waiting = post(&up, &session, &batch);
    let cancelling = async {
        until_metric(&up, "kontext_calls_in_flight{adapter=\"a\"} 1").await;
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        assert_eq!(post(&up, &session, &json!([cancel])).await.status, 202);
    };
    let (answer, ()) = timeout(LONG, async { tokio::join!(waiting, cancelling) }).await.unwrap();
    let answers = answer.message();
    let ids: Vec<&Value> = answers.as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [2], "{answers}");
}

#[tokio::test]
async fn other_revisions_are_told_that_they_have_none() {
    let up = up().await;
    let begun = post(&up, "", &hello("2025-06-18")).await;
    let session = format!("Mcp-Session-Id: {}\r\n", begun.header("mcp-session-id").unwrap());
    for headers in [session.as_str(), "", "MCP-Protocol-Version: 2026-07-28\r\n", "Mcp-Session-Id: other\r\n"]
    {
        let answer = post(&up, headers, &json!([called(1, "echo", "one")])).await;
        let error = answer.message()["error"].take();
        assert_eq!((answer.status, error["code"].as_i64()), (400, Some(-32600)), "{headers}");
        assert!(error["message"].as_str().unwrap().contains("2025-03-26"), "{error}");
    }
}
