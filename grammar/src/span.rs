//! Places in a decoded string: a type of its own so that nobody takes them for places in a file.

/// A range of bytes of the decoded text, always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The range of `len` bytes at `start`.
    pub const fn at(start: usize, len: usize) -> Self {
        Self { start, end: start + len }
    }

    /// The same range of a text that stands `by` bytes further on.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Whether the range holds nothing.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The text under this span; empty when the span is not of this text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<pest::Span<'_>> for Span {
    fn from(span: pest::Span<'_>) -> Self {
        Self::new(span.start(), span.end())
    }
}
