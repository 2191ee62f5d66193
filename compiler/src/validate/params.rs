//! `params` of a tool: words for types, or a JSON schema; and names a parameter cannot have.

use kontext_plan::LONGEST_TOOL_NAME;

use super::{Walk, json_schema};
use crate::diagnostic::fields::types as field_types;
use crate::diagnostic::{schemas as report, tools};
use crate::fields::{Type, Word};
use crate::parse::params::{self, TYPES, is_json_schema};
use crate::source::FileSpan;
use crate::tree::{Node, Table, Value};

/// Names that mean something else in templates, each with a name a parameter may have instead.
const TAKEN: [(&str, &str); 10] = [
    ("repo", "repository"),
    ("project", "project_name"),
    ("vars", "variables"),
    ("env", "environment"),
    ("now", "time"),
    ("adapter", "adapter_name"),
    ("scope", "scope_id"),
    ("item", "item_id"),
    ("output_file", "file"),
    ("args", "arguments"),
];

/// The parameters of a tool.
pub fn params(walk: &mut Walk<'_>, node: &Node, table: &Table) {
    let is_schema = is_json_schema(table);
    if is_schema {
        json_schema::check(walk, node, table);
    } else {
        short(walk, table);
    }
    let named = if is_schema { table.get("properties").and_then(Node::as_table) } else { Some(table) };
    for (name, entry) in named.into_iter().flat_map(|named| &named.entries) {
        shadowed(walk, name, entry.key);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if !name.bytes().all(plain) || !(1..=LONGEST_TOOL_NAME).contains(&name.len()) {
            walk.push(tools::report_parameter_name(entry.key, name));
        }
    }
}

fn shadowed(walk: &mut Walk<'_>, name: &str, key: FileSpan) {
    if let Some((_, instead)) = TAKEN.iter().find(|(taken, _)| *taken == name) {
        walk.push(tools::report_shadowed(key, name, instead));
    }
}

/// Names and words.
fn short(walk: &mut Walk<'_>, table: &Table) {
    for (key, entry) in &table.entries {
        match &entry.node.value {
            Value::String(written) => {
                let word = written.strip_suffix('!').unwrap_or(written);
                if params::type_schema(word).is_none() {
                    walk.push(report::report_short_type(entry.node.span, key, written, &TYPES));
                }
            }
            Value::Table(inner) => {
                let ty = inner.get("type").and_then(Node::as_str).filter(|word| TYPES.contains(word));
                walk.push(report::report_short_table(entry.node.span, key, ty));
            }
            _ => {
                let ty = Type::Text(Word::Any);
                walk.push(field_types::report_wrong_type(walk.sources, &entry.node, Some(key), &ty));
            }
        }
    }
}
