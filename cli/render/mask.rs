//! Secrets that stand in the files are shown in no format, whatever finding is about them.

use std::borrow::Cow;

use kontext_compiler::diagnostic::Fix;
use kontext_compiler::mask;
use kontext_compiler::source::{FileId, FileSpan, Sources};

/// What must not be shown.
#[derive(Debug)]
pub struct Masked<'a> {
    places: &'a [FileSpan],
    secrets: Vec<&'a str>,
}

impl<'a> Masked<'a> {
    /// The secrets at these places.
    pub fn new(sources: &'a Sources, places: &'a [FileSpan]) -> Masked<'a> {
        Masked { places, secrets: mask::secrets(sources, places) }
    }

    /// The places in a file.
    pub fn in_file(&self, file: FileId) -> Vec<FileSpan> {
        mask::in_file(self.places, file)
    }

    /// A text as it may be shown.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        mask::hide(text, &self.secrets)
    }

    /// Whether a fix can be written down: one that holds a secret would show it, and with the mask it would be another
    /// fix.
    pub fn shows(&self, fix: &Fix) -> bool {
        fix.edits.iter().all(|edit| matches!(self.text(&edit.text), Cow::Borrowed(_)))
    }
}
