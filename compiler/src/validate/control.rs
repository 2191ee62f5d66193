//! Control characters where they are never meant: a back-slash in a basic string that became a line feed.

use super::{Walk, place};
use crate::diagnostic::fields::text as field_text;
use crate::tree::Node;

/// Reports the control characters in a template's own text.
pub fn check(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let mut first = None;
    let mut kinds: Vec<char> = Vec::new();
    for range in place::literal_ranges(text) {
        for (at, c) in text.get(range.clone()).unwrap_or("").char_indices() {
            if c.is_control() {
                first.get_or_insert(range.start + at..range.start + at + c.len_utf8());
                if !kinds.contains(&c) {
                    kinds.push(c);
                }
            }
        }
    }
    if let Some(first) = first {
        let at = place::inside(walk.sources, node.span, first);
        let raw = walk.sources.text(node.span);
        walk.push(field_text::report_control_character(node.span, at, key, &kinds, raw));
    }
}
