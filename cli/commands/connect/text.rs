//! Changes of a text that leave every byte around them as it is.

use std::ops::Range;

/// A text put in the place of a range of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Puts a text in at a place.
    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit { range: at..at, text: text.into() }
    }
}

/// What cannot be done, and where in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The byte it is about; none when it is about the whole.
    pub at: Option<usize>,
    /// Why, in lower case.
    pub message: String,
}

impl Refusal {
    /// At a byte of the text.
    pub fn at(offset: usize, message: impl Into<String>) -> Refusal {
        Refusal { at: Some(offset), message: message.into() }
    }

    /// The text is not what an edit of ours should have made of it, which must never be written.
    pub fn unsure() -> Refusal {
        Refusal { at: None, message: "the entry cannot be put in without touching the rest".to_owned() }
    }
}

/// What happened to the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Added,
    /// These keys of it had another value or were not there.
    Keys(Vec<String>),
    /// It was something else altogether.
    Replaced,
    /// It is there already.
    Same,
}

/// A text with the entry in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text.
    pub text: String,
    /// What happened.
    pub change: Change,
    /// The keys that lead to the entry.
    pub path: Vec<String>,
}

/// The text with the edits, which are in order and do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let (mut new, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        new.push_str(text.get(at..edit.range.start).unwrap_or(""));
        new.push_str(&edit.text);
        at = edit.range.end;
    }
    new.push_str(text.get(at..).unwrap_or(""));
    new
}

/// How lines of the text end.
pub fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Whether there is a line break in the text.
pub fn breaks(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// The text between two bytes; nothing when they are not in order.
pub fn between(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}

/// What stands before a byte on its line.
pub fn line_before(text: &str, at: usize) -> &str {
    let before = between(text, 0, at);
    before.rsplit(['\n', '\r']).next().unwrap_or("")
}

/// The white space that the line of a byte begins with.
pub fn indent(text: &str, at: usize) -> &str {
    let line = line_before(text, at);
    let content = line.find(|letter: char| letter != ' ' && letter != '\t').unwrap_or(line.len());
    between(line, 0, content)
}

/// Line and column of a byte, from 1.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = between(text, 0, at.min(text.len()));
    let line = before.matches('\n').count() + 1;
    (line, line_before(text, at.min(text.len())).chars().count() + 1)
}
