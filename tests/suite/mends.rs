//! What is told to be run when a plan cannot be served mends it, word for word, in a shell.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::sandbox::{Run, Sandbox, program};

const CLONE: &str = "repo/.git/kontext/config.toml";
const LAYER: &str =
    "[adapters.log]\ndriver = \"command\"\nops.search = { command = [\"echo\", \"{{query}}\"] }\n";

/// What a text says is to be run.
fn command(text: &str) -> String {
    let (_, rest) = text.split_once("run `").unwrap_or_else(|| panic!("nothing is to be run: {text}"));
    rest.split_once('`').unwrap().0.to_owned()
}

/// Runs a command line as somebody at a shell in this directory of the sandbox would.
fn shell(sandbox: &Sandbox, directory: &str, line: &str) -> Run {
    let path = format!("{}:/usr/bin:/bin", program().parent().unwrap().display());
    let home = sandbox.repo().parent().unwrap().to_owned();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).current_dir(home.join(directory)).env_clear();
    shell.env("HOME", &home).env("PATH", path).stdin(Stdio::null());
    Run::from(shell.output().unwrap())
}

/// Something that is wrong with the plan of a repository.
type Wrong = fn(&Sandbox);

/// What can be wrong with a plan in this place.
fn wrongs() -> [(&'static str, Wrong); 7] {
    fn plan(sandbox: &Sandbox) -> std::path::PathBuf {
        let plan = sandbox.repo().join(".git/kontext/plan.json");
        std::fs::create_dir_all(plan.parent().unwrap()).unwrap();
        plan
    }
    [
        ("there is none", |_| {}),
        ("it is a directory", |sandbox| {
            sandbox.write("repo/.git/kontext/plan.json/file", "");
        }),
        ("it is a link to itself", |sandbox| symlink("plan.json", plan(sandbox)).unwrap()),
        ("it is a link to nothing", |sandbox| symlink("nothing", plan(sandbox)).unwrap()),
        ("it is no plan", |sandbox| std::fs::write(plan(sandbox), "{}").unwrap()),
        ("it is no text", |sandbox| std::fs::write(plan(sandbox), b"\xff\xfe").unwrap()),
        ("it is stale", |sandbox| {
            assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
            sandbox.write(CLONE, &format!("{LAYER}# another\n"));
        }),
    ]
}

#[test]
fn a_run_names_the_command_that_mends_it() {
    for (what, wrong) in wrongs() {
        let sandbox = Sandbox::new();
        sandbox.write(CLONE, LAYER);
        wrong(&sandbox);
        let refused = sandbox.run(&["run", "search", "x"]);
        assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{what}: {refused:?}");
        let mended = shell(&sandbox, "repo", &command(&refused.err));
        assert_eq!(mended.status, 0, "{what}: {refused:?} {mended:?}");
        assert_eq!(sandbox.run(&["run", "search", "x"]).status, 0, "{what}: {refused:?}");
    }
}

#[test]
fn the_command_builds_the_plan_that_was_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.kontext.toml", LAYER);
    sandbox.write("repo/in ner/.keep", "");
    sandbox.write("repo/mine.toml", "# mine\n");
    sandbox.write("repo/a file", "");
    let asked: [&[&str]; 8] = [
        &["-C", "repo", "build", "--check", "--profile", "shared", "-o", "u.json"],
        &["-C", "repo", "build", "--check", "--profile", "shared"],
        &["run", "search", "x", "--plan", "a plan.json"],
        &["-C", "repo/in ner", "run", "read", "notes:x", "--plan", "p.json"],
        &["-C", "repo", "--config", "mine.toml", "run", "search", "x", "--plan", "q.json"],
        &["-C", "repo", "plan", "show", "--plan", "r.json"],
        &["-C", "repo", "connect", "claude", "--plan", "s.json"],
        &["-C", "repo", "run", "search", "x", "--plan", "a file/t.json"],
    ];
    for words in asked {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let line = format!("kontext {}", quoted.join(" "));
        let refused = shell(&sandbox, "", &line);
        let mended = shell(&sandbox, "", &command(&refused.err));
        assert_eq!(mended.status, 0, "{refused:?} {mended:?}");
        let again = shell(&sandbox, "", &line);
        assert!(again.status == 0 || words.contains(&"run"), "{refused:?}\n{mended:?}\n{again:?}");
        let is_there = !again.err.contains("no plan") && !again.err.contains("stale-plan");
        assert!(is_there, "{refused:?}\n{mended:?}\n{again:?}");
    }
    // A plan for others is built for others again.
    let run = sandbox.run(&["-q", "build", "--profile", "shared", "-o", "shared.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    sandbox.write("repo/.kontext.toml", &format!("{LAYER}# another\n"));
    let stale = sandbox.run(&["run", "search", "x", "--plan", "shared.json"]);
    assert!(stale.err.contains("run `kontext build --profile shared -o shared.json`, or pass"), "{stale:?}");
}

/// What a server says when a client calls `kontext_status`, and what it writes to standard error.
fn status(sandbox: &Sandbox, directory: &str, line: &str) -> (String, String) {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"kontext_status","arguments":{{}},{meta}}}}}"#
    );
    let run = shell(sandbox, directory, &format!("echo '{call}' | {line}"));
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    (answer["result"]["content"][0]["text"].as_str().unwrap().to_owned(), run.err)
}

#[test]
fn a_server_names_the_command_that_mends_it() {
    for (what, wrong) in wrongs() {
        let sandbox = Sandbox::new();
        sandbox.write(CLONE, LAYER);
        wrong(&sandbox);
        let (said, err) = status(&sandbox, "repo", "kontext run");
        assert!(said.contains("in this connection by themselves"), "{what}: {said}");
        // From another directory: an agent's shell may be anywhere.
        let line = command(&said);
        assert!(err.contains(&format!("run `{line}`")), "{what}: standard error says the same: {err}");
        let mended = shell(&sandbox, "", &line);
        assert_eq!(mended.status, 0, "{what}: {said} {mended:?}");
        let (said, err) = status(&sandbox, "repo", "kontext run");
        assert!(said.contains("list them again") && err.is_empty(), "{what}: {said} {err}");
    }
}

#[test]
fn what_no_plan_mends_is_not_promised_to_be_mended_by_one() {
    let sandbox = Sandbox::new();
    sandbox.write("gone/.keep", "");
    let (said, err) = status(&sandbox, "gone", "(rm -r ../gone; kontext run)");
    assert!(said.ends_with("To mend it, let the client start `kontext -C DIR run` instead."), "{said}{err}");
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    let (said, _) = status(&sandbox, "repo", "kontext --config missing.toml run");
    assert!(said.ends_with("To mend it, write another path behind `--config`, or leave it out."), "{said}");
}
