//! Something else where a table, tables under names or an array of tables should be: the exact form to write.

use super::written;
use crate::diagnostic::lint::WRONG_TYPE;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::fields::TableSpec;
use crate::source::Sources;
use crate::tree::{Node, Table, Value};

/// Something else where a table with fields was expected.
#[must_use]
pub fn report_not_a_table(
    sources: &Sources,
    node: &Node,
    key: &str,
    spec: &TableSpec,
    driver: Option<&str>,
) -> Diagnostic {
    let finding = wrong(node, &format!("`{key}`"), "a table");
    let raw = sources.text(node.span);
    let op = spec.name == "op";
    let one_line = !raw.contains('\n');
    let mended = match (&node.value, driver) {
        (Value::String(_), Some("mcp")) if op => Some(format!("{{ tool = {raw} }}")),
        (Value::String(text), Some("http")) if op && text.starts_with('/') => {
            Some(format!("{{ path = {raw} }}"))
        }
        (Value::String(text), Some("http")) if op && text.starts_with("http") => {
            Some(format!("{{ url = {raw} }}"))
        }
        (Value::Array(_), Some("command")) if op => Some(format!("{{ command = {raw} }}")),
        _ => None,
    };
    if let Some(mended) = mended.filter(|_| one_line) {
        let shown = format!("{} = {mended}", written::key(key));
        return finding.help(format!("write `{shown}`")).fix(
            format!("write `{shown}`"),
            false,
            node.span,
            mended,
        );
    }
    finding.help(format!("write `{} = {{ {} }}`", written::key(key), inline(spec, driver, node.as_str())))
}

/// Something else where tables under names were expected: `adapters`, `ops`. `path` is where it stands.
#[must_use]
pub fn report_not_tables(
    node: &Node,
    key: &str,
    path: &str,
    spec: &TableSpec,
    driver: Option<&str>,
) -> Diagnostic {
    let first = node.as_array().and_then(|items| items.first());
    let table = first.and_then(Node::as_table);
    let name_of = |table: &Table| {
        let name = ["name", "id", "title"].into_iter().find_map(|key| table.get(key).and_then(Node::as_str));
        name.map(str::to_owned)
    };
    let name = table.and_then(name_of).or_else(|| first.and_then(Node::as_str).map(str::to_owned));
    let name = name.filter(|name| !name.is_empty());
    let example = written::key(name.as_deref().unwrap_or(if spec.name == "op" { "search" } else { "notes" }));
    let finding = wrong(node, &format!("`{key}`"), &format!("a table with one table for each {}", spec.name));
    match table {
        Some(table) if table.get("name").is_some() => finding
            .help(format!("the name stands in the header: write `[{path}.{example}]`, and leave `name` out")),
        Some(_) => finding.help(format!("each has a header with its name: write `[{path}.{example}]`")),
        None => {
            finding.help(format!("write `[{path}.{example}]`, and below it `{}`", below(spec, driver, None)))
        }
    }
}

/// One table, or a table of tables, where an array of tables was expected.
#[must_use]
pub fn report_one_table(
    sources: &Sources,
    node: &Node,
    table: &Table,
    path: &str,
    spec: &TableSpec,
) -> Diagnostic {
    let key = spec.name;
    let finding = wrong(node, &format!("`{}`", path.rsplit('.').next().unwrap_or(key)), "an array of tables");
    let raw = sources.text(node.span);
    if table.holds_tables_only() {
        let first = table.entries.keys().next().map_or("", String::as_str);
        return finding
            .help(format!("write `[[{path}]]` for each, and below it `{}`", below(spec, None, Some(first))));
    }
    if raw.starts_with('[') && raw.ends_with(']') && !raw.starts_with("[[") {
        let mended = format!("[{raw}]");
        return finding.help(format!("write `{mended}`, one such header for each")).fix(
            format!("write `{mended}`"),
            table.entries.values().all(|entry| entry.node.as_table().is_none()),
            node.span,
            mended,
        );
    }
    if raw.starts_with('{') && !table.entries.is_empty() {
        let edits = vec![
            Edit { span: at(node, 0), text: "[".to_owned() },
            Edit { span: at(node, raw.len()), text: "]".to_owned() },
        ];
        let mut finding = finding.help("put it in brackets: `[{ … }]`");
        finding.fixes.push(Fix { title: "put brackets round it".to_owned(), safe: true, edits });
        return finding;
    }
    finding.help(format!(
        "write `[[{path}]]`, one such header for each, and below it `{}`",
        below(spec, None, None)
    ))
}

