//! Plans written short, and a machine to run them on.

pub mod server;

use kontext_host::{Env, Repository};
use kontext_plan::Plan;
use kontext_runtime::answer::OpResult;
use kontext_runtime::{Given, RunError, Runtime, Trust};
use serde_json::{Value, json};

/// A machine with a directory of its own.
pub struct Machine {
    pub directory: tempfile::TempDir,
    pub env: Env,
}

impl Machine {
    /// With `PATH` and these variables.
    pub fn new(variables: &[(&str, &str)]) -> Self {
        let path = std::env::var("PATH").unwrap();
        let pairs = [("PATH", path.as_str())].into_iter().chain(variables.iter().copied());
        Self { directory: tempfile::tempdir().unwrap(), env: Env::from_pairs(pairs) }
    }

    pub fn repository(&self) -> Repository {
        Repository::discover(self.directory.path()).unwrap()
    }

    /// A runtime in which every adapter of the user's own layers is trusted.
    pub fn runtime(&self, plan: Plan) -> Runtime {
        Runtime::new(plan, self.env.clone(), self.repository(), Trust::new(&self.env, true))
    }
}

/// Calls op `go` of adapter `a` with a `query`.
pub async fn go(machine: &Machine, plan: Plan, query: &str) -> Result<OpResult, RunError> {
    let given = Given::Text(vec![("query".to_owned(), query.to_owned())]);
    machine.runtime(plan).op("a", "go", &given).await.map(|answer| answer.result)
}

/// The text of op `go`.
pub async fn text(machine: &Machine, plan: Plan, query: &str) -> Result<String, RunError> {
    go(machine, plan, query).await.map(|result| match result {
        OpResult::Text(text) => text,
        OpResult::Hits(hits) => format!("{hits:?}"),
    })
}

/// A plan with adapter `a` that has the op `go`.
pub fn plan(op: Value) -> Plan {
    plan_of(json!({ "a": adapter(json!({ "go": op })) }))
}

/// A plan of adapters. Its facts are `env.` of every name in capitals that its expressions use.
pub fn plan_of(adapters: Value) -> Plan {
    let text = adapters.to_string();
    let mut facts: Vec<&str> =
        text.split("\"fact\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    facts.sort_unstable();
    facts.dedup();
    let facts: Vec<Value> =
        facts.iter().map(|name| json!({ "name": name, "secret": name.starts_with("env.KX") })).collect();
    let plan = json!({
        "format": 1, "kontext": "0.1.0", "digest": "", "profile": "local", "inputs": [],
        "origins": [{ "file": "repo:.kontext.toml", "line": 7, "column": 3 }],
        "facts": facts, "capabilities": [], "adapters": adapters, "scope": null,
    });
    serde_json::from_str(&plan.to_string()).unwrap()
}

/// An adapter of the user's layer with these ops; the driver is that of its first op.
pub fn adapter(ops: Value) -> Value {
    let http = ops.as_object().unwrap().values().next().unwrap()["call"].get("http").is_some();
    json!({
        "driver": if http { "http" } else { "command" }, "enabled": true, "layers": ["user"], "at": 0,
        "timeout_ms": 5000, "weight": 0.9, "ops": ops,
    })
}

/// The same with further or other members.
pub fn with(mut value: Value, members: Value) -> Value {
    for (name, member) in members.as_object().unwrap() {
        value[name] = member.clone();
    }
    value
}

/// An http op; `call` are further members of the call.
pub fn http(base: &str, path: &str, call: Value) -> Value {
    let segments: Vec<Value> = path.split('/').filter(|part| !part.is_empty()).map(segment).collect();
    let url = json!({ "prefix": template(base), "segments": segments, "at": 0 });
    op(json!({ "http": with(json!({ "method": "GET", "url": url }), call) }))
}

/// A command op; `call` are further members of the call.
pub fn command(command: &[&str], call: Value) -> Value {
    let command: Vec<Value> = command.iter().map(|argument| template(argument)).collect();
    op(json!({ "command": with(json!({ "command": command, "ok_exit": [0] }), call) }))
}

fn op(call: Value) -> Value {
    json!({
        "call": call, "format": "text", "timeout_ms": 5000, "result": { "text": null }, "at": 0,
        "inputs": [
            { "name": "query", "type": "string" },
            { "name": "limit", "type": "integer", "default": 10 },
            { "name": "uri", "type": "string" },
        ],
    })
}

/// Names and templates as a table of headers, parameters or variables.
pub fn named(pairs: &[(&str, &str)]) -> Value {
    pairs.iter().map(|(name, value)| json!({ "name": name, "value": template(value), "at": 0 })).collect()
}

fn segment(part: &str) -> Value {
    let encoded = |mut piece: Value| match piece.get_mut("expr") {
        Some(expr) => json!({ "encoded": expr.take() }),
        None => piece,
    };
    pieces(part).into_iter().map(encoded).collect()
}

/// `text {{env.NAME}} {{query}}` as a compiled template.
pub fn template(text: &str) -> Value {
    let mut pieces = pieces(text);
    match pieces.as_slice() {
        [] => json!({ "text": "" }),
        [_] => pieces.remove(0),
        _ => json!({ "concat": pieces }),
    }
}

fn pieces(text: &str) -> Vec<Value> {
    let mut pieces = Vec::new();
    for part in text.split("{{") {
        let (name, rest) = part.split_once("}}").map_or((None, part), |(name, rest)| (Some(name), rest));
        pieces.extend(name.map(|name| json!({ "expr": { "from": source(name), "at": 0 } })));
        if !rest.is_empty() {
            pieces.push(json!({ "text": rest }));
        }
    }
    pieces
}

fn source(name: &str) -> Value {
    match name {
        "output_file" => json!("outputfile"),
        name if name.contains('.') => json!({ "fact": name }),
        name => json!({ "input": [{ "key": name }] }),
    }
}
