//! Process wiring only: arguments, streams, exit statuses. What the commands mean is tested by cases.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

const CLONE: &str = "repo/.git/kontext/config.toml";
const GOOD: &str = "[adapters.log]\ndriver = \"command\"\nops.search = { command = [\"grep\", \"-n\", \"--\", \"{{query}}\", \"log.txt\"], format = \"lines\", ok_exit = [0, 1] }\n";
const BAD: &str = "[adapters.log]\ndriver = \"command\"\ncomand = [\"grep\"]\n";

#[test]
fn help_and_version_are_data() {
    let sandbox = Sandbox::new();
    for words in
        [&["--help"][..], &["--version"], &["check", "--help"], &["run", "--help"], &["plan", "show", "-h"]]
    {
        let run = sandbox.run(words);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{words:?}");
        assert!(run.out.contains("kontext"), "{words:?}: {}", run.out);
    }
}

#[test]
fn usage_errors_have_status_2() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.kontext.toml", "");
    let wrong: &[&[&str]] = &[
        &[],
        &["chek"],
        &["check", "--nope"],
        &["check", "missing.toml"],
        &["check", ".", ".kontext.toml"],
        &["-C", "missing", "check"],
        &["build", "--profile", "shared"],
        &["run", "--profile", "shared", "search", "x"],
        &["explain", "unknown-kei"],
        &["plan", "show"],
        &["plan", "verify"],
    ];
    for words in wrong {
        let run = sandbox.run(words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {run:?}");
        assert!(!run.err.is_empty(), "{words:?} says nothing");
    }
    assert!(sandbox.run(&["explain", "unknown-kei"]).err.contains("`unknown-key`"));
}

#[test]
fn check_prints_diagnostics_and_says_so_with_its_status() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["check"]).status, 0, "no configuration is no error");
    sandbox.write(CLONE, BAD);
    let run = sandbox.run(&["check"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("[unknown-key]") && run.out.contains(".git/kontext/config.toml:3:1"), "{run:?}");
    let run = sandbox.run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &report["version"]), (1, &Value::from(1)));
    valid("diagnostics", &report);
    assert_eq!(report["diagnostics"][0]["file"], ".git/kontext/config.toml");
    sandbox.write("repo/.kontext.toml", "[vars]\na = \"1\"\n");
    let run = sandbox.run(&["check", ".kontext.toml"]);
    assert_eq!((run.status, run.out.trim()), (1, ""), "only what is in the file is printed: {run:?}");
    assert!(run.err.contains("in other files"), "{run:?}");
}

#[test]
fn check_takes_unsaved_text_from_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, GOOD);
    let words = ["check", "--format", "json", "--stdin-path", ".git/kontext/config.toml"];
    let mut child =
        sandbox.command().args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(BAD.as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert!(run.status == 1 && run.out.contains("unknown-key"), "{run:?}");
    assert_eq!(sandbox.run(&["check"]).status, 0, "the file itself is as it was");
}

#[test]
fn build_writes_a_plan_that_verifies() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, GOOD);
    assert_eq!(sandbox.run(&["build", "--check"]).status, 1, "there is none yet");
    let run = sandbox.run(&["build"]);
    assert!(run.status == 0 && run.out.is_empty() && run.err.contains("1 adapter, 1 op"), "{run:?}");
    assert_eq!(sandbox.run(&["build", "--check"]).status, 0);
    assert_eq!(sandbox.run(&["plan", "verify"]).status, 0);
    let shown = sandbox.run(&["plan", "show"]).out;
    assert!(shown.contains("log") && shown.contains(".git/kontext/config.toml:1"), "{shown}");
    assert!(shown.contains("clone:config.toml "), "the logical name stands beside the path: {shown}");
    let plan: Value = serde_json::from_str(&sandbox.run(&["plan", "show", "--format", "json"]).out).unwrap();
    valid("plan", &plan);
    sandbox.write(CLONE, BAD);
    assert_eq!(sandbox.run(&["build"]).status, 1);
    let file = sandbox.repo().join(".git/kontext/plan.json");
    let tampered = std::fs::read_to_string(&file).unwrap().replace("log.txt", "secrets");
    std::fs::write(&file, tampered).unwrap();
    assert_eq!(sandbox.run(&["plan", "verify"]).status, 2);
    assert_eq!(sandbox.run(&["plan", "show"]).status, 2);
}

