//! URLs: their scheme, what a base may hold, and the prefixes a `read` op owns.

use super::{Walk, place};
use crate::diagnostic::fields::urls as report;
use crate::tree::Node;

/// A URL begins with `http://` or `https://`, as far as its own text tells.
pub fn scheme(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let head = place::literal_head(text).to_ascii_lowercase();
    let whole = head.len() == text.len();
    let fits = ["http://", "https://"].iter().any(|scheme| {
        head.strip_prefix(scheme).is_some_and(|host| !whole || !host.is_empty())
            || (!whole && scheme.starts_with(&head))
    });
    if fits {
        authority(walk, key, node, text);
    } else {
        walk.push(report::report_no_url(node.span, key, text));
    }
}

/// A path that is appended to the base is no address of its own.
pub fn relative(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    if ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)) {
        walk.push(report::report_whole_url(node.span, key, text));
    }
}

/// Host and port, where the configuration writes them out, are a host and a port.
fn authority(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let Some(scheme) = place::literal_head(text).split_once("://").map(|(scheme, _)| scheme) else { return };
    let rest = text.get(scheme.len() + "://".len()..).unwrap_or_default();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some(authority) = rest.get(..end).filter(|authority| !authority.contains("{{")) else { return };
    if let Err(error) = url::Url::parse(&format!("{scheme}://{authority}/")) {
        let start = scheme.len() + "://".len();
        let at = place::inside(walk.sources, node.span, start..start + authority.len());
        walk.push(report::report_bad_authority(at, key, authority, &error.to_string()));
    }
}

/// A base to which paths are appended holds neither a query nor a fragment.
pub fn base(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    let found = place::literal_ranges(text).find_map(|range| {
        let offset = text.get(range.clone())?.find(['?', '#'])?;
        Some(range.start + offset)
    });
    if let Some(at) = found {
        let mark = if text.get(at..).is_some_and(|rest| rest.starts_with('?')) { '?' } else { '#' };
        let span = place::inside(walk.sources, node.span, at..at + 1);
        walk.push(report::report_base_with(span, key, mark));
    }
}

/// A prefix of URIs: a scheme and a colon, then anything without blanks.
pub fn owned(walk: &mut Walk<'_>, node: &Node, text: &str) {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    let valid = scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    if !valid || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        walk.push(report::report_owns(node.span, text));
    }
}
