//! Every field with good and wrong values, and every finding with the text it underlines.

mod fields;
mod findings;
mod schema;

use std::fmt::Write as _;

use kontext_plan::Profile;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::layer::load;
use crate::merge::merge;
use crate::source::Sources;
use crate::world::MapWorld;

/// The findings of validation alone, in some layers.
fn found_in(layers: &[(&str, &str)]) -> (Sources, Vec<Diagnostic>) {
    let world = layers.iter().fold(MapWorld::default(), |world, (input, text)| world.with(input, *text));
    let mut earlier = Diagnostics::default();
    let loaded = load(&world, Profile::Local, &mut earlier);
    assert!(earlier.list().is_empty(), "{:?}", earlier.list());
    let document = merge(loaded.layers, &loaded.sources, &mut earlier);
    assert!(earlier.list().is_empty(), "{:?}", earlier.list());
    let mut diagnostics = Diagnostics::default();
    super::validate(&document, &loaded.sources, loaded.broken, &mut diagnostics);
    let sorted = diagnostics.into_sorted(&loaded.sources);
    (loaded.sources, sorted)
}

/// `severity id|underlined` of each finding in the shared layer.
fn said(text: &str) -> String {
    said_in(&[("repo:.kontext.toml", text)])
}

/// `severity id|underlined` of each finding in some layers.
fn said_in(layers: &[(&str, &str)]) -> String {
    let (sources, found) = found_in(layers);
    let mut out = String::new();
    for finding in &found {
        let underlined = sources.text(finding.primary);
        writeln!(out, "{} {}|{underlined}", finding.severity.as_str(), finding.lint.id).unwrap();
    }
    out
}

/// All the words of the findings: messages, notes, labels, help and titles of fixes.
fn words(text: &str) -> String {
    let (_, found) = found_in(&[("repo:.kontext.toml", text)]);
    let mut out = String::new();
    for finding in &found {
        writeln!(
            out,
            "{}; {}; {}",
            finding.message,
            finding.note.as_deref().unwrap_or(""),
            finding.help.join("; ")
        )
        .unwrap();
        for label in &finding.labels {
            writeln!(out, "  {}", label.message).unwrap();
        }
    }
    out
}

/// The text after all fixes.
fn fixed(text: &str) -> String {
    let (_, found) = found_in(&[("repo:.kontext.toml", text)]);
    let mut edits: Vec<_> =
        found.iter().flat_map(|finding| &finding.fixes).flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        out.replace_range(edit.span.range(), &edit.text);
    }
    out
}
