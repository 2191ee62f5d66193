//! Batches over standard input: of the one revision that has them, and of no other.

use serde_json::{Value, json};

use super::{Client, Served, said};
use crate::plans::{adapter, but, calling, fake};
use crate::support::plan_of;

/// A server whose tool `slow` takes its time.
fn slow() -> Served {
    let server = but(fake(&["legacy"]), json!({ "expose": "all", "prefix": "" }));
    Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })))
}

async fn begun(served: &Served, revision: &str) -> Client {
    let mut client = Client::new(&served.server, false);
    let hello = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    assert_eq!(client.result("initialize", hello).await["protocolVersion"], revision);
    client
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

fn called(id: u64, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

fn told(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The identifiers of a batch's answers and the codes of their errors, in order.
fn codes(answers: &Value) -> Vec<(Value, Value)> {
    let one = |answer: &Value| (answer["id"].clone(), answer["error"]["code"].clone());
    let mut codes: Vec<(Value, Value)> = answers.as_array().expect("a list").iter().map(one).collect();
    codes.sort_by_key(|(id, code)| (id.to_string(), code.to_string()));
    codes
}

pub async fn its_answers_come_in_one_list() {
    let served = slow();
    let mut client = begun(&served, "2025-03-26").await;
    client.names().await;
    client
        .send(&json!([
            called(11, "slow", json!({ "ms": 300 })),
            told("notifications/initialized", json!({})),
            request("p", "ping", json!({})),
        ]))
        .await;
    // Others are not held up by it.
    assert_eq!(said(&client.call("echo", json!({ "q": 1 })).await), "both");
    let answers = client.next().await.unwrap();
    assert_eq!(codes(&answers), [(json!("p"), Value::Null), (json!(11), Value::Null)], "{answers}");
    assert!(answers.to_string().contains(r#""text":"slow""#), "{answers}");
    // One without a request is answered by nothing.
    client.send(&json!([told("notifications/initialized", json!({}))])).await;
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(client.told, [] as [Value; 0]);
    // Each of its own era.
    let meta = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {} } });
    client.send(&json!([request(21, "ping", meta), request(22, "ping", json!({}))])).await;
    let answers = client.next().await.unwrap();
    assert_eq!(codes(&answers), [(json!(21), json!(-32601)), (json!(22), Value::Null)]);
    served.server.close().await;
}

pub async fn what_may_not_be_in_one_is_told() {
    let served = slow();
    let mut client = begun(&served, "2025-03-26").await;
    client.names().await;
    client
        .send(&json!([
            called(1, "slow", json!({ "ms": 300 })), request(1, "ping", json!({})), request(2, "initialize", json!({})),
            request(3, "nothing", json!({})), { "jsonrpc": "1.0", "id": 4, "method": "ping" }, 5, [], [6],
        ]))
        .await;
    // An identifier that waits in one batch is not taken in the next.
    client.send(&json!([request(1, "ping", json!({}))])).await;
    assert_eq!(codes(&client.next().await.unwrap()), [(json!(1), json!(-32600))]);
    let answers = client.next().await.unwrap();
    let expected = [
        (json!(1), json!(-32600)),
        (json!(1), Value::Null),
        (json!(2), json!(-32602)),
        (json!(3), json!(-32601)),
        (json!(4), json!(-32600)),
        (Value::Null, json!(-32600)),
        (Value::Null, json!(-32600)),
        (Value::Null, json!(-32600)),
    ];
    assert_eq!(codes(&answers), expected, "{answers}");
    let hello = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    client.send(&json!([request(9, "initialize", hello)])).await;
    let answers = client.next().await.unwrap();
    assert!(answers[0]["error"]["message"].as_str().unwrap().contains("no part of a batch"), "{answers}");
    for (line, code) in [("[]", -32600), ("[1", -32700)] {
        client.line(line).await;
        let answer = client.next().await.unwrap();
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
    }
    let many = vec![request(1, "ping", json!({})); 1001];
    client.send(&json!(many)).await;
    let answer = client.next().await.unwrap();
    assert!(answer["error"]["message"].as_str().unwrap().contains("1000"), "{answer}");
    served.server.close().await;
}

pub async fn a_cancelled_call_does_not_hold_it() {
    let served = slow();
    let mut client = begun(&served, "2025-03-26").await;
    client.names().await;
    let cancel = |id: u64| told("notifications/cancelled", json!({ "requestId": id }));
    client
        .send(&json!([
            called(11, "slow", json!({ "ms": 600_000 })),
            request(2, "ping", json!({})),
            cancel(11)
        ]))
        .await;
    assert_eq!(codes(&client.next().await.unwrap()), [(json!(2), Value::Null)]);
    // Nothing is left to be said of one whose every call is cancelled.
    client.send(&json!([called(31, "slow", json!({ "ms": 600_000 }))])).await;
    client.send(&cancel(31)).await;
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(client.told, [] as [Value; 0]);
    // The end of the connection answers what is still waited for.
    client.send(&json!([called(5, "slow", json!({ "ms": 600_000 })), request(6, "ping", json!({}))])).await;
    client.finish().await;
    assert_eq!(codes(&client.next().await.unwrap()), [(json!(5), json!(-32603)), (json!(6), Value::Null)]);
    served.server.close().await;
}

pub async fn other_revisions_have_none() {
    let served = Served::new(plan_of(json!({})));
    let mut clients = vec![served.modern().await, Client::new(&served.server, false)];
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        clients.push(begun(&served, revision).await);
    }
    for mut client in clients {
        client.send(&json!([request(1, "ping", json!({}))])).await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
        assert!(answer["error"]["message"].as_str().unwrap().contains("2025-03-26"), "{answer}");
    }
    served.server.close().await;
}
