//! Secrets written into the files themselves.

use kontext_grammar::Span;

use super::{named_secret, secret};
use crate::cell::CellMap;
use crate::diagnostic::{Diagnostics, flow};
use crate::merge::Document;
use crate::source::{FileSpan, Sources};
use crate::tree::{Node, Table, Value};

/// Reports every string that holds a token, and gives the tokens' places.
pub fn literals(document: &Document, texts: &Sources, diagnostics: &mut Diagnostics) -> Vec<FileSpan> {
    let mut found = Vec::new();
    table(&document.root, texts, &mut found);
    let masked = found.iter().map(|(span, _)| *span).collect();
    for (span, what) in found {
        diagnostics.push(flow::report_literal_secret(span, what));
    }
    masked
}

fn table(table: &Table, texts: &Sources, found: &mut Vec<(FileSpan, &'static str)>) {
    for (key, entry) in &table.entries {
        node(key, &entry.node, texts, found);
    }
}

/// The reader limits nesting, so this recursion is shallow. `name` is what a value stands under.
fn node(name: &str, at: &Node, texts: &Sources, found: &mut Vec<(FileSpan, &'static str)>) {
    match &at.value {
        Value::String(text) => {
            let literal = secret::literal(text)
                .or_else(|| named_secret::under(name, text))
                .or_else(|| named_secret::in_query(text))
                .or_else(|| assigned(text));
            if let Some(literal) = literal {
                let map = CellMap::new(texts.text(at.span), at.span.start);
                let range = map.range(Span { start: literal.range.start, end: literal.range.end });
                found.push((FileSpan::new(at.span.file, range), literal.what));
            }
        }
        Value::Table(inner) => table(inner, texts, found),
        Value::Array(items) => {
            let mut option = name;
            for item in items {
                node(option, item, texts, found);
                option = item.as_str().and_then(|text| text.strip_prefix("--")).unwrap_or("");
            }
        }
        _ => {}
    }
}

/// `--token=…`, `API_KEY=…`: the value, by the name before it.
fn assigned(text: &str) -> Option<secret::Literal> {
    let (name, value) = text.split_once('=')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.len() > 64 || !name.bytes().all(is_name) {
        return None;
    }
    let start = name.len() + 1;
    let found = named_secret::under(name, value)?;
    Some(secret::Literal { range: start + found.range.start..start + found.range.end, what: found.what })
}
