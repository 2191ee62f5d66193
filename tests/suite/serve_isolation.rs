//! What a server of tools leaves behind: nothing, whatever its upstreams do, however it ends, and however long it runs.

#[path = "serve_isolation/client.rs"]
mod client;
#[path = "../../benches/serve/http.rs"]
#[allow(dead_code, reason = "the bench uses what this test does not")]
mod http;
#[path = "../../benches/serve/message.rs"]
mod message;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use client::Client;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// How long a process may take to be gone.
const PATIENCE: Duration = Duration::from_secs(20);
/// Calls that wait for their answers at once.
const AT_ONCE: usize = 12;

/// A server of the older era in plain shell: `$1` is its mark, `$2` how it fails at every `$3`-th call.
const FLAPPING: &str = r#"#!/bin/sh
calls=0
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
while read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case "$line" in
    *'"server/discover"'*) say '"error":{"code":-32601,"message":"unknown"}' ;;
    *'"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"flapping","version":"1"}}' ;;
    *'"tools/list"'*) say '"result":{"tools":[{"name":"find","description":"Finds","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}]}' ;;
    *'"tools/call"'*)
        calls=$((calls + 1))
        if [ $((calls % $3)) = 0 ]; then
            case "$2" in
            dies) exit 3 ;;
            hangs) continue ;;
            babbles) printf 'not json at all\n' && say '"error":{"code":-32603,"message":"out of luck"}' && continue ;;
            esac
        fi
        say '"result":{"content":[{"type":"text","text":"found"}]}' ;;
    esac
done
exec sleep 600.$1
"#;

const CLONE: &str = "repo/.git/kontext/config.toml";
const HOT: &str = "repo/.ai/agent-notes.md";

/// The part of a command line by which a test finds its processes.
fn mark(number: u32) -> String {
    format!("8{:07}{number}", std::process::id())
}

/// Three upstreams, each failing in its own way, behind a tool each.
fn flapping(mark: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let server = sandbox.write("server.sh", FLAPPING).display().to_string();
    let config: String = [("dies", 7), ("hangs", 11), ("babbles", 5)]
        .map(|(way, every)| {
            format!(
                "[adapters.{way}]\ndriver = \"mcp\"\ncommand = [\"sh\", '{server}', '{mark}', '{way}', '{every}']\n\
                 timeout_ms = 400\n[[adapters.{way}.tools]]\nname = \"ask_{way}\"\ndescription = \"Asks\"\n\
                 params = {{ query = \"string!\" }}\nop = {{ tool = \"find\", args = {{ query = \"{{{{query}}}}\" }} }}\n"
            )
        })
        .concat();
    sandbox.write(CLONE, &config);
    built(&sandbox);
    sandbox
}

fn built(sandbox: &Sandbox) {
    let run = sandbox.run(&["-q", "build"]);
    assert_eq!(run.status, 0, "{}", run.err);
}

