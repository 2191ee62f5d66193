//! Diagnostics as JSON: the contract of `schemas/diagnostics.schema.json`.

use kontext_compiler::diagnostic::{Diagnostic, Edit, Fix, Label, Severity};
use kontext_compiler::source::{FileSpan, Position, Sources};
use serde::Serialize;

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
    message: &'a str,
    file: &'a str,
    range: Range,
    labels: Vec<Place<'a>>,
    help: &'a [String],
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
    message: &'a str,
}

#[derive(Serialize)]
struct Mend<'a> {
    title: &'a str,
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
pub fn json(sources: &Sources, diagnostics: &[&Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|finding| finding.severity == severity).count();
    let report = Report {
        version: 1,
        diagnostics: diagnostics.iter().map(|finding| self::finding(sources, finding)).collect(),
        summary: Summary { errors: count(Severity::Error), warnings: count(Severity::Warning) },
    };
    // Text and numbers always have a JSON form.
    let mut text = serde_json::to_string(&report).unwrap_or_default();
    text.push('\n');
    text
}

fn finding<'a>(sources: &'a Sources, finding: &'a Diagnostic) -> Finding<'a> {
    let note = finding.note.iter().map(|note| place(sources, finding.primary, note));
    let labels = finding.labels.iter().map(|Label { span, message }| place(sources, *span, message));
    Finding {
        id: finding.lint.id,
        severity: finding.severity.as_str(),
        message: &finding.message,
        file: file(sources, finding.primary),
        range: range(sources, finding.primary),
        labels: note.chain(labels).collect(),
        help: &finding.help,
        fixes: finding.fixes.iter().map(|fix| mend(sources, fix)).collect(),
    }
}

fn mend<'a>(sources: &'a Sources, fix: &'a Fix) -> Mend<'a> {
    let change = |edit: &'a Edit| Change {
        file: file(sources, edit.span),
        range: range(sources, edit.span),
        text: &edit.text,
    };
    Mend { title: &fix.title, safe: fix.safe, edits: fix.edits.iter().map(change).collect() }
}

fn place<'a>(sources: &'a Sources, span: FileSpan, message: &'a str) -> Place<'a> {
    Place { file: file(sources, span), range: range(sources, span), message }
}

fn file(sources: &Sources, span: FileSpan) -> &str {
    &sources.file(span.file).display
}

fn range(sources: &Sources, span: FileSpan) -> Range {
    Range { start: point(sources.start(span)), end: point(sources.end(span)) }
}

fn point(position: Position) -> Point {
    let Position { line, column, offset } = position;
    Point { line, column, offset }
}
