//! Names the user chooses: adapters, ops, tools and environment variables.

use kontext_plan::LayerName;

use super::Walk;
use crate::diagnostic::fields::names as report;
use crate::source::FileSpan;
use crate::tree::{Node, Table};

/// Longest name of an adapter, an op or a tool.
const LONGEST: usize = 64;

/// Longest prefix that leaves room for the tools' own names.
const LONGEST_PREFIX: usize = 40;

/// The name of an adapter or an op.
pub fn of_table(walk: &mut Walk<'_>, what: &str, name: &str, span: FileSpan) {
    let valid = name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-'));
    if !valid {
        walk.push(report::report_table_name(span, what, name, &mended(name)));
    }
}

/// The nearest valid name, or nothing.
fn mended(name: &str) -> String {
    let kept: String = name
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .take(LONGEST)
        .collect();
    kept.trim_matches(['-', '_']).to_owned()
}

/// The name of a tool agents see.
pub fn tool(walk: &mut Walk<'_>, node: &Node, name: &str) {
    let valid = (1..=LONGEST).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !valid {
        let mended: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
            .take(LONGEST)
            .collect();
        walk.push(report::report_tool_name(node.span, name, &mended));
    }
}

/// What stands before the names of published tools: it becomes part of them.
pub fn tool_prefix(walk: &mut Walk<'_>, node: &Node, prefix: &str) {
    let accepted = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !prefix.chars().all(accepted) {
        let mended: String = prefix.chars().map(|c| if accepted(c) { c } else { '_' }).collect();
        walk.push(report::report_prefix_characters(node.span, prefix, &mended));
    } else if prefix.len() > LONGEST_PREFIX {
        walk.push(report::report_long_prefix(node.span, prefix.len(), LONGEST));
    }
}

/// The name of an environment variable, written as a value.
pub fn variable(walk: &mut Walk<'_>, key: &str, node: &Node, name: &str) {
    if !is_variable(name) {
        walk.push(report::report_variable(node.span, key, name, &bare_variable(name)));
    }
}

/// The names of a table of environment variables.
pub fn variables(walk: &mut Walk<'_>, table: &Table) {
    for (name, entry) in &table.entries {
        if !is_variable(name) {
            walk.push(report::report_variable(entry.key, "env", name, &bare_variable(name)));
        }
    }
}

/// The id of a scope.
pub fn scope(walk: &mut Walk<'_>, key: &str, node: &Node, id: &str) {
    if !kontext_notes::is_scope(id) {
        walk.push(report::report_scope(node.span, key, id, &mended_scope(id)));
    }
}

/// The nearest id that a scope can have, or nothing.
fn mended_scope(written: &str) -> String {
    let plain = |c: char| if kontext_notes::is_scope_character(c) { c.to_ascii_lowercase() } else { '-' };
    written.trim().chars().map(plain).collect::<String>().trim_matches('-').to_owned()
}

/// What a system accepts, short of the marks that are never part of a name on purpose.
fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|c: char| matches!(c, '=' | '$' | '{' | '}') || c.is_whitespace() || c.is_control())
}

/// The name inside `$NAME`, `${NAME}`, `NAME=value`.
fn bare_variable(name: &str) -> String {
    let head = name.split('=').next().unwrap_or(name);
    head.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// `public_env` says which of the user's variables are no secrets: not for a shared file to say.
pub fn public_env(walk: &mut Walk<'_>, node: &Node) {
    if node.as_array().is_none() {
        return;
    }
    let places = std::iter::once(&node.span).chain(&node.shadowed);
    let shared: Vec<FileSpan> =
        places.copied().filter(|span| walk.sources.layer(*span) == LayerName::Shared).collect();
    for span in shared {
        walk.push(report::report_shared_public_env(span));
    }
}
