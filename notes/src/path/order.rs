//! The order of a table's rows: by components, so that everything below a path follows it directly.

use std::cmp::Ordering;

/// A normalised path without the separator that a lone root ends in.
pub(super) fn body(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// How many components a text of `/name/name` has.
pub(super) fn components(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'/').count()
}

/// Compares component by component; both are bodies.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    one.bytes().map(rank).cmp(other.bytes().map(rank))
}

/// A separator comes before everything that may stand in a name.
fn rank(byte: u8) -> u16 {
    match byte {
        b'/' => 0,
        other => u16::from(other) + 1,
    }
}

/// Whether `path` is `key` or stands below it; both are bodies.
pub(super) fn covers(key: &str, path: &str) -> bool {
    path.strip_prefix(key).is_some_and(|tail| tail.is_empty() || tail.starts_with('/'))
}

/// How many bytes two texts have in common at their start.
pub(super) fn common(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}
