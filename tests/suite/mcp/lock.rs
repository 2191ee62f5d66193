//! `kontext lock` through the program itself: what it writes, keeps and drops, and what a changed tool costs.

use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox};

const CLONE: &str = "repo/.git/kontext/config.toml";
const CLONE_LOCK: &str = "repo/.git/kontext/kontext.lock";
const SHARED: &str = "repo/.kontext.toml";
const SHARED_LOCK: &str = "repo/kontext.lock";

/// A server whose tools stand in a file, so that a test can change them.
const SERVER: &str = r#"#!/bin/sh
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"server/discover"'*) say '"error":{"code":-32601,"message":"unknown"}' ;;
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"small","version":"1.0"}}' ;;
    *'"tools/list"'*) say "\"result\":$(cat "$1")" ;;
    *'"tools/call"'*) say '"result":{"content":[{"type":"text","text":"called"}]}' ;;
    esac
done
"#;

struct Place {
    sandbox: Sandbox,
}

impl Place {
    fn new() -> Place {
        let place = Place { sandbox: Sandbox::new() };
        place.sandbox.write("server.sh", SERVER);
        place.tools(&[tool("find", "Finds"), tool("read", "Reads")]);
        place
    }

    fn home(&self) -> std::path::PathBuf {
        self.sandbox.repo().parent().unwrap().to_owned()
    }

    fn tools(&self, tools: &[Value]) {
        self.sandbox.write("tools.json", &json!({ "tools": tools }).to_string());
    }

    /// An adapter that is the server.
    fn adapter(&self, name: &str, more: &str) -> String {
        let home = self.home();
        format!(
            "[adapters.{name}]\ndriver = \"mcp\"\ncommand = [\"sh\", '{home}/server.sh', '{home}/tools.json']\nops.search = {{ tool = \"find\" }}\n{more}\n",
            home = home.display()
        )
    }

    #[track_caller]
    fn run(&self, status: i32, words: &[&str]) -> Run {
        let mut command = self.sandbox.command();
        command.env("KONTEXT_TRUST_REPO_ADAPTERS", "1").args(words);
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.status, status, "{words:?}: {run:?}");
        run
    }

    fn text(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.home().join(file)).ok()
    }

    /// The names of the adapters in a lock.
    fn locked(&self, file: &str) -> Vec<String> {
        let lock: Value = serde_json::from_str(&self.text(file).unwrap()).unwrap();
        lock["adapters"].as_object().unwrap().keys().cloned().collect()
    }
}