#[test]
fn build_takes_a_place_for_other_profiles() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.kontext.toml", GOOD);
    let run = sandbox.run(&["build", "--profile", "shared", "-o", "out/plan.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(sandbox.run(&["plan", "verify", "--plan", "out/plan.json"]).status, 0);
}

#[test]
fn init_writes_once_and_its_starter_has_no_problems() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["init", "--schema"]).status, 0);
    let run = sandbox.run(&["check", "--deny-warnings"]);
    assert_eq!((run.status, run.out.trim()), (0, ""), "{run:?}");
    let run = sandbox.run(&["init"]);
    assert!(run.status == 2 && run.err.contains("was not touched"), "{run:?}");
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let sandbox = Sandbox::new();
    for words in [&["schema", "plan"][..], &["explain"], &["--help"], &["completions", "bash"]] {
        let mut child =
            sandbox.command().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert!(run.status != 101 && !run.err.contains("panicked"), "{words:?}: {run:?}");
    }
}

#[test]
fn the_demo_works_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let temporary = sandbox.repo().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let output = sandbox.command().arg("demo").env("TMPDIR", &temporary).env("PATH", "").output().unwrap();
    let run = Run::from(output);
    assert_eq!(run.status, 0, "{run:?}");
    for expected in [
        "[unknown-key]",
        "[unknown-variable]",
        "[unknown-filter]",
        "[path-syntax]",
        "Rollback drill in March",
        "`pages` is an alias of `handbook`",
    ] {
        assert!(run.out.contains(expected), "{expected} is missing: {run:?}");
    }
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "the sample is still there");
}

#[test]
fn tools_are_run_with_json_from_anywhere() {
    let sandbox = Sandbox::new();
    let tool = "[[adapters.log.tools]]\nname = \"find_in_log\"\ndescription = \"Lines of the log\"\nop = \"search\"\nparams = { query = \"string!\", limit = \"integer\" }\n";
    sandbox.write(CLONE, &format!("{GOOD}{tool}"));
    sandbox.write("repo/log.txt", "one cat\ntwo dogs\nthree cats\n");
    assert_eq!(sandbox.run(&["build"]).status, 0);
    let run = sandbox.run(&["run", "tool", "find_in_log", "--json", r#"{"query":"cat"}"#]);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.status, &result["isError"]), (0, &Value::from(false)), "{run:?}");
    assert_eq!(result["structuredContent"]["hits"][1]["title"], "3:three cats");
    let file = sandbox.write("repo/args.json", r#"{"query":"dogs"}"#);
    let list = "1. 2:two dogs  [log]\n";
    let by_pairs = sandbox.run(&["run", "tool", "find_in_log", "--input", "query=cat"]);
    assert_eq!((by_pairs.status, &by_pairs.out), (0, &run.out), "{by_pairs:?}");
    let words = ["run", "tool", "find_in_log", "--text", "--json"];
    let from = format!("@{}", file.display());
    assert_eq!(sandbox.run(&[&words[..], &[&from]].concat()).out, list);
    let mut child =
        sandbox.command().args(words).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(br#"{"query":"dogs"}"#).unwrap();
    assert_eq!(Run::from(child.wait_with_output().unwrap()).out, list);
    for (words, status, said) in [
        (
            &["find_in_log", "--json", r#"{"qeury":"x"}"#][..],
            1,
            "error[unknown-argument]: the tool `find_in_log`: `qeury` is no parameter; did you mean `query`",
        ),
        (&["find_in_log"], 1, "error[missing-argument]"),
        (
            &["find_in_lgo"],
            1,
            "error[unknown-tool]: the plan has no tool `find_in_lgo`; did you mean `find_in_log`?",
        ),
        (&["find_in_log", "--json", "[]"], 2, "must be a JSON object"),
        (&["find_in_log", "--json", "{"], 2, "is not JSON: line 1"),
        (&[], 2, "<NAME>"),
    ] {
        let run = sandbox.run(&[&["run", "tool"], words].concat());
        assert_eq!((run.status, run.out.as_str()), (status, ""), "{words:?}: {run:?}");
        assert!(run.err.contains(said), "{words:?}: {run:?}");
    }
    let run = sandbox.run(&["run", "tool", "find_in_log"]);
    assert!(run.err.contains("--> .git/kontext/config.toml:5:8"), "{run:?}");
}

fn valid(schema: &str, value: &Value) {
    let text = std::fs::read_to_string(crate::root().join(format!("schemas/{schema}.schema.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}