/// Processes with the mark in their command lines.
fn marked(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

fn assert_gone(mark: &str, what: &str) {
    let started = Instant::now();
    while !marked(mark).is_empty() {
        assert!(started.elapsed() < PATIENCE, "{what}: {:#?}", marked(mark));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What a process holds.
#[derive(Debug, PartialEq)]
struct Held {
    threads: usize,
    descriptors: usize,
    upstreams: usize,
}

impl Held {
    fn of(pid: u32, mark: &str) -> Held {
        let count = |what: &str| std::fs::read_dir(format!("/proc/{pid}/{what}")).unwrap().count();
        Held { threads: count("task"), descriptors: count("fd"), upstreams: marked(mark).len() }
    }

    /// What it holds when nothing changes any more.
    fn settled(pid: u32, mark: &str) -> Held {
        let started = Instant::now();
        let mut last = Held::of(pid, mark);
        loop {
            std::thread::sleep(Duration::from_millis(300));
            let now = Held::of(pid, mark);
            if now == last || started.elapsed() > PATIENCE {
                return now;
            }
            last = now;
        }
    }
}

/// Memory of a process that is its own, in KiB.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Each upstream answers at least once, so that all of them are there.
fn all_awake(client: &mut Client) {
    for way in ["dies", "hangs", "babbles"] {
        let name = format!("ask_{way}");
        let woken = (0..20).any(|_| !is_error(&client.call(&name, json!({ "query": "x" }))));
        assert!(woken, "`{way}` never answers");
    }
}

fn is_error(answer: &Value) -> bool {
    answer["result"]["isError"] == true || answer["error"].is_object()
}

#[test]
fn flapping_upstreams_leave_nothing_behind() {
    if !std::path::Path::new("/proc/self/task").exists() {
        return;
    }
    let mark = mark(1);
    let sandbox = flapping(&mark);
    let mut client = Client::start(&sandbox, &[]);
    all_awake(&mut client);
    let before = Held::settled(client.pid(), &mark);
    let names = ["ask_dies", "ask_hangs", "ask_babbles"];
    let (mut open, mut failed) = (BTreeSet::new(), 0);
    for number in 0..500 {
        open.insert(client.send_call(names[number % 3], json!({ "query": format!("q{number}") })));
        if open.len() == AT_ONCE || number == 499 {
            while !open.is_empty() {
                let answer = client.receive();
                assert!(open.remove(&answer["id"].as_u64().unwrap()), "an answer to nothing: {answer}");
                failed += usize::from(is_error(&answer));
            }
        }
    }
    assert!((20..400).contains(&failed), "{failed} of 500 calls failed");
    all_awake(&mut client);
    let after = Held::settled(client.pid(), &mark);
    assert_eq!(before, after);
    let end = client.end();
    assert!(end.success(), "{end}");
    assert_gone(&mark, "after the end");
}

#[test]
fn a_killed_server_leaves_no_upstream() {
    if !std::path::Path::new("/proc/self/task").exists() {
        return;
    }
    let mark = mark(2);
    let sandbox = flapping(&mark);
    for moment in [0, 40, 150] {
        let mut client = Client::start(&sandbox, &[]);
        all_awake(&mut client);
        for number in 0..30 {
            client.send_call("ask_hangs", json!({ "query": format!("q{number}") }));
        }
        std::thread::sleep(Duration::from_millis(moment));
        assert!(!marked(&mark).is_empty());
        client.kill();
        assert_gone(&mark, &format!("killed after {moment} ms"));
    }
}

#[test]
fn a_killed_server_leaves_no_command() {
    if !std::path::Path::new("/proc/self/task").exists() {
        return;
    }
    let mark = mark(4);
    let sandbox = Sandbox::new();
    let tool = |name: &str, words: &str| {
        format!(
            "[[adapters.a.tools]]\nname = \"{name}\"\ndescription = \"Runs\"\nparams = {{}}\n\
             op = {{ command = [{words}] }}\n"
        )
    };
    let deaf = format!("\"sh\", \"-c\", \"trap '' TERM; sleep 600.{mark} & wait; sleep 601.{mark}\"");
    let config = [tool("quick", "\"true\""), tool("deaf", &deaf)].concat();
    sandbox.write(CLONE, &format!("[adapters.a]\ndriver = \"command\"\n{config}"));
    built(&sandbox);
    let mut client = Client::start(&sandbox, &[]);
    for _ in 0..3 {
        assert!(!is_error(&client.call("quick", json!({}))));
    }
    for _ in 0..5 {
        client.send_call("deaf", json!({}));
    }
    let started = Instant::now();
    while marked(&mark).len() < 10 {
        assert!(started.elapsed() < PATIENCE, "{:#?}", marked(&mark));
        std::thread::sleep(Duration::from_millis(20));
    }
    client.kill();
    assert_gone(&mark, "killed");
}

/// A server over HTTP; dropped, it is killed.
struct Listening {
    child: Child,
    port: u16,
}

impl Listening {
    fn start(sandbox: &Sandbox) -> Listening {
        let mut command = sandbox.command();
        command.args(["run", "--http", "127.0.0.1:0"]).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
        let port = said.trim_end().strip_suffix("/mcp").and_then(|url| url.rsplit_once(':'));
        let port = port.and_then(|(_, port)| port.parse().ok());
        Listening { child, port: port.unwrap_or_default() }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a service manager does.
    fn end(mut self) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.pid()).unwrap());
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One client's calls, with a connection that is dropped now and then, without a word; how many failed.
fn visitor(port: u16, number: usize) -> usize {
    let mut failed = 0;
    for visit in 0..8 {
        let mut client = http::Client::open(port, "/mcp").unwrap();
        for call in 0..8 {
            let name = ["ask_dies", "ask_hangs", "ask_babbles"][(number + visit + call) % 3];
            let params = json!({ "name": name, "arguments": { "query": format!("q{number}{visit}{call}") } });
            failed += usize::from(is_error(&client.ask(call as u64 + 2, "tools/call", &params).unwrap()));
        }
    }
    failed
}

/// Each upstream answers a client that then goes.
fn awake(port: u16) {
    let mut client = http::Client::open(port, "/mcp").unwrap();
    for (at, name) in ["ask_dies", "ask_hangs", "ask_babbles"].iter().enumerate() {
        let params = json!({ "name": name, "arguments": { "query": "x" } });
        let ask = |number: u64| client.ask(at as u64 * 20 + number, "tools/call", &params).unwrap();
        assert!((2..22).map(ask).any(|answer| !is_error(&answer)), "`{name}` never answers");
    }
}

#[test]
fn visitors_over_http_leave_nothing_behind() {
    if !std::path::Path::new("/proc/self/task").exists() {
        return;
    }
    let mark = mark(3);
    let sandbox = flapping(&mark);
    let server = Listening::start(&sandbox);
    let port = server.port;
    awake(port);
    let before = Held::settled(server.pid(), &mark);
    let failed: usize = std::thread::scope(|scope| {
        let visitors: Vec<_> = (0..8).map(|number| scope.spawn(move || visitor(port, number))).collect();
        visitors.into_iter().map(|visitor| visitor.join().unwrap()).sum()
    });
    assert!((20..400).contains(&failed), "{failed} of 512 calls failed");
    awake(port);
    assert_eq!(before, Held::settled(server.pid(), &mark));
    server.end();
    assert_gone(&mark, "after the end");
}

/// Calls that need no upstream, in lots; memory after each lot.
fn memory_after(lots: &[usize]) -> Vec<u64> {
    let sandbox = Sandbox::new();
    let sections = (0..6).map(|n| {
        format!(
            "<!-- section:part-{n} -->\nNotes about the retry policy, part {n}.\n<!-- /section:part-{n} -->\n"
        )
    });
    sandbox.write(HOT, &sections.collect::<String>());
    built(&sandbox);
    let mut client = Client::start(&sandbox, &[]);
    let mut done = 0;
    lots.iter()
        .map(|until| {
            while done < *until {
                let lot = AT_ONCE.min(until - done);
                for number in done..done + lot {
                    let (name, arguments) = match number % 3 {
                        0 => ("route_context", json!({ "query": format!("retry part {number}") })),
                        1 => ("memory_health", json!({})),
                        _ => ("read_hot_context", json!({ "active_scope": format!("part-{}", number % 50) })),
                    };
                    client.send_call(name, arguments);
                }
                for _ in 0..lot {
                    let answer = client.receive();
                    assert!(!is_error(&answer), "{answer}");
                }
                done += lot;
            }
            resident(client.pid())
        })
        .collect()
}

#[test]
fn local_calls_do_not_grow_memory() {
    if std::path::Path::new("/proc/self/status").exists() {
        let memory = memory_after(&[500, 3_000]);
        assert!(memory[1] < memory[0] + 2_000, "{memory:?} KiB");
    }
}

/// A week's worth of calls.
#[test]
#[ignore = "takes a minute: run with --ignored"]
fn a_hundred_thousand_local_calls_do_not_grow_memory() {
    if std::path::Path::new("/proc/self/status").exists() {
        let memory = memory_after(&[1_000, 10_000, 50_000, 100_000]);
        println!("{memory:?} KiB after 1,000, 10,000, 50,000 and 100,000 calls");
        assert!(memory[3] < memory[1] + 1_000, "{memory:?} KiB");
    }
}