fn tool(name: &str, description: &str) -> Value {
    let query =
        json!({ "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] });
    json!({ "name": name, "description": description, "inputSchema": query })
}

#[test]
fn tools_are_written_down_and_held_fast() {
    let place = Place::new();
    place.sandbox.write(CLONE, &place.adapter("small", ""));
    assert!(place.run(1, &["build", "--locked"]).err.contains("kontext lock --adapter small"));
    let run = place.run(1, &["lock", "--check"]);
    assert!(
        place.text(CLONE_LOCK).is_none() && run.err.contains("is not what the servers have now"),
        "{run:?}"
    );
    let run = place.run(0, &["lock"]);
    let said =
        "small: 2 tools locked for the first time in `.git/kontext/kontext.lock`\n  + find\n  + read\n";
    assert_eq!(run.out, said, "{run:?}");
    assert_eq!(run.err, "wrote `.git/kontext/kontext.lock`\n");
    let before = place.text(CLONE_LOCK).unwrap();
    let run = place.run(0, &["lock"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", "small: unchanged, 2 tools\n"), "{run:?}");
    place.run(0, &["lock", "--check"]);
    place.run(0, &["check", "--deny-warnings"]);
    place.run(0, &["-q", "build", "--locked"]);
    let call = ["run", "op", "small.search", "--input", "query=x", "--text"];
    assert!(place.run(0, &call).out.contains("called"));

    place.tools(&[tool("find", "Finds, and mails it"), tool("write", "Writes")]);
    let run = place.run(1, &call);
    assert!(run.err.contains("error[tool-changed]") && run.err.contains("kontext lock --diff"), "{run:?}");
    let run = place.run(0, &["lock", "--diff"]);
    let said = "small: 1 tool added, 1 tool removed, 1 tool changed in `.git/kontext/kontext.lock`\n  + write\n  - read\n  ~ find\n      /description:\n        - \"Finds\"\n        + \"Finds, and mails it\"\n";
    assert_eq!((run.out.as_str(), run.err.as_str()), (said, ""), "{run:?}");
    assert_eq!(place.run(1, &["lock", "--check"]).out, said);
    assert_eq!(place.text(CLONE_LOCK).unwrap(), before, "neither of these writes");
    let run = place.run(0, &["lock", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let small = &report["adapters"][0];
    assert_eq!((&small["status"], &small["added"]), (&json!("changed"), &json!(["write"])), "{report}");
    assert_eq!(small["changed"][0]["changes"][0]["path"], "/description", "{report}");
    assert_eq!(report["written"], json!([".git/kontext/kontext.lock"]));
    place.run(0, &["-q", "build", "--locked"]);
    assert!(place.run(0, &call).out.contains("called"));
}

#[test]
fn each_layer_has_its_own_lock() {
    let place = Place::new();
    place.sandbox.write(SHARED, &format!("{}{}", place.adapter("ours", ""), place.adapter("also", "")));
    let run = Run::from(place.sandbox.command().args(["lock"]).output().unwrap());
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
    assert!(run.err.contains("`ours` was not asked") && run.err.contains("not trusted"), "{run:?}");
    let one = Run::from(place.sandbox.command().args(["lock", "--adapter", "ours"]).output().unwrap());
    assert!(one.status == 1 && one.err.contains("error[not-trusted]"), "{one:?}");
    // The clone's layer starts `also` otherwise: its entry here is the clone's, the repository's stays for the others.
    place.run(0, &["lock", "--profile", "shared"]);
    assert_eq!(place.locked(SHARED_LOCK), ["also", "ours"]);
    let shared = place.text(SHARED_LOCK).unwrap();
    place.sandbox.write(CLONE, &place.adapter("also", "").replace("\"sh\"", "\"sh\", \"-u\""));
    place.run(0, &["lock"]);
    assert_eq!(
        (place.locked(CLONE_LOCK), place.text(SHARED_LOCK).unwrap()),
        (vec!["also".to_owned()], shared)
    );
    // An adapter that is gone is forgotten, unless only another was asked.
    place.sandbox.write(SHARED, &place.adapter("also", ""));
    place.sandbox.write(CLONE, "");
    place.run(0, &["lock", "--adapter", "also"]);
    assert_eq!(place.locked(SHARED_LOCK), ["also", "ours"]);
    assert_eq!(place.run(1, &["lock", "--check"]).out.lines().count(), 2);
    let run = place.run(0, &["lock"]);
    assert!(run.out.contains("ours: no longer locked in `kontext.lock`"), "{run:?}");
    assert_eq!((place.locked(SHARED_LOCK), place.locked(CLONE_LOCK).len()), (vec!["also".to_owned()], 0));
}

#[test]
fn who_cannot_be_asked_keeps_its_entry() {
    let place = Place::new();
    let other = |more: &str| place.adapter("other", more);
    place.sandbox.write(CLONE, &format!("{}{}", place.adapter("small", ""), other("")));
    place.run(0, &["lock"]);
    let before = place.text(CLONE_LOCK).unwrap();
    place.tools(&[tool("find", "Finds more")]);
    place.sandbox.write(CLONE, &format!("{}{}", place.adapter("small", ""), other("enabled = false")));
    let run = place.run(0, &["lock"]);
    assert!(run.err.contains("`other` was not asked and its entry is as it was"), "{run:?}");
    assert_eq!(place.locked(CLONE_LOCK), ["other", "small"]);
    assert!(place.run(1, &["lock", "--adapter", "other"]).err.contains("error[inactive]"));
    let bad = "[adapters.other]\ndriver = \"mcp\"\ncommand = [\"false\"]\nops.search = { tool = \"find\" }\n";
    place.sandbox.write(CLONE, &format!("{}{bad}", place.adapter("small", "")));
    let run = place.run(1, &["lock", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let statuses: Vec<&Value> =
        report["adapters"].as_array().unwrap().iter().map(|row| &row["status"]).collect();
    assert_eq!(statuses, ["failed", "unchanged"], "{report}");
    let failure = r#"{"id":"call-failed","message":"`other`: `false` ended with exit status 1"#;
    assert!(run.err.starts_with(failure), "{run:?}");
    let of_other = |lock: &str| serde_json::from_str::<Value>(lock).unwrap()["adapters"]["other"].clone();
    assert_eq!(of_other(&place.text(CLONE_LOCK).unwrap()), of_other(&before));
    assert!(place.run(1, &["lock", "--adapter", "smal"]).err.contains("did you mean `small`?"));
    assert!(place.run(2, &["lock", "--diff", "--check"]).err.contains("cannot be used with"));
}

#[test]
fn a_lock_that_git_could_not_merge_is_written_anew() {
    let place = Place::new();
    place.sandbox.write(CLONE, &place.adapter("small", "pin = \"schema\""));
    place.run(0, &["lock"]);
    let good = place.text(CLONE_LOCK).unwrap();
    place.tools(&[tool("find", "Finds in Europe/Bratislava"), tool("read", "Reads")]);
    assert_eq!(place.run(0, &["lock"]).out, "", "descriptions are not held fast");
    assert_eq!(place.text(CLONE_LOCK).unwrap(), good);
    place.sandbox.write(CLONE_LOCK, &format!("<<<<<<< ours\n{good}"));
    let run = place.run(1, &["lock", "--adapter", "small"]);
    assert!(run.err.contains("error[lock-drift]") && run.err.contains("git could not merge"), "{run:?}");
    place.run(1, &["lock", "--check"]);
    let off = format!("{}{}", place.adapter("small", ""), place.adapter("other", "enabled = false"));
    place.sandbox.write(CLONE, &off);
    let run = place.run(1, &["lock"]);
    assert!(run.err.contains("would lose the entry of `other`"), "{run:?}");
    assert!(place.text(CLONE_LOCK).unwrap().starts_with("<<<"), "nobody's entry is lost unasked");
    place.sandbox.write(CLONE, &place.adapter("small", ""));
    place.run(0, &["lock"]);
    place.run(0, &["check", "--deny-warnings"]);
    place.sandbox.write(CLONE, "[adapters.small]\ndriver = \"mcp\"\n");
    let run = place.run(1, &["lock"]);
    assert!(run.err.contains("error[missing-key]") && run.out.is_empty(), "{run:?}");
}
