//! Others' clients in front of `kontext run`: MCP Inspector and the SDKs of Python and TypeScript, in both eras of the
//! protocol, over both transports.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::conformance::{path_with_node, place};
use super::serving::Serving;
use super::{CLONE, Place, upstreams};
use crate::root;
use crate::sandbox::{Run, program};

/// The tools that the plan publishes, in the order they are listed.
const TOOLS: [&str; 15] = [
    "read_hot_context",
    "route_context",
    "memory_health",
    "json_schema_2020_12_tool",
    "test_custom_headers",
    "test_error_handling",
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_progress",
    "test_logging_tool",
    "test_streaming_elicitation",
    "test_trigger_tool_change",
];

/// A place with a server for it; clients start their own for `stdio`.
struct Both {
    place: Place,
    serving: Serving,
}

impl Both {
    fn start() -> Both {
        Both::of(place())
    }

    fn of(place: Place) -> Both {
        let serving = Serving::start(&place);
        Both { place, serving }
    }

    /// Where a client finds kontext.
    fn targets(&self) -> [&str; 2] {
        ["stdio", self.serving.url()]
    }

    /// A client's process in the repository.
    fn client(&self, client: impl AsRef<Path>) -> Command {
        let mut command = self.place.command(client.as_ref());
        command.env("KONTEXT", program()).env("KONTEXT_UPSTREAMS", upstreams());
        command
    }
}

/// Runs a client that gives one JSON account of what it saw, and checks the account.
#[track_caller]
fn sees(command: &mut Command, era: &str, who: &str) {
    let run = Run::from(command.output().unwrap());
    // A protocol that a client finds fault with is told here.
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{who}: {run:?}");
    let seen: Value = serde_json::from_str(&run.out).unwrap();
    if let Some(protocol) = seen["protocol"].as_str() {
        assert_eq!(protocol, era, "{who}");
    }
    assert_eq!(seen["tools"], json!(TOOLS), "{who}");
    assert_eq!(seen["text"], "This is a simple text response for testing.", "{who}");
    let regions = |count: u32| Value::from((0..count).map(|number| number.to_string()).collect::<Vec<_>>());
    assert_eq!((&seen["calls"], &seen["together"]), (&regions(5), &regions(20)), "{who}");
    assert_eq!(
        (&seen["picture"], seen["progress"].as_array().map(Vec::len)),
        (&json!("image/png"), Some(3)),
        "{who}"
    );
    for (member, words) in [
        ("failing", "`cat` ended with exit status 1"),
        ("failing", "--> .git/kontext/config.toml:"),
        ("wrong", "`regoin`"),
    ] {
        assert_eq!(seen[member][0], true, "{who}: {seen:#}");
        assert!(seen[member][1].as_str().unwrap().contains(words), "{who}: {seen:#}");
    }
    assert_eq!(seen["unknown"][0], -32602, "{who}: {seen:#}");
    assert!(seen["unknown"][1].as_str().unwrap().contains("`no_such_tool`"), "{who}: {seen:#}");
}

