//! The server over HTTP: who may ask, what agrees with what, and that no call is lost or left behind.

mod asking;
mod batches;
mod reading;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kontext_plan::Plan;
use kontext_runtime::RunError;
use kontext_runtime::server::{Http, Server, Source};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use self::asking::{VERSION, call, get, modern, naming, post, raw, request};
use crate::support::{Machine, adapter, command, plan_of, with};

/// How long anything may take before a test gives it up.
const LONG: Duration = Duration::from_secs(30);

/// A server that is up.
struct Up {
    address: SocketAddr,
    _machine: Machine,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

/// A tool `name` that runs a command with the argument `query`.
fn tool(name: &str, words: &[&str]) -> Value {
    let schema = json!({ "type": "object", "properties": { "query": { "type": "string" } } });
    json!({ "name": name, "description": "d", "schema": schema, "op": { "inline": command(words, json!({})) }, "at": 0 })
}

/// A plan whose tools are `echo`, `fail` and `hang`.
fn plan() -> Plan {
    let tools = json!([
        tool("echo", &["printf", "%s", "{{query}}"]),
        tool("fail", &["sh", "-c", "echo \"no: $1\" >&2; exit 3", "sh", "{{query}}"]),
        tool("hang", &["sleep", "{{query}}"]),
    ]);
    plan_of(
        json!({ "a": with(adapter(json!({ "go": command(&["true"], json!({})) })), json!({ "tools": tools })) }),
    )
}

async fn up_with(ready: Arc<AtomicBool>, token: Option<&str>) -> Up {
    let machine = Machine::new(&[]);
    let (env, repository) = (machine.env.clone(), machine.repository());
    let load = move || match ready.load(Ordering::SeqCst) {
        true => {
            let trust = kontext_runtime::Trust::new(&env, true);
            Ok(kontext_runtime::Runtime::new(plan(), env.clone(), repository.clone(), trust))
        }
        false => Err(RunError::new("no-plan", "there is no plan: run `kontext build`")),
    };
    let server = Server::new(Source {
        load: Box::new(load),
        plan: None,
        place: Box::new(|at| at.display()),
        mend: "kontext build".to_owned(),
        warn: Box::new(|_| {}),
    });
    let http = Http::new("127.0.0.1:0", token.map(str::to_owned), vec!["tools.example".to_owned()]).unwrap();
    let listening = http.listen().await.unwrap();
    let url = listening.url();
    let address = url.trim_start_matches("http://").trim_end_matches("/mcp").parse().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(async move {
        server.start();
        server.serve_http(listening, async { _ = stopped.await }).await;
    });
    Up { address, _machine: machine, stop, served }
}

async fn up() -> Up {
    up_with(Arc::new(AtomicBool::new(true)), None).await
}

async fn metric(up: &Up, line: &str) -> bool {
    let text = get(up, "/metrics", "").await.body;
    text.lines().any(|found| found == line)
}

/// Waits until a line is among the metrics.
async fn until_metric(up: &Up, line: &str) {
    let waiting = async {
        while !metric(up, line).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, waiting).await.unwrap_or_else(|_| panic!("{line} never came"));
}

#[tokio::test]
async fn other_hosts_and_origins_are_refused_everywhere() {
    let up = up().await;
    for path in ["/mcp", "/healthz", "/metrics", "/nothing"] {
        for (headers, status) in [
            ("Host: evil.example", 403),
            ("Host: localhost.evil.example", 403),
            ("Host: localhost\r\nOrigin: http://evil.example", 403),
            ("Host: localhost\r\nOrigin: null", 403),
            ("Host: localhost\r\nOrigin: http://localhost:5173", 0),
            ("Host: tools.example\r\nOrigin: https://tools.example", 0),
        ] {
            let text = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n\r\n");
            let answer = raw(&up, &text).await;
            assert_eq!(answer.status == 403, status == 403, "{path} {headers}: {answer:?}");
        }
    }
    assert_eq!(get(&up, "/nothing", "").await.status, 404);
    assert_eq!(raw(&up, "nonsense\r\n\r\n").await.status, 400);
    assert_eq!(get(&up, "/healthz", "").await.body, "ok\n", "it goes on after nonsense");
}

#[tokio::test]
async fn a_token_is_asked_for() {
    let up = up_with(Arc::new(AtomicBool::new(false)), Some("s3cret-token")).await;
    let body = call("echo", "a");
    let with = |token: &str| format!("{}Authorization: {token}\r\n", naming("echo"));
    let answer = post(&up, &naming("echo"), &body).await;
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("bearer realm=\"kontext\"")));
    for wrong in ["Bearer s3cret-toke", "Bearer s3cret-tokens", "Basic s3cret-token", "s3cret-token"] {
        let answer = post(&up, &with(wrong), &body).await;
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(
            answer.header("www-authenticate").is_some_and(|value| value.contains("invalid_token")),
            "{answer:?}"
        );
        assert!(!format!("{answer:?}").contains("s3cret"));
    }
    assert_eq!(post(&up, &with("Bearer s3cret-token"), &body).await.status, 200);
    assert_eq!(get(&up, "/metrics", "").await.status, 401);
    assert_eq!(get(&up, "/metrics", "Authorization: Bearer s3cret-token\r\n").await.status, 200);
    let health = get(&up, "/healthz", "").await;
    assert_eq!((health.status, health.body.as_str()), (503, "no plan is served\n"), "without the reason");
    let health = get(&up, "/healthz", "Authorization: Bearer s3cret-token\r\n").await;
    assert!(health.status == 503 && health.body.contains("kontext build"), "{health:?}");
}

