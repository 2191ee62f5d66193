//! Keys without which a table says nothing; a misspelt one is the misspelling's finding, not this one's.

use super::{Place, Walk};
use crate::diagnostic::fields::missing as report;
use crate::fields::{Drivers, TableSpec};
use crate::source::FileSpan;
use crate::tree::{Node, Table, elements};

/// The fields every table of a kind must have.
pub fn required(
    walk: &mut Walk<'_>,
    table: &Table,
    spec: &'static TableSpec,
    place: &Place,
    owner: FileSpan,
    meant: &[&str],
) {
    if walk.broken {
        return;
    }
    for field in spec.fields.iter().filter(|field| field.required) {
        let applies =
            field.drivers == Drivers::ALL || place.driver_name().is_some_and(|name| field.drivers.has(name));
        if applies && table.get(field.name).is_none() && !meant.contains(&field.name) {
            walk.push(report::report_missing_key(owner, spec.name, &place.path, field, guess_driver(table)));
        }
    }
}

/// The driver an adapter without one most likely has.
fn guess_driver(table: &Table) -> Option<&'static str> {
    let op_has = |key: &str| {
        let ops = table.get("ops").and_then(Node::as_table);
        ops.is_some_and(|ops| {
            ops.entries.values().any(|op| op.node.as_table().is_some_and(|op| op.get(key).is_some()))
        })
    };
    let has = |key: &str| table.get(key).is_some();
    if has("expose") || has("protocol") || has("pin") || has("prefix") || op_has("tool") {
        Some("mcp")
    } else if has("base_url") || op_has("path") || op_has("url") || op_has("body") {
        Some("http")
    } else if op_has("command") || op_has("stdin") {
        Some("command")
    } else if has("command") || has("url") {
        Some("mcp")
    } else {
        None
    }
}

/// How an adapter reaches its system: `command`, `url`, `base_url`, or each op for itself.
pub fn way(walk: &mut Walk<'_>, table: &Table, place: &Place, owner: FileSpan, meant: &[&str]) {
    let has = |key: &str| table.get(key).is_some() || meant.contains(&key);
    let Some(driver) = place.driver_name().filter(|_| !walk.broken) else { return };
    match driver {
        "mcp" if !has("command") && !has("url") => {
            walk.push(report::report_mcp_without_way(owner, &place.path))
        }
        "http" if !has("base_url") && !has("url") => {
            let lacking = ops_without(table, "url");
            if !lacking.is_empty() || table.get("ops").is_none() && table.get("tools").is_none() {
                walk.push(report::report_http_without_base(owner, &place.path, &lacking));
            }
        }
        "command" if !has("command") => {
            let lacking = ops_without(table, "command");
            if lacking.is_empty() && table.get("ops").is_none() && table.get("tools").is_none() {
                walk.push(report::report_command_missing(owner, &place.path));
            }
            for (name, span) in lacking {
                walk.push(report::report_op_without_command(span, &name));
            }
        }
        _ => {}
    }
}

/// The ops (those of tools too) that lack a key, nor hold another that is likely meant for it.
fn ops_without(table: &Table, key: &str) -> Vec<(String, FileSpan)> {
    let mut lacking = Vec::new();
    let mut look = |name: &str, node: &Node, span: FileSpan| {
        let Some(op) = node.as_table() else { return };
        let near = op.entries.keys().any(|written| is_meant(written, key));
        if op.get(key).is_none() && !near {
            lacking.push((name.to_owned(), span));
        }
    };
    if let Some(ops) = table.get("ops").and_then(Node::as_table) {
        for (name, entry) in &ops.entries {
            look(name, &entry.node, entry.key);
        }
    }
    for tool in table.get("tools").map(elements).unwrap_or_default() {
        let Some(tool) = tool.node.as_table() else { continue };
        if let Some(op) = tool.entry("op") {
            look(tool.get("name").and_then(Node::as_str).unwrap_or("op"), &op.node, op.key);
        }
    }
    lacking
}

/// Whether an unknown key of an op stands for a key, as [`super::keys::unknown`] says it.
fn is_meant(written: &str, key: &str) -> bool {
    if crate::fields::tables::OP.field(written).is_some() {
        return false;
    }
    let others = match key {
        "url" => &["uri", "endpoint", "href"][..],
        _ => &["cmd", "program", "args", "arguments", "argv"][..],
    };
    others.contains(&written) || crate::suggest::nearest(written, [key]).is_some()
}