fn script(name: &str) -> std::path::PathBuf {
    root().join("tests/upstreams/clients").join(name)
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn the_python_sdk() {
    let both = Both::start();
    for target in both.targets() {
        for (mode, era) in [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")] {
            let mut command = both.client(upstreams().join("python/bin/python"));
            command.arg(script("python.py")).args([target, mode]);
            sees(&mut command, era, &format!("Python, {mode}, {target}"));
        }
    }
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn the_typescript_sdks() {
    let both = Both::start();
    for target in both.targets() {
        for (mode, era) in [("sdk", "2025-11-25"), ("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
            let mut command = both.client("node");
            command.arg(script("typescript.mjs")).args([target, mode]);
            sees(&mut command, era, &format!("TypeScript, {mode}, {target}"));
        }
    }
}

/// What MCP Inspector prints and how it ends.
fn inspector(both: &Both, target: &str, words: &[&str]) -> Run {
    let script =
        upstreams().join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    let mut command = both.client("node");
    command.arg(script).arg("--cli");
    match target {
        "stdio" => command.arg(program()).arg("run"),
        url => command.args([url, "--transport", "http"]),
    };
    command.args(["--format", "json", "--quiet", "--connect-timeout", "60000"]).args(words);
    Run::from(command.output().unwrap())
}

#[track_caller]
fn result(run: &Run, status: i32) -> Value {
    assert_eq!(run.status, status, "{run:?}");
    let printed: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    printed["result"].clone()
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn mcp_inspector() {
    let both = Both::start();
    for target in both.targets() {
        for era in ["legacy", "auto", "modern"] {
            let ask = |words: &[&str]| inspector(&both, target, &[&["--protocol-era", era], words].concat());
            let call = |tool: &str, given: &str| {
                ask(&["--method", "tools/call", "--tool-name", tool, "--tool-args-json", given])
            };
            // With `--strict` a schema that other clients may stumble over has status 6.
            let listed = result(&ask(&["--method", "tools/list", "--strict"]), 0);
            let names: Vec<&Value> =
                listed["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
            assert_eq!(names, TOOLS, "{era} {target}");
            let called = result(&call("test_custom_headers", r#"{"region":"eu"}"#), 0);
            assert_eq!(called["content"][0]["text"], "eu", "{era} {target}: {called:#}");
            let mixed = result(&call("test_multiple_content_types", "{}"), 0);
            let kinds: Vec<&Value> =
                mixed["content"].as_array().unwrap().iter().map(|part| &part["type"]).collect();
            assert_eq!(kinds, ["text", "image", "resource"], "{era} {target}: {mixed:#}");
            let failed = result(&call("test_error_handling", "{}"), 5);
            assert_eq!(failed["isError"], true, "{era} {target}: {failed:#}");
        }
    }
    let load =
        ["--method", "tools/call", "--tool-name", "test_simple_text", "--tool-args-json", "{}", "--load"];
    let load = [&load[..], &["--load-concurrency", "8", "--load-requests", "400"]].concat();
    let loaded = result(&inspector(&both, both.serving.url(), &load), 0);
    assert_eq!((&loaded["ok"], &loaded["errors"]), (&json!(400), &json!(0)), "{loaded:#}");
    println!("400 calls, 8 at once, over HTTP: {} a second, {}", loaded["throughput"], loaded["latencyMs"]);
}

/// An upstream of each era, published again from the lock: a list waits for neither.
const ERAS: &str = r#"
[adapters.memory]
driver = "mcp"
command = ["node", "{folder}/node_modules/@modelcontextprotocol/server-memory/dist/index.js"]
env = { MEMORY_FILE_PATH = "{{repo.root}}/memory.jsonl" }
expose = ["read_graph"]

[adapters.clock]
driver = "mcp"
command = ["{folder}/python/bin/mcp-server-time", "--local-timezone", "Etc/UTC"]
expose = ["convert_time"]
"#;

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn each_side_agrees_on_its_own_era() {
    let place = Place::new().with("PATH", path_with_node());
    place.write(CLONE, ERAS.replace("{folder}", &upstreams().display().to_string()));
    assert_eq!(place.run(&["-q", "lock"]).status, 0);
    place.build();
    let both = Both::of(place);
    let noon = r#"{"source_timezone":"Etc/UTC","time":"12:00","target_timezone":"Asia/Tokyo"}"#;
    for (name, era) in [("memory", "legacy"), ("clock", "modern")] {
        assert_eq!(both.place.json(&["adapters", "inspect", name, "--format", "json"])["era"], era);
    }
    for target in both.targets() {
        for era in ["legacy", "modern"] {
            let call = |tool: &str, given: &str| {
                let words = [
                    "--protocol-era",
                    era,
                    "--method",
                    "tools/call",
                    "--tool-name",
                    tool,
                    "--tool-args-json",
                ];
                result(&inspector(&both, target, &[&words[..], &[given]].concat()), 0)
            };
            let graph = call("memory_read_graph", "{}");
            assert_eq!(graph["structuredContent"]["entities"], json!([]), "{era} {target}: {graph:#}");
            let time = call("clock_convert_time", noon);
            assert!(
                time["content"][0]["text"].as_str().unwrap().contains("T21:00:00+09:00"),
                "{era} {target}: {time:#}"
            );
        }
    }
}
