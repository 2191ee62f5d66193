//! What is published: in which order, under which names, and what it takes to be listed.

use std::time::Instant;

use serde_json::{Value, json};

use super::{Client, NOTES, Served, said};
use crate::plans::{adapter, but, calling, fake, program};
use crate::support::{command, plan_of, with};

fn published(name: &str, schema: Value) -> Value {
    json!({ "name": name, "description": format!("[a] {name}"), "input_schema": schema })
}

/// A server that cannot be started, with tools that a lock holds.
fn pinned(count: usize) -> Value {
    let tool = |number: usize| {
        let schema = format!(
            r#"{{"type":"object","properties":{{"z":{{"minimum":1.50}},"a":{{}}}},"x-own":[{number}]}}"#
        );
        let schema = serde_json::from_str(&schema).unwrap();
        json!({ "name": format!("t{number}"), "digest": "sha256:0", "published": published(&format!("a_t{number}"), schema) })
    };
    let tools: Vec<Value> = (0..count).map(tool).collect();
    but(program(&["/no/such/program"]), json!({ "expose": "all", "tools": tools }))
}

pub async fn pinned_tools_are_listed_without_their_server() {
    let mut plan = adapter(pinned(3), calling("t1", json!({})));
    plan["timeout_ms"] = json!(60000);
    let served = Served::new(plan_of(json!({ "a": plan })));
    let mut client = served.legacy().await;
    let tools = client.tools().await;
    assert_eq!(tools.len(), NOTES.len() + 3);
    assert_eq!(tools[4]["name"], "a_t1");
    // As it is in the plan, to the digit.
    assert_eq!(
        tools[4]["inputSchema"].to_string(),
        r#"{"type":"object","properties":{"z":{"minimum":1.50},"a":{}},"x-own":[1]}"#
    );
    let result = client.call("a_t1", json!({})).await;
    assert_eq!(result["isError"], true);
    let text = said(&result);
    assert!(
        text.starts_with("`a`: the program `/no/such/program` was not found")
            && text.ends_with("\n  --> .kontext.toml:7:3"),
        "{text}"
    );
}

pub async fn unpinned_servers_are_waited_for_a_moment() {
    let exposing = |mode: &[&str], expose: Value, prefix: &str| {
        let server =
            but(fake(mode), json!({ "expose": expose, "prefix": prefix, "start_timeout_ms": 60000 }));
        adapter(server, calling("echo", json!({})))
    };
    let served = Served::new(plan_of(json!({
        "hung": exposing(&["hangs"], json!("all"), "hung_"),
        "late": exposing(&["legacy", "boot=1500"], json!({ "only": ["pid", "gone"] }), "late_"),
        "soon": exposing(&["modern"], json!({ "only": ["echo"] }), ""),
    })));
    let mut client = served.legacy().await;
    let started = Instant::now();
    let names = client.names().await;
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    assert!(!names.contains(&"late_pid".to_owned()), "{names:?}");
    while !client.names().await.contains(&"late_pid".to_owned()) {
        client.hear("notifications/tools/list_changed").await;
    }
    let names = client.names().await;
    assert_eq!(names, [NOTES.as_slice(), &["late_pid", "echo"]].concat());
    assert!(said(&client.call("late_pid", json!({})).await).parse::<u32>().is_ok());
    let warnings = served.warnings.lock().unwrap().join("\n");
    assert!(warnings.contains("`late` has no tool `gone`, which `expose` names"), "{warnings}");
    served.server.close().await;
}

pub async fn a_call_need_not_wait_for_the_list() {
    let server = but(fake(&["legacy", "boot=300"]), json!({ "expose": "all" }));
    let served = Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let mut client = served.modern().await;
    assert_eq!(said(&client.call("a_echo", json!({})).await), "both");
    served.server.close().await;
}

pub async fn a_call_waits_for_its_own_server_alone() {
    let exposing = |mode: &[&str], expose: Value, prefix: &str| {
        let server =
            but(fake(mode), json!({ "expose": expose, "prefix": prefix, "start_timeout_ms": 60000 }));
        adapter(server, calling("echo", json!({})))
    };
    // One hangs that could not have the tool, and one that could.
    for hung in ["hung_", ""] {
        let served = Served::new(plan_of(json!({
            "hung": exposing(&["hangs"], json!("all"), hung),
            "late": exposing(&["legacy", "boot=700"], json!("all"), "late_"),
        })));
        let mut client = served.legacy().await;
        let started = Instant::now();
        assert_eq!(said(&client.call("late_echo", json!({})).await), "both");
        assert!(started.elapsed().as_secs() < 8, "{:?}", started.elapsed());
        served.server.close().await;
    }
}

pub async fn a_server_that_gives_no_tools_is_named() {
    let server = but(program(&["/no/such/program"]), json!({ "expose": "all" }));
    let served = Served::new(plan_of(json!({ "gone": adapter(server, calling("echo", json!({}))) })));
    let mut client = served.modern().await;
    let error = client.ask("tools/call", json!({ "name": "a_echo", "arguments": {} })).await["error"].take();
    assert_eq!(error["code"], -32602);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("`a_echo` (the tools of `gone` are not known: no answer yet)"), "{message}");
    served.server.close().await;
}

