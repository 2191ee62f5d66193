//! `kontext run` as a process: what it writes, how it ends, and what it leaves behind.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::mcp::{SERVER, left, mark};
use crate::sandbox::Sandbox;

const CLONE: &str = "repo/.git/kontext/config.toml";
/// Longer than anything takes on a slow machine.
const LONG: Duration = Duration::from_secs(60);

/// The same server in the newer era.
fn modern() -> String {
    let discover = r#"say '"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}'"#;
    let refusal = r#"say '"error":{"code":-32601,"message":"unknown"}'"#;
    let listed = r#""result":{"tools":["#;
    let text = SERVER
        .replace(refusal, discover)
        .replace(listed, r#""result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":["#);
    text.replace(r#"say '"result":{"content""#, r#"say '"result":{"resultType":"complete","content""#)
}

/// A client that started kontext.
struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    modern: bool,
    next: i64,
    hello: Value,
    told: Vec<Value>,
}

impl Session {
    fn start(sandbox: &Sandbox, modern: bool, words: &[&str]) -> Session {
        let mut command = sandbox.command();
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let stdin = child.stdin.take();
        let mut session =
            Session { child, stdin, lines, modern, next: 0, hello: Value::Null, told: Vec::new() };
        session.hello = if modern {
            session.result("server/discover", json!({}))
        } else {
            let client = json!({ "name": "test", "version": "1" });
            let hello = session.result(
                "initialize",
                json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }),
            );
            session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
            hello
        };
        session
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn request(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        if self.modern {
            params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {} });
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    fn message(&self) -> Value {
        let line = self.lines.recv_timeout(LONG).expect("nothing came");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("this is no message: {line}"))
    }

    fn result(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        loop {
            let mut message = self.message();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].take();
            }
            self.told.push(message);
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    fn names(&mut self) -> Vec<String> {
        let list = self.result("tools/list", json!({}));
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        list["tools"].as_array().unwrap().iter().map(name).collect()
    }

    fn hear_of_changes(&mut self) {
        while !self.told.iter().any(|told| told["method"] == "notifications/tools/list_changed") {
            let message = self.message();
            self.told.push(message);
        }
        self.told.clear();
    }

    /// Ends the input, and gives the exit status, what came on standard error, and how long it took.
    fn end(mut self) -> (i32, String, Duration) {
        drop(self.stdin.take());
        self.ended()
    }

    fn ended(self) -> (i32, String, Duration) {
        let started = Instant::now();
        let output = self.child.wait_with_output().unwrap();
        let status = output.status.code().unwrap_or(-1);
        (status, String::from_utf8_lossy(&output.stderr).into_owned(), started.elapsed())
    }
}

/// A sandbox with a search over a program, and a server that publishes its tools.
fn sandbox(mark: &str, server: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let server = sandbox.write("server.sh", server);
    let config = format!(
        "[adapters.log]\ndriver = \"command\"\nops.search = {{ command = [\"echo\", \"found\", \"{{{{query}}}}\"], format = \"lines\" }}\n\
         [adapters.small]\ndriver = \"mcp\"\ncommand = [\"sh\", '{}', '{mark}']\nexpose = \"all\"\n",
        server.display()
    );
    sandbox.write(CLONE, &config);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    sandbox
}

const OWN: [&str; 4] = ["kontext_search", "read_hot_context", "route_context", "memory_health"];

