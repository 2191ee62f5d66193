//! What commands print for programs is what the published schemas say, whatever happens.

use serde_json::Value;

use crate::mcp::{CLONE, mark, sandbox};
use crate::root;
use crate::sandbox::{Run, Sandbox};

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(root().join(format!("schemas/{name}.schema.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The JSON of a run, which its schema holds for; with nothing on standard error.
#[track_caller]
fn valid(name: &str, run: &Run) -> Value {
    let printed: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let schema = schema(name);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&printed).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{printed:#}");
    printed
}

/// The same with this status and word under `member`, and silent beside it.
#[track_caller]
fn says(name: &str, run: &Run, status: i32, member: &str, word: impl Into<Value>) -> Value {
    assert_eq!((run.status, run.err.as_str()), (status, ""), "{run:?}");
    let printed = valid(name, run);
    assert_eq!(printed[member], word.into(), "{printed:#}");
    printed
}

#[test]
fn build_says_what_became_of_the_plan() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, "[adapters.n]\ndriver = \"command\"\ncommand = [\"rg\"]\nops.rebuild = {}\n");
    let build = |words: &[&str]| sandbox.run(&[&["build", "--format", "json"], words].concat());
    let missing = says("build", &build(&["--check"]), 1, "status", "missing");
    let written = says("build", &build(&[]), 0, "status", "written");
    assert_eq!(written["plan"], missing["plan"]);
    assert_eq!(
        (&written["summary"]["warnings"], &written["plan"]["ops"]),
        (&Value::from(1), &Value::from(1))
    );
    assert_eq!(written["diagnostics"][0]["id"], "unused-op");
    says("build", &build(&["--check"]), 0, "status", "current");
    sandbox.write(CLONE, "[adapters.n]\ndriver = \"command\"\ncommand = [\"rg\"]\nops.search = {}\n");
    says("build", &build(&["--check"]), 1, "status", "outdated");
    sandbox.write(CLONE, "[adapters.n]\ndriver = \"command\"\ncommand = \"rg\"\n");
    let failed = says("build", &build(&[]), 1, "status", "failed");
    assert!(failed.get("plan").is_none() && failed["summary"]["errors"] == 1, "{failed:#}");
    assert_eq!(schema("build")["$defs"], schema("diagnostics")["$defs"], "findings are the same everywhere");
}

#[test]
fn verify_says_whether_a_plan_is_sound() {
    let sandbox = Sandbox::new();
    let verify = || sandbox.run(&["plan", "verify", "--format", "json"]);
    let missing = says("verify", &verify(), 2, "sound", false);
    assert_eq!(missing["error"]["id"], "no-plan");
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    let sound = says("verify", &verify(), 0, "sound", true);
    assert_eq!(sound["plan"]["file"], ".git/kontext/plan.json");
    let plan = std::fs::read_to_string(sandbox.repo().join(".git/kontext/plan.json")).unwrap();
    for (from, to, id) in [("local", "shared", "plan-digest"), ("\"inputs\"", "\"imputs\"", "plan-format")] {
        sandbox.write("repo/.git/kontext/plan.json", &plan.replacen(from, to, 1));
        assert_eq!(says("verify", &verify(), 2, "sound", false)["error"]["id"], id);
    }
}

#[test]
fn a_server_is_described_locked_and_tested() {
    let sandbox = sandbox(&mark(5));
    let config = std::fs::read_to_string(sandbox.repo().join(".git/kontext/config.toml")).unwrap();
    let tool = "[[adapters.small.tools]]\nname = \"seek\"\ndescription = \"d\"\nparams = { query = \"string!\" }\nop = { tool = \"find\" }\n";
    let lost =
        "[adapters.lost]\ndriver = \"mcp\"\ncommand = [\"no-such-server\"]\nops.search = { tool = \"x\" }\n";
    sandbox.write(CLONE, &format!("{config}{tool}{lost}"));

    let inspected =
        says("inspect", &sandbox.run(&["adapters", "inspect", "small", "--format", "json"]), 0, "version", 1);
    let used = |kind: &str| (inspected[kind][0]["op"].clone(), inspected[kind][0]["arguments"][0].clone());
    assert_eq!(used("ops"), ("search".into(), "query".into()));
    assert_eq!(used("declared"), ("seek".into(), "query".into()));

    let test = |words: &[&str]| sandbox.run(&[&["adapters", "test", "--format", "json"], words].concat());
    let tested = says("test", &test(&["small", "--input", "query=retry"]), 0, "ok", true);
    assert_eq!(tested["ops"][0]["answer"]["hits"][0]["title"], "found");
    let failed = says("test", &test(&["small"]), 1, "ok", false);
    assert_eq!(failed["ops"][0]["error"]["id"], "call-failed");
    let lost = says("test", &test(&["lost"]), 1, "ok", false);
    assert_eq!(
        (&lost["server"]["ok"], &lost["ops"]),
        (&Value::from(false), &Value::from(Vec::<Value>::new()))
    );
    assert!(lost["server"]["error"]["line"].is_u64(), "{lost:#}");

    let all = std::fs::read_to_string(sandbox.repo().join(".git/kontext/config.toml")).unwrap();
    sandbox.write(CLONE, &config.replace("\"find\"", "\"fnd\""));
    let inspected = sandbox.run(&["adapters", "inspect", "small", "--format", "json"]);
    let inspected = says("inspect", &inspected, 1, "version", 1);
    let tested = says("test", &test(&["small", "--input", "query=retry"]), 1, "ok", false);
    let problem = inspected["ops"][0]["problem"].as_str().unwrap();
    assert!(problem.ends_with("has no tool `fnd`; did you mean `find`?"), "{problem}");
    assert_eq!(tested["ops"][0]["error"]["id"], "unknown-tool");
    assert_eq!(tested["ops"][0]["error"]["message"], format!("`small.search`: {problem}"));
    sandbox.write(CLONE, &all);

    let lock =
        |words: &[&str]| valid("lock-report", &sandbox.run(&[&["lock", "--format", "json"], words].concat()));
    let written = lock(&[]);
    assert_eq!(
        (&written["adapters"][0]["status"], &written["adapters"][1]["status"]),
        (&"failed".into(), &"added".into())
    );
    let path = sandbox.repo().join(".git/kontext/kontext.lock");
    let locked = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, locked.replace("Finds", "Found")).unwrap();
    let edited = sandbox.run(&["lock", "--format", "json", "--diff"]);
    assert_eq!(edited.out, "", "a lock that was edited by hand is not used: {edited:?}");
    std::fs::write(&path, locked).unwrap();
    sandbox
        .write(CLONE, &format!("{}pin = \"schema\"\n{tool}", config.replace("ops.search", "# ops.search")));
    let changed = lock(&["--adapter", "small"]);
    assert_eq!(changed["adapters"][0]["pin"]["after"], "schema", "{changed:#}");
    sandbox.write(CLONE, "");
    assert_eq!(lock(&[])["adapters"][0]["status"], "dropped");
}

