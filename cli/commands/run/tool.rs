//! `kontext run tool`: a tool called as an agent would call it.

use clap::Args;
use kontext_runtime::Runtime;
use serde_json::{Map, Value};

use super::inputs::{self, Inputs};
use super::render::Rendered;
use super::told;
use crate::commands::{Context, Failure};
use crate::compile::Machine;

/// Arguments of `run tool`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext run tool find --input q=retry --input limit=3   each argument by its name
  kontext run tool find --json '{\"q\": \"retry\"}'           all of them as an agent sends them
  kontext run tool kontext_search --input query=retry     kontext's own tools too

A tool that says it failed is a failed run: status 1, and its words on standard error.")]
pub struct ToolArgs {
    /// The tool's name
    pub name: String,
    /// Its arguments
    #[command(flatten)]
    pub inputs: Inputs,
}

/// Calls the tool.
pub async fn call(
    context: &Context,
    machine: &Machine,
    runtime: &Runtime,
    args: &ToolArgs,
) -> Result<Rendered, Failure> {
    let arguments = match &args.inputs.json {
        Some(json) => inputs::object(context, machine, json)?,
        None => {
            let catalogue = runtime.catalogue();
            let properties = catalogue.get(&args.name).and_then(|tool| tool.schema.get("properties"));
            by_schema(&args.inputs.pairs, properties)
        }
    };
    let answer = runtime.tool(&args.name, arguments).await;
    let answer = answer.and_then(|answer| match runtime.tool_failure(&args.name, &answer) {
        Some(error) => Err(error),
        None => Ok(answer),
    });
    told(machine, answer).map(|answer| Rendered::tool(&answer))
}

/// Pairs as the arguments of a tool: each by the type its schema gives, otherwise by its looks; a repeated name makes a
/// list. What does not fit stays text, which the schema then refuses by name.
fn by_schema(pairs: &[(String, String)], properties: Option<&Value>) -> Map<String, Value> {
    let mut arguments = Map::new();
    for (name, text) in pairs {
        let property = properties.and_then(|properties| properties.get(name));
        let value = converted(text, property.unwrap_or(&Value::Null));
        match (arguments.get_mut(name), value) {
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            (Some(Value::Array(list)), value) => list.push(value),
            (Some(first), value) => *first = Value::Array(vec![first.take(), value]),
            (None, value) => {
                arguments.insert(name.clone(), value);
            }
        }
    }
    arguments
}

/// A text as the first type of a property's schema that is not null.
fn converted(text: &str, schema: &Value) -> Value {
    let as_text = || Value::String(text.to_owned());
    let parsed = || serde_json::from_str::<Value>(text.trim()).ok();
    let ty = match schema.get("type") {
        Some(Value::String(ty)) => ty.as_str(),
        Some(Value::Array(types)) => {
            types.iter().filter_map(Value::as_str).find(|ty| *ty != "null").unwrap_or_default()
        }
        _ => "",
    };
    match ty {
        "string" => as_text(),
        "integer" | "number" => parsed().filter(Value::is_number).unwrap_or_else(as_text),
        "boolean" => parsed().filter(Value::is_boolean).unwrap_or_else(as_text),
        "object" => parsed().filter(Value::is_object).unwrap_or_else(as_text),
        "array" => parsed().filter(Value::is_array).unwrap_or_else(|| {
            Value::Array(vec![converted(text, schema.get("items").unwrap_or(&Value::Null))])
        }),
        _ => parsed().filter(|value| !value.is_string() && !value.is_null()).unwrap_or_else(as_text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pairs_become_what_the_schema_says() {
        let properties = json!({
            "q": {"type": "string"},
            "n": {"type": ["null", "integer"]},
            "tags": {"type": "array", "items": {"type": "integer"}},
            "deep": {"type": "boolean"},
        });
        let pairs = [
            ("q", "5"),
            ("n", "5"),
            ("tags", "1"),
            ("tags", "2"),
            ("deep", "yes"),
            ("x", "true"),
            ("y", "a"),
        ];
        let pairs: Vec<_> = pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let arguments = by_schema(&pairs, Some(&properties));
        let expected = json!({"q": "5", "n": 5, "tags": [1, 2], "deep": "yes", "x": true, "y": "a"});
        assert_eq!(Value::Object(arguments), expected);
    }
}
