//! `kontext run --http` as a process: its address, its end, its refusals, and a log without secrets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// How long anything may take before a test gives it up.
const LONG: Duration = Duration::from_secs(30);

const PLAN: &str = r#"
[adapters.a]
driver = "command"

[[adapters.a.tools]]
name = "say"
description = "Says it"
params.words = "string"
op = { command = ["sh", "-c", "printf 'said %s, token %s' \"$1\" \"$TOKEN\"", "sh", "{{words}}"], format = "text" }

[[adapters.a.tools]]
name = "fail"
description = "Fails with it"
params.words = "string"
op = { command = ["sh", "-c", "echo \"failed with $1\" >&2; exit 3", "sh", "{{words}}"], format = "text" }
"#;

/// A sandbox with a plan.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("repo/.git/kontext/config.toml", PLAN);
    let run = sandbox.run(&["build", "-q"]);
    assert_eq!(run.status, 0, "{run:?}");
    sandbox
}

/// A server that runs.
struct Running {
    child: Child,
    err: BufReader<ChildStderr>,
    /// What it said before it listened, and that line.
    said: String,
    address: String,
}

impl Running {
    fn start(sandbox: &Sandbox, words: &[&str], variables: &[(&str, &str)]) -> Running {
        let mut command = sandbox.command();
        command.args(["run", "--http", "127.0.0.1:0"]).args(words).envs(variables.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let before = said.len();
            assert!(err.read_line(&mut said).unwrap() > 0, "it ended: {said}");
            if let Some((_, rest)) = said[before..].split_once("http://") {
                break rest.split('/').next().unwrap().to_owned();
            }
        };
        Running { child, err, said, address }
    }

