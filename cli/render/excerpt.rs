//! The few lines of a file that a finding shows: cut where they are long, masked where they hold a secret, and
//! without characters that would act on a terminal.

use std::fmt;
use std::ops::Range;

use kontext_compiler::source::{FileSpan, SourceFile};
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Most characters of a line that are shown.
const WIDTH: usize = 120;
/// Characters shown before the first marked one of a line that is cut.
const LEAD: usize = 40;
/// Most lines a mark may cover; of a longer one the first line is marked.
const LINES: usize = 6;

/// A place in the file that is marked.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The bytes of the file.
    pub at: Range<usize>,
    /// Words at the place.
    pub words: Option<String>,
    /// Whether the finding is about this place.
    pub primary: bool,
}

/// Lines of one file that lie near each other, with their marks.
#[derive(Debug)]
pub struct Excerpt<'a> {
    file: &'a SourceFile,
    marks: Vec<Mark>,
    lines: Range<usize>,
    text: String,
    /// Where characters of the file stand in the text, in order.
    map: Vec<(usize, usize)>,
}

/// The excerpts that show all marks of a file: the one with the primary mark first, the others in the file's order.
pub fn excerpts<'a>(file: &'a SourceFile, mut marks: Vec<Mark>, masks: &[FileSpan]) -> Vec<Excerpt<'a>> {
    marks.sort_by_key(|mark| (mark.at.start, mark.at.end));
    let last = file.position(file.text.trim_end_matches('\n').len()).line;
    let mut groups: Vec<(Range<usize>, Vec<Mark>)> = Vec::new();
    for mut mark in marks {
        let (first, mut end) = (file.position(mark.at.start).line, file.position(mark.at.end).line);
        if end - first >= LINES {
            end = first;
            mark.at.end = mark.at.start + rest_of_line(&file.text, mark.at.start);
        }
        let lines = first.saturating_sub(1).max(1)..(end + 1).min(last).max(end) + 1;
        match groups.last_mut() {
            Some((before, marks)) if lines.start <= before.end => {
                before.end = before.end.max(lines.end);
                marks.push(mark);
            }
            _ => groups.push((lines, vec![mark])),
        }
    }
    groups.sort_by_key(|(_, marks)| !marks.iter().any(|mark| mark.primary));
    groups.into_iter().map(|(lines, marks)| Excerpt::new(file, lines, marks, masks)).collect()
}

fn rest_of_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or("");
    rest.find('\n').map_or(rest.len(), |length| rest.get(..length).unwrap_or("").trim_end().len())
}

impl<'a> Excerpt<'a> {
    fn new(file: &'a SourceFile, lines: Range<usize>, marks: Vec<Mark>, masks: &[FileSpan]) -> Excerpt<'a> {
        let mut excerpt = Excerpt { file, marks, lines, text: String::new(), map: Vec::new() };
        for line in excerpt.lines.clone() {
            excerpt.push_line(line, masks);
        }
        excerpt
    }

    fn push_line(&mut self, number: usize, masks: &[FileSpan]) {
        let line = self.file.line(number);
        let start = self.file.line_start(number);
        let marked =
            self.marks.iter().map(|mark| mark.at.start).find(|at| (start..=start + line.len()).contains(at));
        let shown = window(line, marked.map(|at| at - start));
        let cut = (shown.start > 0, shown.end < line.len());
        self.text.push_str(if cut.0 { "…" } else { "" });
        for (offset, character) in line.get(shown.clone()).unwrap_or("").char_indices() {
            let at = start + shown.start + offset;
            self.map.push((at, self.text.len()));
            match masks.iter().find(|mask| mask.range().contains(&at)) {
                Some(mask) if mask.start == at || offset == 0 => self.text.push_str("***"),
                Some(_) => {}
                None => self.text.extend(harmless(at, character)),
            }
        }
        self.map.push((start + shown.end, self.text.len()));
        self.text.push_str(if cut.1 { "…\n" } else { "\n" });
    }

    /// Where a byte of the file stands in the text.
    fn place(&self, at: usize) -> usize {
        let after = self.map.partition_point(|(source, _)| *source < at);
        let found = self.map.get(after).or(self.map.last());
        found.map_or(0, |(_, place)| *place)
    }

    fn label(&self, mark: &Mark) -> LabeledSpan {
        let start = self.place(mark.at.start);
        let end = self.place(mark.at.end).max(start);
        let span = SourceSpan::from((start, end - start));
        if mark.primary {
            LabeledSpan::new_primary_with_span(mark.words.clone(), span)
        } else {
            LabeledSpan::new_with_span(mark.words.clone(), span)
        }
    }
}

/// The bytes of a line that are shown.
fn window(line: &str, marked: Option<usize>) -> Range<usize> {
    if line.len() <= WIDTH {
        return 0..line.len();
    }
    let back = |from: usize, count: usize| {
        let before = line.get(..from).unwrap_or(line);
        before.char_indices().rev().take(count).last().map_or(from, |(at, _)| at)
    };
    let start = back(marked.unwrap_or(0).min(line.len()), LEAD);
    let rest = line.get(start..).unwrap_or("");
    let length = rest.char_indices().nth(WIDTH).map_or(rest.len(), |(at, _)| at);
    start..start + length
}

/// A character that does nothing but stand there.
fn harmless(at: usize, character: char) -> Option<char> {
    match character {
        '\u{feff}' if at == 0 => None,
        '\t' => Some('\t'),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => Some('\u{fffd}'),
        other => Some(other),
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Excerpt<'_> {}

impl miette::Diagnostic for Excerpt<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.marks.iter().map(|mark| self.label(mark))))
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.as_str().read_span(span, before, after)?;
        let (mut line, mut column) = (contents.line() + self.lines.start - 1, contents.column());
        if before == 0 {
            let index = self.map.partition_point(|(_, place)| *place < span.offset());
            let at = self.map.get(index).map_or(0, |(source, _)| *source);
            let position = self.file.position(at);
            (line, column) = (position.line - 1, position.column - 1);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.display.clone(),
            contents.data(),
            *contents.span(),
            line,
            column,
            contents.line_count(),
        )))
    }
}
