//! What a hot document must be like that anyone may read.

use kontext_notes::{Document, private_places};

use super::Compiler;
use super::hot::place;
use crate::diagnostic::scope as report;
use crate::source::{FileId, FileSpan};

impl Compiler<'_> {
    /// Reports a missing cut, maps before it, and private places before it.
    pub(super) fn published(&mut self, file: FileId, document: &Document<'_>) {
        let Some(text) = document.before_cut() else {
            if !document.is_blank() {
                self.diagnostics.push(report::report_no_cut(FileSpan::new(file, 0..0)));
            }
            return;
        };
        for map in document.maps_before_cut() {
            self.diagnostics.push(report::report_map_before_cut(place(file, map.span), map.id));
        }
        for private in private_places(text) {
            let shown = private.span.of(text);
            self.diagnostics.push(report::report_private(place(file, private.span), private.kind, shown));
        }
    }
}
