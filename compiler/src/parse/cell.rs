//! One TOML string as a cell: its syntax tree and the way back to the file.

use kontext_grammar::template::ast::{Part, Template, Text};
use kontext_grammar::{Span, template};

use crate::cell::CellMap;
use crate::diagnostic::templates;
use crate::source::FileSpan;
use crate::tree::Node;

use super::Parser;

/// A parsed template slot.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The whole string, quotes included.
    pub span: FileSpan,
    /// Its syntax tree; none when it is broken (reported already).
    pub template: Option<Template>,
    /// Where the template starts in the decoded string (behind `tpl:`).
    shift: usize,
    map: Option<CellMap>,
}

impl Cell {
    /// The place in the file of a span of the decoded text.
    #[must_use]
    pub fn place(&self, span: Span) -> FileSpan {
        match &self.map {
            Some(map) => FileSpan::new(self.span.file, map.range(shifted(span, self.shift))),
            None => self.span,
        }
    }
}

impl Parser<'_> {
    /// The template of a string value; none for a value of another type (reported already).
    pub(super) fn cell(&mut self, node: &Node) -> Option<Cell> {
        node.as_str().map(|text| self.cell_of(text, node.span, 0))
    }

    /// The template of a decoded text that stands in the string at `span`, `shift` bytes behind its start.
    pub(super) fn cell_of(&mut self, text: &str, span: FileSpan, shift: usize) -> Cell {
        if !template::has_expression(text) {
            return Cell { span, template: Some(plain(text)), shift, map: None };
        }
        let map = self.map(span);
        let template = match template::parse(text) {
            Ok(template) => Some(template),
            Err(errors) => {
                for error in errors {
                    let place = FileSpan::new(span.file, map.range(shifted(error.span, shift)));
                    self.diagnostics.push(templates::report_template_syntax(place, &error));
                }
                None
            }
        };
        Cell { span, template, shift, map: Some(map) }
    }

    /// The way from a decoded string back to its file. A bare key stands for itself.
    pub(super) fn map(&self, span: FileSpan) -> CellMap {
        CellMap::new(self.sources.text(span), span.start)
    }

    /// The place in the file of a part of a decoded string.
    pub(super) fn place(&self, string: FileSpan, part: Span) -> FileSpan {
        FileSpan::new(string.file, self.map(string).range(part))
    }
}

/// A text without expressions.
fn plain(text: &str) -> Template {
    let parts = if text.is_empty() {
        Vec::new()
    } else {
        vec![Part::Text(Text { text: text.to_owned(), span: Span { start: 0, end: text.len() } })]
    };
    Template { parts }
}

fn shifted(span: Span, by: usize) -> Span {
    Span { start: span.start + by, end: span.end + by }
}
