//! Servers behind an address.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kontext_runtime::Runtime;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::life::op;
use crate::plans::{adapter, address, binding, but, calling};
use crate::support::{Machine, plan_of};

/// A request: its method, head and body.
#[derive(Debug, Clone)]
struct Asked {
    head: String,
    body: Value,
}

impl Asked {
    fn is(&self, method: &str) -> bool {
        self.body["method"] == method
    }

    fn header(&self, name: &str) -> Option<&str> {
        let of = |line: &&str| line.to_ascii_lowercase().starts_with(&format!("{name}:"));
        Some(self.head.lines().find(of)?.split_once(':')?.1.trim())
    }
}

/// A running server.
struct Remote {
    base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Remote {
    /// Sends what `answer` makes of each request; what has no length stays open.
    async fn start(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Remote {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (kept, answer) = (Arc::clone(&asked), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&kept)));
            }
        });
        Remote { base, asked }
    }

    fn asked(&self, method: &str) -> Vec<Asked> {
        self.asked.lock().unwrap().iter().filter(|asked| asked.is(method)).cloned().collect()
    }

    fn runtime(&self, machine: &Machine, headers: &[(&str, &str)], ops: Value) -> Runtime {
        runtime(machine, &self.base, headers, ops)
    }
}

fn runtime(machine: &Machine, base: &str, headers: &[(&str, &str)], ops: Value) -> Runtime {
    let server = but(address(&format!("{base}/mcp"), headers), json!({ "start_timeout_ms": 2000 }));
    let mut adapter = adapter(server, Value::Null);
    adapter["ops"] = ops;
    machine.runtime(plan_of(json!({ "a": adapter })))
}

async fn serve<F: Fn(&Asked) -> String>(mut stream: TcpStream, answer: Arc<F>, kept: Arc<Mutex<Vec<Asked>>>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    let (head, body) = loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length =
                lower.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                break (head.to_owned(), body.to_owned());
            }
        }
        match stream.read(&mut buffer).await {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return,
        }
    };
    let asked = Asked { head, body: serde_json::from_str(&body).unwrap_or_default() };
    kept.lock().unwrap().push(asked.clone());
    let answer = answer(&asked);
    let _ = stream.write_all(answer.as_bytes()).await;
    if !answer.contains("Content-Length") {
        tokio::time::sleep(Duration::from_secs(30)).await;
    }
    let _ = stream.shutdown().await;
}

fn whole(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len())
}

fn message(body: &Value) -> String {
    whole("200 OK", "Content-Type: application/json\r\n", &body.to_string())
}

fn result(asked: &Asked, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "result": result })
}

fn error(asked: &Asked, code: i64, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": { "code": code, "message": text } })
}

/// The usual answers of a server of the newer era.
fn modern(asked: &Asked) -> String {
    let complete = |mut value: Value| {
        value["resultType"] = json!("complete");
        message(&result(asked, value))
    };
    match asked.body["method"].as_str() {
        Some("server/discover") => complete(json!({ "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private" })),
        Some("tools/list") => complete(json!({ "ttlMs": 0, "cacheScope": "private", "tools": [
            { "name": "echo", "inputSchema": { "type": "object", "properties": { "query": { "type": "string" } } } },
            { "name": "größe", "inputSchema": { "type": "object" } } ] })),
        Some("tools/call") => complete(
            json!({ "structuredContent": { "text": asked.body["params"]["arguments"].to_string() } }),
        ),
        _ => whole("202 Accepted", "", ""),
    }
}

/// The usual answers of a server of the older era, as streams that stay open.
fn legacy(asked: &Asked) -> String {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nMcp-Session-Id: s1\r\n\r\n";
    let answer = match asked.body["method"].as_str() {
        Some("server/discover") => {
            return whole("400 Bad Request", "Content-Type: text/plain\r\n", "Bad Request: No valid session");
        }
        Some("initialize") => result(
            asked,
            json!({ "protocolVersion": "2025-11-25",
            "capabilities": { "tools": {} }, "serverInfo": { "name": "old", "version": "1" } }),
        ),
        Some("tools/call") => {
            let called =
                result(asked, json!({ "content": [{ "type": "text", "text": "old and\nstreamed" }] }));
            let called = called.to_string();
            let (one, two) = called.split_at(called.find(",\"result\"").unwrap());
            let note = json!({ "jsonrpc": "2.0", "method": "notifications/message",
                "params": { "level": "info", "data": "working" } });
            return format!(
                "{head}: hello\r\n\r\nevent: message\r\ndata: {note}\r\n\r\n: still there\r\nid: 7\r\ndata: {one}\r\ndata: {two}\r\n\r\n"
            );
        }
        None if asked.head.starts_with("GET") => return whole("405 Method Not Allowed", "", ""),
        _ => return whole("202 Accepted", "", ""),
    };
    format!("{head}data: {answer}\n\n")
}

