//! `params`: the short form becomes a JSON schema, a JSON schema stays one.

use serde_json::{Map, Value as Json, json};

use crate::fields::tables::TOOL;
use crate::suggest::nearest;
use crate::tree::{Node, Table, Value};

/// The short types of parameters, without `[]` and `!`.
pub const TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "object", "array"];

/// The JSON schema of a tool's arguments. What cannot be read was reported by `validate` and takes anything, so that
/// a template that uses it is no second finding.
pub fn schema(node: Option<&Node>) -> Json {
    let Some(table) = node.and_then(Node::as_table) else { return object(Map::new(), Vec::new()) };
    if is_json_schema(table) { to_json(table) } else { short(table) }
}

/// Whether the table is a JSON schema: a key of one, with a value that no short type has.
#[must_use]
pub fn is_json_schema(table: &Table) -> bool {
    const MARKS: [&str; 6] = ["properties", "required", "additionalProperties", "allOf", "anyOf", "oneOf"];
    table.entries.iter().any(|(key, entry)| {
        let mark = match &entry.node.value {
            Value::Table(_) => matches!(key.as_str(), "properties" | "additionalProperties" | "$defs"),
            Value::String(_) => key.starts_with('$'),
            _ => MARKS.contains(&key.as_str()),
        };
        mark && !(key == "required" && matches!(entry.node.value, Value::Bool(_)))
    })
}

fn short(table: &Table) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, entry) in &table.entries {
        let written = entry.node.as_str().unwrap_or_default();
        let word = written.strip_suffix('!').unwrap_or(written);
        if word.len() < written.len() {
            required.push(Json::from(name.as_str()));
        }
        properties.insert(name.clone(), type_schema(word).unwrap_or_else(|| json!({})));
    }
    object(properties, required)
}

/// The schema of one short type (`string`, `integer[]`), or none for another word.
#[must_use]
pub fn type_schema(word: &str) -> Option<Json> {
    if let Some(element) = word.strip_suffix("[]") {
        return Some(json!({ "type": "array", "items": scalar(element)? }));
    }
    if word == "array" { Some(json!({ "type": "array" })) } else { scalar(word) }
}

fn scalar(word: &str) -> Option<Json> {
    (TYPES.contains(&word) && word != "array").then(|| json!({ "type": word }))
}

fn object(properties: Map<String, Json>, required: Vec<Json>) -> Json {
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let Some(schema) = schema.as_object_mut().filter(|_| !required.is_empty()) {
        schema.insert("required".to_owned(), Json::Array(required));
    }
    schema
}

/// A table as JSON; dates are texts, and a number JSON cannot write is null.
pub fn to_json(table: &Table) -> Json {
    let members = table.entries.iter().map(|(key, entry)| (key.clone(), node_to_json(&entry.node)));
    Json::Object(members.collect())
}

fn node_to_json(node: &Node) -> Json {
    match &node.value {
        Value::Table(table) => to_json(table),
        Value::Array(items) => items.iter().map(node_to_json).collect(),
        Value::String(text) | Value::Datetime(text) => Json::from(text.as_str()),
        Value::Integer(value) => Json::from(*value),
        Value::Float(value) => serde_json::Number::from_f64(*value).map_or(Json::Null, Json::Number),
        Value::Bool(value) => Json::from(*value),
        Value::Unread => Json::Null,
    }
}

/// The parameters, also where they stand under another tool's word or a misspelt one: what they name is then known to
/// the op, and the key alone is wrong.
pub fn node(table: &Table) -> Option<&Node> {
    const OTHERS: [&str; 6] = ["inputSchema", "input_schema", "parameters", "schema", "args", "arguments"];
    let misspelt = || {
        let key = table
            .entries
            .keys()
            .find(|key| TOOL.field(key).is_none() && nearest(key, ["params"]).is_some())?;
        table.get(key)
    };
    table.get("params").or_else(|| OTHERS.iter().find_map(|key| table.get(key))).or_else(misspelt)
}
