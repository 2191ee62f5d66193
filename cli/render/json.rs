//! Diagnostics as JSON: the contract of `schemas/diagnostics.schema.json`.

use std::borrow::Cow;

use kontext_compiler::diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
use kontext_compiler::source::{FileSpan, Position, Sources};
use serde::Serialize;

use super::Masked;

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    diagnostics: Vec<Finding<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Finding<'a> {
    id: &'a str,
    severity: &'a str,
    message: Cow<'a, str>,
    file: &'a str,
    range: Range,
    labels: Vec<Place<'a>>,
    help: Vec<Cow<'a, str>>,
    fixes: Vec<Mend<'a>>,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    range: Range,
    message: Cow<'a, str>,
}

#[derive(Serialize)]
struct Mend<'a> {
    title: Cow<'a, str>,
    safe: bool,
    edits: Vec<Change<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    file: &'a str,
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
}

/// All findings as one JSON object on one line. A note at the primary text is its first label.
pub fn json(sources: &Sources, masked: &[FileSpan], diagnostics: &[&Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|finding| finding.severity == severity).count();
    let writer = Writer { sources, masked: Masked::new(sources, masked) };
    let report = Report {
        version: 1,
        diagnostics: diagnostics.iter().map(|finding| writer.finding(finding)).collect(),
        summary: Summary { errors: count(Severity::Error), warnings: count(Severity::Warning) },
    };
    // Text and numbers always have a JSON form.
    let mut text = serde_json::to_string(&report).unwrap_or_default();
    text.push('\n');
    text
}

struct Writer<'a> {
    sources: &'a Sources,
    masked: Masked<'a>,
}

impl<'a> Writer<'a> {
    fn finding(&self, finding: &'a Diagnostic) -> Finding<'a> {
        let note = finding.note.iter().map(|note| self.place(finding.primary, note));
        let labels = finding.labels.iter().map(|Label { span, message }| self.place(*span, message));
        let fixes = finding.fixes.iter().filter(|fix| self.masked.shows(fix));
        Finding {
            id: finding.lint.id,
            severity: finding.severity.as_str(),
            message: self.masked.text(&finding.message),
            file: self.file(finding.primary),
            range: self.range(finding.primary),
            labels: note.chain(labels).collect(),
            help: finding.help.iter().map(|help| self.masked.text(help)).collect(),
            fixes: fixes.map(|fix| self.mend(fix)).collect(),
        }
    }

    fn mend(&self, fix: &'a Fix) -> Mend<'a> {
        let change = |edit: &'a Edit| Change {
            file: self.file(edit.span),
            range: self.range(edit.span),
            text: &edit.text,
        };
        let title = self.masked.text(&fix.title);
        Mend { title, safe: fix.safe, edits: fix.edits.iter().map(change).collect() }
    }

    fn place(&self, span: FileSpan, message: &'a str) -> Place<'a> {
        Place { file: self.file(span), range: self.range(span), message: self.masked.text(message) }
    }

    fn file(&self, span: FileSpan) -> &'a str {
        &self.sources.file(span.file).display
    }

    fn range(&self, span: FileSpan) -> Range {
        Range { start: point(self.sources.start(span)), end: point(self.sources.end(span)) }
    }
}

fn point(position: Position) -> Point {
    let Position { line, column, offset } = position;
    Point { line, column, offset }
}