/// An op of every kind; `down` fails, `off` is not there.
const ANSWERS: &str = r#"
[adapters.notes]
driver = "command"
description = "Notes"
[adapters.notes.ops]
search = { command = ["printf", "--", '[{"title":"%s","url":"x:1","score":2.50,"date":"2026-01-05"},{"text":"b"}]', "{{query}}"] }
history = { command = ["printf", "[]"] }
brief = { command = ["printf", "hello"] }
read = { command = ["printf", "--", "%s", "{{uri}}"], owns = ["x:"] }
[adapters.down]
driver = "command"
ops.search = { command = ["false"] }
[adapters.off]
driver = "command"
when.command = "surely-not-a-program"
ops.search = { command = ["surely-not-a-program"] }
"#;

#[test]
fn answers_and_failures_have_their_forms() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, ANSWERS);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    for words in [
        &["run", "search", "tide"][..],
        &["run", "history", "src/lib.rs"],
        &["run", "code", "Tide"],
        &["run", "brief"],
        &["run", "read", "x:1"],
        &["run", "op", "notes.search", "--input", "query=tide"],
        &["run", "op", "notes.brief"],
    ] {
        let run = sandbox.run(words);
        assert_eq!(run.status, 0, "{words:?}: {run:?}");
        valid("answer", &run);
    }
    for words in [&["run", "op", "down.search"][..], &["run", "op", "off.search"], &["run", "read", "y:1"]] {
        let run = sandbox.run(&[words, &["--format", "json"]].concat());
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{words:?}: {run:?}");
        valid("failure", &Run { out: run.err, err: String::new(), status: run.status });
    }
    let tool =
        valid("tool-result", &sandbox.run(&["run", "tool", "kontext_search", "--input", "query=tide"]));
    assert_eq!(
        (&tool["isError"], tool["content"].as_array().map(Vec::len)),
        (&false.into(), Some(2)),
        "{tool:#}"
    );
    valid("tool-result", &sandbox.run(&["run", "tool", "memory_health"]));
    let listed = valid("adapters", &sandbox.run(&["adapters", "list", "--format", "json"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{listed:#}");
    for (place, flag) in [(0, None), (1, Some("--origins"))] {
        let words: Vec<&str> =
            ["adapters", "show", "notes", "--format", "json"].into_iter().chain(flag).collect();
        let shown = says("adapter", &sandbox.run(&words), 0, "weight", 0.9);
        assert_eq!(shown.get("origins").is_some(), place == 1, "{shown:#}");
        for (member, value) in listed[1].as_object().unwrap() {
            assert_eq!(&shown[member], value, "`list` and `show` say the same");
        }
    }
    let of_list = schema("adapters")["items"]["properties"].clone();
    for (member, described) in of_list.as_object().unwrap() {
        assert_eq!(&schema("adapter")["properties"][member], described, "{member}");
    }
    says("scope", &sandbox.run(&["scope", "--format", "json"]), 0, "step", "default");
}

#[test]
fn an_empty_question_is_refused_by_command_and_tool() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, ANSWERS);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    for (form, input) in [("search", "query"), ("brief", "focus"), ("read", "uri"), ("history", "target")] {
        let command = sandbox.run(&["run", form, ""]);
        assert_eq!((command.status, command.out.as_str()), (2, ""), "{form}: {command:?}");
        assert!(command.err.contains("must have at least 1 character"), "{form}: {command:?}");
        let tool = sandbox.run(&["run", "tool", &format!("kontext_{form}"), "--input", &format!("{input}=")]);
        assert_eq!((tool.status, tool.out.as_str()), (1, ""), "{form}: {tool:?}");
        assert!(tool.err.contains("must have at least 1 character"), "{form}: {tool:?}");
    }
    assert_eq!(sandbox.run(&["run", "code", ""]).status, 2);
    assert_eq!(sandbox.run(&["run", "brief"]).status, 0, "a question in general is none that is empty");
}

#[test]
fn commands_fail_in_the_format_that_was_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write(CLONE, &format!("{ANSWERS}[adapters.quiet]\ndriver = \"command\"\nops.read = {{ command = [\"x\", \"--\", \"{{{{uri}}}}\"], owns = [\"q:\"] }}\n"));
    let fails = |words: &[&str]| {
        let run = sandbox.run(&[words, &["--format", "json"]].concat());
        assert_eq!(run.out, "", "{words:?}: {run:?}");
        (run.status, valid("failure", &Run { out: run.err, err: String::new(), status: run.status }))
    };
    let (status, other) = fails(&["adapters", "inspect", "notes"]);
    assert_eq!((status, &other["id"]), (1, &"call-failed".into()));
    assert!(
        other["message"].as_str().unwrap().contains("no mcp adapter") && other["line"].is_u64(),
        "{other:#}"
    );
    for command in ["inspect", "test", "show"] {
        let (status, unknown) = fails(&["adapters", command, "note"]);
        assert_eq!((status, &unknown["id"]), (1, &"unknown-adapter".into()), "{command}");
    }
    let (status, unasked) = fails(&["adapters", "test", "quiet"]);
    assert_eq!((status, &unasked["help"]), (2, &"name one with `--op`: `read`".into()));
    for words in [
        &["check", "none.toml"][..],
        &["build", "-o", ".git/kontext/config.toml/plan.json"],
        &["build", "--profile", "public"],
        &["plan", "show"],
        &["run", "op", "notes"],
        &["-C", "none", "scope"],
    ] {
        let (status, failure) = fails(words);
        assert!(status == 2 && failure["message"].is_string(), "{words:?}: {failure:#}");
    }
    sandbox.write(CLONE, "nonsense = 1\n");
    for words in [&["adapters", "list"][..], &["adapters", "show", "notes"], &["scope"], &["lock"]] {
        let (status, broken) = fails(words);
        let message = broken["message"].as_str().unwrap();
        assert!(
            status == 1 && message.starts_with("the configuration does not compile"),
            "{words:?}: {message}"
        );
    }
}

/// `docs/json.md` names every form that has a schema.
#[test]
fn every_schema_of_an_output_is_in_the_docs() {
    let docs = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    for entry in std::fs::read_dir(root().join("schemas")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let name = file.strip_suffix(".schema.json").unwrap();
        assert!(docs.contains(&format!("`{name}`")), "docs/json.md says nothing of `{name}`");
    }
}
