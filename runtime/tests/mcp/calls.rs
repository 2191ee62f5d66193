//! What a call sends, and what it gives.

use kontext_runtime::Given;
use kontext_runtime::answer::OpResult;
use serde_json::{Value, json};

use crate::plans::{answer, binding, but, calling, once, plan, runtime};

async fn raw(result: Value) -> Result<String, String> {
    let said = once(&["modern"], calling("raw", json!({ "result": result }))).await;
    said.map_err(|error| format!("{}: {}", error.id, error.message))
}

pub async fn a_structured_result() {
    let said = once(&["modern"], calling("echo", json!({ "q": "{{query}}", "n": 5 }))).await;
    assert_eq!(said.unwrap(), r#"{"q":"words","n":5}"#);
}

pub async fn text_is_json_where_it_parses() {
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    assert_eq!(raw(text("{\"text\":\"inside\"}")).await.unwrap(), "inside");
    assert_eq!(raw(text("plain {")).await.unwrap(), "plain {");
    assert_eq!(raw(json!({ "content": [] })).await.unwrap(), "");
    assert_eq!(raw(json!({})).await.unwrap(), "");
}

pub async fn a_complaint_is_a_failure() {
    let result = json!({ "isError": true, "content": [{ "type": "text", "text": "denied" }],
        "structuredContent": { "error": { "code": 1 } } });
    let said = raw(result).await.unwrap_err();
    assert_eq!(said, "call-failed: `a.go`: the tool `raw` failed: denied");
}

pub async fn parts_of_unknown_kinds_are_named() {
    let result = json!({ "content": [{ "type": "image", "mimeType": "image/png", "data": "AA==" },
        { "type": "text", "text": "seen" }, { "type": "hologram", "depth": 3 }] });
    let (_machine, runtime) = runtime(plan(&["legacy"], calling("raw", json!({ "result": result }))));
    let answer = answer(&runtime, "x").await.unwrap();
    assert_eq!(answer.result, OpResult::Text("seen".to_owned()));
    assert_eq!(answer.notes.len(), 1, "{:?}", answer.notes);
    assert!(answer.notes[0].message.contains("1 × hologram, 1 × image (image/png)"), "{:?}", answer.notes);
}

pub async fn digits_are_kept() {
    let result = json!({ "structuredContent": { "text": [12345678901234567890123u128, 1.10] } });
    let result: Value = serde_json::from_str(&result.to_string().replace("1.1", "1.10")).unwrap();
    let said = raw(result).await.unwrap();
    assert!(said.contains("12345678901234567890123,") && said.contains("1.10"), "{said}");
}

pub async fn arguments_by_name() {
    for (tool, said) in [
        ("find", r#"{"query":"words","limit":50}"#),
        ("bare", "{}"),
        ("empty", "{}"),
        ("circle", r#"{"query":"words"}"#),
    ] {
        let op = binding(tool, &["query", "limit", "project"]);
        let (_machine, runtime) = runtime(plan(&["legacy"], op));
        let given = Given::Text(vec![
            ("query".to_owned(), "words".to_owned()),
            ("limit".to_owned(), "99".to_owned()),
        ]);
        let answer = runtime.op("a", "go", &given).await.unwrap();
        assert_eq!(answer.result, OpResult::Text(said.to_owned()), "{tool}");
    }
}

/// As an inline op of a declared tool has it, when nothing is locked.
pub async fn parameters_of_a_tool_come_first() {
    let rule = json!({ "roles": ["query", "limit"], "parameters": ["LIMIT", "query", "zone", "unset"] });
    let inputs = ["LIMIT", "query", "zone", "unset"].map(|name| json!({ "name": name, "type": "string" }));
    let op = but(binding("find", &[]), json!({ "inputs": inputs }));
    let op = but(op, json!({ "call": { "mcp": { "tool": { "text": "find" }, "args": { "named": rule } } } }));
    let (_machine, runtime) = runtime(plan(&["legacy"], op));
    let given = json!({ "LIMIT": "70", "query": "words", "zone": "UTC" });
    let Value::Object(given) = given else { unreachable!() };
    let answer = runtime.op("a", "go", &Given::Json(given)).await.unwrap();
    assert_eq!(answer.result, OpResult::Text(r#"{"limit":50,"query":"words"}"#.to_owned()));
    let notes: Vec<&str> = answer.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["the tool `find` has no parameter `zone`: its value went nowhere"]);
    runtime.close().await;
}

pub async fn a_choice_is_not_made_by_name() {
    let error = once(&["legacy"], binding("choose", &["query"])).await.unwrap_err();
    assert_eq!(error.id, "missing-argument");
    assert!(
        error.message.contains("requires `text`, which takes only `open`, `closed`"),
        "{}",
        error.message
    );
}

pub async fn a_bad_tool_costs_only_itself() {
    let error = once(&["modern"], binding("broken", &["query"])).await.unwrap_err();
    assert_eq!(error.id, "invalid-schema");
    assert!(error.message.contains("`broken`"), "{}", error.message);
    assert_eq!(once(&["modern"], binding("find", &["query"])).await.unwrap(), r#"{"query":"words"}"#);
}

pub async fn unknown_tools_are_suggested() {
    for (mode, op) in [
        ("modern", binding("fnd", &["query"])),
        ("modern", calling("fnd", json!({}))),
        ("legacy", calling("fnd", json!({}))),
    ] {
        let error = once(&[mode], op).await.unwrap_err();
        assert_eq!(error.id, "unknown-tool", "{}", error.message);
        assert!(error.message.contains("has no tool `fnd`; did you mean `find`?"), "{}", error.message);
    }
    let error = once(&["legacy"], calling("legacy-unknown", json!({}))).await.unwrap_err();
    assert_eq!(error.id, "unknown-tool", "{}", error.message);
}

pub async fn hits_are_mapped() {
    let result = json!({ "content": [{ "type": "text", "text": "{\"hits\":[{\"title\":\"twice\"}]}" }],
        "structuredContent": { "hits": [{ "title": "once", "score": 2 }] } });
    let op = but(
        calling("raw", json!({ "result": result })),
        json!({ "result": { "hits": { "items": "auto" } } }),
    );
    let (_machine, runtime) = runtime(plan(&["modern"], op));
    let OpResult::Hits(hits) = answer(&runtime, "x").await.unwrap().result else { panic!("no hits") };
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].title.as_deref(), Some("once"));
}

pub async fn a_server_is_inspected() {
    let (_machine, runtime) = runtime(plan(&["modern"], binding("choose", &["query"])));
    let found = runtime.inspect("a").await.unwrap();
    assert_eq!((found.era, found.protocol.as_str(), found.transport), ("modern", "2026-07-28", "stdio"));
    assert_eq!(found.server.as_ref().map(|server| server.version.as_str()), Some("9.1"));
    let find = found.tools.iter().find(|tool| tool.name == "find").unwrap();
    let types: Vec<(&str, &str, bool)> = find
        .parameters
        .iter()
        .map(|parameter| (parameter.name.as_str(), parameter.ty.as_str(), parameter.required))
        .collect();
    let wanted = [
        ("query", "string|null", true),
        ("limit", "integer", false),
        ("tags", "array|null", false),
        ("mode", "string", false),
    ];
    assert_eq!(types, wanted);
    assert_eq!(find.annotations, Some(json!({ "readOnlyHint": true })));
    assert!(found.notes.iter().any(|note| note.contains("`broken`")), "{:?}", found.notes);
    let problem = found.ops[0].problem.as_deref().unwrap();
    assert!(problem.contains("`open`, `closed`") && !found.is_well(), "{problem}");
    runtime.close().await;
}

pub async fn questions_fail_the_call_and_are_told() {
    let question = "an answer to `Which branch?` (`branch`), which nobody is there to give";
    let error = once(&["modern"], calling("asks", json!({}))).await.unwrap_err();
    assert_eq!(error.message, format!("`a.go`: the tool `asks` asks for {question}"));
    let error = once(&["modern"], calling("wants", json!({}))).await.unwrap_err();
    let said = "Missing required client capability (error -32021): kontext does not offer `sampling`";
    assert!(error.message.ends_with(said), "{}", error.message);
    let error = once(&["legacy"], calling("asks", json!({}))).await.unwrap_err();
    let said = "the tool `asks` failed: kontext does not offer elicitation/create: nobody is there to answer";
    assert_eq!(error.message, format!("`a.go`: {said}; meanwhile the server asked for {question}"));
    let (_machine, runtime) = runtime(plan(&["legacy", "copes"], calling("asks", json!({}))));
    let noted = answer(&runtime, "x").await.unwrap().notes;
    assert_eq!(noted[0].message, format!("the server asked for {question}"));
    runtime.close().await;
}

pub async fn a_call_is_made_again_when_the_server_wants_nothing_else() {
    let said = once(&["modern"], calling("asks", json!({ "again": true }))).await;
    assert_eq!(said.unwrap(), "at the third time");
}
