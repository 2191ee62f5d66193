//! What holds for every finding of every case, whatever the case expects.

use std::collections::BTreeMap;

use kontext_compiler::Compilation;
use kontext_compiler::diagnostic::{Diagnostic, lint};
use kontext_compiler::source::{FileSpan, Sources};

/// Rust names and other words of the workshop that are nobody's business.
const NOT_FOR_PEOPLE: &[&str] =
    &["Some(", "None", "Option<", "Vec<", "String", "u64", "i64", "struct", "enum", "unwrap"];

/// Breaches of the laws, in words.
pub fn breaches(compilation: &Compilation) -> Vec<String> {
    let mut found = Vec::new();
    for diagnostic in &compilation.diagnostics {
        for text in texts(diagnostic) {
            found.extend(wording(text).map(|why| format!("[{}] {why}: {text}", diagnostic.lint.id)));
        }
        for span in spans(diagnostic) {
            if !sound(&compilation.sources, span) {
                found.push(format!("[{}] a span outside the text or inside a character", diagnostic.lint.id));
            }
        }
    }
    let errors = compilation.diagnostics.iter().any(|d| d.severity == lint::Severity::Error);
    if errors == compilation.plan.is_some() {
        found.push(if errors { "a plan in spite of errors" } else { "no plan and no error" }.to_owned());
    }
    found
}

fn texts(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    let labels = diagnostic.labels.iter().map(|label| label.message.as_str());
    let note = diagnostic.note.iter().map(String::as_str);
    std::iter::once(diagnostic.message.as_str()).chain(note).chain(labels)
}

fn wording(text: &str) -> Option<&'static str> {
    let plain = outside_ticks(text);
    if text.trim() != text || text.is_empty() {
        return Some("blanks at an end");
    }
    if text.starts_with(char::is_uppercase) && !text.starts_with("UTF") {
        return Some("an upper-case letter at the start");
    }
    if text.ends_with('.') {
        return Some("a full stop at the end");
    }
    NOT_FOR_PEOPLE.iter().any(|word| plain.contains(word)).then_some("a word that is not for people")
}

/// The text without what stands between back-ticks.
fn outside_ticks(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

fn spans(diagnostic: &Diagnostic) -> impl Iterator<Item = FileSpan> {
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
    std::iter::once(diagnostic.primary).chain(labels).chain(edits)
}

fn sound(sources: &Sources, span: FileSpan) -> bool {
    span.start <= span.end && sources.file(span.file).text.get(span.range()).is_some()
}

/// Fewest cases there are.
const FEWEST: usize = 250;

/// Every id needs two cases that show it, a plain one and one in a hard place; there are many cases.
pub fn seldom_seen(seen: &BTreeMap<&'static str, usize>, cases: usize) -> Vec<(String, String)> {
    let times = |id: &str| seen.get(id).copied().unwrap_or_default();
    let seldom: Vec<String> = lint::ALL
        .iter()
        .filter(|lint| times(lint.id) < 2)
        .map(|lint| format!("{} ({})", lint.id, times(lint.id)))
        .collect();
    let mut failures = Vec::new();
    if !seldom.is_empty() {
        let words = format!("fewer than two cases show {}", seldom.join(", "));
        failures.push(("every diagnostic has two cases".to_owned(), words));
    }
    if cases < FEWEST {
        failures.push(("there are many cases".to_owned(), format!("there are {cases}, fewer than {FEWEST}")));
    }
    failures
}

/// How many cases show each id, as a table.
pub fn table(seen: &BTreeMap<&'static str, usize>) -> String {
    let row = |lint: &&lint::Lint| {
        let cases = seen.get(lint.id).copied().unwrap_or_default();
        format!(
            "| `{}` | {} | `compiler/diagnostics/{}.md` | {cases} |\n",
            lint.id,
            lint.severity.as_str(),
            lint.id
        )
    };
    let rows: String = lint::ALL.iter().map(row).collect();
    format!("| id | severity | page | cases |\n|---|---|---|---|\n{rows}")
}
