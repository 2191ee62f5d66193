//! What is wrong between `[` and `]`: among others the slices, unions and filters of JSONPath.

use crate::error::{before, char_at, is_blank, rest, tick, word_at};
use crate::quoted::{open_bracket, quote};
use crate::{Span, SyntaxError};

/// The error of what stands at `at`, where an index, `*` or a quoted key is expected.
pub(super) fn subscript(slice: &str, at: usize) -> SyntaxError {
    let open = open_bracket(slice, at);
    let Some(close) = rest(slice, at).find(']').map(|found| at + found) else { return never_closed(open) };
    let inner = Span::new(at, close);
    let content = inner.of(slice).trim_end_matches(is_blank);
    let here = Span::at(at, content.len());
    match content.chars().next() {
        None => empty(slice, Span::new(open.start, close + 1)),
        Some(':') => no_slice(here),
        Some(first) => {
            let (message, help) = words(first, content);
            SyntaxError::new(here, message, help)
        }
    }
}

fn empty(slice: &str, brackets: Span) -> SyntaxError {
    let path = before(slice, brackets.start).trim_matches(is_blank);
    let path = path.strip_prefix('.').unwrap_or(path);
    let help = format!("write {} for every element", tick(&format!("{path}[*]")));
    SyntaxError::new(brackets, "`[]` selects nothing", help)
}

fn words(first: char, content: &str) -> (String, String) {
    let (message, help) = match first {
        '?' => (
            "a path cannot filter with `?`",
            "write `[*]` here and the condition in `where`, as in `where = { kind = \"note\" }`",
        ),
        '(' => ("a path cannot compute an index", "write an index, as in `[0]`; `[-1]` is the last element"),
        '-' if content == "-" => ("`-` is not an index", "write `[-1]` for the last element"),
        _ => {
            let quoted = tick(&format!("[{}]", quote(content, '"')));
            return (
                format!("{} is neither an index nor a quoted key", tick(content)),
                format!("write {quoted} for the key, `[0]` for an element or `[*]` for all"),
            );
        }
    };
    (message.to_owned(), help.to_owned())
}

/// The error of what stands at `at`, where `]` is expected.
pub(super) fn unfinished(slice: &str, at: usize) -> SyntaxError {
    let open = open_bracket(slice, at);
    let here = word_at(slice, at);
    let Some(close) = rest(slice, at).find(']').map(|found| at + found) else { return never_closed(open) };
    let content = Span::new(open.end, close);
    match char_at(slice, at) {
        Some(':') => no_slice(content),
        Some(',') => SyntaxError::new(
            content,
            "a path cannot select several at once with `,`",
            "write one index or key, `[*]` for all, or `a|b` for the first that is not null",
        ),
        _ => SyntaxError::new(
            here,
            format!("{} stands where `]` is expected", tick(here.of(slice))),
            "write one index, `*` or one quoted key between `[` and `]`",
        ),
    }
}

fn no_slice(span: Span) -> SyntaxError {
    SyntaxError::new(
        span,
        "a path cannot select a slice",
        "write `[*]` for every element or one index, as in `[0]`",
    )
}

fn never_closed(open: Span) -> SyntaxError {
    SyntaxError::new(
        open,
        "`[` is never closed",
        "write `]` behind the index or key, as in `[0]`, `[*]` or `[\"key\"]`",
    )
}