    /// Calls a tool and gives the answer, head and all.
    fn call(&self, tool: &str, words: &str, headers: &str) -> String {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": { "words": words }, "_meta": meta,
        }})
        .to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\nContent-Length: {}\r\n{headers}\r\n",
            self.address,
            body.len()
        );
        self.send(&format!("{head}{body}"))
    }

    fn get(&self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    fn send(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it with a signal: its status, standard output, and everything on standard error.
    fn end(mut self, signal: Signal) -> (Option<i32>, String, String) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
        let begin = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if begin.elapsed() > LONG => panic!("it does not end"),
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let (mut out, mut err) = (String::new(), self.said.clone());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.err.read_to_string(&mut err).unwrap();
        (status.code(), out, err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn it_says_where_it_listens_and_ends_when_asked() {
    let sandbox = sandbox();
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let server = Running::start(&sandbox, &[], &[]);
        assert!(server.said.starts_with("kontext: listening on http://127.0.0.1:"), "{}", server.said);
        assert!(server.get("/healthz").ends_with("ok\n"));
        assert!(server.call("say", "hello", "").contains("said hello"));
        assert!(server.get("/metrics").contains("kontext_tool_calls_total{tool=\"say\",outcome=\"ok\"} 1"));
        let (status, out, err) = server.end(signal);
        assert_eq!((status, out.as_str()), (Some(0), ""), "{err}");
    }
}

/// An MCP server that answers no call, and neither the end of its input nor `TERM` ends it.
const STUBBORN: &str = r#"#!/bin/sh
trap '' TERM INT HUP
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"server/discover"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id" ;;
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"wait","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    esac
done
while :; do sleep 600; done
"#;

#[test]
fn servers_that_hang_hold_the_end_up_for_seconds_only() {
    let sandbox = Sandbox::new();
    let mark = format!("9{:07}1", std::process::id());
    let script = sandbox.write("stubborn.sh", STUBBORN).display().to_string();
    let config = format!(
        "[adapters.s]\ndriver = \"mcp\"\ncommand = [\"sh\", '{script}', '{mark}']\ntimeout_ms = 600000\n\
         [[adapters.s.tools]]\nname = \"wait\"\ndescription = \"d\"\nparams = {{ words = \"string\" }}\nop = {{ tool = \"wait\", args = {{}} }}\n"
    );
    sandbox.write("repo/.git/kontext/config.toml", &config);
    assert_eq!(sandbox.run(&["build", "-q"]).status, 0);
    let server = Running::start(&sandbox, &[], &[]);
    let address = server.address.clone();
    let answer = std::thread::scope(|scope| {
        let answer = scope.spawn(|| server.call("wait", "x", ""));
        let begin = Instant::now();
        while !server.get("/metrics").contains("kontext_calls_in_flight{adapter=\"s\"} 1") {
            assert!(begin.elapsed() < LONG, "the call never began");
            std::thread::sleep(Duration::from_millis(20));
        }
        kill(Pid::from_raw(server.child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        answer.join().unwrap()
    });
    assert!(answer.contains("kontext ends"), "{answer}");
    // A second signal changes nothing.
    let (status, ..) = server.end(Signal::SIGTERM);
    assert_eq!(status, Some(0));
    assert!(TcpStream::connect(&address).is_err());
    let begin = Instant::now();
    while !crate::mcp::left(&mark).is_empty() {
        assert!(begin.elapsed() < LONG, "{:?} is left", crate::mcp::left(&mark));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_token_is_for_clients_alone() {
    let sandbox = sandbox();
    let server = Running::start(&sandbox, &["--token-env", "TOKEN"], &[("TOKEN", "t0ken-of-a-test")]);
    assert!(server.call("say", "x", "").starts_with("HTTP/1.1 401"));
    assert!(server.get("/metrics").starts_with("HTTP/1.1 401"));
    let answer = server.call("say", "x", "Authorization: Bearer t0ken-of-a-test\r\n");
    assert!(answer.contains("said x, token ") && !answer.contains("t0ken"), "{answer}");
    let (_, _, err) = server.end(Signal::SIGTERM);
    assert!(!err.contains("t0ken"), "{err}");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let sandbox = sandbox();
    let cases: [(&[&str], &str); 9] = [
        (&["--http", "0.0.0.0:0"], "needs `--token-env NAME`"),
        (&["--http", "[::]:0"], "needs `--token-env NAME`"),
        (&["--http", "127.0.0.1:0", "--token-env", "NONE"], "`NONE` of `--token-env` is not set"),
        (&["--http", "127.0.0.1:0", "--token-env", "BLANK"], "which no header takes"),
        (&["--http", "example.com:80"], "`example.com:80` is no address"),
        (&["--http", ":80"], "`127.0.0.1:80` for this machine"),
        (&["--http", "127.0.0.1:0", "--allow-host", "http://a"], "`http://a` is no host name"),
        (&["--token-env", "BLANK"], "--http"),
        (&["--http", "127.0.0.1:0", "search", "x"], "does not go with a form"),
    ];
    for (words, told) in cases {
        let output = sandbox.command().arg("run").args(words).env("BLANK", "a b").output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}: {err}");
        assert!(err.contains(told), "{words:?}: {err}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let run = sandbox.run(&["run", "--http", &taken.local_addr().unwrap().to_string()]);
    assert!(run.status == 2 && run.err.contains("cannot be listened at: address already in use"), "{run:?}");
}

#[test]
fn the_log_has_a_line_a_call_and_nothing_that_was_said() {
    let sandbox = sandbox();
    let secret = "hunter2-of-a-test";
    let server = Running::start(&sandbox, &["--log-format", "json"], &[("TOKEN", secret)]);
    assert!(server.call("say", secret, "").contains(secret));
    assert!(server.call("fail", secret, "").contains("failed with"));
    server.call(secret, secret, "");
    server.call("say", secret, &format!("Origin: http://{secret}.example\r\n"));
    let (_, out, err) = server.end(Signal::SIGTERM);
    assert_eq!(out, "");
    assert!(!err.contains(secret), "{err}");
    let lines: Vec<Value> = err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let called = |tool: &str, outcome: &str| {
        lines.iter().any(|line| {
            line["message"] == "tool call"
                && line["tool"] == tool
                && line["outcome"] == outcome
                && line["ms"].is_number()
        })
    };
    assert!(lines[0]["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{err}");
    assert!(
        called("say", "ok") && called("fail", "call-failed") && called("(unknown)", "unknown-tool"),
        "{err}"
    );
    let of_adapter =
        |line: &Value| line["message"] == "call" && line["adapter"] == "a" && line["span"]["tool"] == "say";
    assert!(
        lines.iter().any(|line| of_adapter(line) && line["bytes"].as_u64().is_some_and(|bytes| bytes > 10)),
        "{err}"
    );
    assert!(lines.iter().any(|line| line["reason"] == "origin"), "{err}");
}

#[test]
fn a_log_is_written_when_it_is_asked_for() {
    let sandbox = sandbox();
    let words = ["run", "tool", "say", "--json", "{\"words\":\"quiet-word\"}"];
    let run = sandbox.run(&words);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    for extra in [&["-v"][..], &["--log-format", "text"]] {
        let run = sandbox.run(&[&words, extra].concat());
        assert!(run.err.contains("call adapter=\"a\" op=\"say\" ms="), "{run:?}");
        assert!(run.err.contains("outcome=\"ok\"") && !run.err.contains("quiet-word"), "{run:?}");
        assert!(run.out.contains("quiet-word") && !run.out.contains("outcome"), "{run:?}");
    }
}

#[test]
fn a_log_that_nobody_reads_holds_nobody_up() {
    let sandbox = sandbox();
    let server = Running::start(&sandbox, &["-v"], &[]);
    // A pipe holds 64 KiB; each call writes about 200 bytes, and nothing is read until the end.
    for _ in 0..1500 {
        assert!(server.call("nothing", "x", "").contains("-32602"));
    }
    let (status, ..) = server.end(Signal::SIGTERM);
    assert_eq!(status, Some(0));
}
