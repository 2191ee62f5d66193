//! A web server that records what it is asked, for telling apart what two plans send.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::mcp;

/// How long an address that begins with `/slow` takes.
const SLOW: Duration = Duration::from_millis(200);

/// A running server; it ends with the process.
pub struct Server {
    /// `127.0.0.1` and the port.
    pub address: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// One that answers every request with a list of one item.
    pub fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream, &kept));
            }
        });
        Server { address, asked }
    }

    /// The requests since the last look: method, path, query, headers and body.
    pub fn take(&self) -> Value {
        Value::Array(std::mem::take(&mut *self.asked.lock().unwrap()))
    }
}

fn serve(mut stream: TcpStream, kept: &Mutex<Vec<Value>>) {
    let Some((head, body)) = read(&mut stream) else { return };
    let asked = request(&head, &body);
    let slow = asked["path"].as_str().is_some_and(|path| path.starts_with("/slow"));
    let bodyless = asked["method"] == "HEAD";
    let is_mcp = asked["path"].as_str().is_some_and(|path| path.contains("/mcp"));
    let (status, answer) =
        if is_mcp { mcp::answer(&asked) } else { ("200 OK", r#"[{"title":"one"}]"#.to_owned()) };
    kept.lock().unwrap().push(asked);
    if slow {
        std::thread::sleep(SLOW);
    }
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(if bodyless { b"" } else { answer.as_bytes() });
}

/// Head and body of a request; none when the connection broke off.
fn read(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some((head.to_owned(), body.to_owned()));
            }
        }
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}

/// A request as a value; a body that is JSON as such.
fn request(head: &str, body: &str) -> Value {
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, target) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
    let headers: Map<String, Value> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), Value::from(value)))
        .collect();
    let body = serde_json::from_str(body).unwrap_or_else(|_| Value::from(body));
    json!({ "method": method, "path": path, "query": query, "headers": headers, "body": body })
}
