//! Declared tools: what is called with which inputs, what is refused before anything is called, what comes back.

use kontext_runtime::answer::ToolAnswer;
use kontext_runtime::{RunError, Runtime, Trust};
use serde_json::{Map, Value, json};

use crate::support::{Machine, adapter, command, plan_of, with};

/// A command op that prints each of its arguments in brackets.
fn print(arguments: &[&str]) -> Value {
    command(&[&["printf", "[%s]"], arguments].concat(), json!({}))
}

/// A tool of these parameters.
fn tool(name: &str, params: Value, op: Value) -> Value {
    let schema = json!({ "type": "object", "properties": params, "required": ["query"] });
    json!({ "name": name, "description": format!("About {name}"), "schema": schema, "op": op, "at": 0 })
}

fn words() -> Value {
    json!({ "query": { "type": "string" }, "limit": { "type": "integer", "default": 3 } })
}

fn inline(op: Value) -> Value {
    json!({ "inline": op })
}

/// A runtime with adapter `a` of these ops and tools.
fn runtime(machine: &Machine, ops: Value, tools: Value) -> Runtime {
    machine.runtime(plan_of(json!({ "a": with(adapter(ops), json!({ "tools": tools })) })))
}

async fn call(runtime: &Runtime, name: &str, args: Value) -> Result<ToolAnswer, RunError> {
    let Value::Object(args) = args else { panic!("{args} is no object") };
    runtime.tool(name, args).await
}

