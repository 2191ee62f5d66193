//! What people and programs see, for findings that are hard to show.

use kontext_compiler::diagnostic::{Diagnostic, Lint, Severity, lint};
use kontext_compiler::source::{FileId, FileSpan, Sources};
use kontext_plan::LayerName;

use super::{human, json};

fn source(text: &str) -> (Sources, FileId) {
    let mut sources = Sources::default();
    let file = sources.add("repo:.kontext.toml", ".kontext.toml", LayerName::Shared, text.to_owned());
    (sources, file)
}

/// A finding at a piece of the text.
fn at(sources: &Sources, file: FileId, piece: &str) -> Diagnostic {
    let start = sources.file(file).text.find(piece).unwrap();
    Diagnostic::new(&lint::UNKNOWN_KEY, FileSpan::new(file, start..start + piece.len()), "a `message`")
}

#[test]
fn one_finding() {
    let (sources, file) = source("[adapters.n]\ndriver = 'mcp'\ncömand = ['x']\nurl = ''\nenv = {}\n");
    let finding = at(&sources, file, "= ['x']").note("a note").help("first").help("second");
    assert_eq!(
        human(&sources, &[], &[&finding], false),
        "\
error[unknown-key]: a `message`
   ╭─[.kontext.toml:3:8]
 2 │ driver = 'mcp'
 3 │ cömand = ['x']
   ·        ───┬───
   ·           ╰── a note
 4 │ url = ''
   ╰────
  help: first
  help: second
  for more: kontext explain unknown-key
"
    );
}

#[test]
fn labels_in_other_files_and_far_away() {
    let (mut sources, file) = source(&format!("a = 1\n{}b = 2\n", "\n".repeat(20)));
    let other =
        sources.add("user:config.toml", "/home/ann/config.toml", LayerName::User, "b = {}\n".to_owned());
    let finding = at(&sources, file, "2")
        .severity(Severity::Warning)
        .label(FileSpan::new(other, 4..6), "a table here")
        .label(FileSpan::new(file, 0..1), "and this");
    assert_eq!(
        human(&sources, &[], &[&finding], false),
        "\
warning[unknown-key]: a `message`
    ╭─[.kontext.toml:22:5]
 21 │ 
 22 │ b = 2
    ·     ─
    ╰────
   ╭─[.kontext.toml:1:1]
 1 │ a = 1
   · ┬
   · ╰── and this
 2 │ 
   ╰────
   ╭─[/home/ann/config.toml:1:5]
 1 │ b = {}
   ·     ─┬
   ·      ╰── a table here
   ╰────
  for more: kontext explain unknown-key
"
    );
}

#[test]
fn long_lines_are_cut() {
    let (sources, file) = source(&format!("a = \"{}HERE{}\"\n", "é".repeat(500_000), "ü".repeat(500_000)));
    let text = human(&sources, &[], &[&at(&sources, file, "HERE")], false);
    assert!(text.chars().count() < 600, "{text}");
    assert!(text.contains(":500006]") && text.contains("…é") && text.contains("ü…"), "{text}");
    let (sources, file) = source(&"x = [\n".repeat(50));
    let all = Diagnostic::new(&lint::UNKNOWN_KEY, FileSpan::new(file, 0..300), "m");
    assert_eq!(human(&sources, &[], &[&all], false).lines().count(), 7);
}

#[test]
fn what_would_act_on_a_terminal_is_shown() {
    let (sources, file) = source("\u{feff}a = '\u{1b}[31m\u{202e}'\r\nb = 1\r\n");
    let mut finding = at(&sources, file, "a");
    finding.message = "bad \u{1b}[0m".to_owned();
    let text = human(&sources, &[], &[&finding], false);
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\r', '\u{feff}']), "{text:?}");
    assert!(text.contains("a = '␛[31m\u{fffd}'") && text.contains(":1:1]"), "{text}");
    assert!(human(&sources, &[], &[&at(&sources, file, "a")], true).contains("\u{1b}["));
}

#[test]
fn secrets_are_masked() {
    static SECRET: Lint = Lint { id: "literal-secret", severity: Severity::Warning, page: "" };
    let (sources, file) = source("a = 'ghp_0123456789' # x\n");
    let mut secret = at(&sources, file, "'ghp_0123456789'");
    secret.lint = &SECRET;
    let near = at(&sources, file, "# x");
    let text = human(&sources, &[], &[&secret, &near], false);
    assert!(!text.contains("ghp_"), "{text}");
    assert_eq!(text.matches("a = *** # x").count(), 2, "{text}");
}

#[test]
fn ends_of_files() {
    for text in ["", "a", "a\n", "\n\n", "é"] {
        let (sources, file) = source(text);
        for place in [0..0, text.len()..text.len(), 0..text.len()] {
            let finding = Diagnostic::new(&lint::UNKNOWN_KEY, FileSpan::new(file, place), "m").note("n");
            let shown = human(&sources, &[], &[&finding], false);
            assert!(shown.contains(".kontext.toml:") && !shown.contains("Failed"), "{text:?}\n{shown}");
        }
    }
    assert_eq!(human(&Sources::default(), &[], &[], false), "");
}

#[test]
fn json_is_the_contract() {
    let (sources, file) = source("ä = 1\r\n");
    let finding = at(&sources, file, "1").label(FileSpan::new(file, 0..2), "here").help("do").fix(
        "mend",
        true,
        FileSpan::new(file, 5..6),
        "2",
    );
    assert_eq!(
        json(&sources, &[], &[&finding]),
        concat!(
            r#"{"version":1,"diagnostics":[{"id":"unknown-key","severity":"error","message":"a `message`","#,
            r#""file":".kontext.toml","range":{"start":{"line":1,"column":5,"offset":5},"end":{"line":1,"column":6,"offset":6}},"#,
            r#""labels":[{"file":".kontext.toml","range":{"start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":2,"offset":2}},"message":"here"}],"#,
            r#""help":["do"],"fixes":[{"title":"mend","safe":true,"edits":[{"file":".kontext.toml","range":{"start":{"line":1,"column":5,"offset":5},"end":{"line":1,"column":6,"offset":6}},"text":"2"}]}]}],"#,
            r#""summary":{"errors":1,"warnings":0}}"#,
            "\n"
        )
    );
}
