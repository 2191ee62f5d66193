//! What is wrong with an alternative that cannot be read, and what to write: also for jq and JSONPath habits.

use pest::Parser;

use super::brackets;
use super::parse::{Grammar, Rule};
use crate::error::{before, char_at, is_blank, last_before, rest, stopped, tick, word_at};
use crate::quoted::{self, quote};
use crate::{Span, SyntaxError};

/// The error of the alternative at `span` of `text`.
pub(super) fn broken(text: &str, span: Span) -> SyntaxError {
    let slice = span.of(text);
    if slice.trim_matches(is_blank).is_empty() {
        return empty(text, span);
    }
    match failure(slice) {
        Some((at, expected)) => match expected {
            Expected::Start => start(slice, at),
            Expected::Member => member(slice, at),
            Expected::Subscript => brackets::subscript(slice, at),
            Expected::BracketEnd => brackets::unfinished(slice, at),
            Expected::End => end(slice, at),
            Expected::Quoted(mark) => quoted::explain(slice, at, mark),
        },
        None => SyntaxError::unreadable(Span::new(0, slice.len()), slice),
    }
    .shifted(span.start)
}

/// The error of a `|` at `pipe` with nothing before it.
pub(super) fn nothing_before(pipe: Span) -> SyntaxError {
    missing(pipe, "the alternative before `|` is missing")
}

fn empty(text: &str, span: Span) -> SyntaxError {
    let next = char_at(text, span.end).map_or(0, char::len_utf8);
    let pipe = Span::at(span.end, next);
    if next == 0 {
        missing(last_before(text, span.start, '|'), "the alternative after `|` is missing")
    } else if span.start == 0 {
        nothing_before(pipe)
    } else {
        missing(pipe, "an alternative is missing between two `|`")
    }
}

fn missing(pipe: Span, message: &str) -> SyntaxError {
    let help = "write one `|` between two paths, as in `title|name`; the whole document is `$`";
    SyntaxError::new(pipe, message, help)
}

/// What could have stood at the place where reading stopped.
#[derive(Clone, Copy)]
enum Expected {
    Start,
    Member,
    Subscript,
    BracketEnd,
    End,
    Quoted(char),
}

fn failure(slice: &str) -> Option<(usize, Expected)> {
    stopped(Grammar::parse(Rule::alone, slice).err()?, expected)
}

fn expected(rule: Rule) -> Option<Expected> {
    match rule {
        Rule::alternative | Rule::root => Some(Expected::Start),
        Rule::member | Rule::any | Rule::key => Some(Expected::Member),
        Rule::subscript | Rule::each | Rule::index => Some(Expected::Subscript),
        Rule::bracket_end => Some(Expected::BracketEnd),
        Rule::EOI => Some(Expected::End),
        Rule::single_end => Some(Expected::Quoted('\'')),
        Rule::double_end => Some(Expected::Quoted('"')),
        _ => None,
    }
}

/// The alternative does not begin as one can.
fn start(slice: &str, at: usize) -> SyntaxError {
    let here = word_at(slice, at);
    match char_at(slice, at) {
        Some('.') => {
            let behind = rest(slice, here.end).trim_matches(is_blank);
            let write = match behind.chars().next() {
                None => "`$` for the whole document".to_owned(),
                Some('.') => "the key of every level, as in `data.items`: there is no `..`".to_owned(),
                Some('[') if behind.contains(':') => {
                    "the path without it: a snippet is shortened by itself, and `tpl:{{body|truncate:80}}` cuts any text"
                        .to_owned()
                }
                Some(_) => tick(&behind.replace("[]", "[*]")),
            };
            SyntaxError::new(here, "a path does not begin with `.`", format!("write {write}"))
        }
        Some(mark @ ('\'' | '"')) => lone_quote(slice, at, mark),
        Some(']') => SyntaxError::new(here, "`]` closes nothing", "write `[0]`, `[*]` or `[\"key\"]`"),
        _ => unexpected(slice, at),
    }
}

fn member(slice: &str, at: usize) -> SyntaxError {
    let dot = last_before(slice, at, '.');
    let here = word_at(slice, at);
    match char_at(slice, at) {
        Some('.') if before(slice, dot.start).trim_matches(is_blank) == "$" => SyntaxError::new(
            Span::new(dot.start, here.end),
            "a path cannot search every level with `..`",
            "write the key of every level, as in `data.items[*].title`",
        ),
        Some('.') => SyntaxError::new(
            here,
            "a key is missing between two dots",
            "write a single `.`; a key that is empty is `[\"\"]`",
        ),
        Some('[') => SyntaxError::new(
            dot,
            "`.` before `[` is one too many",
            "write `[` directly behind the key, as in `items[0]`",
        ),
        Some(mark @ ('\'' | '"')) => lone_quote(slice, at, mark),
        Some(']') => SyntaxError::new(here, "`]` closes nothing", "write a key behind `.`"),
        _ => SyntaxError::new(dot, "the key after `.` is missing", "write a key behind `.`, or remove it"),
    }
}

/// Something follows a complete alternative.
fn end(slice: &str, at: usize) -> SyntaxError {
    let here = word_at(slice, at);
    match char_at(slice, at) {
        Some(']') => SyntaxError::new(
            here,
            "`]` closes nothing",
            "write `[` before the index, or quote a key that holds it: `[\"a]\"]`",
        ),
        Some(mark @ ('\'' | '"')) => lone_quote(slice, at, mark),
        Some(_) if before(slice, at).trim_end_matches(is_blank).ends_with(']') => SyntaxError::new(
            here,
            format!("{} follows `]` without a dot", tick(here.of(slice))),
            format!("write {}", tick(&format!(".{}", here.of(slice)))),
        ),
        _ => unexpected(slice, at),
    }
}

/// A quote outside brackets; shows the key around it in brackets.
fn lone_quote(slice: &str, at: usize, mark: char) -> SyntaxError {
    let from = before(slice, at).rfind(['.', '[', ']']).map_or(0, |found| found + 1);
    let key = rest(slice, from).trim_matches(is_blank);
    let key = match key.strip_prefix(mark) {
        Some(quoted) => quoted.split(mark).next().unwrap_or_default(),
        None => key.split(['.', '[']).next().unwrap_or_default().trim_end_matches(is_blank),
    };
    let key = if key.is_empty() { "odd key" } else { key };
    SyntaxError::new(
        Span::at(at, mark.len_utf8()),
        format!("`{mark}` stands outside brackets"),
        format!("write a key with odd characters in brackets: {}", tick(&format!("[{}]", quote(key, '"')))),
    )
}

fn unexpected(slice: &str, at: usize) -> SyntaxError {
    let here = word_at(slice, at);
    SyntaxError::new(
        here,
        format!("{} cannot stand here", tick(here.of(slice))),
        "a path is keys and indices, as in `data.items[*].title`; odd keys are written `[\"odd key\"]`",
    )
}
