//! Control characters where they are never meant: a back-slash in a basic string that became a line feed.

use super::{Walk, place};
use crate::diagnostic::fields::text as field_text;
use crate::tree::Node;

/// Reports the control characters in a template's own text.
pub fn check(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    // 0xc2 begins the control characters beyond ASCII, among others.
    if !text.bytes().any(|byte| byte.is_ascii_control() || byte == 0xc2) {
        return;
    }
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
    let raw = walk.sources.text(node.span);
    if let Some(first) = first.filter(|_| !has_unknown_escape(raw)) {
        let at = place::inside(walk.sources, node.span, first);
        walk.push(field_text::report_control_character(node.span, at, key, &kinds, raw));
    }
}

/// Whether a string has an escape that TOML does not know: that is reported where the file is read, and the escapes
/// beside it are the same mistake.
pub fn has_unknown_escape(raw: &str) -> bool {
    let mut rest = raw;
    while let Some((_, escape)) = rest.split_once('\\') {
        let mut chars = escape.chars();
        let digits = match chars.next() {
            Some('b' | 't' | 'n' | 'f' | 'r' | 'e' | '"' | '\\' | '\n' | '\r' | ' ' | '\t') => 0,
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => return raw.starts_with('"'),
        };
        rest = chars.as_str();
        if rest.bytes().take_while(u8::is_ascii_hexdigit).count() < digits {
            return raw.starts_with('"');
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_unknown_escape;

    #[test]
    fn escapes_toml_does_not_know() {
        for known in [r#""a\b\n\u00e9\\U""#, r"'C:\Users'", r#""C:\new""#] {
            assert!(!has_unknown_escape(known), "{known}");
        }
        for unknown in [r#""C:\Users\bin""#, r#""a\n\d""#, r#""\x""#] {
            assert!(has_unknown_escape(unknown), "{unknown}");
        }
    }
}
