//! A client of the older era over standard input and output, as small as it can be.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// A running server and the connection to it; dropped, the server is killed.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    /// Starts `kontext run` and opens the connection.
    pub fn start(sandbox: &Sandbox, words: &[&str]) -> Client {
        let mut command = sandbox.command();
        command.arg("run").args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client { child, input, output, last: 0 };
        let about = json!({ "name": "suite", "version": "1" });
        client.send(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about }),
        );
        let answer = client.receive();
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a call without waiting for its answer.
    pub fn send_call(&mut self, name: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// A call and its answer.
    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        let id = self.send_call(name, arguments);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The next answer.
    pub fn receive(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert!(read > 0, "the server ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"].is_null() {
                return message;
            }
        }
    }

    /// Ends the input and waits for the process.
    pub fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }

    /// Kills the process, as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input.as_ref().unwrap(), "{message}").unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
