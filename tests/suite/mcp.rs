//! The wiring of MCP servers through the program itself: its guard, its exit, and what it leaves behind.

#[path = "mcp/lock.rs"]
mod lock;

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

/// The layer of the clone.
pub const CLONE: &str = "repo/.git/kontext/config.toml";

/// A server of the older era, as small as a shell can write it. It stays when its input ends.
pub const SERVER: &str = r#"#!/bin/sh
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"server/discover"'*) say '"error":{"code":-32601,"message":"unknown"}' ;;
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"small","version":"1.0"}}' ;;
    *'"tools/list"'*) say '"result":{"tools":[{"name":"find","description":"Finds","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}]}' ;;
    *'"tools/call"'*'"query":"retry"'*) say '"result":{"content":[{"type":"text","text":"[{\"title\":\"found\"}]"}]}' ;;
    *'"tools/call"'*) say '"result":{"isError":true,"content":[{"type":"text","text":"nothing of that kind"}]}' ;;
    esac
done
exec sleep 600.$1
"#;

/// A sandbox whose adapter is the server; the mark is in the command lines of all its processes.
pub fn sandbox(mark: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let server = sandbox.write("server.sh", SERVER);
    let config = format!(
        "[adapters.small]\ndriver = \"mcp\"\ncommand = [\"sh\", '{}', '{mark}']\nops.search = {{ tool = \"find\" }}\n",
        server.display()
    );
    sandbox.write(CLONE, &config);
    sandbox
}

/// A number that no other process has in its command line.
pub fn mark(number: u32) -> String {
    format!("7{:07}{number}", std::process::id())
}

pub fn left(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

#[test]
fn one_call_starts_and_ends_a_server() {
    let mark = mark(1);
    let sandbox = sandbox(&mark);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    let started = Instant::now();
    let run = sandbox.run(&["run", "op", "small.search", "--input", "query=retry"]);
    assert_eq!(run.status, 0, "{run:?}");
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["hits"][0]["title"], "found", "{run:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(left(&mark).is_empty(), "{:?}", left(&mark));
    let run = sandbox.run(&["run", "op", "small.search", "--input", "query=else"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("the tool `find` failed: nothing of that kind"), "{run:?}");
    assert!(left(&mark).is_empty(), "{:?}", left(&mark));
}

#[test]
fn a_server_is_inspected_and_tested() {
    let mark = mark(2);
    let sandbox = sandbox(&mark);
    let run = sandbox.run(&["adapters", "inspect", "small", "--format", "json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["era"], "legacy");
    assert_eq!(found["tools"][0]["parameters"][0]["required"], true);
    assert_eq!(found["ops"][0]["arguments"][0], "query");
    let run = sandbox.run(&["adapters", "inspect", "small"]);
    for line in ["small: `small` 1.0 over stdio, protocol 2025-11-25 (legacy)", "query  string  required"] {
        assert!(run.out.contains(line), "{run:?}");
    }
    let run = sandbox.run(&["adapters", "test", "small", "--input", "query=retry"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("1 tool\nok      small.search: 1 hit, the first `found`"), "{run:?}");
    let run = sandbox.run(&["adapters", "test", "small"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(left(&mark).is_empty(), "{:?}", left(&mark));
}

#[test]
fn killing_kontext_ends_its_servers() {
    let mark = mark(3);
    let sandbox = sandbox(&mark);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    for moment in [5, 30, 60, 120] {
        let mut command = sandbox.command();
        command.args(["run", "op", "small.search", "--input", "query=retry"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        let started = Instant::now();
        while !left(&mark).is_empty() {
            assert!(started.elapsed() < Duration::from_secs(80), "{:?}", left(&mark));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn the_guard_says_why_it_started_nothing() {
    let output = Sandbox::new().command().args(["guard", "--", "/no/such/program"]).output().unwrap();
    let run = Run::from(output);
    assert_eq!((run.status, run.out.as_str()), (127, ""));
    assert!(run.err.contains("not-started 2"), "{run:?}");
}