#[tokio::test]
async fn headers_and_body_must_agree() {
    let up = up().await;
    let body = call("echo", "a");
    let cases = [
        (format!("{VERSION}Mcp-Method: tools/list\r\nMcp-Name: echo\r\n"), body.clone(), -32020),
        (naming("hang"), body.clone(), -32020),
        (VERSION.to_owned(), body.clone(), -32020),
        ("MCP-Protocol-Version: 2025-11-25\r\n".to_owned(), body.clone(), -32020),
        (String::new(), body.clone(), -32020),
        (
            naming("echo"),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "echo", "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } }),
            -32602,
        ),
    ];
    for (headers, body, code) in cases {
        let answer = post(&up, &headers, &body).await;
        assert_eq!(
            (answer.status, &answer.message()["error"]["code"]),
            (400, &json!(code)),
            "{headers}: {answer:?}"
        );
    }
    let answer =
        post(&up, &format!("{VERSION}Mcp-Method: nothing/there\r\n"), &modern("nothing/there", json!({})))
            .await;
    assert_eq!((answer.status, &answer.message()["error"]["code"]), (404, &json!(-32601)), "{answer:?}");
    let answer = post(&up, &naming("echo"), &body).await;
    assert_eq!(
        (answer.status, &answer.message()["result"]["content"][0]["text"]),
        (200, &json!("a")),
        "{answer:?}"
    );
    let long = "x".repeat(5 << 20);
    assert_eq!(post(&up, &naming("echo"), &call("echo", &long)).await.status, 413);
    assert_eq!(
        raw(&up, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
            .await
            .status,
        406
    );
}

#[tokio::test]
async fn a_client_of_the_older_era_has_a_session() {
    let up = up().await;
    let answer = post(&up, "", &initialize()).await;
    assert_eq!(
        (answer.status, &answer.message()["result"]["protocolVersion"]),
        (200, &json!("2025-06-18")),
        "{answer:?}"
    );
    let session = format!(
        "Mcp-Session-Id: {}\r\nMCP-Protocol-Version: 2025-06-18\r\n",
        answer.header("mcp-session-id").unwrap()
    );
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(&up, &session, &ready).await.status, 202);
    let called = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo", "arguments": { "query": "old" } } });
    let answer = post(&up, &session, &called).await;
    assert_eq!(answer.message()["result"]["content"][0]["text"], "old", "{answer:?}");
    assert_eq!(post(&up, "Mcp-Session-Id: none\r\n", &called).await.status, 404);
    let text = format!("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{session}\r\n");
    assert_eq!(raw(&up, &text).await.status, 204);
    assert_eq!(post(&up, &session, &called).await.status, 404);
}

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
    }})
}

#[tokio::test]
async fn the_sessions_used_last_stay() {
    let up = up().await;
    let begin = async || {
        let answer = post(&up, "", &initialize()).await;
        format!("Mcp-Session-Id: {}\r\n", answer.header("mcp-session-id").unwrap())
    };
    let called = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo", "arguments": { "query": "a" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (first, second) = (begin().await, begin().await);
    post(&up, &first, &ready).await;
    for _ in 2..500 {
        begin().await;
    }
    assert_eq!(post(&up, &first, &called).await.status, 200);
    assert_eq!(post(&up, &naming("echo"), &call("echo", "a")).await.status, 200, "the newer era has none");
    begin().await;
    assert_eq!(post(&up, &second, &called).await.status, 404, "it made room");
    assert_eq!(post(&up, &first, &called).await.status, 200, "it was used meanwhile");
}

