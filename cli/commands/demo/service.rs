//! The demo's HTTP service: a few notes behind a JSON interface, on a free port of this machine.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

const NOTES: &str = include_str!("../../../fixtures/demo/notes/notes.json");

/// Serves until the process ends, and gives the address.
///
/// # Errors
/// When no port can be opened.
pub fn start() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that goes away in the middle is its own affair.
            std::thread::spawn(move || serve(&stream));
        }
    });
    Ok(address)
}

fn serve(mut stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = request.split(' ').nth(1).unwrap_or("/");
    let (status, body) = answer(target);
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// `/api/search?q=…&n=…` and `/api/notes/ID`.
fn answer(target: &str) -> (&'static str, String) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let notes: Vec<Value> = serde_json::from_str(NOTES).unwrap_or_default();
    if path == "/api/search" {
        return ("200 OK", search(&notes, query).to_string());
    }
    let wanted = path.strip_prefix("/api/notes/");
    match notes.iter().find(|note| wanted.is_some() && note.get("id").and_then(Value::as_str) == wanted) {
        Some(note) => ("200 OK", note.to_string()),
        None => ("404 Not Found", json!({"error": "there is no such note"}).to_string()),
    }
}

fn search(notes: &[Value], query: &str) -> Value {
    let parameter =
        |name: &str| query.split('&').filter_map(|p| p.split_once('=')).find(|p| p.0 == name).map(|p| p.1);
    let wanted = decode(parameter("q").unwrap_or("")).to_lowercase();
    let most = parameter("n").and_then(|n| n.parse().ok()).unwrap_or(10);
    let found = notes.iter().filter(|note| note.to_string().to_lowercase().contains(&wanted));
    json!({"results": found.take(most).map(without_body).collect::<Vec<_>>()})
}

/// A search result is the note without its text.
fn without_body(note: &Value) -> Value {
    let mut note = note.clone();
    if let Some(members) = note.as_object_mut() {
        members.remove("body");
    }
    note
}

/// Percent-decoding of a query value.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex: Option<Vec<u8>> = (byte == b'%').then(|| rest.by_ref().take(2).collect());
        let value = hex.and_then(|hex| u8::from_str_radix(&String::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(if byte == b'+' { b' ' } else { byte }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