pub async fn a_name_is_given_once() {
    let exposing = |names: &[&str], prefix: &str| {
        let server = but(fake(&["modern"]), json!({ "expose": { "only": names }, "prefix": prefix }));
        adapter(server, calling("echo", json!({})))
    };
    let declared = json!({ "name": "x_pid", "description": "Declared", "schema": { "type": "object" }, "at": 0,
        "op": { "inline": command(&["echo", "declared"], json!({})) } });
    let served = Served::new(plan_of(json!({
        "one": exposing(&["echo", "pid"], "x_"),
        "two": exposing(&["echo", "slow"], "x_"),
        "three": with(exposing(&["pid"], "kontext_"), json!({ "tools": [declared] })),
    })));
    let mut client = served.legacy().await;
    while client.names().await.len() < NOTES.len() + 4 {
        client.hear("notifications/tools/list_changed").await;
    }
    let names = client.names().await;
    assert_eq!(names, [NOTES.as_slice(), &["x_pid", "x_echo", "kontext_pid", "x_slow"]].concat());
    assert_eq!(said(&client.call("x_pid", json!({})).await).trim(), "declared");
    let warnings = served.warnings.lock().unwrap().join("\n");
    for words in [
        "the tool `pid` of `one` is left out: its name would be `x_pid`, and another tool is published under it",
        "the tool `echo` of `two` is left out: its name would be `x_echo`, and a tool of `one` is published under it",
    ] {
        assert!(warnings.contains(words), "{warnings}");
    }
    served.server.close().await;
}

pub async fn own_tools_are_there_where_something_answers() {
    let ops = json!({
        "search": command(&["printf", r#"[{"title":"About %s","uri":"n:1"}]"#, "{{query}}"], json!({})),
        "read": with(command(&["printf", "text of %s", "{{uri}}"], json!({})), json!({ "owns": ["n:", "m:"] })),
        "brief": command(&["printf", "all quiet"], json!({})),
    });
    let ops = with(ops, json!({}));
    let mut search = ops["search"].clone();
    search["result"] = json!({ "hits": { "items": "auto" } });
    search["format"] = json!("auto");
    let failing = with(command(&["false"], json!({})), json!({ "result": { "hits": { "items": "auto" } } }));
    let served = Served::new(plan_of(json!({
        "bad": crate::support::adapter(json!({ "search": failing })),
        "good": crate::support::adapter(with(ops, json!({ "search": search }))),
    })));
    let mut client = served.legacy().await;
    let names = client.names().await;
    let own = ["kontext_search", "kontext_read", "kontext_brief"];
    assert_eq!(names, [own.as_slice(), &NOTES].concat());
    for tool in client.tools().await.iter().take(3) {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    let result = client.call("kontext_search", json!({ "query": "x" })).await;
    assert_eq!(said(&result), "1. About x  [good]\n   n:1\n");
    assert_eq!(result["structuredContent"]["hits"][0]["uri"], "n:1");
    assert!(result["content"][1]["text"].as_str().unwrap().starts_with("note: bad: "), "{result}");
    assert_eq!(result["structuredContent"]["notes"][0]["source"], "bad");
    let result = client.call("kontext_read", json!({ "uri": "n:1", "level": 1 })).await;
    assert_eq!((said(&result), &result["structuredContent"]["source"]), ("text of n:1", &json!("good")));
    assert_eq!(said(&client.call("kontext_brief", json!({})).await), "## good\n\nall quiet");
    let instructions = client.hello["instructions"].as_str().unwrap().to_owned();
    assert!(
        instructions.contains("bad, good") && instructions.contains("`kontext_search`"),
        "{instructions}"
    );
    refusals(&mut client).await;
}

async fn refusals(client: &mut Client) {
    for (tool, arguments, words) in [
        ("kontext_search", json!({ "qury": "x", "limit": "9" }), "did you mean `query`, which is missing?"),
        ("kontext_search", json!({ "query": "" }), "`query` must have at least 1 character"),
        ("kontext_search", json!({ "query": "x", "sources": ["god"] }), "did you mean `\"good\"`?"),
        ("kontext_search", json!({ "query": "x", "limit": 5000 }), "`limit` must be at most 100"),
        ("kontext_read", json!({ "uri": "n:1", "level": 3 }), "`level` must be at most 2"),
        (
            "kontext_read",
            json!({ "uri": "x:1" }),
            "no adapter reads `x:1`; what can be read begins with `n:`, `m:`",
        ),
        ("route_context", json!({}), "`query` is missing"),
    ] {
        let result = client.call(tool, arguments.clone()).await;
        assert!(result["isError"] == true && said(&result).contains(words), "{arguments}: {result}");
    }
    let error = client.ask("tools/call", json!({ "name": "kontext_serch", "arguments": {} })).await;
    assert_eq!(error["error"]["code"], -32602);
    assert!(
        error["error"]["message"].as_str().unwrap().contains("did you mean `kontext_search`?"),
        "{error}"
    );
    for params in [json!({}), json!({ "name": 7 }), json!({ "name": "kontext_brief", "arguments": [] })] {
        client.request("tools/call", params.clone()).await;
        let answer = client.next().await.unwrap();
        assert!(answer["error"]["code"].is_i64(), "{params}: {answer}");
    }
}
