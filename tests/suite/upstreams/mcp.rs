//! MCP servers that nobody here wrote, in both eras of the protocol: locked, checked, built, inspected and called.

use serde_json::{Value, json};

use super::git::LOG;
use super::json_server::WIKI;
use super::ripgrep::DOCS;
use super::server::Server;
use super::streamable::Streamable;
use super::{CLONE, Place, USER, column, upstreams};

/// What the memory server starts with.
const MEMORY: &str = r#"{"type":"entity","name":"Tide","entityType":"sea","observations":["comes twice a day"]}
{"type":"entity","name":"Quay","entityType":"place","observations":["made of stone"]}
"#;

/// Six servers, three of npm and three of PyPI. `{node}` and `{python}` are the folders of their programs.
const SERVERS: &str = r#"
[adapters.everything]
driver = "mcp"
command = ["node", "{node}/server-everything/dist/index.js", "stdio"]
ops.search = { tool = "get-structured-content", args = { location = "{{query}}" }, map = { title = "conditions" } }
[[adapters.everything.tools]]
name = "add"
description = "Adds two numbers"
params = { a = "integer!", b = "integer!" }
op = { tool = "get-sum" }

[adapters.files]
driver = "mcp"
command = ["node", "{node}/server-filesystem/dist/index.js", "{{repo.root}}"]
ops.read = { tool = "read_text_file", args = { path = "{{repo.root}}/{{uri|after:'page:'}}" }, owns = ["page:"], text = "content" }

[adapters.memory]
driver = "mcp"
when = { env = "MEMORY_FILE" }
command = ["node", "{node}/server-memory/dist/index.js"]
env = { MEMORY_FILE_PATH = "{{env.MEMORY_FILE}}" }
ops.search = { tool = "search_nodes", items = "entities", map = { title = "name", snippet = "observations", kind = "entityType" } }

[adapters.repository]
driver = "mcp"
command = ["{python}/mcp-server-git"]
ops.health = { tool = "git_status", args = { repo_path = "{{repo.root}}" } }

[adapters.clock]
driver = "mcp"
when = { env = "ZONE" }
command = ["{python}/mcp-server-time", "--local-timezone", "{{env.ZONE}}"]
[[adapters.clock.tools]]
name = "tokyo"
description = "What time it is in Tokyo then"
params = { at = "string!" }
op = { tool = "convert_time", args = { source_timezone = "Etc/UTC", time = "{{at}}", target_timezone = "Asia/Tokyo" } }

[adapters.web]
driver = "mcp"
command = ["{python}/mcp-server-fetch", "--ignore-robots-txt", "--allow-private-ips"]
ops.read = { tool = "fetch", args = { url = "{{uri}}", raw = true }, owns = ["http://127.0.0.1"] }
"#;

fn configured(text: &str) -> String {
    let folder = |name: &str| upstreams().join(name).display().to_string();
    let public = "public_env = [\"ZONE\"]\n";
    format!("{public}{text}")
        .replace("{node}", &folder("node_modules/@modelcontextprotocol"))
        .replace("{python}", &folder("python/bin"))
}

/// A repository with these servers, nothing locked.
fn place(text: &str) -> Place {
    let place = Place::new();
    place.write("memory.jsonl", MEMORY);
    place.write("repo/pages/tide.md", "# Tide\n\nA tide comes twice a day\n");
    place.commit("Ana", "2026-01-05", "Write down the tide");
    place.write(CLONE, configured(text));
    let memory = place.path().join("memory.jsonl").display().to_string();
    place.with("MEMORY_FILE", memory).with("ZONE", "Europe/Bratislava".to_owned())
}

/// The one tool of the six servers that no lock holds.
const ONLY_AS_TASK: &str =
    "the tool `simulate-research-query` cannot be locked: its server runs it only as a task";