fn echo() -> Value {
    json!({ "go": calling("echo", json!({ "q": "x" })) })
}

pub async fn both_eras_answer() {
    let machine = Machine::new(&[("HTTP_PROXY", "http://127.0.0.1:1")]);
    let remote = Remote::start(modern).await;
    let runtime = remote.runtime(&machine, &[], echo());
    assert_eq!(op(&runtime, "go").await.unwrap(), r#"{"q":"x"}"#);
    runtime.close().await;
    let call = remote.asked("tools/call").remove(0);
    assert_eq!(call.header("mcp-method"), Some("tools/call"));
    assert_eq!(call.header("mcp-name"), Some("echo"));
    assert_eq!(call.header("mcp-protocol-version"), Some("2026-07-28"));
    assert!(call.header("accept").unwrap().contains("text/event-stream"));

    let remote = Remote::start(legacy).await;
    let runtime = remote.runtime(&machine, &[], echo());
    let started = Instant::now();
    assert_eq!(op(&runtime, "go").await.unwrap(), "old and\nstreamed");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let started = Instant::now();
    runtime.close().await;
    assert!(started.elapsed() < Duration::from_millis(15000), "{:?}", started.elapsed());
    assert_eq!(remote.asked("tools/call")[0].header("mcp-session-id"), Some("s1"));
}

pub async fn odd_names_are_written_safely() {
    let remote = Remote::start(modern).await;
    let ops = json!({ "go": calling("größe", json!({})), "bind": binding("echo", &["query"]) });
    let runtime = remote.runtime(&Machine::new(&[]), &[], ops);
    op(&runtime, "go").await.unwrap();
    let name = remote.asked("tools/call")[0].header("mcp-name").unwrap().to_owned();
    assert!(name.starts_with("=?base64?"), "{name}");
}

pub async fn headers_are_sent_and_hidden() {
    let machine = Machine::new(&[("KX_TOKEN", "s3cr3t-token-42")]);
    let headers = [("Authorization", "Bearer {{env.KX_TOKEN}}"), ("Accept", "text/plain")];
    let remote = Remote::start(|asked| {
        if asked.is("tools/call") {
            let said = format!("not for {}", asked.header("authorization").unwrap());
            return message(&error(asked, -32000, &said));
        }
        modern(asked)
    })
    .await;
    let runtime = remote.runtime(&machine, &headers, echo());
    let error = op(&runtime, "go").await.unwrap_err();
    assert!(error.message.contains("not for Bearer ***"), "{}", error.message);
    assert_eq!(remote.asked("server/discover")[0].header("authorization"), Some("Bearer s3cr3t-token-42"));
}

async fn failing(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> String {
    let remote = Remote::start(answer).await;
    let runtime = remote.runtime(&Machine::new(&[]), &[], echo());
    let error = op(&runtime, "go").await.unwrap_err();
    error.message.replace(&remote.base, "BASE")
}

pub async fn failures_say_what_happened() {
    let said = failing(|_| whole("503 Service Unavailable", "Retry-After: 3\r\n", "busy")).await;
    assert_eq!(said, "`a.go`: `BASE/mcp` answered status 503 and asks to retry after 3");
    let said = failing(|_| whole("401 Unauthorized", "WWW-Authenticate: Bearer\r\n", "")).await;
    assert!(said.contains("answered status 401"), "{said}");
    let said = failing(|_| whole("200 OK", "Content-Type: text/html\r\n", "<html>")).await;
    assert!(said.contains("answered with content type `text/html`, which is no MCP message"), "{said}");
    let said = failing(|asked| match asked.is("tools/call") {
        true => whole("200 OK", "Content-Type: application/json\r\n", "{\"half\":"),
        false => modern(asked),
    })
    .await;
    assert!(said.contains("`BASE/mcp`"), "{said}");
    let json = "Content-Type: application/json\r\n";
    let said = failing(move |_| whole("200 OK", json, "")).await;
    assert_eq!(said, "`a.go`: `BASE/mcp` answered with nothing, which is no MCP message");
    let said = failing(move |_| whole("200 OK", json, "{\"a\":NaN}")).await;
    assert_eq!(said, "`a.go`: `BASE/mcp` answered with what is no MCP message; it begins: {\"a\":NaN}");
    let said =
        failing(|_| whole("418 I'm a teapot", "Content-Type: text/plain\r\n", "short and stout")).await;
    assert_eq!(said, "`a.go`: `BASE/mcp` answered status 418 I'm a teapot: short and stout");
    let runtime = runtime(&Machine::new(&[]), "http://127.0.0.1:1", &[], echo());
    let error = op(&runtime, "go").await.unwrap_err();
    assert_eq!(error.message, "`a.go`: `http://127.0.0.1:1/mcp` refused the connection");
}

pub async fn answers_are_read_as_well_as_can_be() {
    let json = |body: &str| whole("200 OK", "Content-Type: application/json\r\n", body);
    let stream = |body: &str| {
        let body = format!("id: 1\ndata: {body}\n\n");
        whole("200 OK", "Content-Type: text/event-stream\r\n", &body)
    };
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for (result, answer) in [
        (r#"{"content":[{"type":"text","text":"a\ud83d"}]}"#, Ok("a\u{fffd}")),
        (r#"{"content":[{"type":"text","text":"a","annotations":{"audience":"x"}}]}"#, Ok("a")),
        (
            deep.as_str(),
            Err("answered the call of the tool `echo` with what cannot be read as JSON: it is nested"),
        ),
        (r#"{"content":["#, Err("cannot be read as JSON: it is broken at byte")),
    ] {
        for is_stream in [false, true] {
            let result = result.to_owned();
            let remote = Remote::start(move |asked| {
                let body = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, asked.body["id"]);
                match asked.is("tools/call") {
                    true if is_stream => stream(&body),
                    true => json(&body),
                    false => modern(asked),
                }
            })
            .await;
            let runtime = remote.runtime(&Machine::new(&[]), &[], echo());
            match (op(&runtime, "go").await, answer) {
                (Ok(said), Ok(text)) => assert_eq!(said, text),
                (Err(error), Err(words)) => assert!(error.message.contains(words), "{}", error.message),
                (given, _) => panic!("{answer:?}: {given:?}"),
            }
            runtime.close().await;
        }
    }
    let said = failing(move |asked| match asked.is("tools/call") {
        true => json(""),
        false => modern(asked),
    })
    .await;
    assert!(said.contains("cannot be read as JSON: it is empty"), "{said}");
}

pub async fn redirects_stay_at_the_origin() {
    let remote = Remote::start(|asked| match asked.head.contains(" /mcp ") {
        true => whole("307 Temporary Redirect", "Location: /v2/mcp\r\n", ""),
        false => modern(asked),
    })
    .await;
    let runtime = remote.runtime(&Machine::new(&[]), &[], echo());
    assert_eq!(op(&runtime, "go").await.unwrap(), r#"{"q":"x"}"#);
    let said = failing(|_| whole("307 Temporary Redirect", "Location: http://127.0.0.1:1/x\r\n", "")).await;
    assert!(said.contains("a redirect to `http://127.0.0.1:1/***` that is not followed"), "{said}");
}

pub async fn silence_is_cut() {
    let slow = json!({ "go": but(calling("echo", json!({})), json!({ "timeout_ms": 300 })) });
    let remote = Remote::start(|asked| match asked.is("tools/call") {
        true => "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: wait\n\n".to_owned(),
        false => modern(asked),
    })
    .await;
    let runtime = remote.runtime(&Machine::new(&[]), &[], slow.clone());
    let started = Instant::now();
    assert_eq!(op(&runtime, "go").await.unwrap_err().id, "timed-out");
    assert!(started.elapsed() < Duration::from_millis(9000), "{:?}", started.elapsed());
    let remote = Remote::start(|_| String::new()).await;
    let runtime = remote.runtime(&Machine::new(&[]), &[], slow);
    let error = op(&runtime, "go").await.unwrap_err();
    assert!(error.message.contains("did not complete its handshake within 2000 ms"), "{}", error.message);
}
