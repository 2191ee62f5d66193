//! Scope and notes through the program itself: what is stale, what is refused, and what a public plan never shows.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

const HOT: &str = "repo/.ai/agent-notes.md";
const MAP: &str = "repo/.ai/knowledge/work/local/workspace-scope-map-v1.md";

fn section(id: &str, text: &str) -> String {
    format!("<!-- section:{id} -->\n{text}\n<!-- /section:{id} -->\n")
}

fn built(sandbox: &Sandbox) {
    let run = sandbox.run(&["build"]);
    assert_eq!(run.status, 0, "{}", run.err);
}

/// The structured answer of a tool.
fn tool(sandbox: &Sandbox, name: &str, json: &str) -> Value {
    let run = sandbox.run(&["run", "tool", name, "--json", json]);
    assert_eq!(run.status, 0, "{}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), answer["structuredContent"]);
    answer["structuredContent"].clone()
}

fn scope(sandbox: &Sandbox, words: &[&str]) -> Value {
    let run = sandbox.run(&[&["scope", "--json"], words].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn the_directory_of_the_start_is_the_workspace() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/app/api/.keep", "");
    sandbox.write(MAP, "~/repo/app => app\n~/link => link\n");
    symlink(sandbox.repo().join("app"), sandbox.repo().parent().unwrap().join("link")).unwrap();
    let default = scope(&sandbox, &[]);
    assert_eq!((&default["scope"], &default["step"]), (&"door-to-singularity".into(), &"default".into()));
    let api = scope(&sandbox, &["-C", "app/api"]);
    assert_eq!(api["scope"], "app");
    assert_eq!(api["from"]["file"], ".ai/knowledge/work/local/workspace-scope-map-v1.md");
    assert_eq!((&api["from"]["line"], &api["matched"]), (&1.into(), &"~/repo/app".into()));
    assert_eq!(scope(&sandbox, &["app/new/folder"])["scope"], "app");
    assert_eq!(scope(&sandbox, &["../link/api"])["scope"], "app", "resolved, `~/repo/app` is longer");
    assert_eq!(scope(&sandbox, &["--active-scope", " Web ", "app"])["step"], "explicit");
    let people = sandbox.run(&["scope", "app"]);
    assert!(people.out.starts_with("scope    app\nstep     map: "), "{}", people.out);
    built(&sandbox);
    let inside = sandbox.run(&["-C", "app", "run", "tool", "read_hot_context", "--text"]);
    assert!(inside.out.contains("\"scope\": \"app\""), "{}{}", inside.out, inside.err);
}

#[test]
fn only_the_maps_make_a_plan_stale() {
    let sandbox = Sandbox::new();
    let map = section("scope-map-v1", "/srv => a");
    sandbox.write(HOT, &map);
    built(&sandbox);
    let ask = |sandbox: &Sandbox| sandbox.run(&["run", "tool", "memory_health"]);
    sandbox.write(HOT, &format!("More.\n{map}{}", section("scope-a", "x")));
    assert_eq!(ask(&sandbox).status, 0);
    let hot = tool(&sandbox, "read_hot_context", r#"{"workspace_path": "/srv/x"}"#);
    assert_eq!(hot["scope"]["from"]["line"], 3, "the line as it is now");
    assert_eq!(
        (&hot["scope"]["section"], &hot["missing"]),
        (&"scope-a".into(), &serde_json::json!(["active-scope"]))
    );
    let stale = |run: Run, what: &str| {
        assert_eq!(run.status, 2, "{what}: {}", run.err);
        assert!(run.err.contains(what), "{what}: {}", run.err);
    };
    sandbox.write(HOT, &section("scope-map-v1", "/srv => b"));
    stale(ask(&sandbox), "the section `scope-map-v1` of `.ai/agent-notes.md` changed");
    sandbox.write(HOT, "Nothing.\n");
    stale(ask(&sandbox), "vanished");
    sandbox.write(HOT, &format!("{map}{}", section("workspace-scope-map-v1", "/x => y")));
    stale(ask(&sandbox), "appeared");
    sandbox.write(HOT, &map);
    assert_eq!(ask(&sandbox).status, 0);
    sandbox.write(MAP, "/srv => c\n");
    stale(ask(&sandbox), "`.ai/knowledge/work/local/workspace-scope-map-v1.md` appeared");
}

#[test]
fn links_out_of_the_repository_are_refused_at_every_read() {
    let sandbox = Sandbox::new();
    let secret = sandbox.write("secret.md", &section("scope-s", "hidden words"));
    sandbox.write(HOT, &section("scope-s", "open words"));
    built(&sandbox);
    std::fs::remove_file(sandbox.repo().join(".ai/agent-notes.md")).unwrap();
    symlink(&secret, sandbox.repo().join(".ai/agent-notes.md")).unwrap();
    sandbox.write("repo/.ai/knowledge/x.md", "open");
    symlink(&secret, sandbox.repo().join(".ai/knowledge/link.md")).unwrap();
    for words in [
        &["check"][..],
        &["run", "--allow-stale", "tool", "read_hot_context"],
        &["run", "--allow-stale", "read", "notes:scope-s"],
        &["run", "--allow-stale", "read", "notes:store/link.md"],
        &["run", "--allow-stale", "search", "hidden"],
    ] {
        let run = sandbox.run(words);
        let said = format!("{}{}", run.out, run.err);
        assert!(said.contains("outside the repository"), "{words:?}: {said}");
        assert!(!said.contains("hidden words"), "{words:?}: {said}");
    }
    let read = sandbox.run(&["run", "--allow-stale", "read", "notes:store/x.md", "--text"]);
    assert_eq!(read.out.trim(), "open");
    // A root of the user's own may be elsewhere.
    sandbox.write("own/agent-notes.md", &section("scope-s", "mine"));
    sandbox.write("repo/.git/kontext/config.toml", "knowledge.roots.own = \"~/own\"\n");
    built(&sandbox);
    assert_eq!(sandbox.run(&["run", "read", "notes:scope-s", "--text"]).out.trim(), "mine");
    let slip = sandbox.run(&["run", "search", "mine", "--source", "note"]).err;
    assert!(slip.contains("there is no source `note`; did you mean `notes`?"), "{slip}");
    let slip = sandbox.run(&["run", "read", "notes:scope-z"]).err;
    assert!(slip.contains("the notes have no `notes:scope-z`; did you mean `notes:scope-s`?"), "{slip}");
    let slip = sandbox.run(&["run", "read", "notes:elsewhere/x.md"]).err;
    assert!(slip.contains("`notes:own/…`"), "{slip}");
    let copy = sandbox.repo().join("copy.json");
    std::fs::copy(sandbox.repo().join(".git/kontext/plan.json"), &copy).unwrap();
    let other = sandbox.run(&["run", "--plan", "copy.json", "--allow-stale", "read", "notes:scope-s"]);
    assert!(
        other.err.contains("outside the repository"),
        "a plan from elsewhere decides nothing: {}",
        other.err
    );
}

#[test]
fn a_root_that_is_named_is_there() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/docs/file.md", "");
    sandbox.write("repo/docs/own/.keep", "");
    sandbox.write(
        "repo/.git/kontext/config.toml",
        "knowledge.primary = \"own\"\n[knowledge.roots]\nown = \"docs/own\"\nhome = \"~/none\"\n\
         file = \"docs/file.md\"\nbelow = \"docs/file.md/x\"\nlink = \"docs/link\"\ntwo = \"docs/own/../gone\"\n",
    );
    symlink(sandbox.repo().join("nothing"), sandbox.repo().join("docs/link")).unwrap();
    let run = sandbox.run(&["check", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    let found = found["diagnostics"].as_array().unwrap();
    assert!(found.iter().all(|one| one["id"] == "missing-notes-file"), "{}", run.out);
    let said: Vec<&str> = found.iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        [
            "there is no directory `~/none`",
            "`docs/file.md` is no directory",
            "`docs/file.md/x` is no directory",
            "there is no directory `docs/link`",
            "there is no directory `docs/own/../gone`",
        ]
    );
    assert_eq!(sandbox.run(&["check", "--deny-warnings"]).status, 1);
}

#[test]
fn any_bytes_are_a_document_and_none_is_too_many() {
    let sandbox = Sandbox::new();
    built(&sandbox);
    let empty = tool(&sandbox, "memory_health", "{}");
    assert_eq!((&empty["exists"], &empty["level"]), (&false.into(), &"good".into()));
    let path = sandbox.write(HOT, "");
    let text = format!(
        "\u{feff}{}<!-- section:open -->\r\n",
        section("scope-a", "words of it").replace('\n', "\r\n")
    );
    std::fs::write(&path, [text.as_bytes(), b"\xff\xfe"].concat()).unwrap();
    let hot = tool(&sandbox, "read_hot_context", r#"{"active_scope": "A"}"#);
    assert_eq!(hot["loaded_sections"], serde_json::json!(["scope-a"]));
    let health = tool(&sandbox, "memory_health", "{}");
    assert_eq!(health["problems"][0]["id"], "section-unclosed");
    let many: String = (0..5000).map(|n| section(&format!("scope-{n}"), "needle")).collect();
    std::fs::write(&path, many).unwrap();
    let route =
        tool(&sandbox, "route_context", r#"{"query": "needle", "max_sections": 20, "max_chars": 1000}"#);
    assert_eq!(route["total_candidates"], 5000);
    std::fs::write(&path, "x".repeat(4 * 1024 * 1024 + 1)).unwrap();
    let large = sandbox.run(&["run", "--allow-stale", "tool", "memory_health"]);
    assert!(large.status == 1 && large.err.contains("4194305 bytes"), "{}", large.err);
}

#[test]
fn arguments_of_the_tools_are_checked() {
    let sandbox = Sandbox::new();
    built(&sandbox);
    for (name, json, id) in [
        ("route_context", "{}", "missing-argument"),
        ("route_context", r#"{"query": "x", "max_sections": 21}"#, "argument-type"),
        ("route_context", r#"{"query": "x", "max_chars": 999}"#, "argument-type"),
        ("read_hot_context", r#"{"query": "x"}"#, "unknown-argument"),
        ("memory_health", r#"{"active_scope": 1}"#, "argument-type"),
        ("memory_helth", "{}", "unknown-tool"),
    ] {
        let run = sandbox.run(&["run", "tool", name, "--json", json]);
        assert!(run.status == 1 && run.err.contains(id), "{name} {json}: {}", run.err);
    }
}

#[test]
fn a_public_plan_shows_nothing_of_what_is_private() {
    let sandbox = Sandbox::new();
    let private = "TRAP c:\\TRAP\\x /home/TRAP/y //TRAP/share http://10.0.0.1/TRAP Ð¢TRAP";
    let hot = format!(
        "\u{feff}In code: `<!-- public-cut -->`\n```\n<!-- public-cut -->\n```\n{}<!-- public-cut -->\n{private}\n{}{}{}",
        section("scope-open", "needle for anyone"),
        section("scope-map-v1", "/srv/TRAP => trap"),
        section("active-scope", "current: trap"),
        section("scope-trap", &format!("needle {private}")),
    );
    sandbox.write(HOT, &hot);
    sandbox.write(MAP, "/home/TRAP => trap\nTRAP => no path\n");
    sandbox.write("repo/.ai/knowledge/x.md", private);
    let built = sandbox.run(&["build", "--profile", "public", "-o", "public.json"]);
    assert_eq!(built.status, 0, "{}", built.err);
    let plan = std::fs::read_to_string(sandbox.repo().join("public.json")).unwrap();
    let mut said = vec![plan];
    for words in [
        &["tool", "read_hot_context", "--json", r#"{"workspace_path": "/srv"}"#][..],
        &["tool", "read_hot_context", "--json", r#"{"active_scope": "open"}"#],
        &["tool", "route_context", "--json", r#"{"query": "needle"}"#],
        &["tool", "memory_health"],
        &["search", "needle"],
        &["read", "notes:scope-trap"],
        &["read", "notes:scope-map-v1"],
        &["read", "notes:store/x.md"],
        &["read", "notes:store/work/local/workspace-scope-map-v1.md"],
    ] {
        let run = sandbox.run(&[&["run", "--plan", "public.json"], words].concat());
        said.push(format!("{words:?}: {}{}", run.out, run.err));
    }
    let open = said.iter().filter(|text| text.contains("needle for anyone")).count();
    assert_eq!(open, 3, "{said:#?}");
    for text in said {
        assert!(!text.to_lowercase().replace("scope-trap", "").contains("trap"), "{text}");
    }
}

#[test]
fn the_scope_of_the_start_decides_which_adapters_there_are() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/app/.keep", "");
    sandbox.write(MAP, "~/repo/app => www\n");
    sandbox.write("repo/.ai/knowledge/work/local/scope-alias-map-v1.md", "www => app\n");
    sandbox.write(
        "repo/.git/kontext/config.toml",
        r#"
        [adapters.here]
        driver = "command"
        command = ["/bin/echo", "here", "{{scope.id}}={{scope.step}}"]
        when.scope = ["APP", "shop"]
        ops.brief = {}
        tools = [{ name = "look", description = "Looks", op = "brief" }]

        [adapters.everywhere]
        driver = "command"
        command = ["/bin/echo", "{{vars.said}}"]
        vars.said = "{{scope.id}}={{scope.step}}"
        ops.brief = {}

        [adapters.plain]
        driver = "command"
        command = ["/bin/echo", "plain"]
        ops.brief = {}
        "#,
    );
    built(&sandbox);
    let text = |words: &[&str]| sandbox.run(&[words, &["--text"]].concat());
    let outside = sandbox.run(&["run", "op", "here.brief"]);
    let why =
        "`when.scope`: the scope here is `door-to-singularity` (step `default`), wanted is `app` or `shop`";
    assert!(outside.status == 1 && outside.err.contains(why), "{}", outside.err);
    assert!(outside.err.contains("--> .git/kontext/config.toml:5:22"), "{}", outside.err);
    assert!(sandbox.run(&["adapters", "list"]).out.contains(why));
    assert!(sandbox.run(&["run", "tool", "look"]).err.contains("inactive"));
    assert_eq!(text(&["run", "op", "everywhere.brief"]).out.trim(), "door-to-singularity=default");
    assert_eq!(text(&["-C", "app", "run", "op", "here.brief"]).out.trim(), "here app=map");
    assert_eq!(text(&["-C", "app", "run", "tool", "look"]).out.trim(), "here app=map");
    sandbox.write(HOT, &section("active-scope", "current: Shop"));
    assert_eq!(text(&["run", "op", "here.brief"]).out.trim(), "here shop=current");

    // A document that may not be read: only what needs it fails.
    let secret = sandbox.write("secret.md", &section("active-scope", "current: shop"));
    std::fs::remove_file(sandbox.repo().join(".ai/agent-notes.md")).unwrap();
    symlink(&secret, sandbox.repo().join(".ai/agent-notes.md")).unwrap();
    let run = |words: &[&str]| text(&[&["run", "--allow-stale"], words].concat());
    let unknown = run(&["op", "here.brief"]);
    assert!(unknown.err.contains("`when.scope`: the scope here is not known: "), "{}", unknown.err);
    let unknown = run(&["op", "everywhere.brief"]);
    assert!(unknown.status == 1 && unknown.err.contains("`scope.id` is not known: "), "{}", unknown.err);
    assert_eq!(run(&["op", "plain.brief"]).out.trim(), "plain");
    let mapped = text(&["-C", "app", "run", "--allow-stale", "op", "here.brief"]);
    assert_eq!(mapped.out.trim(), "here app=map", "{}", mapped.err);
}

/// Names of the tools that a server started in a directory publishes, and its instructions.
fn served(sandbox: &Sandbox, directory: &str) -> (Vec<String>, String) {
    let client = r#"{"name":"suite","version":"1"}"#;
    let lines = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{client}}}}}
{{"jsonrpc":"2.0","method":"notifications/initialized"}}
{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{}}}}
"#
    );
    let mut command = sandbox.command();
    command.args(["-C", directory, "run"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    let tools = of(1)["result"]["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    (names, of(0)["result"]["instructions"].as_str().unwrap().to_owned())
}

#[test]
fn an_agent_sees_the_tools_of_its_scope() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/app/.keep", "");
    sandbox.write(MAP, "~/repo/app => app\n");
    sandbox.write(
        "repo/.git/kontext/config.toml",
        r#"
        [adapters.tickets]
        driver = "command"
        command = ["/bin/echo", "--", "{{scope.id}}"]
        when.scope = ["app"]
        ops.brief = {}
        tools = [{ name = "look", description = "Looks", op = "brief" }]
        "#,
    );
    built(&sandbox);
    let (inside, _) = served(&sandbox, "app");
    assert!(
        inside.contains(&"look".to_owned()) && inside.contains(&"kontext_brief".to_owned()),
        "{inside:?}"
    );
    let (outside, instructions) = served(&sandbox, ".");
    assert!(
        !outside.contains(&"look".to_owned()) && !outside.contains(&"kontext_brief".to_owned()),
        "{outside:?}"
    );
    assert!(instructions.contains("tickets (`when.scope`: the scope here is"), "{instructions}");
}
