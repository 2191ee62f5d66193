//! `check --fix`: what is certain is mended, everything else keeps its bytes, and no file is written that changed.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

const LAYER: &str = "repo/.kontext.toml";

fn read(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.repo().join(".kontext.toml")).unwrap()
}

/// The text of the shared layer after `check --fix`, and the run.
fn fixed(text: &str) -> (String, Run) {
    let sandbox = Sandbox::new();
    sandbox.write(LAYER, text);
    let run = sandbox.run(&["check", "--fix"]);
    (read(&sandbox), run)
}

#[test]
fn what_is_certain_is_mended_and_the_layout_is_kept() {
    let before = "# The team's notes.\n\n[adapters.notes]   # not the other ones\ndriver   = \"http\"\nbase_url = \"https://notes.example.test\"\ntimeuot_ms = \"5000\"   # slow on Mondays\n\n[adapters.notes.ops.search]\npath = \"/s\"\nquery = { q = '{{qurey|trimm}}', # both\n}\n";
    let after = before
        .replace("timeuot_ms = \"5000\"", "timeout_ms = 5000")
        .replace("{{qurey|trimm}}", "{{query|trim}}");
    let (text, run) = fixed(before);
    assert_eq!(text, after);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
    for said in [
        "fixed .kontext.toml:6:1: rename to `timeout_ms` [unknown-key]",
        "fixed .kontext.toml:10:18: write `query` [unknown-variable]",
        "fixed 4 problems in 1 file",
        "no problems in 1 file",
    ] {
        assert!(run.err.contains(said), "{said} is missing: {}", run.err);
    }
    let (again, run) = fixed(&after);
    assert!(again == after && run.status == 0 && run.err.contains("fixed nothing"), "{run:?}");
}

#[test]
fn line_ends_and_the_byte_order_mark_are_kept() {
    let before =
        "\u{feff}[adapters.n]\r\ndriver = \"mcp\"\r\ncomand = \"notes-mcp --stdio\"\r\n# the end\r\n";
    let (text, run) = fixed(before);
    assert_eq!(
        text,
        before.replace("comand = \"notes-mcp --stdio\"", "command = [\"notes-mcp\", \"--stdio\"]")
    );
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn what_is_not_certain_is_printed_and_not_touched() {
    let before = "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\nops.search = { path = \"${HOME}/{{itme}}\", header = { a = \"b\" } }\nextra = 1\n";
    let (text, run) = fixed(before);
    assert_eq!(text.replace("headers", "header"), before);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("unknown key `extra`") && run.out.contains("`${HOME}`"), "{run:?}");
}

#[test]
fn two_slips_of_one_key_do_not_become_the_key_twice() {
    let before = "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\ntimeuot_ms = 1000\ntimeoutms = 2000\ndescripton = \"notes\"\n";
    let (text, run) = fixed(before);
    let named = text.matches("\ntimeout_ms = ").count();
    assert_eq!(named, 1, "{text}");
    assert!(text.contains("description = ") && run.out.contains("[unknown-key]"), "{text}{run:?}");
    assert!(!run.out.contains("[invalid-toml]") && run.status == 1, "{run:?}");
}

#[test]
fn texts_stay_correctly_escaped() {
    let before = "[adapters.n]\ndriver = \"command\"\n[adapters.n.ops]\nsearch.command = [\"C:\\data\\find\", \"--\", \"\\\"{{qurey}}\\\"\\u0021\"]\ncode.command = \"notes \\u0063ode --all\"\n";
    let (text, run) = fixed(before);
    assert_eq!(
        text,
        "[adapters.n]\ndriver = \"command\"\n[adapters.n.ops]\nsearch.command = ['C:\\data\\find', \"--\", \"\\\"{{query}}\\\"\\u0021\"]\ncode.command = [\"notes\", \"code\", \"--all\"]\n"
    );
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn broken_toml_is_mended_where_that_is_certain_and_then_the_rest() {
    let (text, run) = fixed(
        "[adapters.n]\ndriver = comand\nenabled = True\nops.search = { command = [\"notes\",, \"x\"] }\n",
    );
    assert_eq!(
        text,
        "[adapters.n]\ndriver = \"command\"\nenabled = true\nops.search = { command = [\"notes\", \"x\"] }\n"
    );
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn every_layer_is_mended_or_only_the_file_that_is_named() {
    let sandbox = Sandbox::new();
    let text = "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\ntimeuot_ms = 1000\n";
    let clone = sandbox.write("repo/.git/kontext/config.toml", &text.replace("s.n]", "s.m]"));
    let user = sandbox.write(".config/kontext/config.toml", &text.replace("s.n]", "s.o]"));
    sandbox.write(LAYER, text);
    let run = sandbox.run(&["check", "--fix", ".kontext.toml"]);
    let is_fixed = |path: &std::path::Path| std::fs::read_to_string(path).unwrap().contains("timeout_ms");
    assert!(read(&sandbox).contains("timeout_ms") && !is_fixed(&clone) && !is_fixed(&user), "{run:?}");
    let run = sandbox.run(&["check", "--fix"]);
    assert!(is_fixed(&clone) && is_fixed(&user) && run.err.contains("in 2 files"), "{run:?}");
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn json_holds_what_is_left() {
    let sandbox = Sandbox::new();
    sandbox.write(LAYER, "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\ntimeuot_ms = 1000\nzzz = 1\n");
    let run = sandbox.run(&["check", "--fix", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let ids: Vec<&Value> = report["diagnostics"].as_array().unwrap().iter().map(|d| &d["message"]).collect();
    assert_eq!(ids, ["unknown key `zzz` in `adapters.n`"]);
    assert_eq!(run.status, 1);
}

/// The last layer is a pipe: kontext waits for it when it has read the others, and the test changes one of them.
#[test]
fn a_file_that_changed_meanwhile_is_not_touched() {
    let sandbox = Sandbox::new();
    let text = "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\ntimeuot_ms = 1000\n";
    sandbox.write(LAYER, text);
    let clone = sandbox.write("repo/.git/kontext/config.toml", &text.replace("s.n]", "s.m]"));
    let pipe = sandbox.repo().join("pipe.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = sandbox.command();
    command.args(["--config", "pipe.toml", "check", "--fix"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let mut writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let newer = format!("{text}# saved just now\n");
    sandbox.write(LAYER, &newer);
    writer.write_all(b"[adapters.n]\ndescripton = \"by pipe\"\n").unwrap();
    drop(writer);
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(read(&sandbox), newer);
    assert!(std::fs::read_to_string(clone).unwrap().contains("timeout_ms = 1000"), "the other is mended");
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.err.contains("`.kontext.toml` was not touched: it changed while it was checked"), "{run:?}");
    assert!(run.err.contains("`pipe.toml` was not touched: it is no regular file"), "{run:?}");
    assert!(run.out.contains("timeuot_ms") && run.err.contains("fixed 1 problem in 1 file"), "{run:?}");
}

#[test]
fn a_link_is_written_through_and_unsaved_text_is_not_fixed() {
    let sandbox = Sandbox::new();
    let real = sandbox.write("dotfiles/shared.toml", "[vars]\na = \"{{env.LANG|defualt:c}}\"\n");
    let link = sandbox.repo().join(".kontext.toml");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let run = sandbox.run(&["check", "--fix"]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "{run:?}");
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "[vars]\na = \"{{env.LANG|default:c}}\"\n");
    let run = sandbox.run(&["check", "--fix", "--stdin-path", ".kontext.toml"]);
    assert_eq!(run.status, 2, "{run:?}");
}
