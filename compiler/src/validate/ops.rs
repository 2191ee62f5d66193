//! One op: its fields, and which of them mean something for what it gives.

use super::{Place, Walk, adapters, walk};
use crate::diagnostic::fields::{keys as field_keys, types as field_types, values as field_values};
use crate::fields::{TableSpec, Type, Word};
use crate::source::FileSpan;
use crate::tree::{Node, Table, Value};

/// The words of the short form of `params`.
const PARAM_TYPES: &[&str] = &["string", "integer", "number", "boolean", "object", "array"];

/// An op; one written inside a tool has no name.
pub fn op(
    walk: &mut Walk<'_>,
    name: Option<&str>,
    table: &Table,
    spec: &'static TableSpec,
    place: &Place,
    owner: FileSpan,
) {
    walk::table_of(walk, table, spec, place, Some(owner));
    adapters::pair(
        walk,
        table,
        ["path", "url"],
        "`path` is appended to the base, `url` replaces it",
        "remove one of the two",
    );
    adapters::pair(
        walk,
        table,
        ["items", "split"],
        "both cut the answer into items",
        "remove one of the two",
    );
    result(walk, name, table);
}

/// What an op gives decides which result keys mean something.
fn result(walk: &mut Walk<'_>, name: Option<&str>, table: &Table) {
    const HITS: [&str; 4] = ["items", "split", "where", "map"];
    match name {
        Some(op @ ("search" | "history" | "code")) => {
            if let Some(entry) = table.entry("text") {
                walk.push(field_keys::report_useless_key(
                    entry.key,
                    "text",
                    op,
                    "gives hits",
                    "write `map` for their fields",
                ));
            }
        }
        Some(op @ ("read" | "brief" | "llm" | "health" | "store")) => {
            for (key, entry) in HITS.iter().filter_map(|key| table.entry(key).map(|entry| (key, entry))) {
                let mend = "write `text` for the part of the answer that is wanted";
                walk.push(field_keys::report_useless_key(entry.key, key, op, "gives text", mend));
            }
        }
        _ => {
            if let Some(key) = HITS.iter().find(|key| table.get(key).is_some()) {
                let why = format!("`{key}` makes hits of the answer, `text` makes text of it");
                adapters::pair(walk, table, [key, "text"], &why, "remove one of the two");
            }
        }
    }
    if let (Some(entry), true) = (table.entry("owns"), name != Some("read")) {
        let op = name.unwrap_or("a tool's op");
        walk.push(field_keys::report_useless_key(
            entry.key,
            "owns",
            op,
            "reads no URIs",
            "move it to the `read` op",
        ));
    }
}

/// `params`: a JSON schema is left to the schema check, the short form is read here.
pub fn params(walk: &mut Walk<'_>, table: &Table) {
    let schema = table.get("type").and_then(Node::as_str) == Some("object")
        && table.get("properties").is_some_and(|node| node.as_table().is_some());
    if schema {
        return;
    }
    for (key, entry) in &table.entries {
        let Value::String(written) = &entry.node.value else {
            let ty = Type::Text(Word::Any);
            walk.push(field_types::report_wrong_type(walk.sources, &entry.node, Some(key), &ty));
            continue;
        };
        let word = written.strip_suffix('!').unwrap_or(written);
        let element = word.strip_suffix("[]").unwrap_or(word);
        if !PARAM_TYPES.contains(&element) {
            walk.push(field_values::report_param_type(entry.node.span, key, written, element, PARAM_TYPES));
        }
    }
}
