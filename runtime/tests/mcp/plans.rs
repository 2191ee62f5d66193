//! Plans with MCP adapters, written short, and runtimes for them.

use kontext_plan::Plan;
use kontext_runtime::answer::{OpAnswer, OpResult};
use kontext_runtime::{Given, RunError, Runtime};
use serde_json::{Value, json};

use crate::support::{Machine, named, plan_of, template, with};

/// A plan in which adapter `a` is a server of this mode, with one op `go`.
pub fn plan(mode: &[&str], op: Value) -> Plan {
    plan_of(json!({ "a": adapter(fake(mode), op) }))
}

/// An adapter with the op `go`.
pub fn adapter(server: Value, op: Value) -> Value {
    json!({
        "driver": { "mcp": server }, "enabled": true, "layers": ["user"], "at": 0,
        "timeout_ms": 5000, "weight": 0.9, "ops": { "go": op },
    })
}

/// A server of this executable.
pub fn fake(mode: &[&str]) -> Value {
    let itself = std::env::current_exe().unwrap().display().to_string();
    let words: Vec<&str> = [itself.as_str(), "fake"].into_iter().chain(mode.iter().copied()).collect();
    program(&words)
}

/// A server that is a program.
pub fn program(command: &[&str]) -> Value {
    let command: Vec<Value> = command.iter().map(|word| template(word)).collect();
    server(json!({ "stdio": { "command": command, "env": named(&[]), "cwd": null } }))
}

/// A server at an address.
pub fn address(url: &str, headers: &[(&str, &str)]) -> Value {
    server(json!({ "http": { "url": template(url), "headers": named(headers) } }))
}

fn server(connect: Value) -> Value {
    json!({
        "connect": connect, "start_timeout_ms": 10000, "expose": "none", "prefix": "a_",
        "protocol": "auto", "pin": "full",
    })
}

/// An op that calls a tool with these arguments.
pub fn calling(tool: &str, arguments: Value) -> Value {
    op(json!({ "tool": template(tool), "args": { "given": slot(arguments) } }))
}

/// An op that calls a tool with arguments by name.
pub fn binding(tool: &str, roles: &[&str]) -> Value {
    op(json!({ "tool": template(tool), "args": { "named": { "roles": roles } } }))
}

fn op(call: Value) -> Value {
    json!({
        "call": { "mcp": call }, "format": "auto", "timeout_ms": 5000, "result": { "text": null }, "at": 0,
        "inputs": [
            { "name": "query", "type": "string" },
            { "name": "limit", "type": "integer", "default": 10 },
        ],
    })
}

fn slot(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let member = |(key, value)| json!({ "key": { "text": key }, "value": slot(value) });
            json!({ "object": members.into_iter().map(member).collect::<Vec<Value>>() })
        }
        Value::Array(items) => json!({ "array": items.into_iter().map(slot).collect::<Vec<Value>>() }),
        Value::String(text) => json!({ "template": template(&text) }),
        scalar => json!({ "scalar": scalar }),
    }
}

/// The same op or server with further or other members.
pub fn but(value: Value, members: Value) -> Value {
    with(value, members)
}

/// A runtime on a machine of its own; the machine must outlive it.
pub fn runtime(plan: Plan) -> (Machine, Runtime) {
    let machine = Machine::new(&[]);
    let runtime = machine.runtime(plan);
    (machine, runtime)
}

/// Calls `go` of adapter `a`.
pub async fn answer(runtime: &Runtime, query: &str) -> Result<OpAnswer, RunError> {
    let given = Given::Text(vec![("query".to_owned(), query.to_owned())]);
    runtime.op("a", "go", &given).await
}

/// The text it gives.
pub async fn text(runtime: &Runtime, query: &str) -> Result<String, RunError> {
    answer(runtime, query).await.map(|answer| match answer.result {
        OpResult::Text(text) => text,
        OpResult::Hits(hits) => format!("{hits:?}"),
    })
}

/// One call in a runtime of its own, servers ended afterwards.
pub async fn once(mode: &[&str], op: Value) -> Result<String, RunError> {
    let (_machine, runtime) = runtime(plan(mode, op));
    let text = text(&runtime, "words").await;
    runtime.close().await;
    text
}