/// Locks every server, and finds nothing to remark afterwards.
#[track_caller]
fn locked(place: &Place) -> Vec<(String, usize)> {
    let report = place.json(&["-q", "lock", "--format", "json"]);
    let row = |row: &Value| {
        assert_eq!(row["status"], "added", "{report}");
        let notes: Vec<&str> = row["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        match (row["adapter"].as_str().unwrap(), notes.as_slice()) {
            ("everything", [note]) => assert!(note.contains(ONLY_AS_TASK), "{note}"),
            (_, notes) => assert!(notes.is_empty(), "{report}"),
        }
        (row["adapter"].as_str().unwrap().to_owned(), row["added"].as_array().unwrap().len())
    };
    let rows = report["adapters"].as_array().unwrap().iter().map(row).collect();
    let check = place.run(&["check", "--deny-warnings"]);
    assert!(check.status == 0 && check.out.is_empty(), "{check:?}");
    let build = place.run(&["-q", "build", "--locked"]);
    assert_eq!((build.status, build.err.as_str()), (0, ""), "{build:?}");
    rows
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn all_six_are_locked_and_inspected() {
    let place = place(SERVERS);
    assert_eq!(place.run(&["build", "--locked"]).status, 1, "nothing is locked yet");
    let rows = locked(&place);
    let counts: Vec<(&str, usize)> = rows.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    let expected =
        [("clock", 2), ("everything", 13), ("files", 14), ("memory", 9), ("repository", 12), ("web", 1)];
    assert_eq!(counts, expected);
    let again = place.run(&["lock", "--check"]);
    assert_eq!((again.status, again.out.as_str()), (0, ""), "{again:?}");
    for (name, era, server, argument) in [
        ("everything", "legacy", "mcp-servers/everything", None),
        ("files", "legacy", "secure-filesystem-server", None),
        ("memory", "legacy", "memory-server", Some("query")),
        ("repository", "modern", "mcp-git", None),
        ("clock", "modern", "mcp-time", None),
        ("web", "modern", "mcp-fetch", None),
    ] {
        let found = place.json(&["adapters", "inspect", name, "--format", "json"]);
        assert_eq!((&found["era"], &found["server"]["name"]), (&json!(era), &json!(server)), "{found}");
        let count = expected.iter().find(|(known, _)| *known == name).unwrap().1;
        let unlocked = usize::from(name == "everything");
        assert_eq!(found["tools"].as_array().unwrap().len(), count + unlocked, "{name}");
        if let Some(op) = found["ops"].get(0) {
            let arguments: Vec<&str> = argument.into_iter().collect();
            assert_eq!((&op["arguments"], op.get("problem")), (&json!(arguments), None), "{found}");
        }
    }
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn each_answers() {
    let place = place(SERVERS);
    let server = Server::start(place.path(), &json!({ "tides": [{ "id": "high" }] }));
    locked(&place);
    assert_eq!(
        column(&place.hits("everything.search", &["query=Chicago"]), "title"),
        ["Light rain / drizzle"]
    );
    let tide = json!({ "source": "memory", "title": "Tide", "snippet": "comes twice a day", "kind": "sea", "score": 1.0 });
    assert_eq!(place.hits("memory.search", &["query=tide"]), [tide]);
    let page = place.json(&["run", "read", "page:pages/tide.md"]);
    assert_eq!(
        (&page["source"], &page["text"]),
        (&json!("files"), &json!("# Tide\n\nA tide comes twice a day\n"))
    );
    let message = place.failure("call-failed", &["run", "read", "page:../memory.jsonl"]);
    assert!(message.contains("the tool `read_text_file` failed: Access denied"), "{message}");
    let status = place.json(&["run", "op", "repository.health"]);
    let clean = "Repository status:\nOn branch main\nnothing to commit, working tree clean";
    assert_eq!(status["text"], clean, "{status}");
    let url = format!("{}/tides/high", server.url());
    let fetched = place.json(&["run", "read", &url]);
    assert!(fetched["text"].as_str().unwrap().contains("\"id\": \"high\""), "{fetched}");
    let tool = |name: &str, arguments: &str| {
        let answer = place.json(&["run", "tool", name, "--json", arguments]);
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(tool("add", r#"{"a":40,"b":2}"#), "The sum of 40 and 2 is 42.");
    let tokyo: Value = serde_json::from_str(&tool("tokyo", r#"{"at":"12:30"}"#)).unwrap();
    assert!(tokyo["target"]["datetime"].as_str().unwrap().ends_with("T21:30:00+09:00"), "{tokyo}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn what_check_sees_before_anything_runs() {
    let place = place(SERVERS);
    locked(&place);
    let wrong = SERVERS
        .replace("\"search_nodes\"", "\"search_node\"")
        .replace("args = { url = \"{{uri}}\", raw = true }", "args = { url = \"{{uri}}\", raw = \"yes\" }")
        .replace("args = { location = \"{{query}}\" }", "args = { location = \"{{query}}\", unit = \"K\" }")
        .replace("args = { repo_path = \"{{repo.root}}\" }", "args = {}");
    place.write(CLONE, configured(&wrong));
    let run = place.run(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let mut ids = column(report["diagnostics"].as_array().unwrap(), "id");
    ids.sort_unstable();
    assert_eq!(ids, ["argument-type", "missing-argument", "unknown-argument", "unknown-tool"], "{report}");
}

/// The clock writes the machine's zone into its descriptions.
#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_tool_that_says_something_else_is_refused() {
    let start = SERVERS.find("[adapters.clock]").unwrap();
    let clock = &SERVERS[start..SERVERS.find("[adapters.web]").unwrap()];
    let place = place(clock);
    locked(&place);
    let place = place.with("ZONE", "Asia/Tokyo".to_owned());
    let call = ["run", "tool", "tokyo", "--json", r#"{"at":"12:30"}"#];
    let message = place.failure("tool-changed", &call);
    assert!(message.contains("`convert_time` was changed since"), "{message}");
    let diff = place.run(&["lock", "--diff"]);
    assert!(diff.out.contains("2 tools changed") && diff.out.contains("Asia/Tokyo"), "{diff:?}");
    assert_eq!(place.run(&["lock", "--check"]).status, 1);
    place.write(CLONE, configured(clock).replace("driver = \"mcp\"", "driver = \"mcp\"\npin = \"schema\""));
    assert_eq!(place.run(&["lock"]).status, 0);
    assert_eq!(place.run(&["build", "--locked"]).status, 0);
    let place = place.with("ZONE", "Europe/Bratislava".to_owned());
    assert_eq!(place.run(&["lock", "--check"]).status, 0, "descriptions are not held fast");
    assert_eq!(place.run(&call).status, 0);
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn the_same_over_http() {
    let server = Streamable::start("server-everything");
    let remote = SERVERS[..SERVERS.find("[adapters.files]").unwrap()].replace(
        r#"command = ["node", "{node}/server-everything/dist/index.js", "stdio"]"#,
        "url = \"{{env.EVERYTHING_URL}}\"\nwhen = { env = \"EVERYTHING_URL\" }",
    );
    let place = place(&remote).with("EVERYTHING_URL", server.url());
    assert_eq!(locked(&place), [("everything".to_owned(), 13)]);
    let found = place.json(&["adapters", "inspect", "everything", "--format", "json"]);
    assert_eq!((&found["transport"], &found["era"]), (&json!("http"), &json!("legacy")), "{found}");
    assert_eq!(column(&place.hits("everything.search", &["query=New York"]), "title"), ["Cloudy"]);
    drop(server);
    let message =
        place.failure("call-failed", &["run", "op", "everything.search", "--input", "query=Chicago"]);
    assert!(message.contains("refused the connection"), "{message}");
    let lock = place.run(&["lock"]);
    assert!(lock.status == 1 && lock.err.contains("refused the connection"), "{lock:?}");
    assert_eq!(place.run(&["build", "--locked"]).status, 0, "its entry was kept");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn all_drivers_answer_one_search() {
    let article = json!({ "id": "t1", "uri": "wiki://t1", "title": "Tides", "body": "A page on the tide",
        "meta": { "rank": 0.5, "updated": "2026-04-01" } });
    let start = SERVERS.find("[adapters.memory]").unwrap();
    let memory = &SERVERS[start..SERVERS.find("[adapters.repository]").unwrap()];
    let place = place(&format!("{memory}{DOCS}{LOG}"));
    let server = Server::start(place.path(), &json!({ "spaces": [], "articles": [article] }));
    let place = place.with("WIKI_URL", server.url());
    place.write(USER, WIKI);
    locked(&place);
    let answer = place.json(&["run", "search", "tide"]);
    let hits = answer["hits"].as_array().unwrap();
    let mut found: Vec<(&str, &str)> =
        column(hits, "source").into_iter().zip(column(hits, "title")).collect();
    assert_eq!(found[0], ("wiki", "Tides"), "it weighs most");
    found.sort_unstable();
    found.dedup_by_key(|(source, _)| *source);
    assert_eq!(
        found.iter().map(|(source, _)| *source).collect::<Vec<_>>(),
        ["docs", "log", "memory", "wiki"]
    );
    assert!(hits.iter().any(|hit| hit["source"] == "memory" && hit["title"] == "Tide"), "{answer}");
    assert_eq!(answer["notes"], json!([]));
}
