//! Placeholders of other tools, and kontext's own where nothing fills them in.

use std::ops::Range;

use kontext_grammar::Span;

use super::{Walk, place};
use crate::cell::CellMap;
use crate::diagnostic::fields::placeholders as report;
use crate::placeholders::find;
use crate::source::FileSpan;
use crate::tree::Node;

/// Reports `${NAME}`, `${env:NAME}`, `%NAME%` and `$NAME` in a template's own text.
pub fn foreign(walk: &mut Walk<'_>, node: &Node, text: &str) {
    if !text.contains(['$', '%', '{']) {
        return;
    }
    // One map for all: a text may be full of them.
    let mut map = None;
    for range in place::literal_ranges(text) {
        for found in find(text.get(range.clone()).unwrap_or("")) {
            let inner = range.start + found.range.start..range.start + found.range.end;
            let written = text.get(inner.clone()).unwrap_or("");
            let map = map.get_or_insert_with(|| CellMap::new(walk.sources.text(node.span), node.span.start));
            let at = FileSpan::new(node.span.file, map.range(Span::new(inner.start, inner.end)));
            let certain = at != node.span && walk.sources.text(at) == written;
            walk.push(report::report_foreign_placeholder(at, written, &found.name, certain));
        }
    }
}

/// Reports `{{` in a text that nothing fills in; says whether it did.
pub fn not_a_template(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) -> bool {
    let Some(range) = expression(text) else { return false };
    let at = place::inside(walk.sources, node.span, range);
    walk.push(report::report_not_a_template(at, key));
    true
}

/// The same for a key: of `query` and of `where`.
pub fn not_a_template_key(walk: &mut Walk<'_>, owner: &str, key: &str, span: FileSpan) {
    let Some(range) = expression(key) else { return };
    let at = place::inside(walk.sources, span, range);
    walk.push(report::report_not_a_template_key(at, owner));
}

/// The same for a `map` rule, where `tpl:` makes a template of it.
pub fn not_a_map_template(walk: &mut Walk<'_>, key: &str, node: &Node, rule: &str) {
    let Some(range) = expression(rule) else { return };
    let at = place::inside(walk.sources, node.span, range);
    let start = place::text_start(walk.sources, node.span);
    walk.push(report::report_not_a_map_template(at, start, key, rule));
}

/// The first expression: from its braces to their end.
fn expression(text: &str) -> Option<Range<usize>> {
    let start = kontext_grammar::template::opening(text)?;
    let length = text.get(start..)?.find("}}").map_or(text.len() - start, |close| close + 2);
    Some(start..start + length)
}
