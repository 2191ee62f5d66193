//! The formats of other tools' readers: SARIF and GitHub's workflow commands, as kontext prints them.

use std::path::PathBuf;

use serde_json::Value;

use crate::guard;
use crate::root;
use crate::sandbox::Sandbox;

const SHARED: &str = "[adapters.\"a,b:50%\"]\ndriver = \"http\"\n\n[adapters.\"näme\"]\ndriver = \"http\"\nbase_url = \"https://n.example.test\" # ✓\ntimeuot_ms = 5000\nheaders = { Authorization = \"Bearer glpat-dddd1111eeee2222ffff\" }\nops.rebuild = { path = \"/b/{{qurey}}\" }\nenv = { A = \"b\" }\nops.search = { path = \"/s/{{qurey}}\", body = '''\n{\"q\": \"{{query}}\"}\n''' }\n";
const CLONE: &str = "[adapters.n]\ndriver = \"http\"\nbase_url = [\"https://n.example.test\"]\n[[adapters.n.on]]\nevent = \"capture\"\nop = \"put\"\n[adapters.n.ops.put]\npath = \"/n\"\n";

/// A repository whose file names need care.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.kontext.toml", "[store]\ndir = \"notes, 50%:\u{e4}\"\n");
    sandbox.write("repo/.git/kontext/config.toml", CLONE);
    sandbox
}

fn printed(format: &str) -> String {
    let sandbox = sandbox();
    sandbox.write("repo/.kontext.toml", SHARED);
    let run = sandbox.run(&["check", "--format", format]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(sandbox.run(&["check", "--format", format]).out, run.out, "twice it differs");
    assert!(!run.out.contains("dddd1111"), "a secret is shown");
    run.out
}

#[test]
fn github_commands() {
    guard::generated("tests/suite/formats/check.github.txt", &printed("github"));
}

/// The log without the rules, which are the pages of the diagnostics.
#[test]
fn sarif_log() {
    let mut log: Value = serde_json::from_str(&printed("sarif")).unwrap();
    let driver = &mut log["runs"][0]["tool"]["driver"];
    let rules = driver["rules"].take();
    for version in ["version", "semanticVersion"] {
        assert_eq!(driver[version].take(), env!("CARGO_PKG_VERSION"));
    }
    let ids: Vec<&str> = rules.as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    let expected: Vec<&str> = kontext_compiler::diagnostic::lint::ALL.iter().map(|lint| lint.id).collect();
    assert_eq!(ids, expected);
    for result in log["runs"][0]["results"].as_array_mut().unwrap() {
        let index = result.as_object_mut().unwrap().shift_remove("ruleIndex").unwrap();
        assert_eq!(result["ruleId"], ids[usize::try_from(index.as_u64().unwrap()).unwrap()]);
    }
    guard::generated(
        "tests/suite/formats/check.sarif.json",
        &format!("{}\n", serde_json::to_string_pretty(&log).unwrap()),
    );
}

/// Against our closed account of the part of SARIF that is written, and against the standard's own schema where
/// `SARIF_SCHEMA` names a copy of it.
#[test]
fn sarif_is_valid() {
    let read =
        |path: PathBuf| -> Value { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let mut schemas = vec![read(root().join("tests/suite/formats/sarif-2.1.0-used.schema.json"))];
    if let Some(path) = std::env::var_os("SARIF_SCHEMA") {
        let mut standard = read(PathBuf::from(path));
        // Its pattern is no regular expression, and nothing has a language here.
        for part in ["run", "toolComponent"] {
            standard["definitions"][part]["properties"]["language"] = serde_json::json!({ "not": {} });
        }
        schemas.push(standard);
    }
    let empty = Sandbox::new().run(&["check", "--format", "sarif"]).out;
    let logs = [printed("sarif"), empty].map(|text| serde_json::from_str::<Value>(&text).unwrap());
    for schema in &schemas {
        let validator = jsonschema::options().should_validate_formats(true).build(schema).unwrap();
        for log in &logs {
            let errors: Vec<String> =
                validator.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", schema["title"]);
        }
        assert!(!validator.is_valid(&serde_json::json!({ "version": "2.1.0" })), "it accepts anything");
    }
}

#[test]
fn names_of_files_are_escaped() {
    let sandbox = sandbox();
    let store = "repo/notes, 50%:\u{e4}/kontext.toml";
    sandbox.write(store, "[adapters.m]\ndriver = \"http\"\nbase_url = 5\n");
    let outside = sandbox.write("out side/x.toml", "zzz = 1\n");
    let config = outside.to_str().unwrap();
    std::fs::remove_file(sandbox.repo().join(".kontext.toml")).unwrap();
    sandbox.write(".config/kontext/config.toml", "[store]\ndir = \"notes, 50%:\u{e4}\"\n");
    let github = sandbox.run(&["--config", config, "check", "--format", "github"]).out;
    assert!(github.contains("file=notes%2C 50%25%3A\u{e4}/kontext.toml,line=3"), "{github}");
    let log = sandbox.run(&["--config", config, "check", "--format", "sarif"]).out;
    let log: Value = serde_json::from_str(&log).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let places: Vec<&Value> =
        results.iter().map(|r| &r["locations"][0]["physicalLocation"]["artifactLocation"]).collect();
    let inside =
        serde_json::json!({ "uri": "notes%2C%2050%25%3A%C3%A4/kontext.toml", "uriBaseId": "%SRCROOT%" });
    assert!(places.contains(&&inside), "{places:#?}");
    let outside = places.iter().filter_map(|place| place["uri"].as_str()).find(|uri| uri.ends_with("x.toml"));
    assert!(outside.is_some_and(|uri| uri.starts_with("file:///") && uri.ends_with("/out%20side/x.toml")));
}

#[test]
fn warnings_can_be_denied_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.git/kontext/config.toml", "[adapters.n]\ndriver = \"http\"\nbase_url = \"https://n.example.test\"\nops.rebuild = { path = \"/b\" }\n");
    for format in ["human", "json", "sarif", "github"] {
        assert_eq!(sandbox.run(&["check", "--format", format]).status, 0, "{format}");
        let denied = sandbox.run(&["check", "--format", format, "--deny-warnings"]);
        assert!(denied.status == 1 && denied.out.contains("unused-op"), "{denied:?}");
    }
}
