//! Syntax errors as people read them, and the small pieces of text their words are made of.

use pest::RuleType;
use pest::error::{Error, ErrorVariant, InputLocation};

use crate::Span;

/// One mistake in one string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The smallest wrong text; empty where something is missing at the end.
    pub span: Span,
    /// What is wrong: lower case, no full stop, back-ticks round user text.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl SyntaxError {
    pub(crate) fn new(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: Some(help.into()) }
    }

    /// For a tree that lacks a node its grammar promises.
    pub(crate) fn unreadable(span: Span, text: &str) -> Self {
        Self { span, message: format!("{} cannot be read", tick(text)), help: None }
    }

    #[must_use]
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.shifted(by);
        self
    }
}

/// Where a grammar stopped, and the first of the rules it could have gone on with that means something.
pub(crate) fn stopped<R: RuleType, T>(
    error: Error<R>,
    meaning: impl Fn(R) -> Option<T>,
) -> Option<(usize, T)> {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let ErrorVariant::ParsingError { positives, .. } = error.variant else { return None };
    positives.into_iter().find_map(meaning).map(|meaning| (at, meaning))
}

/// User text in back-ticks, on one line and not too long.
pub(crate) fn tick(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// The text from `at` on.
pub(crate) fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The text before `at`.
pub(crate) fn before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

/// The character at `at`, if any.
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    rest(text, at).chars().next()
}

/// The word at `at` (letters, digits, `_`, `-`), else a closed quoted text, else the one character there; empty
/// at the end.
pub(crate) fn word_at(text: &str, at: usize) -> Span {
    let tail = rest(text, at);
    let mut chars = tail.chars();
    let len = match chars.next() {
        None => 0,
        Some(c) if is_word(c) => tail.find(|c: char| !is_word(c)).unwrap_or(tail.len()),
        Some(mark @ ('\'' | '"')) => chars.as_str().find(mark).map_or(1, |end| end + 2),
        Some(c) => c.len_utf8(),
    };
    Span::at(at, len)
}

/// The text at `at` up to a blank or one of `stops`; at least one character, unless at the end.
pub(crate) fn piece_at(text: &str, at: usize, stops: &[char]) -> Span {
    let tail = rest(text, at);
    let len = tail.find(|c: char| is_blank(c) || stops.contains(&c)).unwrap_or(tail.len());
    Span::at(at, len.max(tail.chars().next().map_or(0, char::len_utf8)))
}

/// The last `mark` before `at`, as a span.
pub(crate) fn last_before(text: &str, at: usize, mark: char) -> Span {
    match before(text, at).rfind(mark) {
        Some(start) => Span::at(start, mark.len_utf8()),
        None => Span::at(at, 0),
    }
}

/// Whether the grammars call `c` a blank.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Whether `c` belongs to a word as people see it.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
