//! What people and programs see, for findings that are hard to show.

use kontext_compiler::diagnostic::{Diagnostic, Severity, lint};
use kontext_compiler::source::{FileId, FileSpan, Sources};
use kontext_plan::LayerName;

use super::{github, human, json, sarif};

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
fn secrets_are_masked_in_every_format_whatever_the_finding_is_about() {
    let (sources, file) = source("a = 'hunter2-hunter2-hunter2' # x\n");
    let secret = at(&sources, file, "hunter2-hunter2-hunter2");
    let masked = [secret.primary];
    let mut near = at(&sources, file, "# x")
        .note("hunter2-hunter2-hunter2 here")
        .help("write `hunter2-hunt…`")
        .label(FileSpan::new(file, 0..1), "hunter2-hunter2-hunter2 again")
        .fix("write hunter2-hunter2-hunter2", true, FileSpan::new(file, 0..1), "'hunter2-hunter2-hunter2'")
        .fix("write `b`", true, FileSpan::new(file, 0..1), "b");
    near.message = "`hunter2-hunter2-hunter2` is quoted".to_owned();
    let all = [&secret, &near];
    let text = human(&sources, &masked, &all, false);
    assert_eq!(text.matches("a = '***' # x").count(), 2, "{text}");
    let machine = [json(&sources, &masked, &all), sarif(&sources, &masked, &all)];
    let github = github(&sources, &masked, &all);
    for text in machine.iter().chain([&text, &github]) {
        assert!(!text.contains("hunter2-hunt") && text.contains("`***` is quoted"), "{text}");
        assert!(text.contains("write `***…`"), "{text}");
    }
    // With the mask in it the first fix would be another one.
    assert!(machine.iter().all(|text| text.contains("write `b`") && !text.contains("write ***")));
}

#[test]
fn github_commands_are_of_one_line() {
    let (sources, file) = source("a = 1\nb = 2\n");
    let mut finding = at(&sources, file, "1\nb").severity(Severity::Info).help("100%: a, b\r\n::error::no");
    finding.message = "a\nb".to_owned();
    assert_eq!(
        github(&sources, &[], &[&finding]),
        "::notice file=.kontext.toml,line=1,endLine=2,title=kontext[unknown-key]::a%0Ab%0Ahelp: 100%25: a, b%0D%0A::error::no\n"
    );
    assert_eq!(github(&sources, &[], &[]), "");
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