#[tokio::test]
async fn clients_of_both_eras_hear_of_new_tools() {
    let ready = Arc::new(AtomicBool::new(false));
    let up = up_with(Arc::clone(&ready), None).await;
    let answer = post(&up, "", &initialize()).await;
    let session = format!("Mcp-Session-Id: {}\r\n", answer.header("mcp-session-id").unwrap());
    post(&up, &session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let old = format!("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{session}\r\n");
    let wanted = modern("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let new = request(&format!("{VERSION}Mcp-Method: subscriptions/listen\r\n"), &wanted.to_string());
    let mut streams = Vec::new();
    for (text, begin) in [(old, "id: 0"), (new, "acknowledged")] {
        let mut stream = TcpStream::connect(up.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        read_until(&mut stream, begin).await;
        streams.push(stream);
    }
    ready.store(true, Ordering::SeqCst);
    post(&up, &naming("kontext_status"), &call("kontext_status", "")).await;
    for stream in &mut streams {
        read_until(stream, "notifications/tools/list_changed").await;
    }
}

/// Reads until the words are there.
async fn read_until(stream: &mut TcpStream, words: &str) {
    let mut text = Vec::new();
    let mut buffer = [0; 1024];
    while !String::from_utf8_lossy(&text).contains(words) {
        let count = timeout(LONG, stream.read(&mut buffer)).await.expect("nothing comes").unwrap();
        assert!(count > 0, "it ended: {}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&buffer[..count]);
    }
}

#[tokio::test]
async fn closing_the_response_cancels_the_call() {
    let up = up().await;
    let mark = format!("8{:07}1", std::process::id());
    let mut stream = TcpStream::connect(up.address).await.unwrap();
    let text = request(&naming("hang"), &call("hang", &format!("600.{mark}")).to_string());
    stream.write_all(text.as_bytes()).await.unwrap();
    until_metric(&up, "kontext_calls_in_flight{adapter=\"a\"} 1").await;
    drop(stream);
    until_metric(&up, "kontext_tool_calls_total{tool=\"hang\",outcome=\"cancelled\"} 1").await;
    until_metric(&up, "kontext_calls_in_flight{adapter=\"a\"} 0").await;
    assert!(metric(&up, "kontext_call_failures_total{adapter=\"a\",id=\"cancelled\"} 1").await);
    let gone = async {
        while left(&mark) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, gone).await.expect("the program of the call is left");
}

/// Whether a process has this in its command line.
fn left(mark: &str) -> bool {
    let output = std::process::Command::new("ps").args(["-eo", "args"]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().any(|line| line.contains(mark))
}

#[tokio::test]
async fn eight_clients_at_once_lose_no_call() {
    let up = Arc::new(up().await);
    let clients: Vec<JoinHandle<()>> = (0..8)
        .map(|client| {
            let up = Arc::clone(&up);
            tokio::spawn(async move {
                for number in 0..25 {
                    let query = format!("{client}-{number}");
                    let answer = post(&up, &naming("echo"), &call("echo", &query)).await;
                    assert_eq!(answer.message()["result"]["content"][0]["text"], query, "{answer:?}");
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    assert!(metric(&up, "kontext_tool_calls_total{tool=\"echo\",outcome=\"ok\"} 200").await);
    assert!(metric(&up, "kontext_calls_total{adapter=\"a\"} 200").await);
}

#[tokio::test]
async fn failures_are_counted_by_their_id() {
    let up = up().await;
    let answer = post(&up, &naming("fail"), &call("fail", "a")).await;
    assert_eq!(answer.message()["result"]["isError"], true, "{answer:?}");
    post(&up, &naming("no-such-tool-1"), &call("no-such-tool-1", "a")).await;
    let text = get(&up, "/metrics", "").await;
    assert!(text.header("content-type").is_some_and(|kind| kind.starts_with("application/openmetrics-text")));
    for line in [
        "kontext_call_failures_total{adapter=\"a\",id=\"call-failed\"} 1",
        "kontext_tool_calls_total{tool=\"fail\",outcome=\"call-failed\"} 1",
        "kontext_tool_calls_total{tool=\"other\",outcome=\"unknown-tool\"} 1",
        "kontext_call_duration_seconds_count{adapter=\"a\"} 1",
        "kontext_serving 1",
    ] {
        assert!(text.body.lines().any(|found| found == line), "{line}\n{}", text.body);
    }
    assert!(!text.body.contains("no-such-tool"), "the caller's text is no label");
}

#[tokio::test]
async fn a_server_without_a_plan_is_not_well_until_it_has_one() {
    let ready = Arc::new(AtomicBool::new(false));
    let up = up_with(Arc::clone(&ready), None).await;
    let health = get(&up, "/healthz", "").await;
    assert!(
        health.status == 503 && health.body.contains("there is no plan: run `kontext build`"),
        "{health:?}"
    );
    assert!(metric(&up, "kontext_serving 0").await);
    let answer =
        post(&up, &format!("{VERSION}Mcp-Method: tools/list\r\n"), &modern("tools/list", json!({}))).await;
    assert_eq!(answer.message()["result"]["tools"][0]["name"], "kontext_status", "{answer:?}");
    ready.store(true, Ordering::SeqCst);
    post(&up, &naming("kontext_status"), &call("kontext_status", "")).await;
    assert_eq!(get(&up, "/healthz", "").await.status, 200);
    assert!(metric(&up, "kontext_serving 1").await);
}

#[tokio::test]
async fn the_end_is_bounded_and_calls_that_hang_are_told() {
    let up = up().await;
    let text = request(&naming("hang"), &call("hang", "600").to_string());
    let mut stream = TcpStream::connect(up.address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    // One that says nothing, and a listener of the newer era, hold nothing up.
    let silent = TcpStream::connect(up.address).await.unwrap();
    until_metric(&up, "kontext_calls_in_flight{adapter=\"a\"} 1").await;
    up.stop.send(()).unwrap();
    timeout(LONG, up.served).await.expect("the server does not end").unwrap();
    let mut answer = String::new();
    timeout(LONG, stream.read_to_string(&mut answer)).await.expect("no end of the answer").unwrap();
    assert!(answer.contains("kontext ends"), "{answer}");
    drop(silent);
}
