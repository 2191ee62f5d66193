//! The hot document: markdown with marked sections and a cut behind which it is private.

mod markers;
mod pair;
mod problem;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use crate::Span;
use markers::{Kind, Marker};
pub use problem::{Problem, ProblemKind};

/// Most bytes a document may have.
pub const LONGEST_DOCUMENT: usize = 4 * 1024 * 1024;
/// Sections that may hold a path map, the first that has entries counts.
pub const MAP_SECTIONS: [&str; 2] = ["workspace-scope-map-v1", "scope-map-v1"];
/// What the comment of the cut says.
const CUT: &str = "public-cut";

/// A document over [`LONGEST_DOCUMENT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// Its size in bytes.
    pub bytes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes;
        write!(f, "the hot document has {bytes} bytes, more than the {LONGEST_DOCUMENT} it may have")
    }
}

impl std::error::Error for TooLarge {}

/// One complete section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section<'a> {
    /// Its id, as written.
    pub id: &'a str,
    /// The open marker.
    pub open: Span,
    /// The close marker.
    pub close: Span,
    /// The line of the open marker, from 1.
    pub line: usize,
    /// What stands between the markers, without outer blank space.
    pub content: Span,
    /// The line on which the content begins, from 1.
    pub content_line: usize,
    /// A later section has the same id, so this one is not read.
    pub superseded: bool,
    text: &'a str,
}

impl<'a> Section<'a> {
    /// What stands between the markers, without outer blank space.
    #[must_use]
    pub fn content(&self) -> &'a str {
        self.content.of(self.text)
    }

    /// The section with its markers.
    #[must_use]
    pub fn block(&self) -> &'a str {
        Span::new(self.open.start, self.close.end).of(self.text)
    }
}

/// The public cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Its line without the line break.
    pub span: Span,
    /// The number of that line, from 1.
    pub line: usize,
}

/// The open marker of a map before the cut (`map-before-cut`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapMarker<'a> {
    /// Which of [`MAP_SECTIONS`].
    pub id: &'a str,
    /// The marker.
    pub span: Span,
    /// Its line, from 1.
    pub line: usize,
}

/// A parsed document. Spans are places in the text it was made from, its byte order mark included.
#[derive(Debug, Clone, Default)]
pub struct Document<'a> {
    text: &'a str,
    start: usize,
    sections: Vec<Section<'a>>,
    by_id: BTreeMap<&'a str, usize>,
    problems: Vec<Problem>,
    cut: Option<Cut>,
    maps: Vec<MapMarker<'a>>,
}

impl<'a> Document<'a> {
    /// Reads a document; an absent one is the empty text.
    ///
    /// # Errors
    /// [`TooLarge`] for a text over [`LONGEST_DOCUMENT`].
    pub fn parse(text: &'a str) -> Result<Self, TooLarge> {
        if text.len() > LONGEST_DOCUMENT {
            return Err(TooLarge { bytes: text.len() });
        }
        Ok(Self::read(text))
    }

    fn read(text: &'a str) -> Self {
        let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let markers = markers::markers(text, start);
        let (sections, problems) = pair::pair(text, &markers);
        let read = sections.iter().enumerate().filter(|(_, section)| !section.superseded);
        let by_id = read.map(|(at, section)| (section.id, at)).collect();
        let cut = markers.iter().find(|marker| marker.kind == Kind::Cut);
        let cut = cut.map(|marker| Cut { span: marker.span, line: marker.line });
        let is_map = |marker: &&Marker| marker.kind == Kind::Open && MAP_SECTIONS.contains(&marker.id);
        let maps = markers.iter().filter(is_map);
        let maps = maps.map(|marker| MapMarker { id: marker.id, span: marker.span, line: marker.line });
        Self { text, start, sections, by_id, problems, cut, maps: maps.collect() }
    }

    /// The part before the public cut as a document of its own; without a cut nothing is public.
    #[must_use]
    pub fn public(&self) -> Document<'a> {
        Document::read(self.before_cut().unwrap_or_default())
    }

    /// The text before the public cut, if there is one.
    #[must_use]
    pub fn before_cut(&self) -> Option<&'a str> {
        self.text.get(..self.cut?.span.start)
    }

    /// The text without its byte order mark.
    #[must_use]
    pub fn body(&self) -> &'a str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// Whether it holds nothing but blank space.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.body().trim().is_empty()
    }

    /// The sections that are read, one for each id, in the order of the text.
    pub fn sections(&self) -> impl Iterator<Item = &Section<'a>> {
        self.sections.iter().filter(|section| !section.superseded)
    }

    /// Every complete section, those that a later one supersedes too; no two overlap.
    #[must_use]
    pub fn blocks(&self) -> &[Section<'a>] {
        &self.sections
    }

    /// The section that is read under `id`.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section<'a>> {
        self.sections.get(*self.by_id.get(id)?)
    }

    /// What is wrong with the markup, in the order of the text.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The first public cut.
    #[must_use]
    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// Maps that stand before the cut, closed or not.
    pub fn maps_before_cut(&self) -> impl Iterator<Item = &MapMarker<'a>> {
        let end = self.cut.map_or(0, |cut| cut.span.start);
        self.maps.iter().filter(move |map| map.span.start < end)
    }
}
