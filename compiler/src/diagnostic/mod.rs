//! What the compiler has to say: a finding with its place, its reason and its mend.
//!
//! A finding is made by one `report_*` function in the area's module below, which owns its words; call sites pass
//! facts. [`lint`] declares every id once.

pub mod allow;
pub mod fields;
pub mod flow;
pub mod layers;
pub mod layers_text;
pub mod layers_toml;
pub mod layers_values;
pub mod lint;
pub mod lock;
pub mod no_shell;
pub mod ops;
pub mod paths;
pub mod run;
pub mod schemas;
pub mod scope;
pub mod scope_files;
pub mod scripts;
pub mod templates;
pub mod tools;

use crate::source::{FileSpan, Sources};

pub use lint::{Lint, Severity};

/// One finding.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Its declaration.
    pub lint: &'static Lint,
    /// How bad it is here; the declaration's unless the finding says otherwise.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, back-ticks round user text.
    pub message: String,
    /// The smallest text that is wrong.
    pub primary: FileSpan,
    /// A few words shown at the primary text, when they add something.
    pub note: Option<String>,
    /// Other places that have part in it; may be in other files.
    pub labels: Vec<Label>,
    /// What to write instead, or why it matters.
    pub help: Vec<String>,
    /// Edits that mend it.
    pub fixes: Vec<Fix>,
}

/// Another place that has part in a finding.
#[derive(Debug, Clone)]
pub struct Label {
    /// The place.
    pub span: FileSpan,
    /// What it has to do with it.
    pub message: String,
}

/// Edits that mend a finding together.
#[derive(Debug, Clone)]
pub struct Fix {
    /// What they do, for menus.
    pub title: String,
    /// Whether the mend is certain.
    pub safe: bool,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// A text put in the place of another.
#[derive(Debug, Clone)]
pub struct Edit {
    /// What is replaced.
    pub span: FileSpan,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// A finding with the severity of its declaration.
    #[must_use]
    pub fn new(lint: &'static Lint, primary: FileSpan, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            lint,
            severity: lint.severity,
            message: message.into(),
            primary,
            note: None,
            labels: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// With words at the primary text.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into());
        self
    }

    /// With help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    /// With another place.
    #[must_use]
    pub fn label(mut self, span: FileSpan, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// With another severity than declared.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// With the string that was meant: in words at the primary text, and as the fix that writes it there.
    #[must_use]
    pub fn meant(self, safe: bool, span: FileSpan, near: &str) -> Diagnostic {
        let text = fields::written::string(near);
        self.note(format!("did you mean `{near}`?")).fix(format!("write `{text}`"), safe, span, text)
    }

    /// With a single replacement that mends it.
    #[must_use]
    pub fn fix(
        mut self,
        title: impl Into<String>,
        safe: bool,
        span: FileSpan,
        text: impl Into<String>,
    ) -> Diagnostic {
        self.fixes.push(Fix { title: title.into(), safe, edits: vec![Edit { span, text: text.into() }] });
        self
    }
}

/// The findings of one compilation.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Keeps only the findings for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// Adds all findings of another collection.
    pub fn append(&mut self, mut other: Diagnostics) {
        self.list.append(&mut other.list);
    }

    /// The findings, in the order they were made.
    #[must_use]
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }

    /// The findings so far.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Whether any is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// What is good to know of a text that is wrong can wait until it is right.
    fn drop_notes_on_errors(&mut self) {
        let errors = self.list.iter().filter(|found| found.severity == Severity::Error);
        let wrong: std::collections::BTreeSet<FileSpan> = errors.map(|found| found.primary).collect();
        if !wrong.is_empty() {
            self.list.retain(|found| found.severity != Severity::Info || !wrong.contains(&found.primary));
        }
    }

    /// All findings by file, offset, id and message; the same finding twice is one.
    #[must_use]
    pub fn into_sorted(mut self, sources: &Sources) -> Vec<Diagnostic> {
        let file = |d: &Diagnostic| &sources.file(d.primary.file).display;
        self.list.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.primary.start, d.lint.id);
            file(a).cmp(file(b)).then_with(|| key(a).cmp(&key(b))).then_with(|| a.message.cmp(&b.message))
        });
        self.list.dedup_by(|a, b| a.primary == b.primary && a.lint.id == b.lint.id && a.message == b.message);
        self.drop_notes_on_errors();
        self.list
    }
}
