//! Secrets written into the files themselves.

use kontext_grammar::Span;

use super::secret;
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
    for entry in table.entries.values() {
        node(&entry.node, texts, found);
    }
}

/// The reader limits nesting, so this recursion is shallow.
fn node(at: &Node, texts: &Sources, found: &mut Vec<(FileSpan, &'static str)>) {
    match &at.value {
        Value::String(text) => {
            if let Some(literal) = secret::literal(text) {
                let map = CellMap::new(texts.text(at.span), at.span.start);
                let range = map.range(Span { start: literal.range.start, end: literal.range.end });
                found.push((FileSpan::new(at.span.file, range), literal.what));
            }
        }
        Value::Table(inner) => table(inner, texts, found),
        Value::Array(items) => items.iter().for_each(|item| node(item, texts, found)),
        _ => {}
    }
}
