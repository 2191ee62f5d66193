//! Placeholders of other tools, and kontext's own where nothing fills them in.

use std::ops::Range;

use kontext_grammar::Span;

use super::{Walk, place};
use crate::cell::CellMap;
use crate::diagnostic::fields::placeholders as report;
use crate::source::FileSpan;
use crate::tree::Node;

/// A placeholder of another tool.
struct Found {
    range: Range<usize>,
    name: String,
}

/// Reports `${NAME}`, `${env:NAME}`, `%NAME%` and `$NAME` in a template's own text.
pub fn foreign(walk: &mut Walk<'_>, node: &Node, text: &str) {
    if !text.contains(['$', '%']) {
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

/// The placeholders of other tools in a text.
fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(offset) = rest.find(['$', '%']) else { break };
        let start = at + offset;
        let mark = text.get(start..).unwrap_or("");
        match braced(mark).or_else(|| percent(mark)).or_else(|| dollar(mark)) {
            Some((length, name)) => {
                found.push(Found { range: start..start + length, name });
                at = start + length;
            }
            None => at = start + 1,
        }
    }
    found
}

/// `${NAME}` and `${env:NAME}`: how long, and the name.
fn braced(text: &str) -> Option<(usize, String)> {
    let inner = head(text.strip_prefix("${")?).split_once('}')?.0;
    let name = inner.strip_prefix("env:").or_else(|| inner.strip_prefix("env.")).unwrap_or(inner);
    let name = name.split_once(":-").map_or(name, |(name, _)| name);
    is_identifier(name).then(|| (inner.len() + 3, name.to_owned()))
}

/// `%NAME%` for the names `$NAME` is looked for: `%H%x09` is a format, `%20%AB` percent-encoding.
fn percent(text: &str) -> Option<(usize, String)> {
    let (name, rest) = head(text.strip_prefix('%')?).split_once('%')?;
    let encoded = starts_with_hex(name) && starts_with_hex(rest);
    (is_shouted(name) && !encoded).then(|| (name.len() + 2, name.to_owned()))
}

/// `$NAME` for names of three or more capitals, digits and `_`.
fn dollar(text: &str) -> Option<(usize, String)> {
    let rest = text.strip_prefix('$')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let name = rest.get(..end)?;
    is_shouted(name).then(|| (name.len() + 1, name.to_owned()))
}

/// Three or more capitals, digits and `_`, no digit first.
fn is_shouted(name: &str) -> bool {
    name.len() >= 3
        && name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// As much of a text as a placeholder may take: a text full of `${` is looked through once, not once for each.
fn head(text: &str) -> &str {
    const LONGEST: usize = 128;
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or("")
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn starts_with_hex(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
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

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn forms_of_other_tools_are_found_and_look_alikes_are_not() {
        let names = |text: &str| -> Vec<String> { find(text).into_iter().map(|found| found.name).collect() };
        assert_eq!(names("${TOKEN} ${env:TOKEN} $TOKEN %TOKEN%"), ["TOKEN"; 4]);
        assert_eq!(names("a${workspaceFolder}b"), ["workspaceFolder"]);
        for quiet in [
            "$5",
            "${1}",
            "%20",
            "a%20b%20c",
            "$a",
            "$AB",
            "100%",
            "$ref",
            "$.a",
            "%AB%CD",
            "$Foo",
            "%H%x09%s",
            "%an%n",
            "%Path%",
        ] {
            assert_eq!(names(quiet), Vec::<String>::new(), "{quiet}");
        }
    }
}
