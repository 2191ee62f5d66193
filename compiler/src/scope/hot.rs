//! The markup of the hot document.

use kontext_notes::{Document, Span};

use super::Compiler;
use crate::diagnostic::scope as report;
use crate::source::{FileId, FileSpan};

/// A place in a document as a place in its file.
pub(super) fn place(file: FileId, span: Span) -> FileSpan {
    FileSpan::new(file, span.start..span.end)
}

impl Compiler<'_> {
    /// Reports unclosed, nested and other wrong markers. `memory_health` finds them itself.
    pub(super) fn markup(&mut self, file: FileId, document: &Document<'_>) {
        for problem in document.problems() {
            self.diagnostics.push(report::report_markup(place(file, problem.span), problem));
        }
    }
}
