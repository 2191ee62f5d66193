//! One op: its fields and those that exclude each other; and what agents choose a tool by.

use super::{Place, Walk, adapters, walk};
use crate::diagnostic::tools;
use crate::fields::TableSpec;
use crate::source::FileSpan;
use crate::tree::Table;

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

/// A tool: agents choose by its description.
pub fn tool(walk: &mut Walk<'_>, table: &Table) {
    if let Some(node) = table.get("description")
        && node.as_str().is_some_and(|text| text.trim().is_empty())
    {
        walk.push(tools::report_blank_description(node.span));
    }
}
