//! Laws of the text: module docs, file sizes, and nothing of one developer's machine.

use std::path::{Path, PathBuf};

use crate::root;

/// Lines a source file may have.
const HARD: usize = 800;
/// Lines beyond which a file should be parted, unless it stands in [`LONG`].
const SOFT: usize = 400;
/// Files over [`SOFT`] lines, each with the reason.
const LONG: &[(&str, &str)] = &[];
/// Folders of ours.
const FOLDERS: &[&str] = &[
    "cli", "compiler", "docs", "fixtures", "grammar", "host", "notes", "plan", "runtime", "schemas", "tests",
];

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|name| root().join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true if !path.ends_with("target") => folders.push(path),
                true => {}
                false => found.push(path),
            }
        }
    }
    let top = std::fs::read_dir(root()).unwrap().flatten().map(|entry| entry.path());
    found.extend(top.filter(|path| path.extension().is_some_and(|e| e == "md" || e == "toml")));
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn rust() -> impl Iterator<Item = (String, String)> {
    let files = files().into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    files.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap()))
}

#[test]
fn every_module_says_why_it_exists() {
    let needs =
        |name: &str| !(name.contains("/src/") && (name.ends_with("tests.rs") || name.contains("/tests/")));
    let without = rust().filter(|(name, text)| needs(name) && !text.starts_with("//! "));
    let without: Vec<String> = without.map(|(name, _)| name).collect();
    assert!(without.is_empty(), "no `//!` sentence at the top of {without:?}");
}

#[test]
fn files_stay_short() {
    let long = |name: &str| LONG.iter().any(|(listed, _)| *listed == name);
    let mut over = Vec::new();
    for (name, text) in rust() {
        let lines = text.lines().count();
        if lines > HARD || (lines > SOFT && !long(&name)) {
            over.push(format!("{name}: {lines}"));
        }
    }
    assert!(over.is_empty(), "over {SOFT} lines (part them, or give a reason in `LONG`): {over:#?}");
    for (name, reason) in LONG {
        let lines = std::fs::read_to_string(root().join(name)).unwrap().lines().count();
        assert!(lines > SOFT && !reason.is_empty(), "{name} is short now: take it off the list");
    }
}

#[test]
fn no_machine_and_no_workshop_in_the_text() {
    // Put together at run time so that this file does not hold them.
    let words = [["/work", "/main"], ["/work", "/shared"], ["/ro", "ot/"], ["FIX", "ME"]]
        .map(|halves| halves.concat());
    let mut found = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            found.extend(
                words.iter().filter(|w| line.contains(*w)).map(|w| format!("{}:{number}: {w}", name(&path))),
            );
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
