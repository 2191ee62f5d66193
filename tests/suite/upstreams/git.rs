//! git as the history of files: `git log` on a repository made here, its subjects full of quotes and braces.

use super::{CLONE, Place, column};

/// History as lines, code as JSON lines, search by message; [`super::together`] uses it too.
pub const LOG: &str = r#"
[adapters.log]
driver = "command"
when = { command = "git" }

[adapters.log.ops.history]
command = ["git", "log", "-n{{limit}}", "--format=%h%x09%as%x09%an%x09%s", "--", "{{target}}"]
format = "lines"
map = { title = 're:^(?:[^\t]*\t){3}(.*)', snippet = 're:^(?:[^\t]*\t){2}([^\t]*)', uri = '''tpl:git:{{item.raw|before:'\t'}}''', date = 're:\t(\d{4}-\d\d-\d\d)\t' }

[adapters.log.ops.code]
command = ["git", "log", "-n{{limit}}", "-S{{query}}", '--format={"commit":"%h","day":"%as","who":"%an","what":"%s"}']
format = "jsonl"
map = { title = "what", snippet = "who", uri = "tpl:git:{{commit}}", date = "day", kind = "=commit" }

[adapters.log.ops.search]
command = ["git", "log", "-n{{limit}}", "-i", "--grep={{query}}", "--format=%h%x09%s"]
format = "lines"
map = { title = 're:\t(.*)', uri = '''tpl:git:{{item.raw|before:'\t'}}''', kind = "=commit" }
"#;

const QUOTED: &str = r#"Correct the "spring" tides, {{query}} and \ at 100 %"#;

fn place() -> Place {
    let place = Place::new();
    place.write(CLONE, LOG);
    place.write("repo/tides.csv", "day,high\n1,3.2\n");
    place.commit("Ana", "2026-01-05", "Add the tide table");
    place.write("repo/tides.csv", "day,high\n1,3.4\nspring,4.1\n");
    place.commit("Bora Ünal", "2026-02-11", QUOTED);
    place.write("repo/docks.csv", "dock,length\nGrößer,300\n");
    place.commit("Ana", "2026-03-02", "Docks: größer — and no tide");
    place.build();
    place
}

/// The commits by their short names, newest first.
fn commits(place: &Place) -> Vec<String> {
    place.git(&["log", "--format=git:%h"]).lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn the_history_of_a_file_is_its_commits() {
    let place = place();
    let commits = commits(&place);
    let hits = place.hits("log.history", &["target=tides.csv"]);
    assert_eq!(column(&hits, "title"), [QUOTED, "Add the tide table"]);
    assert_eq!(column(&hits, "snippet"), ["Bora Ünal", "Ana"]);
    assert_eq!(column(&hits, "uri"), [&commits[1], &commits[2]]);
    assert_eq!(column(&hits, "date"), ["2026-02-11", "2026-01-05"]);
    let hits = place.hits("log.history", &["target=tides.csv", "limit=1"]);
    assert_eq!(column(&hits, "title"), [QUOTED], "the limit reaches git");
    let answer = place.json(&["run", "history", "docks.csv", "-n", "5"]);
    assert_eq!(column(answer["hits"].as_array().unwrap(), "title"), ["Docks: größer — and no tide"]);
    assert_eq!(answer["hits"][0]["source"], "log");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_target_that_looks_like_an_option_is_a_path() {
    let place = place();
    for target in ["--all", "-p", "--output=made", "no such file"] {
        assert!(place.hits("log.history", &[&format!("target={target}")]).is_empty(), "{target}");
    }
    assert!(!place.repo().join("made").exists(), "git took a path for an option");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn what_git_refuses_fails_with_its_words() {
    let place = place();
    let message =
        place.failure("call-failed", &["run", "op", "log.history", "--input", "target=../elsewhere"]);
    assert!(message.contains("`git` ended with exit status 128"), "{message}");
    assert!(message.contains("is outside repository"), "{message}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_line_that_is_no_json_is_skipped_and_counted() {
    let place = place();
    let commits = commits(&place);
    let answer = place.json(&["run", "op", "log.code", "--input", "query=high"]);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!(column(hits, "title"), ["Add the tide table"]);
    assert_eq!(column(hits, "uri"), [&commits[2]]);
    assert_eq!(column(hits, "kind"), ["commit"]);
    assert_eq!(answer["notes"], serde_json::json!([]));
    // The subject of this one holds quotes, which git does not escape.
    let answer = place.json(&["run", "code", "spring"]);
    assert_eq!(answer["hits"], serde_json::json!([]));
    let note = answer["notes"][0]["message"].as_str().unwrap();
    assert!(note.contains('1') && note.contains("line"), "{note}");
}
