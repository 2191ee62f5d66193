//! A server's tools as people and programs read them.

use rmcp::model::ServerPeerInfo;
use serde_json::Value;

use super::bind::{allowed, is_required, properties, resolved};
use super::connection::Connection;
use super::era::Era;
use super::tools::{Tool, Tools};
use crate::answer::{InspectedTool, Inspection, Parameter, ServerName};
use crate::secret::Mask;

/// References and branches that are followed; a circle ends here.
const DEEPEST: usize = 16;

/// What a server says of itself and its tools, secrets masked.
pub(crate) fn inspection(name: &str, connection: &Connection, tools: &Tools, mask: &Mask) -> Inspection {
    let info = connection.server();
    let info: Option<&ServerPeerInfo> = info.as_deref();
    let server = info.and_then(|info| info.server_info.as_ref()).map(|server| ServerName {
        name: mask.text(&server.name).into_owned(),
        version: mask.text(&server.version).into_owned(),
    });
    Inspection {
        version: 1,
        adapter: name.to_owned(),
        transport: if connection.is_program() { "stdio" } else { "http" },
        era: match connection.era {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        },
        protocol: info.map(|info| info.protocol_version.to_string()).unwrap_or_default(),
        server,
        instructions: info
            .and_then(|info| info.instructions.as_deref())
            .map(|text| mask.text(text).into_owned()),
        tools: tools.list.iter().map(|tool| described(tool, mask)).collect(),
        ops: Vec::new(),
        declared: Vec::new(),
        notes: tools.notes.iter().map(|note| mask.text(note).into_owned()).collect(),
    }
}

fn described(tool: &Tool, mask: &Mask) -> InspectedTool {
    let mut entry = Value::Object(tool.entry.clone());
    mask.json(&mut entry);
    let text = |member: &str| entry.get(member).and_then(Value::as_str).map(str::to_owned);
    let object = |member: &str| entry.get(member).filter(|value| value.is_object()).cloned();
    let schema = entry.get("inputSchema").unwrap_or(&Value::Null);
    InspectedTool {
        name: mask.text(&tool.name).into_owned(),
        title: text("title"),
        description: text("description"),
        parameters: properties(schema).map(|(name, property)| parameter(schema, name, property)).collect(),
        annotations: object("annotations"),
        input_schema: object("inputSchema"),
        output_schema: object("outputSchema"),
        problem: tool.problem.clone(),
    }
}

fn parameter(schema: &Value, name: &str, property: &Value) -> Parameter {
    let description = property.get("description").and_then(Value::as_str);
    let values = allowed(schema, property, DEEPEST).unwrap_or_default();
    Parameter {
        name: name.to_owned(),
        ty: type_name(schema, property, DEEPEST),
        required: is_required(schema, name),
        description: description.map(str::to_owned),
        values: values.into_iter().cloned().collect(),
    }
}

/// `string`, `integer[]`, `string|null`, or `any` where the schema does not say.
fn type_name(root: &Value, property: &Value, depth: usize) -> String {
    let names = type_names(root, property, depth);
    if names.is_empty() { "any".to_owned() } else { names.join("|") }
}

fn type_names(root: &Value, property: &Value, depth: usize) -> Vec<String> {
    if depth == 0 {
        return Vec::new();
    }
    let mut names: Vec<String> = match property.get("type") {
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    for name in names.iter_mut().filter(|name| *name == "array") {
        let items = property.get("items").map(|items| type_name(root, items, depth - 1));
        *name = match items {
            Some(items) if items.contains('|') => format!("({items})[]"),
            Some(items) => format!("{items}[]"),
            None => "array".to_owned(),
        };
    }
    if let Some(target) = resolved(root, property) {
        names.extend(type_names(root, target, depth - 1));
    }
    for key in ["anyOf", "oneOf"] {
        for branch in property.get(key).and_then(Value::as_array).into_iter().flatten().take(DEEPEST) {
            names.extend(type_names(root, branch, depth - 1));
            names.dedup();
            names.truncate(DEEPEST);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_short_words() {
        let root = json!({ "$defs": { "L": { "type": "integer" }, "A": { "anyOf": [{ "$ref": "#/$defs/A" },
            { "$ref": "#/$defs/A" }] } } });
        for (property, name) in [
            (json!({ "type": "string" }), "string"),
            (json!({ "type": ["array", "null"] }), "array|null"),
            (json!({ "type": "array", "items": { "$ref": "#/$defs/L" } }), "integer[]"),
            (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), "string|null"),
            (json!({ "$ref": "#/$defs/A" }), "any"),
            (json!({ "$ref": "http://127.0.0.1:1/x" }), "any"),
            (json!(true), "any"),
        ] {
            assert_eq!(type_name(&root, &property, DEEPEST), name, "{property}");
        }
    }
}
