//! A server of PyPI's SDK that gets another tool while kontext publishes its tools without a lock: clients hear of it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{CLONE, Place, upstreams};
use crate::sandbox::program;

/// How long an answer may take.
const LONG: Duration = Duration::from_secs(60);
/// Less than the time after which lists are asked for again anyway.
const TOLD: Duration = Duration::from_secs(40);

/// `kontext run` with a client of the older era.
struct Client {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Value>,
    heard: usize,
    last: u64,
}

impl Client {
    fn start(place: &Place) -> Client {
        let mut command = place.command(program());
        command.arg("run").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(serde_json::from_str(&line).unwrap());
            }
        });
        let input = child.stdin.take().unwrap();
        let mut client = Client { child, input, lines, heard: 0, last: 0 };
        client.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "t", "version": "1" } }),
        );
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn next(&mut self) -> Value {
        let message = self.lines.recv_timeout(LONG).expect("nothing came");
        self.heard += usize::from(message["method"] == "notifications/tools/list_changed");
        message
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        loop {
            let mut message = self.next();
            if message["id"] == self.last {
                return message["result"].take();
            }
        }
    }

    /// Waits until this tool is listed.
    fn until_there(&mut self, name: &str) {
        loop {
            let heard = self.heard;
            let list = self.ask("tools/list", json!({}));
            if list["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == name) {
                return;
            }
            while self.heard == heard {
                self.next();
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_server_of_the_newer_era_tells_of_a_tool_it_gets() {
    let python = upstreams().join("python/bin/python");
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upstreams/growing.py");
    let place = Place::new();
    place.write(CLONE, format!(
        "[adapters.growing]\ndriver = \"mcp\"\ncommand = [\"{}\", \"{}\"]\nprotocol = \"stateless\"\nexpose = \"all\"\nprefix = \"\"\n",
        python.display(), script.display()
    ));
    place.json(&["build", "--format", "json"]);
    let mut client = Client::start(&place);
    client.until_there("grow");
    let begun = Instant::now();
    let grown = client.ask("tools/call", json!({ "name": "grow", "arguments": {} }));
    assert_eq!(grown["content"][0]["text"], "grown", "{grown}");
    client.until_there("late");
    assert!(begun.elapsed() < TOLD, "it was not told");
}
