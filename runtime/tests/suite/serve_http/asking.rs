//! Requests by hand: what a client sends, byte for byte, and what it gets.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{LONG, Up};

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Answer {
    /// The message in the body: JSON, or the data of the last event that has some.
    pub fn message(&self) -> Value {
        let event = self.body.lines().filter_map(|line| line.strip_prefix("data: ")).next_back();
        serde_json::from_str(event.unwrap_or(&self.body)).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }
}

/// Sends bytes and reads until the server closes.
pub async fn raw(up: &Up, text: &str) -> Answer {
    let mut stream = TcpStream::connect(up.address).await.unwrap();
    let mut bytes = Vec::new();
    // A server that refuses a long message closes before it was read.
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("no end of the answer");
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Answer { status, head: head.to_ascii_lowercase(), body }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        text.push_str(rest.get(..size).unwrap_or(rest));
        body = rest.get(size + 2..).unwrap_or("");
    }
    text
}

pub async fn get(up: &Up, path: &str, headers: &str) -> Answer {
    raw(up, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")).await
}

/// A request of the newer era.
pub fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

pub fn call(tool: &str, query: &str) -> Value {
    modern("tools/call", json!({ "name": tool, "arguments": { "query": query } }))
}

/// The headers of such a request.
pub const VERSION: &str = "MCP-Protocol-Version: 2026-07-28\r\n";

pub fn naming(tool: &str) -> String {
    format!("{VERSION}Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n")
}

pub fn request(headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

pub async fn post(up: &Up, headers: &str, body: &Value) -> Answer {
    raw(up, &request(headers, &body.to_string())).await
}
