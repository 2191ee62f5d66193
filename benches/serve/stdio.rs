//! A client over standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::{Fallible, message};

/// A started server and the connection to it; dropped, the server ends.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    /// Opens the connection to a process that was started with pipes.
    ///
    /// # Errors
    /// When it has none, or does not answer.
    pub fn open(mut child: Child) -> Fallible<Client> {
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut client = Client { child, input, output };
        client.write(&message::hello())?;
        client.answer(0)?;
        client.write(&message::ready())?;
        Ok(client)
    }

    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Names of the tools.
    ///
    /// # Errors
    /// When the server does not answer.
    pub fn tools(&mut self) -> Fallible<Vec<String>> {
        self.write(&message::request(1, "tools/list", &json!({})))?;
        Ok(message::names(&self.answer(1)?))
    }

    /// Calls the first upstream's first tool; it says what it is told.
    ///
    /// # Errors
    /// When the answer is another.
    pub fn say(&mut self, id: u64, words: &str) -> Fallible<()> {
        let call = json!({ "name": "alpha_say_0", "arguments": { "text": words } });
        self.write(&message::request(id, "tools/call", &call))?;
        let answer = self.answer(id)?;
        if answer["result"]["content"][0]["text"] == words { Ok(()) } else { Err(answer.to_string().into()) }
    }

    fn write(&mut self, message: &Value) -> Fallible<()> {
        writeln!(self.input.as_ref().ok_or("the input ended")?, "{message}")?;
        Ok(())
    }

    fn answer(&mut self, id: u64) -> Fallible<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server ended without an answer".into());
            }
            // Some servers greet people on standard output.
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if message["id"] == id {
                return Ok(message);
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        crate::peer::end(&mut self.child);
    }
}
