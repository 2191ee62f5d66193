//! Diagnostics as SARIF 2.1.0, for code scanning: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.

use std::fmt::Write as _;

use kontext_compiler::diagnostic::{Diagnostic, Fix, Lint, Severity, lint};
use kontext_compiler::source::{FileId, FileSpan, Sources};
use serde_json::{Value, json};

use super::Masked;

/// What relative addresses stand against.
const ROOT: &str = "%SRCROOT%";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// All findings as one log with one run. Every id is a rule, in the order of the reference, so that a log of no
/// finding names what was looked for.
pub fn sarif(sources: &Sources, masked: &[FileSpan], diagnostics: &[&Diagnostic]) -> String {
    let writer = Writer { sources, masked: Masked::new(sources, masked) };
    let results: Vec<Value> = diagnostics.iter().map(|finding| writer.result(finding)).collect();
    let rules: Vec<Value> = lint::ALL.iter().map(|lint| rule(lint)).collect();
    let version = env!("CARGO_PKG_VERSION");
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "kontext", "version": version, "semanticVersion": version, "rules": rules } },
            "invocations": [{ "executionSuccessful": true }],
            "originalUriBaseIds": { ROOT: { "description": { "text": "the root of the repository" } } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log}\n")
}

/// A rule: its page is its help.
fn rule(lint: &Lint) -> Value {
    let body = lint.page.split_once('\n').map_or("", |(_, body)| body).trim();
    let paragraph = body.split("\n\n").next().unwrap_or("").replace('\n', " ");
    let first = paragraph.split_inclusive(". ").next().unwrap_or("").trim_end();
    json!({
        "id": lint.id,
        "shortDescription": { "text": first },
        "fullDescription": { "text": paragraph },
        "help": { "text": body, "markdown": lint.page },
        "defaultConfiguration": { "level": level(lint.severity) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

struct Writer<'a> {
    sources: &'a Sources,
    masked: Masked<'a>,
}

impl Writer<'_> {
    fn result(&self, finding: &Diagnostic) -> Value {
        let help = finding.help.iter().map(|help| format!("help: {help}"));
        let lines: Vec<String> = std::iter::once(finding.message.clone()).chain(help).collect();
        let index = lint::ALL.iter().position(|lint| lint.id == finding.lint.id);
        let mut result = json!({
            "ruleId": finding.lint.id,
            "level": level(finding.severity),
            "message": self.message(&lines.join("\n")),
            "locations": [self.location(finding.primary, finding.note.as_deref())],
        });
        let related: Vec<Value> = finding
            .labels
            .iter()
            .zip(1..)
            .map(|(label, id)| {
                let mut location = self.location(label.span, Some(&label.message));
                set(&mut location, "id", Value::from(id));
                location
            })
            .collect();
        let shown = finding.fixes.iter().filter(|fix| self.masked.shows(fix));
        let fixes: Vec<Value> = shown.map(|fix| self.fix(fix)).collect();
        if let Some(index) = index {
            set(&mut result, "ruleIndex", Value::from(index));
        }
        if !related.is_empty() {
            set(&mut result, "relatedLocations", Value::from(related));
        }
        if !fixes.is_empty() {
            set(&mut result, "fixes", Value::from(fixes));
        }
        result
    }

    /// A fix: its edits by file, in the order they were given.
    fn fix(&self, fix: &Fix) -> Value {
        let mut files: Vec<FileId> = Vec::new();
        for edit in &fix.edits {
            if !files.contains(&edit.span.file) {
                files.push(edit.span.file);
            }
        }
        let change = |file: FileId| {
            let edits = fix.edits.iter().filter(|edit| edit.span.file == file);
            let replacements: Vec<Value> = edits
                .map(|edit| {
                    json!({ "deletedRegion": self.region(edit.span), "insertedContent": { "text": edit.text } })
                })
                .collect();
            json!({ "artifactLocation": self.artifact(file), "replacements": replacements })
        };
        let changes: Vec<Value> = files.into_iter().map(change).collect();
        json!({
            "description": self.message(&fix.title),
            "artifactChanges": changes,
            "properties": { "safe": fix.safe },
        })
    }

    fn message(&self, text: &str) -> Value {
        json!({ "text": self.masked.text(text) })
    }

    fn location(&self, span: FileSpan, words: Option<&str>) -> Value {
        let mut location = json!({
            "physicalLocation": { "artifactLocation": self.artifact(span.file), "region": self.region(span) },
        });
        if let Some(words) = words {
            set(&mut location, "message", self.message(words));
        }
        location
    }

    fn region(&self, span: FileSpan) -> Value {
        let (start, end) = (self.sources.start(span), self.sources.end(span));
        json!({
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        })
    }

    fn artifact(&self, file: FileId) -> Value {
        let display = &self.sources.file(file).display;
        let uri = encoded(display);
        if display.starts_with('/') {
            return json!({ "uri": format!("file://{uri}") });
        }
        json!({ "uri": uri, "uriBaseId": ROOT })
    }
}

fn set(object: &mut Value, key: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(key.to_owned(), value);
    }
}

/// A path as part of an address.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
