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
    /// How many characters begin before each block of [`BLOCK`] bytes, so that a column in a line of megabytes is
    /// found without counting from the line's start; empty for ASCII, where bytes are columns.
    blocks: Vec<usize>,
}

/// Bytes of a text that are counted at most to find a column.
const BLOCK: usize = 256;

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
        let blocks = if text.is_ascii() { Vec::new() } else { blocks(&text) };
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile {
            input: input.to_owned(),
            display: display.to_owned(),
            layer,
            text,
            line_starts,
            blocks,
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
    /// Whether it is a lock: JSON that people do not write.
    #[must_use]
    pub fn is_lock(&self) -> bool {
        self.input.ends_with(kontext_plan::lock::FILE_NAME)
    }

    /// The place of a byte offset. A byte order mark is no column.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let mark = start == 0 && offset > 0 && self.text.starts_with('\u{feff}');
        let column = self.characters(offset) - self.characters(start) + 1 - usize::from(mark);
        Position { line: line.max(1), column, offset }
    }

    /// How many characters begin before a byte.
    fn characters(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let Some(before) = self.blocks.get(offset / BLOCK) else { return offset };
        let rest = self.text.as_bytes().get(offset / BLOCK * BLOCK..offset).unwrap_or_default();
        before + beginnings(rest)
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

fn blocks(text: &str) -> Vec<usize> {
    let mut before = 0;
    let mut blocks = vec![0];
    for block in text.as_bytes().chunks(BLOCK) {
        before += beginnings(block);
        blocks.push(before);
    }
    blocks
}

/// How many characters begin in some bytes of a text.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !matches!(**byte, 0x80..=0xbf)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people count, character by character.
    fn counted(text: &str, offset: usize) -> (usize, usize) {
        let before = text.get(..offset).unwrap();
        let line = before.rsplit('\n').next().unwrap();
        let column = line.strip_prefix('\u{feff}').filter(|_| !before.contains('\n')).unwrap_or(line);
        (before.matches('\n').count() + 1, column.chars().count() + 1)
    }

    #[test]
    fn a_column_is_what_people_count() {
        let long = "äb𝄞c".repeat(400);
        for text in
            ["", "\u{feff}", "a\nb\r\nc", "\u{feff}ab\nä€\n", &long, &format!("\u{feff}x\n{long}\n{long}")]
        {
            let mut sources = Sources::default();
            let id = sources.add("explicit", "x.toml", LayerName::Explicit, text.to_owned());
            for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let place = sources.file(id).position(offset);
                assert_eq!((place.line, place.column, place.offset), {
                    let (line, column) = counted(text, offset);
                    (line, column, offset)
                });
            }
        }
    }
}