#[test]
fn an_agent_lists_and_calls_in_either_era_whatever_the_upstream_speaks() {
    for (number, server) in [(1, SERVER.to_owned()), (2, modern())] {
        let mark = mark(10 + number);
        let sandbox = sandbox(&mark, &server);
        for is_modern in [false, true] {
            let mut session = Session::start(&sandbox, is_modern, &["run"]);
            let instructions = session.hello["instructions"].as_str().unwrap().to_owned();
            assert!(
                instructions.contains("log, small") && instructions.contains("`kontext_search`"),
                "{instructions}"
            );
            while !session.names().contains(&"small_find".to_owned()) {
                session.hear_of_changes();
            }
            assert_eq!(session.names(), [OWN.as_slice(), &["small_find"]].concat());
            let result = session.call("small_find", json!({ "query": "retry" }));
            assert_eq!(
                result["content"][0]["text"], r#"[{"title":"found"}]"#,
                "{number} {is_modern}: {result}"
            );
            let result = session.call("small_find", json!({ "query": "else" }));
            assert_eq!(result["isError"], true, "{result}");
            let result = session.call("kontext_search", json!({ "query": "retry" }));
            assert_eq!(result["structuredContent"]["hits"][0]["title"], "found retry", "{result}");
            let (status, err, time) = session.end();
            assert_eq!((status, err.as_str()), (0, ""));
            assert!(time < Duration::from_secs(30), "{time:?}");
            assert!(left(&mark).is_empty(), "{:?}", left(&mark));
        }
        let run = sandbox.run(&["run", "tool", "small_find", "--json", r#"{"query":"retry"}"#]);
        assert_eq!(run.status, 0, "{run:?}");
        assert_eq!(serde_json::from_str::<Value>(&run.out).unwrap()["content"][0]["type"], "text");
        let run = sandbox.run(&["run", "tool", "kontext_search", "--json", r#"{"query":"x"}"#, "--text"]);
        assert_eq!(run.out, "1. found x  [log]\n", "{run:?}");
        fails_as_the_tool_says(&sandbox);
        let run = sandbox.run(&["run", "tool", "small_fid", "--json", "{}"]);
        assert!(run.status == 1 && run.err.contains("did you mean `small_find`?"), "{run:?}");
    }
}

/// `run tool` of a tool that says it failed is a failed run, however it is asked: nothing on standard output.
fn fails_as_the_tool_says(sandbox: &Sandbox) {
    let why = "the tool `small_find` failed: nothing of that kind";
    for arguments in [["--json", r#"{"query":"else"}"#], ["--input", "query=else"]] {
        let words = [&["run", "tool", "small_find"], &arguments[..]].concat();
        for form in [&[][..], &["--text"], &["--format", "human"]] {
            let run = sandbox.run(&[&words, form].concat());
            let err = format!("error[call-failed]: {why}\n  --> .git/kontext/config.toml:4:11\n");
            assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (1, "", err.as_str()), "{form:?}");
        }
        let run = sandbox.run(&[&words, &["--format", "json"][..]].concat());
        let failure = json!({ "id": "call-failed", "message": why, "file": ".git/kontext/config.toml", "line": 4,
            "column": 11 });
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{run:?}");
        assert_eq!(serde_json::from_str::<Value>(&run.err).unwrap(), failure);
    }
}

#[test]
fn signals_end_it_and_everything_it_started() {
    for (number, signal) in [(1, Signal::SIGTERM), (2, Signal::SIGINT), (3, Signal::SIGKILL)] {
        let mark = mark(20 + number);
        // It answers no call, and does not end with its input.
        let sandbox = sandbox(&mark, &SERVER.replace(r#"*'"tools/call"'*"#, r#"*'"tools/none"'*"#));
        let mut session = Session::start(&sandbox, false, &["run"]);
        while !session.names().contains(&"small_find".to_owned()) {
            session.hear_of_changes();
        }
        session.request("tools/call", json!({ "name": "small_find", "arguments": { "query": "x" } }));
        session.names();
        assert!(!left(&mark).is_empty());
        kill(Pid::from_raw(session.child.id().try_into().unwrap()), signal).unwrap();
        let (status, err, time) = session.ended();
        assert_eq!((status, err.as_str()), (if signal == Signal::SIGKILL { -1 } else { 0 }, ""), "{signal}");
        assert!(time < Duration::from_secs(30), "{signal}: {time:?}");
        let started = Instant::now();
        while !left(&mark).is_empty() {
            assert!(signal == Signal::SIGKILL && started.elapsed() < LONG, "{signal}: {:?}", left(&mark));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn without_a_plan_it_says_so_and_serves_the_plan_that_comes() {
    let sandbox = Sandbox::new();
    let mut session = Session::start(&sandbox, false, &["run"]);
    let repo = std::fs::canonicalize(sandbox.repo()).unwrap();
    let mend = format!("To mend it, run `kontext -C {} build`", repo.display());
    let instructions = session.hello["instructions"].as_str().unwrap().to_owned();
    assert!(instructions.contains("there is no plan at `.git/kontext/plan.json`"), "{instructions}");
    assert!(instructions.contains(&mend), "{instructions}");
    assert_eq!(session.names(), ["kontext_status"]);
    let said = session.call("kontext_status", json!({}));
    assert!(said["content"][0]["text"].as_str().unwrap().contains(&mend), "{said}");
    // What is built then, in a folder that was not there, is served.
    let config = "[adapters.log]\ndriver = \"command\"\nops.search = { command = [\"echo\", \"{{query}}\"], format = \"lines\" }\n";
    sandbox.write(CLONE, config);
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    session.hear_of_changes();
    assert_eq!(session.names(), OWN);
    assert_eq!(session.call("kontext_search", json!({ "query": "x" }))["isError"], false);
    // A plan that is none changes nothing.
    sandbox.write("repo/.git/kontext/plan.json", "{}");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(session.names(), OWN);
    sandbox.write(CLONE, &config.replace("adapters.log", "adapters.diary"));
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    session.hear_of_changes();
    let (status, err, _) = session.end();
    assert!(status == 0 && err.contains("the new plan is not served, the one before is"), "{err}");
}

#[test]
fn every_reason_not_to_serve_is_told_in_the_conversation() {
    let sandbox = sandbox(&mark(30), SERVER);
    let plan = sandbox.repo().join(".git/kontext/plan.json");
    let good = std::fs::read_to_string(&plan).unwrap();
    let told = |words: &[&str]| {
        let mut session = Session::start(&sandbox, true, words);
        let said = session.call("kontext_status", json!({}));
        let (status, err, _) = session.end();
        let text = said["content"][0]["text"].as_str().unwrap().to_owned();
        let first =
            text.strip_prefix("kontext cannot serve its tools here: ").unwrap().lines().next().unwrap();
        assert!(status == 0 && err.contains(first), "{err}\n{text}");
        text
    };
    for (text, words) in [
        (good.replace("\"adapters\"", "\"adapter\""), "is not a kontext plan"),
        (good.replace("small", "smell"), "digest"),
        (good.replace("\"format\":1", "\"format\":99"), "format"),
        (String::from_utf8_lossy(&[0xff, 0xfe]).into_owned(), "plan"),
    ] {
        std::fs::write(&plan, text).unwrap();
        let said = told(&["run"]);
        assert!(said.contains(words) && said.contains("\n  --> .git/kontext/plan.json:1:1"), "{said}");
    }
    std::fs::write(&plan, &good).unwrap();
    sandbox.write(CLONE, "# another\n");
    let said = told(&["run"]);
    assert!(
        said.contains("`.git/kontext/config.toml` changed\n  --> .git/kontext/config.toml:1:1\n"),
        "{said}"
    );
    assert!(!said.contains("--allow-stale"), "{said}");
    let said = told(&["-C", "/no/such/directory", "run"]);
    assert!(said.contains("`/no/such/directory`"), "{said}");
    let said = told(&["run", "--plan", "other plan.json"]);
    assert!(said.contains("no plan at `other plan.json`") && said.contains("build -o '"), "{said}");
}