async fn text(runtime: &Runtime, name: &str, args: Value) -> String {
    match call(runtime, name, args).await {
        Ok(answer) => answer.text().to_owned(),
        Err(error) => format!("{}: {}", error.id, error.message),
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_call_nothing() {
    let machine = Machine::new(&[]);
    let mark = machine.directory.path().join("called").display().to_string();
    let ops = json!({ "go": command(&["touch", &mark], json!({})) });
    let runtime = runtime(&machine, ops, json!([tool("t", words(), json!({ "named": "go" }))]));
    let error = call(&runtime, "t", json!({ "qurey": 1, "limit": "x" })).await.unwrap_err();
    assert_eq!(error.id, "unknown-argument");
    let wanted = "the tool `t`: 2 arguments are wrong:\n  \
        `qurey` is no parameter; did you mean `query`, which is missing?\n  \
        `limit` must be an integer, not `\"x\"`";
    assert_eq!(error.message, wanted);
    let at = error.at.unwrap();
    assert_eq!((at.file.as_str(), at.line, at.column), ("repo:.kontext.toml", 7, 3));
    assert!(!std::path::Path::new(&mark).exists());
    call(&runtime, "t", json!({ "query": "x" })).await.unwrap();
    assert!(std::path::Path::new(&mark).exists());
}

#[tokio::test]
async fn null_is_absent_and_so_a_required_one_is_missing() {
    let machine = Machine::new(&[]);
    let ops = json!({ "go": print(&["{{query}}", "{{limit}}"]) });
    let runtime = runtime(&machine, ops, json!([tool("t", words(), json!({ "named": "go" }))]));
    let told = text(&runtime, "t", json!({ "query": null })).await;
    assert_eq!(told, "missing-argument: the tool `t`: `query` is missing: a string");
    assert_eq!(text(&runtime, "t", json!({ "query": "x", "limit": null })).await, "[x][3]");
}

#[tokio::test]
async fn parameters_have_their_names_and_all_are_args() {
    let machine = Machine::new(&[]);
    let args = json!([{ "key": "args" }, { "key": "query" }]);
    let mut op = print(&["{{query}}", "{{limit}}", "PLACE"]);
    op["call"]["command"]["command"][4] = json!({ "expr": { "from": { "input": args }, "at": 0 } });
    op["inputs"] = json!([]);
    let runtime = runtime(&machine, json!({ "go": print(&[]) }), json!([tool("t", words(), inline(op))]));
    assert_eq!(
        text(&runtime, "t", json!({ "query": "a b; $(id)", "limit": 9 })).await,
        "[a b; $(id)][9][a b; $(id)]"
    );
}

#[tokio::test]
async fn a_standard_op_adds_its_defaults_and_twins() {
    let machine = Machine::new(&[]);
    let mut declared = tool("t", json!({ "query": { "type": "string" } }), json!({ "named": "go" }));
    declared["inputs"] = json!([
        { "name": "uri", "type": "string", "twin": "query" },
        { "name": "limit", "type": "integer", "default": 10 },
    ]);
    let ops = json!({ "go": print(&["{{query}}", "{{uri}}", "{{limit}}"]) });
    let runtime = runtime(&machine, ops, json!([declared]));
    assert_eq!(text(&runtime, "t", json!({ "query": "x" })).await, "[x][x][10]");
    let told = text(&runtime, "t", json!({ "query": "x", "limit": 4 })).await;
    assert_eq!(told, "unknown-argument: the tool `t`: `limit` is no parameter; the parameters are `query`");
}

#[tokio::test]
async fn hits_are_a_list_for_people_and_data_beside_it() {
    let machine = Machine::new(&[]);
    let script =
        r#"printf '[{"title":"Retry policy","uri":"n:1","snippet":"thrice","kind":"note"},{"uri":"x"},{}]'"#;
    let op = command(&["/bin/sh", "-c", script], json!({}));
    let op = with(op, json!({ "format": "auto", "result": { "hits": { "items": "auto" } } }));
    let runtime =
        runtime(&machine, json!({ "go": op }), json!([tool("t", words(), json!({ "named": "go" }))]));
    let answer = call(&runtime, "t", json!({ "query": "x" })).await.unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(
        json["content"][0],
        json!({ "type": "text", "text": "1. Retry policy  [a, note]\n   n:1\n   thrice\n2. x  [a]\n   x\n" })
    );
    assert_eq!(json["content"][1]["text"], "note: a: 1 item without title and snippet was dropped");
    assert_eq!(json["isError"], false);
    assert_eq!(json["structuredContent"]["hits"][0]["uri"], "n:1");
    assert_eq!(json["structuredContent"]["notes"][0]["source"], "a");
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["content", "structuredContent", "isError"]);
}

#[tokio::test]
async fn no_hits_are_said_and_a_text_is_a_text() {
    let machine = Machine::new(&[]);
    let none = with(
        command(&["true"], json!({})),
        json!({ "format": "auto", "result": { "hits": { "items": "auto" } } }),
    );
    let tools = json!([
        tool("none", words(), json!({ "named": "none" })),
        tool("text", words(), inline(print(&["{{query}}"]))),
    ]);
    let runtime = runtime(&machine, json!({ "none": none }), tools);
    let answer = call(&runtime, "none", json!({ "query": "x" })).await.unwrap();
    assert_eq!(answer.text(), "no hits");
    assert!(answer.structured_content.unwrap()["hits"].as_array().unwrap().is_empty());
    let answer = call(&runtime, "text", json!({ "query": "x" })).await.unwrap();
    let json = serde_json::to_string(&answer).unwrap();
    assert_eq!(json, r#"{"content":[{"type":"text","text":"[x]"}],"isError":false}"#);
}

#[tokio::test]
async fn a_failing_call_is_told_with_the_tool_and_without_secrets() {
    let machine = Machine::new(&[("KX_TOK", "topsecret-value")]);
    let op = command(&["/bin/sh", "-c", "echo \"no $1\" >&2; exit 3", "sh", "{{env.KX_TOK}}"], json!({}));
    let runtime =
        runtime(&machine, json!({ "go": op }), json!([tool("t", words(), json!({ "named": "go" }))]));
    let error = call(&runtime, "t", json!({ "query": "x" })).await.unwrap_err();
    assert_eq!(
        (error.id, error.message.as_str()),
        ("call-failed", "the tool `t`: `/bin/sh` ended with exit status 3: no ***")
    );
    assert!(error.at.is_some());
    let error = call(&runtime, "t", json!({ "query": 1, "topsecret-value": 1 })).await.unwrap_err();
    assert!(!error.message.contains("topsecret"), "{}", error.message);
}

#[tokio::test]
async fn tools_are_known_by_name_and_only_active_ones_are_published() {
    let machine = Machine::new(&[]);
    let of = |names: &[&str]| -> Value {
        names.iter().map(|name| tool(name, words(), inline(print(&["{{query}}"])))).collect()
    };
    let on = with(adapter(json!({ "go": print(&[]) })), json!({ "tools": of(&["notes_find", "a_list"]) }));
    let off = with(
        adapter(json!({ "go": print(&[]) })),
        json!({ "enabled": false, "tools": of(&["old", "a_list"]) }),
    );
    let plan = || plan_of(json!({ "aa": off.clone(), "b": on.clone() }));
    let runtime = machine.runtime(plan());
    let tools = runtime.tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["a_list", "notes_find"]);
    assert_eq!(
        (tools[1].description.as_str(), &tools[1].schema["required"]),
        ("About notes_find", &json!(["query"]))
    );
    assert_eq!(text(&runtime, "a_list", json!({ "query": "x" })).await, "[x]");
    let told = text(&runtime, "note_find", json!({})).await;
    assert_eq!(told, "unknown-tool: the plan has no tool `note_find`; did you mean `notes_find`?");
    let told = text(&runtime, "x", json!({})).await;
    let (own, notes) =
        ("`a_list`, `notes_find`, `old`", "`read_hot_context`, `route_context`, `memory_health`");
    assert_eq!(told, format!("unknown-tool: the plan has no tool `x`; the tools are {notes}, {own}"));
    assert!(text(&runtime, "old", json!({})).await.starts_with("inactive: the adapter `aa` is inactive: "));
    assert_eq!(
        text(&machine.runtime(plan_of(json!({}))), "t", json!({})).await,
        format!("unknown-tool: the plan has no tool `t`; the tools are {notes}")
    );
}

#[tokio::test]
async fn an_untrusted_adapter_is_not_called() {
    let machine = Machine::new(&[]);
    let shared = with(
        adapter(json!({ "go": print(&[]) })),
        json!({ "layers": ["shared"], "tools": [tool("t", words(), inline(print(&["{{query}}"])))] }),
    );
    let trust = Trust::new(&machine.env, true);
    let runtime =
        Runtime::new(plan_of(json!({ "a": shared })), machine.env.clone(), machine.repository(), trust);
    assert_eq!(call(&runtime, "t", json!({ "query": "x" })).await.unwrap_err().id, "not-trusted");
    assert!(runtime.tools().is_empty());
}

#[tokio::test]
async fn a_read_tool_keeps_to_what_its_op_owns() {
    let machine = Machine::new(&[]);
    let read = with(command(&["echo", "{{uri}}"], json!({})), json!({ "owns": ["n:"] }));
    let schema =
        json!({ "type": "object", "properties": { "uri": { "type": "string" } }, "required": ["uri"] });
    let open =
        json!({ "name": "open", "description": "d", "schema": schema, "op": { "named": "read" }, "at": 0 });
    let runtime = runtime(&machine, json!({ "read": read }), json!([open]));
    assert_eq!(text(&runtime, "open", json!({ "uri": "n:1" })).await, "n:1\n");
    let told = text(&runtime, "open", json!({ "uri": "x:1" })).await;
    assert_eq!(told, "argument-type: the tool `open`: `x:1` does not begin with `n:`");
}

#[tokio::test]
async fn a_schema_of_a_foreign_plan_that_is_none_is_said() {
    let machine = Machine::new(&[]);
    let broken = tool("t", json!({ "query": { "type": "strng" } }), inline(print(&[])));
    let runtime = runtime(&machine, json!({ "go": print(&[]) }), json!([broken]));
    assert_eq!(runtime.tool("t", Map::new()).await.unwrap_err().id, "invalid-schema");
}