/// Something else where an array of tables was expected.
#[must_use]
pub fn report_not_a_list(node: &Node, key: &str, path: &str, spec: &TableSpec) -> Diagnostic {
    wrong(node, &format!("`{key}`"), "an array of tables").help(format!(
        "write `[[{path}]]`, one such header for each, and below it `{}`",
        below(spec, None, node.as_str())
    ))
}

/// Something else as an element of an array of tables.
#[must_use]
pub fn report_not_an_element(node: &Node, path: &str, spec: &TableSpec) -> Diagnostic {
    let finding = wrong(node, "this element", "a table");
    let form = example(spec, None, node.as_str()).join(", ");
    let finding =
        finding.help(format!("write `{{ {form} }}`, or a header `[[{path}]]` with these lines below it"));
    match &node.value {
        Value::String(_) => {
            finding.fix(format!("write `{{ {form} }}`"), false, node.span, format!("{{ {form} }}"))
        }
        _ => finding,
    }
}

fn wrong(node: &Node, subject: &str, expected: &str) -> Diagnostic {
    let found = node.kind();
    Diagnostic::new(&WRONG_TYPE, node.span, format!("{subject} expects {expected}, found {found}"))
        .note(found.to_owned())
}

/// An empty place in a value.
fn at(node: &Node, offset: usize) -> crate::source::FileSpan {
    crate::source::FileSpan::new(node.span.file, node.span.start + offset..node.span.start + offset)
}

/// What stands in a table of a kind, for an example, on one line.
fn inline(spec: &TableSpec, driver: Option<&str>, given: Option<&str>) -> String {
    example(spec, driver, given).join(", ")
}

/// The same below a header, each entry on a line of its own.
fn below(spec: &TableSpec, driver: Option<&str>, given: Option<&str>) -> String {
    example(spec, driver, given).join("`, `")
}

/// The entries of an example. `given` is what was written in the table's place.
fn example(spec: &TableSpec, driver: Option<&str>, given: Option<&str>) -> Vec<String> {
    let entry = |key: &str, text: &str| format!("{key} = {}", written::string(text));
    let event = |word: &&str| matches!(*word, "capture" | "promote" | "sync");
    match (spec.name, driver) {
        ("adapter", _) => vec![entry("driver", "mcp")],
        ("op", Some("http")) => vec![entry("path", "/search")],
        ("op", Some("command")) => vec!["command = [\"program\", \"--\", \"{{query}}\"]".to_owned()],
        ("op", _) => vec![entry("tool", "search")],
        ("when", _) => vec![entry("command", given.unwrap_or("program"))],
        ("project", _) => vec![entry("name", given.unwrap_or("…"))],
        ("store", _) => vec![entry("dir", given.unwrap_or(".ai"))],
        ("knowledge", _) => vec![entry("primary", "main"), "roots = { main = \"notes\" }".to_owned()],
        ("workspace", _) => vec![entry("default_scope", given.unwrap_or("…"))],
        ("on", _) => vec![
            entry("event", given.filter(event).unwrap_or("capture")),
            entry("op", given.filter(|word| !event(word)).unwrap_or("store")),
        ],
        ("tool", _) => {
            vec![entry("name", given.unwrap_or("…")), entry("description", "…"), entry("op", "search")]
        }
        _ => {
            let path = given.unwrap_or("docs");
            let id = path.trim_end_matches('/').rsplit('/').next().filter(|id| !id.is_empty());
            vec![entry("id", id.unwrap_or("docs")), entry("path", path)]
        }
    }
}
