//! What a piece of a broken file looks like.

/// Characters that look like a blank or like nothing, and are neither to TOML.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{2064}' | '\u{3000}')
}

/// Whether a line begins like a comment of another language.
pub(super) fn foreign_comment(line: &str) -> bool {
    ["//", "/*", ";", "--"].iter().any(|start| line.starts_with(start))
}

/// Where the second word of a text begins whose first is a whole number or boolean.
pub(super) fn second_word(written: &str) -> Option<usize> {
    let (first, _) = written.split_once([' ', '\t'])?;
    let rest = written.get(first.len()..)?;
    let whole = first.parse::<f64>().is_ok_and(f64::is_finite) || matches!(first, "true" | "false");
    whole.then_some(written.len() - rest.trim_start().len())
}

/// Whether a text that is no number fails for its size alone.
pub(super) fn out_of_range(written: &str) -> bool {
    let digits = written.trim_start_matches(['+', '-']);
    let hex = ["0x", "0o", "0b"].iter().any(|prefix| digits.starts_with(prefix));
    hex || digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'e' | b'E' | b'+' | b'-'))
}
