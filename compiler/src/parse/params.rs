//! `params`: the short form becomes a JSON schema, a JSON schema stays one.

use serde_json::{Map, Value as Json, json};

use crate::tree::{Node, Table, Value};

/// The JSON schema of a tool's arguments; what cannot be read was reported by `validate` and is left out.
pub fn schema(node: Option<&Node>) -> Json {
    let Some(table) = node.and_then(Node::as_table) else { return object(Map::new(), Vec::new()) };
    if is_json_schema(table) { to_json(table) } else { short(table) }
}

/// A table with `type` and `properties` is a JSON schema; parameters of those two names need the long form.
#[must_use]
pub fn is_json_schema(table: &Table) -> bool {
    table.get("type").is_some() && table.get("properties").is_some_and(|node| node.as_table().is_some())
}

fn short(table: &Table) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, entry) in &table.entries {
        let Some(written) = entry.node.as_str() else { continue };
        let word = written.strip_suffix('!').unwrap_or(written);
        if word.len() < written.len() {
            required.push(Json::from(name.as_str()));
        }
        if let Some(schema) = type_schema(word) {
            properties.insert(name.clone(), schema);
        }
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
    matches!(word, "string" | "integer" | "number" | "boolean" | "object").then(|| json!({ "type": word }))
}

fn object(properties: Map<String, Json>, required: Vec<Json>) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn to_json(table: &Table) -> Json {
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
    }
}
