//! What a map holds: its entries and what is wrong with its lines, each at its place.

use crate::Span;

/// Which of the two maps a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// `path => scope`.
    Path,
    /// `alias => scope`.
    Alias,
}

/// The lines of a map that say something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// The entries in the order of their lines; the same key may come twice.
    pub entries: Vec<Entry>,
    /// What is wrong, in the order of the lines.
    pub problems: Vec<Problem>,
}

/// One well-formed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A path as written, or an alias in lower case; without its quotes.
    pub key: String,
    /// The place of the key, without its quotes.
    pub key_span: Span,
    /// The scope in lower case.
    pub scope: String,
    /// The place of the scope, without its quotes.
    pub scope_span: Span,
    /// The number of the line, from 1.
    pub line: usize,
}

/// `scope-line`: a line with an arrow that is no entry.
pub const SCOPE_LINE: &str = "scope-line";
/// `scope-path`: a key that is meant as a path and is none that a map takes.
pub const SCOPE_PATH: &str = "scope-path";
/// `ignored-line`: a line that is left out, and probably should not be.
pub const IGNORED_LINE: &str = "ignored-line";

/// One mistake in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// [`SCOPE_LINE`], [`SCOPE_PATH`] or [`IGNORED_LINE`].
    pub id: &'static str,
    /// The smallest wrong text.
    pub span: Span,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong: lower case, no full stop, back-ticks round user text.
    pub message: String,
    /// What to write instead.
    pub help: String,
}
