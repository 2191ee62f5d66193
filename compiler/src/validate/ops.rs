//! One op: its fields, those that exclude each other, and the parameters of a tool.

use super::{Place, Walk, adapters, walk};
use crate::diagnostic::fields::{types as field_types, values as field_values};
use crate::fields::{TableSpec, Type, Word};
use crate::source::FileSpan;
use crate::tree::{Table, Value};

/// The words of the short form of `params`.
const PARAM_TYPES: &[&str] = &["string", "integer", "number", "boolean", "object", "array"];

/// An op.
pub fn op(walk: &mut Walk<'_>, table: &Table, spec: &'static TableSpec, place: &Place, owner: FileSpan) {
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
}

/// `params`: a JSON schema is left to the schema check, the short form is read here.
pub fn params(walk: &mut Walk<'_>, table: &Table) {
    let schema =
        table.get("type").is_some() && table.get("properties").is_some_and(|node| node.as_table().is_some());
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
        let nested = element.len() < word.len() && element == "array";
        if nested || !PARAM_TYPES.contains(&element) {
            walk.push(field_values::report_param_type(entry.node.span, key, written, element, PARAM_TYPES));
        }
    }
}
