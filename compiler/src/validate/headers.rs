//! Headers: their names, the ones kontext sets itself, and values that repeat their name.

use super::{Walk, control, place};
use crate::diagnostic::fields::headers as report;
use crate::tree::{Node, Table};

/// Headers that describe the message or the connection, which kontext writes.
const OWN: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// The names of a table of headers.
pub fn names(walk: &mut Walk<'_>, table: &Table) {
    for (at, (name, entry)) in table.entries.iter().enumerate() {
        if !is_name(name) {
            walk.push(report::report_header_name(entry.key, name));
        } else if OWN.contains(&name.to_ascii_lowercase().as_str()) {
            walk.push(report::report_own_header(entry.key, name));
        }
        let earlier = table.entries.iter().take(at).find(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some((other, first)) = earlier {
            walk.push(report::report_same_header(entry.key, name, first.key, other));
        }
    }
}

/// A token of RFC 9110.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// The value of a header.
pub fn value(walk: &mut Walk<'_>, name: &str, node: &Node, text: &str, owner: &str) {
    control::check(walk, &format!("{owner}.{name}"), node, text);
    let Some((head, rest)) = text.split_once(':') else { return };
    let pasted = ["authorization", "cookie", "x-api-key", "content-type", "accept"];
    let pasted = rest.starts_with(' ') && pasted.iter().any(|known| head.trim().eq_ignore_ascii_case(known));
    if pasted || head.trim().eq_ignore_ascii_case(name) {
        let length = text.len() - rest.trim_start().len();
        let at = place::inside(walk.sources, node.span, 0..length);
        walk.push(report::report_repeated_name(at, at != node.span, name, rest.trim_start()));
    }
}
