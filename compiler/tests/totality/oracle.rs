//! What holds for any bytes whatever: sound places, words for people, a plan exactly when nothing is wrong, and the
//! same output for the same input. The property tests and the fuzz targets share it.

use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::source::{FileSpan, Sources};
use kontext_compiler::tree::{Node, Table, Value};
use kontext_compiler::world::MapWorld;
use kontext_compiler::{Compilation, Options, compile};
use kontext_plan::Profile;

use crate::render;

/// Words of Rust that are nobody's business.
const RUST: &[&str] = &[
    "Some(",
    "None",
    "Option<",
    "Vec<",
    "Ok(",
    "Err(",
    "String",
    "&str",
    "u64",
    "i64",
    "usize",
    "f64",
    "struct ",
    "enum ",
    "unwrap",
    "\\u{",
    "core::",
    "std::",
    "serde",
    "toml_parser",
    "pest::",
    "regex parse error",
];

/// Compiles twice and says what is wrong with what came out.
pub fn examine(world: &MapWorld, profile: Profile) -> Result<Compilation, String> {
    let options = Options { profile, ..Options::default() };
    let (first, second) = (compile(world, &options), compile(world, &options));
    let (printed, again) = (output(&first)?, output(&second)?);
    if printed != again {
        return Err(format!("compiled twice, it differs:\n{printed}\n{again}"));
    }
    let problems = breaches(&first);
    if problems.is_empty() { Ok(first) } else { Err(problems.join("\n")) }
}

/// Everything kontext would write: the findings, and the plan.
pub fn output(compilation: &Compilation) -> Result<String, String> {
    let all: Vec<&Diagnostic> = compilation.diagnostics.iter().collect();
    let Compilation { sources, masked, .. } = compilation;
    let mut out = render::json(sources, masked, &all);
    out.push_str(&render::human(sources, masked, &all, false));
    out.push_str(&render::github(sources, masked, &all));
    if let Some(plan) = &compilation.plan {
        let text =
            kontext_plan::render(&mut plan.clone()).map_err(|error| format!("no plan text: {error}"))?;
        kontext_plan::parse(&text).map_err(|error| format!("the plan cannot be read back: {error}"))?;
        out.push_str(&text);
    }
    Ok(out)
}

fn breaches(compilation: &Compilation) -> Vec<String> {
    let sources = &compilation.sources;
    let mut found = Vec::new();
    for diagnostic in &compilation.diagnostics {
        let id = diagnostic.lint.id;
        found.extend(
            spans(diagnostic).filter_map(|span| unsound(sources, span)).map(|why| format!("[{id}] {why}")),
        );
        found.extend(wording(diagnostic, sources).map(|why| format!("[{id}] {why}")));
        found.extend(overlapping(diagnostic).map(|why| format!("[{id}] {why}")));
    }
    found.extend(compilation.masked.iter().filter_map(|span| unsound(sources, *span)));
    tree(&compilation.document.root, &mut |span| found.extend(unsound(sources, span)));
    let errors = compilation.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    if errors == compilation.plan.is_some() {
        found.push(if errors { "a plan in spite of errors" } else { "no plan and no error" }.to_owned());
    }
    found
}

/// Calls for every place of a tree.
pub fn tree(table: &Table, call: &mut impl FnMut(FileSpan)) {
    for entry in table.entries.values() {
        call(entry.key);
        node(&entry.node, call);
    }
}

fn node(one: &Node, call: &mut impl FnMut(FileSpan)) {
    call(one.span);
    one.shadowed.iter().for_each(|span| call(*span));
    match &one.value {
        Value::Table(table) => tree(table, call),
        Value::Array(items) => items.iter().for_each(|item| node(item, call)),
        _ => {}
    }
}

/// Why a place is none: outside its text, or inside a character.
pub fn unsound(sources: &Sources, span: FileSpan) -> Option<String> {
    let text = &sources.file(span.file).text;
    let sound = span.start <= span.end && text.get(span.range()).is_some();
    (!sound).then(|| format!("bytes {:?} are no place in a text of {} bytes", span.range(), text.len()))
}

fn spans(diagnostic: &Diagnostic) -> impl Iterator<Item = FileSpan> {
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let edits = diagnostic.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.span));
    std::iter::once(diagnostic.primary).chain(labels).chain(edits)
}

/// Edits of one fix that touch each other cannot both be made.
fn overlapping(diagnostic: &Diagnostic) -> Option<String> {
    diagnostic.fixes.iter().find_map(|fix| {
        let mut spans: Vec<FileSpan> = fix.edits.iter().map(|edit| edit.span).collect();
        spans.sort();
        let touching = spans.windows(2).any(|pair| match pair {
            [a, b] => a.file == b.file && b.start < a.end,
            _ => false,
        });
        touching.then(|| format!("the edits of {:?} overlap", fix.title))
    })
}

/// What is wrong with the words, user text between back-ticks apart.
fn wording(diagnostic: &Diagnostic, sources: &Sources) -> Option<String> {
    let labels = diagnostic.labels.iter().map(|label| &label.message);
    let words =
        std::iter::once(&diagnostic.message).chain(&diagnostic.note).chain(labels).chain(&diagnostic.help);
    // A back-tick of the user's own makes it unknown where the user's text ends.
    let quotable = sources.files().all(|(_, file)| !may_hold_tick(&file.text));
    words.map(String::as_str).find_map(|text| {
        if text.trim().is_empty() {
            return Some("it says nothing".to_owned());
        }
        let plain: String = text.split('`').step_by(2).collect();
        let word = RUST.iter().find(|word| quotable && plain.contains(**word));
        word.map(|word| format!("{word:?} is no word for people: {text}"))
    })
}

fn may_hold_tick(text: &str) -> bool {
    text.contains('`') || text.contains("\\x60") || text.contains("\\u0060") || text.contains("\\U00000060")
}
