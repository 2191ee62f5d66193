//! Both eras of clients, on every era of servers.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

use super::{Client, NOTES, Served, said};
use crate::plans::{adapter, but, calling, fake};
use crate::support::{Machine, command, plan_of};

/// A plan that publishes tools of a server of each era.
fn both() -> kontext_plan::Plan {
    let exposing = |mode: &str, prefix: &str| {
        let server = but(fake(&[mode]), json!({ "expose": { "only": ["echo", "find"] }, "prefix": prefix }));
        adapter(server, calling("echo", json!({})))
    };
    plan_of(json!({ "new": exposing("modern", "new_"), "old": exposing("legacy", "old_") }))
}

const PUBLISHED: [&str; 4] = ["new_echo", "new_find", "old_echo", "old_find"];

pub async fn each_client_reaches_each_server() {
    let served = Served::new(both());
    for modern in [false, true] {
        let mut client = if modern { served.modern().await } else { served.legacy().await };
        let names = client.names().await;
        assert_eq!(names, [NOTES.as_slice(), &PUBLISHED].concat(), "{modern}");
        for tool in ["new_echo", "old_echo"] {
            let result = client.call(tool, json!({ "q": 1 })).await;
            assert_eq!(result["structuredContent"]["text"], r#"{"q":1}"#, "{modern} {tool}: {result}");
            assert_eq!(result.get("resultType").is_some(), modern, "{result}");
        }
    }
    served.server.close().await;
}

pub async fn what_each_era_asks_for_is_there() {
    let served = Served::new(plan_of(json!({})));
    let mut modern = served.modern().await;
    let hello = modern.hello.clone();
    assert_eq!(hello["resultType"], "complete");
    assert_eq!(hello["capabilities"], json!({ "tools": { "listChanged": true } }));
    assert!(hello["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    assert!(hello["instructions"].is_string() && hello["ttlMs"].is_u64() && hello["cacheScope"].is_string());
    let list = modern.result("tools/list", json!({})).await;
    assert_eq!((&list["resultType"], &list["cacheScope"]), (&json!("complete"), &json!("private")));
    assert!(list["ttlMs"].is_u64());
    let mut legacy = served.legacy().await;
    assert_eq!(legacy.hello["protocolVersion"], "2025-11-25");
    let mut list = legacy.result("tools/list", json!({})).await;
    assert_eq!(list.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    assert_eq!(list["tools"].take(), modern.result("tools/list", json!({})).await["tools"]);
    assert!(legacy.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(legacy.ask("tools/list", json!({ "cursor": "2" })).await["error"]["code"], -32602);
}

pub async fn versions_and_metadata_are_held_to_the_protocol() {
    let served = Served::new(plan_of(json!({})));
    let mut client = Client::new(&served.server, false);
    let meta = |version: &str| {
        json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {} } })
    };
    assert_eq!(client.ask("tools/list", json!({})).await["error"]["code"], -32602);
    let unknown = client.ask("tools/list", meta("2031-01-01")).await;
    assert_eq!(unknown["error"]["code"], -32022);
    assert!(
        unknown["error"]["data"]["supported"].is_array() && unknown["error"]["data"]["requested"].is_string()
    );
    let mut hello = meta("2026-07-28");
    hello["protocolVersion"] = json!("2025-11-25");
    assert_eq!(client.ask("initialize", hello).await["error"]["code"], -32601);
    // None of it cost the connection.
    assert!(client.ask("tools/list", meta("2026-07-28")).await["result"]["tools"].is_array());
    assert_eq!(client.ask("ping", meta("2026-07-28")).await["error"]["code"], -32601);
}

pub async fn odd_beginnings_cost_nothing() {
    let served = Served::new(plan_of(json!({})));
    let mut client = Client::new(&served.server, false);
    for line in [
        "",
        "not json",
        "[]",
        "\u{feff}",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ] {
        client.line(line).await;
    }
    let hello = json!({ "protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let answer = client.result("initialize", hello).await;
    assert_eq!(answer["protocolVersion"], "2025-11-25");
    assert!(!client.names().await.is_empty());
}

pub async fn the_client_of_the_sdk_agrees() {
    let served = Served::of(Machine::new(&[]), Ok(both()));
    for mode in [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover {
            preferred_versions: vec![rmcp::model::ProtocolVersion::NO_INITIALIZE],
        },
    ] {
        let (here, there) = tokio::io::duplex(1 << 20);
        let server = served.server.clone();
        tokio::spawn(
            async move { server.serve_client(tokio::io::split(there), std::future::pending()).await },
        );
        let client = match mode {
            ClientLifecycleMode::Initialize => ().serve(here).await.unwrap(),
            mode => ().serve_with_lifecycle(here, mode).await.unwrap(),
        };
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), NOTES.len() + PUBLISHED.len());
        let mut params = CallToolRequestParams::new("old_echo");
        params.arguments = json!({ "a": [1] }).as_object().cloned();
        let result = client.call_tool(params).await.unwrap();
        let result: Value = serde_json::to_value(result).unwrap();
        assert_eq!(result["structuredContent"]["text"], r#"{"a":[1]}"#);
        assert_eq!(said(&result), "both");
    }
    served.server.close().await;
}

pub async fn what_cannot_be_read_is_answered_all_the_same() {
    let served = Served::new(plan_of(json!({})));
    for (mut client, name) in [(served.legacy().await, "legacy"), (served.modern().await, "modern")] {
        let params = [("tools/call", json!({})), ("tools/call", json!({ "name": 5 }))];
        for (method, params) in params {
            let error = client.ask(method, params).await["error"].take();
            assert_eq!(error["code"], -32602, "{name} {method}: {error}");
            assert!(error["message"].as_str().unwrap().contains("needs"), "{error}");
        }
        assert_eq!(client.ask("tools/other", json!({})).await["error"]["code"], -32601);
        for (line, code) in [
            (r#"{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"\ud800"}}"#, -32700),
            (r#"{"jsonrpc":"2.0","id":99,"method":"tools/list","params":[]}"#, -32600),
        ] {
            client.line(line).await;
            assert_eq!(client.answer(99).await["error"]["code"], code, "{name} {line}");
        }
    }
    let mut client = Client::new(&served.server, false);
    let error = client.ask("initialize", json!({ "protocolVersion": "2025-11-25" })).await["error"].take();
    assert!(error["message"].as_str().unwrap().contains("`clientInfo`"), "{error}");
    served.server.close().await;
}

pub async fn who_waits_for_news_does_not_hold_the_end() {
    let served = Served::new(plan_of(json!({})));
    let mut client = served.modern().await;
    client.request("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    client.hear("notifications/subscriptions/acknowledged").await;
    let time = client.end().await;
    assert!(time < std::time::Duration::from_millis(1900), "{time:?}");
    served.server.close().await;
}

pub async fn a_client_that_takes_no_answers_is_let_go() {
    let served = Served::new(plan_of(json!({})));
    let (here, there) = tokio::io::duplex(1 << 16);
    let (input, mut writer) = tokio::io::duplex(1 << 16);
    drop(here);
    let (_, output) = tokio::io::split(there);
    tokio::io::AsyncWriteExt::write_all(
        &mut writer,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n",
    )
    .await
    .unwrap();
    let serving = served.server.serve_client((input, output), std::future::pending());
    tokio::time::timeout(super::LONG, serving).await.expect("it serves nobody");
    served.server.close().await;
}

/// Each request is of the era it says, whatever came before it on the connection.
pub async fn one_connection_serves_both_eras_in_any_order() {
    let hello = |version: &str| json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let orders =
        [["new", "hello", "old", "new"], ["hello", "new", "old", "hello"], ["new", "new", "hello", "old"]];
    for order in orders {
        let served = Served::new(plan_of(json!({})));
        let mut client = Client::new(&served.server, false);
        for (step, era) in order.into_iter().enumerate() {
            client.modern = era == "new";
            let answer = match era {
                "hello" => client.result("initialize", hello("2025-11-25")).await,
                _ => client.result("tools/list", json!({})).await,
            };
            match era {
                "hello" => assert_eq!(answer["protocolVersion"], "2025-11-25", "{order:?} {step}"),
                era => {
                    assert_eq!(answer.get("resultType").is_some(), era == "new", "{order:?} {step}: {answer}")
                }
            }
            if era == "new" {
                assert_eq!(client.ask("ping", json!({})).await["error"]["code"], -32601, "{order:?} {step}");
                let error = client.ask("initialize", hello("2025-11-25")).await["error"].take();
                assert_eq!(error["code"], -32601, "{order:?} {step}: {error}");
            }
        }
        served.server.close().await;
    }
}

pub async fn the_older_era_begins_with_initialize() {
    let served = Served::new(plan_of(json!({})));
    let mut client = served.modern().await;
    assert!(!client.names().await.is_empty());
    client.modern = false;
    let error = client.ask("tools/list", json!({})).await["error"].take();
    assert_eq!(error["code"], -32602, "{error}");
    assert!(error["message"].as_str().unwrap().contains("before `initialize`"), "{error}");
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    // Nobody who was not initialized hears of changes, and who was hears of each once.
    for _ in 0..2 {
        client.tell("notifications/initialized", json!({})).await;
    }
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    assert_eq!(client.result("initialize", hello).await["protocolVersion"], "2025-06-18");
    for _ in 0..2 {
        client.tell("notifications/initialized", json!({})).await;
    }
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    // One that publishes the same is not worth a word.
    for (mark, adapters) in [("1", json!({})), ("22", quiet())] {
        let mut another = plan_of(adapters);
        another.digest = format!("another {mark}");
        served.put(Ok(another), mark);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    client.hear("notifications/tools/list_changed").await;
    assert!(client.ask("ping", json!({})).await["result"].is_object());
    assert_eq!(client.told, [] as [Value; 0]);
    served.server.close().await;
}

/// An adapter whose brief is a tool more.
fn quiet() -> Value {
    let ops = json!({ "brief": command(&["printf", "all quiet"], json!({})) });
    json!({ "quiet": crate::support::adapter(ops) })
}

pub async fn methods_that_are_not_here_are_said_to_be_missing() {
    let served = Served::new(plan_of(json!({})));
    for modern in [false, true] {
        let mut client = if modern { served.modern().await } else { served.legacy().await };
        for (method, params) in [
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({ "uri": "a:b" })),
            ("prompts/list", json!({})),
            ("prompts/get", json!({ "name": "a" })),
            ("nothing/here", json!({})),
        ] {
            let error = client.ask(method, params).await["error"].take();
            let words = format!("there is no method `{method}` here");
            assert_eq!((&error["code"], &error["message"]), (&json!(-32601), &json!(words)), "{modern}");
        }
    }
    served.server.close().await;
}

pub async fn the_instructions_promise_no_notes_where_there_are_none() {
    let served = Served::new(plan_of(json!({})));
    let client = served.legacy().await;
    let instructions = client.hello["instructions"].as_str().unwrap();
    assert!(
        instructions.contains("to nothing yet: no adapter is in use, and there are no notes."),
        "{instructions}"
    );
    served.server.close().await;
}
