//! Paths: against what they stand, what is expanded in them, and where they may not lead.

use kontext_plan::LayerName;

use super::{Walk, place};
use crate::diagnostic::fields::paths as report;
use crate::tree::Node;

/// A working directory.
pub fn directory(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    if text.is_empty() {
        walk.push(crate::diagnostic::fields::values::report_empty(node.span, key));
    } else if is_relative(text) {
        relative(walk, key, node, text);
    }
}

/// A program that may be a path.
pub fn program(walk: &mut Walk<'_>, node: &Node, text: &str) {
    let separated = place::literal_ranges(text)
        .into_iter()
        .any(|range| text.get(range).is_some_and(|piece| piece.contains(['/', '\\'])));
    if separated && is_relative(text) {
        relative(walk, "command[0]", node, text);
    }
}

/// A relative path in a layer that has no directory to stand against.
fn relative(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let layer = walk.sources.layer(node.span);
    if matches!(layer, LayerName::User | LayerName::UserRepo) {
        let start = place::text_start(walk.sources, node.span);
        walk.push(report::report_relative_path(node.span, start, key, text, layer));
    }
}

/// Whether a path stands against a directory; one that begins with an expression is not known to.
fn is_relative(text: &str) -> bool {
    let drive = matches!(text.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    !(drive
        || text == "~"
        || text.starts_with(['/', '\\'])
        || text.starts_with("~/")
        || text.starts_with("{{"))
}

/// A `~/` that nothing expands.
pub fn tilde(walk: &mut Walk<'_>, node: &Node, text: &str) {
    if text == "~" || text.starts_with("~/") {
        let at = place::inside(walk.sources, node.span, 0..1);
        walk.push(report::report_tilde(at, text));
    }
}

/// A path that must stay in the repository.
pub fn inside_repository(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let windows = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if text.is_empty() {
        walk.push(crate::diagnostic::fields::values::report_empty(node.span, key));
    } else if text.starts_with(['/', '\\', '~']) || windows {
        walk.push(report::report_absolute(node.span, key, text));
    } else if text.split(['/', '\\']).any(|segment| segment == "..") {
        walk.push(report::report_climbs(node.span, key, text));
    }
}

/// Wildcards of `when.exists` before its last segment.
pub fn wildcards(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    if text.is_empty() {
        walk.push(crate::diagnostic::fields::values::report_empty(node.span, key));
        return;
    }
    let literal: String = place::literal_ranges(text).filter_map(|range| text.get(range)).collect();
    let star = literal.find(['*', '?']);
    let slash = literal.rfind('/');
    if let (Some(star), Some(slash)) = (star, slash)
        && star < slash
    {
        walk.push(report::report_wildcard(node.span, key, text));
    }
}
