//! Quoted text: what it says, how to write it, and what is wrong with one that cannot be read.

use crate::error::{before, char_at, rest, tick};
use crate::{Span, SyntaxError};

/// The text a quoted literal stands for; `literal` has its quotes.
pub(crate) fn unquote(literal: &str) -> String {
    let mut inner = literal.chars();
    inner.next();
    inner.next_back();
    let mut text = String::with_capacity(literal.len());
    while let Some(c) = inner.next() {
        text.push(match c {
            '\\' => unescape(inner.next()),
            other => other,
        });
    }
    text
}

fn unescape(c: Option<char>) -> char {
    match c {
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some(other) => other,
        None => '\\',
    }
}

/// `text` as a literal in the quote `mark`, for messages that show what to write.
pub(crate) fn quote(text: &str, mark: char) -> String {
    let mut literal = String::from(mark);
    for c in text.chars() {
        match c {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if c == mark || c == '\\' => literal.extend(['\\', c]),
            c => literal.push(c),
        }
    }
    literal.push(mark);
    literal
}

/// Why a literal that began with `mark` could not be read beyond `at`: a bad escape or no end.
pub(crate) fn explain(text: &str, at: usize, mark: char) -> SyntaxError {
    if char_at(text, at) == Some('\\') {
        let wrong: String = rest(text, at).chars().take(2).collect();
        return SyntaxError::new(
            Span::at(at, wrong.len()),
            format!("{} is not an escape", tick(&wrong)),
            r#"the escapes are `\\`, `\'`, `\"`, `\n`, `\r` and `\t`; write `\\` for a backslash"#,
        );
    }
    let start = opening(text, at, mark);
    SyntaxError::new(
        Span::at(start, 1),
        format!("the quote `{mark}` is never closed"),
        format!("write `{mark}` where the quoted text ends; a quote inside it is written `\\{mark}`"),
    )
}

/// Where the literal that is still open at `at` begins: the last `mark` that no backslash escapes.
fn opening(text: &str, at: usize, mark: char) -> usize {
    let mut end = at;
    while let Some(found) = before(text, end).rfind(mark) {
        let backslashes = before(text, found).chars().rev().take_while(|&c| c == '\\').count();
        if backslashes % 2 == 0 {
            return found;
        }
        end = found;
    }
    at
}

/// The last `[` before `at` that is not inside quotes.
pub(crate) fn open_bracket(text: &str, at: usize) -> Span {
    let mut open = Span::at(at, 0);
    let mut inside = None;
    let mut escaped = false;
    for (offset, c) in before(text, at).char_indices() {
        match (inside, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(mark), c) if c == mark => inside = None,
            (None, '\'' | '"') => inside = Some(c),
            (None, '[') => open = Span::at(offset, 1),
            _ => {}
        }
    }
    open
}
