//! Control characters in texts that never hold any.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::CONTROL_CHARACTER;
use crate::source::FileSpan;

/// Control characters in a program, path, URL or header. `raw` is the string as the file has it.
#[must_use]
pub fn report_control_character(
    string: FileSpan,
    at: FileSpan,
    key: &str,
    kinds: &[char],
    raw: &str,
) -> Diagnostic {
    let names: Vec<String> = kinds.iter().map(|c| name(*c)).collect();
    let finding = Diagnostic::new(&CONTROL_CHARACTER, at, format!("`{key}` holds {}", list(&names)))
        .note(names.first().cloned().unwrap_or_default());
    let literal = raw
        .strip_prefix('"')
        .filter(|rest| !rest.starts_with("\"\""))
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|inner| inner.contains('\\') && !inner.contains('\''));
    let Some(inner) = literal else {
        return finding.help("write it without the control character, on one line");
    };
    let mended = format!("'{}'", inner.replace("\\\\", "\\"));
    let windows = matches!(inner.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic())
        && !inner.contains("\\\"");
    finding
        .help(format!("a back-slash in a string of double quotes starts an escape; if a path was meant, write it in single quotes: `{mended}`"))
        .fix(format!("write {mended}"), windows, string, mended)
}

/// A character in words.
fn name(c: char) -> String {
    match c {
        '\n' => "a line feed".to_owned(),
        '\r' => "a carriage return".to_owned(),
        '\t' => "a tab".to_owned(),
        '\u{8}' => "a backspace".to_owned(),
        '\u{c}' => "a form feed".to_owned(),
        '\u{1b}' => "an escape character".to_owned(),
        '\0' => "a null character".to_owned(),
        c => format!("the control character U+{:04X}", u32::from(c)),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
