//! From places in a decoded string to places in the file, so that an error inside a TOML string is shown exactly.
//!
//! No second decoder: `toml_parser` decodes into a builder that only notes where each piece came from.

use std::ops::Range;

use kontext_grammar::Span;
use toml_parser::Raw;
use toml_parser::decoder::{Encoding, StringBuilder};

/// Where every byte of one decoded TOML string stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellMap {
    /// The file offset of the text's first byte.
    base: usize,
    /// In order and without gaps on the decoded side; empty when the text is written as it is read.
    pieces: Vec<Piece>,
}

impl CellMap {
    /// The map of a string.
    ///
    /// `raw` is its source text with the quotes (a bare key has none), `base` the byte offset of `raw` in the file.
    /// A string without escapes costs no more than a look at it.
    pub fn new(raw: &str, base: usize) -> Self {
        let Some(encoding) = encoding(raw) else { return Self { base, pieces: Vec::new() } };
        let is_basic = matches!(encoding, Encoding::BasicString | Encoding::MlBasicString);
        if is_basic && raw.contains('\\') {
            return Self { base, pieces: pieces(raw, base, encoding) };
        }
        Self { base: base + opening(raw, encoding), pieces: Vec::new() }
    }

    /// The bytes of the file that stand for the decoded text under `span`: no less, and no more than whole escapes.
    ///
    /// An empty span gives an empty range where its text would be inserted. What lies behind the end of the text
    /// is mapped to its end.
    pub fn range(&self, span: Span) -> Range<usize> {
        if self.pieces.is_empty() {
            return self.base + span.start..self.base + span.end.max(span.start);
        }
        let start = self.start(span.start);
        let end = if span.is_empty() { start } else { self.end(span.end).max(start) };
        start..end
    }

    /// Where the character at a decoded offset begins.
    fn start(&self, decoded: usize) -> usize {
        let next = self.pieces.partition_point(|piece| piece.decoded_end() <= decoded);
        match (self.pieces.get(next), self.pieces.last()) {
            (Some(piece), _) if piece.is_verbatim() => piece.source + (decoded - piece.decoded),
            (Some(piece), _) => piece.source,
            (None, Some(last)) => last.source_end(),
            (None, None) => self.base,
        }
    }

    /// Where the character before a decoded offset ends.
    fn end(&self, decoded: usize) -> usize {
        let index = self.pieces.partition_point(|piece| piece.decoded_end() < decoded);
        match (self.pieces.get(index), self.pieces.last()) {
            (Some(piece), _) if piece.is_verbatim() => piece.source + (decoded - piece.decoded),
            (Some(piece), _) => piece.source_end(),
            (None, Some(last)) => last.source_end(),
            (None, None) => self.base,
        }
    }
}

/// A run of text that stands in the file as it reads, or one escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    decoded: usize,
    decoded_len: usize,
    source: usize,
    source_len: usize,
}

impl Piece {
    /// Every escape is longer than the character it stands for.
    fn is_verbatim(&self) -> bool {
        self.decoded_len == self.source_len
    }

    fn decoded_end(&self) -> usize {
        self.decoded + self.decoded_len
    }

    fn source_end(&self) -> usize {
        self.source + self.source_len
    }
}

fn encoding(raw: &str) -> Option<Encoding> {
    if raw.len() >= 6 && raw.starts_with("\"\"\"") {
        Some(Encoding::MlBasicString)
    } else if raw.len() >= 6 && raw.starts_with("'''") {
        Some(Encoding::MlLiteralString)
    } else if raw.starts_with('"') {
        Some(Encoding::BasicString)
    } else if raw.starts_with('\'') {
        Some(Encoding::LiteralString)
    } else {
        None
    }
}

/// The length of what stands before the text: the quotes and the line break a multi-line string may begin with.
fn opening(raw: &str, encoding: Encoding) -> usize {
    match (encoding, raw.as_bytes().get(3), raw.as_bytes().get(4)) {
        (Encoding::LiteralString | Encoding::BasicString, ..) => 1,
        (_, Some(b'\n'), _) => 4,
        (_, Some(b'\r'), Some(b'\n')) => 5,
        _ => 3,
    }
}

fn pieces(raw: &str, base: usize, encoding: Encoding) -> Vec<Piece> {
    let whole = toml_parser::Span::new_unchecked(base, base + raw.len());
    let mut tracer = Tracer::new(raw, base + opening(raw, encoding), base);
    // The file's own parse has reported what is wrong with the string; here an error is no news.
    let _ = Raw::new_unchecked(raw, Some(encoding), whole).decode_scalar(&mut tracer, &mut ());
    tracer.finish()
}

/// Listens to the decoder. It hands over slices of `raw`, so a slice's address tells its place, and sends one, if
/// need be empty, after every escape: that is where the escape ends.
struct Tracer<'r> {
    raw: &'r str,
    base: usize,
    /// The file offset behind what was decoded last.
    source: usize,
    decoded: usize,
    /// The length of the character an escape gave, until the escape's end is known.
    pending: usize,
    pieces: Vec<Piece>,
}

impl<'r> Tracer<'r> {
    fn new(raw: &'r str, source: usize, base: usize) -> Self {
        Self { raw, base, source, decoded: 0, pending: 0, pieces: Vec::new() }
    }

    fn piece(&mut self, decoded_len: usize, source: usize, source_len: usize) {
        let piece = Piece { decoded: self.decoded, decoded_len, source, source_len };
        self.decoded += decoded_len;
        self.source = source + source_len;
        match self.pieces.last_mut() {
            Some(last) if last.is_verbatim() && piece.is_verbatim() && last.source_end() == source => {
                last.decoded_len += decoded_len;
                last.source_len += source_len;
            }
            _ if decoded_len == 0 => {}
            _ => self.pieces.push(piece),
        }
    }

    /// The escape that is still open ends at the file offset `end`.
    fn close(&mut self, end: usize) {
        if self.pending > 0 {
            let len = std::mem::take(&mut self.pending);
            self.piece(len, self.source, end.saturating_sub(self.source));
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        self.close(self.base + self.raw.len());
        if self.pieces.is_empty() {
            self.piece_of_nothing();
        }
        self.pieces
    }

    /// Text that is empty though something is written, such as `"""\` and a line break: its place is the end.
    fn piece_of_nothing(&mut self) {
        self.pieces.push(Piece { decoded: 0, decoded_len: 0, source: self.source, source_len: 0 });
    }
}

impl<'r> StringBuilder<'r> for Tracer<'r> {
    fn clear(&mut self) {
        self.pieces.clear();
        (self.decoded, self.pending) = (0, 0);
    }

    fn push_str(&mut self, append: &'r str) -> bool {
        let offset = (append.as_ptr() as usize).checked_sub(self.raw.as_ptr() as usize);
        let Some(offset) = offset.filter(|offset| *offset <= self.raw.len()) else { return false };
        let source = self.base + offset;
        self.close(source);
        self.piece(append.len(), source, append.len());
        true
    }

    fn push_char(&mut self, append: char) -> bool {
        self.close(self.source);
        self.pending = append.len_utf8();
        true
    }
}

#[cfg(test)]
mod tests;
