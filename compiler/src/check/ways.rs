//! The ways an op is reached, and the inputs each provides.

use std::collections::BTreeMap;

use kontext_plan::InputType;
use serde_json::{Value, json};

use crate::config::{Adapter, Op, Tool, ToolOp};
use crate::types::{Kind, Ty};

/// How an op is reached.
#[derive(Debug, Clone)]
pub struct Way {
    /// For messages: "the event `sync`", "the tool `notes_recent`".
    pub name: String,
    /// What the caller passes.
    pub inputs: Vec<Input>,
}

/// Something the caller passes.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type in templates.
    pub ty: Ty,
    /// What it is when the caller passes none.
    pub default: Option<Value>,
    /// The input it takes its value from when the caller passes none.
    pub twin: Option<&'static str>,
    /// The call fails without it.
    pub required: bool,
}

/// Ops with a meaning of their own.
pub const STANDARD: [&str; 8] = ["search", "history", "code", "read", "brief", "llm", "health", "store"];

/// Whether an op of this name gives hits by its nature, text by its nature, or what its fields say (none).
#[must_use]
pub fn gives_hits(name: &str) -> Option<bool> {
    match name {
        "search" | "history" | "code" => Some(true),
        "read" | "brief" | "llm" | "health" | "store" => Some(false),
        _ => None,
    }
}

/// Every way a named op is reached, the first first. A custom op that nothing uses has none.
pub fn of_op<T>(adapter: &Adapter<T>, name: &str) -> Vec<Way> {
    let mut ways = Vec::new();
    if let Some(inputs) = standard(name) {
        ways.push(Way { name: format!("the op `{name}` itself"), inputs });
    }
    for on in adapter.on.iter().filter(|on| on.op.value == name) {
        let event = format!("{:?}", on.event).to_lowercase();
        ways.push(Way { name: format!("the event `{event}`"), inputs: payload() });
    }
    for tool in &adapter.tools {
        if matches!(&tool.op, ToolOp::Named(op) if op.value == name) {
            ways.push(of_tool(tool, Some(name)));
        }
    }
    ways
}

/// The way through a tool: its arguments, and what a standard op has that it does not declare.
pub fn of_tool<T>(tool: &Tool<T>, op: Option<&str>) -> Way {
    let mut inputs = vec![plain("args", Ty::always(args_kind(&tool.schema)))];
    let required = required(&tool.schema);
    for (name, schema) in tool.schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let optional = !required.contains(&name.as_str());
        inputs.push(plain(name, Ty { kind: schema_kind(schema), optional }));
    }
    for input in op.and_then(standard).unwrap_or_default() {
        let declared = inputs.iter().any(|known| known.name == input.name);
        let derived = input.default.is_some()
            || input.twin.is_some_and(|twin| inputs.iter().any(|known| known.name == twin));
        if !declared && derived {
            inputs.push(input);
        }
    }
    Way { name: format!("the tool `{}`", tool.name.value), inputs }
}

/// Whether an op needs the private answer file among its inputs.
pub fn has_output_file<T>(op: &Op<T>) -> bool {
    op.output_file
}

fn standard(name: &str) -> Option<Vec<Input>> {
    let query = || required_text("query");
    let limit = || Input { default: Some(json!(10)), ..plain("limit", Ty::always(Kind::Integer)) };
    Some(match name {
        "search" | "code" => vec![query(), limit()],
        "history" => vec![required_text("target"), twin("query", "target"), limit()],
        "read" => vec![
            required_text("uri"),
            Input { default: Some(json!(2)), ..plain("level", Ty::always(Kind::Integer)) },
        ],
        "brief" => {
            let focus = Input { default: Some(json!("")), ..plain("focus", Ty::always(Kind::String)) };
            vec![focus, twin("query", "focus")]
        }
        "llm" => vec![required_text("prompt")],
        "health" => Vec::new(),
        "store" => payload(),
        _ => return None,
    })
}

/// The payload of an event.
fn payload() -> Vec<Input> {
    let texts =
        ["id", "kind", "title", "status", "date", "summary", "body", "markdown", "path", "visibility"];
    let lists = ["tags", "paths"];
    let list = || Ty::always(Kind::List(Box::new(Kind::String)));
    let source = ["repo", "branch"].map(|name| (name.to_owned(), Ty::always(Kind::String)));
    let source = Kind::Object(Some(BTreeMap::from(source)));
    let mut inputs: Vec<_> = texts.iter().map(|name| plain(name, Ty::always(Kind::String))).collect();
    inputs.extend(lists.iter().map(|name| plain(name, list())));
    inputs.push(plain("source", Ty::always(source)));
    inputs
}

fn plain(name: &str, ty: Ty) -> Input {
    Input { name: name.to_owned(), ty, default: None, twin: None, required: false }
}

fn required_text(name: &str) -> Input {
    Input { required: true, ..plain(name, Ty::always(Kind::String)) }
}

fn twin(name: &str, of: &'static str) -> Input {
    Input { twin: Some(of), ..plain(name, Ty::always(Kind::String)) }
}

fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn args_kind(schema: &Value) -> Kind {
    let required = required(schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    let field = |(name, schema): (&String, &Value)| {
        let optional = !required.contains(&name.as_str());
        (name.clone(), Ty { kind: schema_kind(schema), optional })
    };
    Kind::Object(properties.map(|properties| properties.iter().map(field).collect()))
}

/// The template type of a JSON schema, as far as its `type` says it.
fn schema_kind(schema: &Value) -> Kind {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => Kind::String,
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Bool,
        Some("array") => Kind::List(Box::new(schema.get("items").map_or(Kind::Any, schema_kind))),
        Some("object") if schema.get("properties").is_some() => args_kind(schema),
        Some("object") => Kind::Object(None),
        _ => Kind::Any,
    }
}

/// The plan's word for a type.
#[must_use]
pub fn input_type(kind: &Kind) -> InputType {
    match kind {
        Kind::String => InputType::String,
        Kind::Integer => InputType::Integer,
        Kind::Number => InputType::Number,
        Kind::Bool => InputType::Boolean,
        Kind::List(_) => InputType::Array,
        Kind::Object(_) => InputType::Object,
        Kind::Any => InputType::Any,
    }
}
