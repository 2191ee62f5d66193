//! The texts of all inputs, so that any byte range can be named by file, line and column.

use std::ops::Range;

use kontext_plan::LayerName;

/// One of the [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A byte range of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileSpan {
    /// The file.
    pub file: FileId,
    /// First byte, from 0.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl FileSpan {
    /// A range of a file.
    #[must_use]
    pub fn new(file: FileId, range: Range<usize>) -> FileSpan {
        FileSpan { file, start: range.start, end: range.end }
    }

    /// The bytes.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A place as people count: from 1, columns in Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Byte offset, from 0.
    pub offset: usize,
}

/// One input's text.
#[derive(Debug)]
pub struct SourceFile {
    /// Logical name, as in the plan.
    pub input: String,
    /// The path people know it by.
    pub display: String,
    /// The layer it is.
    pub layer: LayerName,
    /// Its text, byte order mark included.
    pub text: String,
    line_starts: Vec<usize>,
}

/// All inputs' texts.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Keeps a text.
    pub fn add(&mut self, input: &str, display: &str, layer: LayerName, text: String) -> FileId {
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile {
            input: input.to_owned(),
            display: display.to_owned(),
            layer,
            text,
            line_starts,
        });
        id
    }

    /// The file of an id.
    ///
    /// # Panics
    /// Never for an id these sources gave.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "ids are made by `add` alone")]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(u32::try_from(at).unwrap_or(u32::MAX)), file))
    }

    /// The layer a span is in.
    #[must_use]
    pub fn layer(&self, span: FileSpan) -> LayerName {
        self.file(span.file).layer
    }

    /// The text of a span; empty when it is out of bounds.
    #[must_use]
    pub fn text(&self, span: FileSpan) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// Where a span starts.
    #[must_use]
    pub fn start(&self, span: FileSpan) -> Position {
        self.file(span.file).position(span.start)
    }

    /// Where a span ends (the place after its last character).
    #[must_use]
    pub fn end(&self, span: FileSpan) -> Position {
        self.file(span.file).position(span.end)
    }
}

impl SourceFile {
    /// The place of a byte offset. A byte order mark is no column.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or("");
        let column =
            before.strip_prefix('\u{feff}').filter(|_| start == 0).unwrap_or(before).chars().count() + 1;
        Position { line: line.max(1), column, offset }
    }

    /// The byte a line (from 1) begins at; the end of the text for a line it does not have.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// The text of a line (from 1) without its line break.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }
}
