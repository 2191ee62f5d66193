//! Which adapters are active, and why others are not.

use kontext_runtime::{Given, Runtime, Trust};
use serde_json::{Value, json};

use crate::support::{Machine, adapter, command, named, plan_of, template, with};

fn reason(machine: &Machine, members: Value) -> Option<String> {
    let op = command(&["/bin/sh", "-c", "true"], json!({}));
    let plan = plan_of(json!({ "a": with(adapter(json!({ "go": op })), members) }));
    machine.runtime(plan).status().remove(0).reason
}

fn when(machine: &Machine, key: &str, value: Value) -> Option<String> {
    let value = with(value, json!({ "at": 0 }));
    reason(machine, json!({ "when": { key: value } }))
}

#[test]
fn conditions_say_what_does_not_hold() {
    let machine = Machine::new(&[("EMPTY", ""), ("SET", "1"), ("HOME", "/nowhere")]);
    std::fs::create_dir(machine.directory.path().join("docs")).unwrap();
    std::fs::write(machine.directory.path().join("docs/a.md"), "").unwrap();
    let text = |value: &str| json!({ "value": value });
    let path = |value: &str| json!({ "path": template(value) });
    for (key, value) in [
        ("command", text("sh")),
        ("command", text("/bin/sh")),
        ("file", text("docs/a.md")),
        ("repo", text("^local/")),
        ("env", text("SET")),
        ("exists", path("docs/*.md")),
        ("exists", path("docs/?.md")),
        ("exists", path("docs")),
    ] {
        assert_eq!(when(&machine, key, value.clone()), None, "{key} {value}");
    }
    for (key, value, said) in [
        ("command", text("no-such-tool"), "`when.command`: `no-such-tool` is not on PATH"),
        ("command", text("./tool"), "`when.command`: `./tool` is no program that can be executed"),
        ("file", text("docs/b.md"), "`when.file`: `docs/b.md` is not in the repository"),
        ("env", text("UNSET"), "`when.env`: `UNSET` is not set"),
        ("env", text("EMPTY"), "`when.env`: `EMPTY` is set but empty"),
        ("exists", path("docs/*.txt"), "`when.exists`: `docs/*.txt` is not there"),
        ("exists", path("~/wiki"), "`when.exists`: `~/wiki` is not there"),
    ] {
        assert_eq!(when(&machine, key, value).as_deref(), Some(said));
    }
    assert!(
        when(&machine, "repo", text("^github"))
            .unwrap()
            .starts_with("`when.repo`: `^github` does not match `local/")
    );
}

#[test]
fn wild_cards_in_values_are_literal() {
    let machine = Machine::new(&[("GLOB", "*.md")]);
    std::fs::write(machine.directory.path().join("a.md"), "").unwrap();
    let path = json!({ "path": template("./{{env.GLOB}}") });
    assert!(when(&machine, "exists", path.clone()).is_some());
    std::fs::write(machine.directory.path().join("*.md"), "").unwrap();
    assert_eq!(when(&machine, "exists", path), None);
}

#[test]
fn needs_and_drivers_make_inactive() {
    let machine = Machine::new(&[("KX_EMPTY", "")]);
    let need = |env: &str| json!({ "needs": [{ "env": env, "slot": "headers.Authorization", "at": 0 }] });
    let missing = reason(&machine, need("KX_TOK")).unwrap();
    assert_eq!(missing, "`headers.Authorization` needs the variable `KX_TOK`, which is not set");
    assert!(reason(&machine, need("KX_EMPTY")).unwrap().ends_with("which is set but empty"));
    let mcp = json!({ "driver": { "mcp": {
        "connect": { "stdio": { "command": [], "env": named(&[]), "cwd": null } }, "start_timeout_ms": 1,
        "expose": "none", "prefix": "a_", "protocol": "auto", "pin": "full" } } });
    assert_eq!(reason(&machine, mcp), None);
}

#[tokio::test]
async fn what_the_repository_brought_needs_trust() {
    let machine = Machine::new(&[]);
    let op = command(&["/bin/sh", "-c", "echo ran"], json!({}));
    let shared = with(
        adapter(json!({ "go": op.clone() })),
        json!({ "layers": ["user", "shared"], "when": { "command": { "value": "no-such", "at": 0 } } }),
    );
    let plan = || plan_of(json!({ "a": shared.clone(), "b": adapter(json!({ "go": op.clone() })) }));
    let runtime = machine.runtime(plan());
    let status = runtime.status();
    assert_eq!(
        status[0].reason.as_deref(),
        Some("not trusted: run `kontext trust`"),
        "its conditions are not looked at"
    );
    assert_eq!((status[0].trusted, status[1].trusted, status[1].active), (false, true, true));
    assert_eq!(runtime.op("a", "go", &Given::none()).await.unwrap_err().id, "not-trusted");

    let elsewhere =
        Runtime::new(plan(), machine.env.clone(), machine.repository(), Trust::new(&machine.env, false));
    assert!(elsewhere.status().iter().all(|status| !status.trusted));
    let trusting = Machine::new(&[("KONTEXT_TRUST_REPO_ADAPTERS", "1")]);
    let runtime =
        Runtime::new(plan(), trusting.env.clone(), trusting.repository(), Trust::new(&trusting.env, false));
    assert!(runtime.status().iter().all(|status| status.trusted));
}

#[tokio::test]
async fn unknown_names_are_suggested() {
    let machine = Machine::new(&[]);
    let runtime = machine
        .runtime(plan_of(json!({ "notes": adapter(json!({ "search": command(&["true"], json!({})) })) })));
    let error = |adapter: &'static str, op: &'static str, input: &'static str| {
        let runtime = &runtime;
        async move {
            let given = Given::Text(vec![(input.to_owned(), String::new())]);
            let error = runtime.op(adapter, op, &given).await.unwrap_err();
            format!("{}: {}", error.id, error.message)
        }
    };
    assert_eq!(
        error("note", "search", "query").await,
        "unknown-adapter: there is no adapter `note`; did you mean `notes`?"
    );
    assert_eq!(
        error("notes", "serach", "query").await,
        "unknown-op: the adapter `notes` has no op `serach`; did you mean `search`?"
    );
    assert_eq!(
        error("notes", "search", "qery").await,
        "unknown-input: `notes.search`: there is no input `qery`; did you mean `query`?"
    );
}
