//! A client over streamable HTTP, on one connection that stays open.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Fallible, message};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection with its session.
pub struct Client {
    stream: BufReader<TcpStream>,
    port: u16,
    path: &'static str,
    session: Option<String>,
}

/// One answer.
struct Answer {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Client {
    /// Connects and says hello.
    ///
    /// # Errors
    /// When nobody listens, or the answer is none.
    pub fn open(port: u16, path: &'static str) -> Fallible<Client> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut client = Client { stream: BufReader::new(stream), port, path, session: None };
        let hello = client.post(&message::hello())?;
        if hello.status != 200 {
            return Err(format!("status {} for hello: {}", hello.status, hello.body).into());
        }
        client.session = hello.session;
        client.post(&message::ready())?;
        Ok(client)
    }

    /// Names of the tools.
    ///
    /// # Errors
    /// When the answer is none.
    pub fn tools(&mut self) -> Fallible<Vec<String>> {
        Ok(message::names(&self.ask(1, "tools/list", &json!({}))?))
    }

    /// Calls a tool that says what it is told.
    ///
    /// # Errors
    /// When it does not.
    pub fn say(&mut self, id: u64, tool: &str, text: &str) -> Fallible<()> {
        let answer = self.ask(id, "tools/call", &json!({ "name": tool, "arguments": { "text": text } }))?;
        match answer["result"]["content"][0]["text"].as_str() {
            Some(said) if said == text => Ok(()),
            _ => Err(format!("`{tool}` answers {answer}").into()),
        }
    }

    /// A request and its answer, whatever it says.
    ///
    /// # Errors
    /// When there is none.
    pub fn ask(&mut self, id: u64, method: &str, params: &Value) -> Fallible<Value> {
        let answer = self.post(&message::request(id, method, params))?;
        // The body is the message, or a stream of events of which one is.
        let mut lines = answer.body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line));
        let found =
            lines.find_map(|line| serde_json::from_str::<Value>(line).ok().filter(|found| found["id"] == id));
        found
            .ok_or_else(|| format!("status {}, no answer to {method}: {}", answer.status, answer.body).into())
    }

    fn post(&mut self, message: &Value) -> Fallible<Answer> {
        let body = message.to_string();
        let session = self.session.as_ref().map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{session}MCP-Protocol-Version: 2025-06-18\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.path,
            self.port,
            body.len(),
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.answer()
    }

    fn answer(&mut self) -> Fallible<Answer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or("no status")?;
        let (mut length, mut chunked, mut session) = (0_usize, false, None);
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            match (name.to_ascii_lowercase().as_str(), value.trim()) {
                ("content-length", value) => length = value.parse()?,
                ("transfer-encoding", "chunked") => chunked = true,
                ("mcp-session-id", value) => session = Some(value.to_owned()),
                _ => {}
            }
        }
        let body = if chunked { self.chunks()? } else { self.exactly(length)? };
        Ok(Answer { status, session, body: String::from_utf8(body)? })
    }

    fn chunks(&mut self) -> Fallible<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = usize::from_str_radix(self.line()?.trim(), 16)?;
            body.extend(self.exactly(size)?);
            self.line()?;
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn exactly(&mut self, length: usize) -> Fallible<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn line(&mut self) -> Fallible<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err("the connection ended".into());
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}
