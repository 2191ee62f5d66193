//! `rg --json` as a wiki search, over a copy of this repository's own pages.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{CLONE, Place, column};
use crate::root;

/// The wiki search; [`super::together`] uses it too.
pub const DOCS: &str = r##"
[adapters.docs]
driver = "command"
when = { command = "rg" }

[adapters.docs.ops.search]
command = ["rg", "--json", "--sort", "path", "--", "{{query}}", "pages"]
ok_exit = [0, 1] # rg exits with 1 when it finds nothing
format = "jsonl"
where = { type = "match" }
map = { title = "data.path.text", snippet = "data.lines.text", uri = "tpl:docs:{{data.path.text}}#{{data.line_number}}", kind = "=page" }
"##;

/// A place whose repository has every page of this one.
fn place() -> Place {
    let place = Place::new();
    place.write(CLONE, DOCS);
    for folder in ["", "docs", "compiler/diagnostics", "fixtures/cases"] {
        for path in markdown(&root().join(folder)) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            place.write(&format!("repo/pages/{name}"), std::fs::read(&path).unwrap());
        }
    }
    place.build();
    place
}

/// The pages directly in a folder.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// What a search for a plain text must find: title, line number and line of every match, in the order of paths.
fn lines(place: &Place, text: &str) -> Vec<(String, usize, String)> {
    let (mut folders, mut pages) = (vec![place.repo().join("pages")], Vec::new());
    while let Some(folder) = folders.pop() {
        pages.extend(markdown(&folder));
        let inside = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(inside.filter(|path| path.is_dir()));
    }
    pages.sort();
    let mut found = Vec::new();
    for page in pages {
        let name = page.strip_prefix(place.repo()).unwrap().display().to_string();
        let content = std::fs::read_to_string(&page).unwrap();
        let matching = (1..).zip(content.lines()).filter(|(_, line)| line.contains(text));
        found.extend(matching.map(|(number, line)| (name.clone(), number, line.to_owned())));
    }
    found
}

/// Searches for a plain text and holds every hit against a search by hand.
#[track_caller]
fn agree(place: &Place, text: &str) -> usize {
    let expression = text.replace('{', r"\{").replace('}', r"\}");
    let hits = place.hits("docs.search", &[&format!("query={expression}")]);
    let expected = lines(place, text);
    assert_eq!(hits.len(), expected.len(), "{text}");
    for (hit, (page, number, line)) in hits.iter().zip(&expected) {
        assert_eq!(hit["source"], "docs");
        assert_eq!(hit["title"], page.as_str());
        assert_eq!(hit["uri"], format!("docs:{page}#{number}"));
        assert_eq!(hit["kind"], "page");
        let words: Vec<&str> = line.split_whitespace().collect();
        let (words, snippet) = (words.join(" "), hit["snippet"].as_str().unwrap());
        match words.chars().count() <= 400 {
            true => assert_eq!(snippet, words),
            false => assert!(snippet.chars().count() <= 400, "{snippet}"),
        }
    }
    hits.len()
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn every_matching_line_of_the_pages_is_a_hit() {
    let place = place();
    assert!(agree(&place, "adapter") > 20, "this repository's pages speak of adapters");
    assert!(agree(&place, "{{query}}") > 0, "braces of a value stay text");
    let hits = place.hits("docs.search", &["query=^# kontext$"]);
    assert_eq!(hits.len(), 1);
    let shown = ["title", "snippet", "uri"].map(|field| hits[0][field].as_str().unwrap());
    assert_eq!(shown, ["pages/README.md", "# kontext", "docs:pages/README.md#1"]);
    assert_eq!(hits[0]["score"], 1.0);
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn nothing_found_is_no_failure() {
    let place = place();
    let nothing = ["no", "page", "says", "this"].join("-");
    assert_eq!(agree(&place, &nothing), 0);
    let answer = place.json(&["run", "search", &nothing]);
    assert_eq!(answer, serde_json::json!({"hits": [], "notes": []}));
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_bad_expression_fails_with_what_ripgrep_says() {
    let place = place();
    for form in [&["run", "op", "docs.search", "--input", "query=("][..], &["run", "search", "("]] {
        let message = place.failure("call-failed", form);
        for part in ["`docs.search`", "`rg` ended with exit status 2", "unclosed group"] {
            assert!(message.contains(part), "{part} is missing: {message}");
        }
    }
    let run = place.run(&["run", "search", "("]);
    assert!(run.err.starts_with("error[call-failed]: "), "{run:?}");
    assert!(run.err.contains("--> .git/kontext/config.toml:6:20"), "{run:?}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_query_that_looks_like_an_option_is_text() {
    let place = place();
    place.write("repo/pages/options.md", "`rg --files` lists,\n`rg -e X` looks for X,\n`--pre=sh` runs sh\n");
    for query in ["--files", "-e", "--pre=sh"] {
        assert!(agree(&place, query) > 0, "{query}");
    }
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_line_that_is_no_text_has_no_snippet() {
    let place = place();
    place.write("repo/pages/latin.md", b"the quaywall caf\xe9\n");
    let hits = place.hits("docs.search", &["query=quaywall"]);
    assert_eq!(column(&hits, "uri"), ["docs:pages/latin.md#1"]);
    assert_eq!(hits[0]["snippet"], Value::Null, "ripgrep gives such a line as bytes: {hits:?}");
}
