//! Bounds of time and size.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::server::{Server, answer};
use crate::support::{Machine, command, http, plan, text, with};

#[tokio::test]
async fn an_http_answer_may_be_eight_mib() {
    let machine = Machine::new(&[]);
    for (size, fits) in [(8 * 1024 * 1024, true), (8 * 1024 * 1024 + 1, false)] {
        let server = Server::saying(answer("200 OK", &[], &vec![b'x'; size])).await;
        match text(&machine, plan(http(&server.base(), "s", json!({}))), "x").await {
            Ok(text) => assert!(fits && text.len() == size),
            Err(error) => {
                assert!(!fits && error.id == "too-large" && error.message.contains("8 MiB"), "{error:?}")
            }
        }
    }
}

#[tokio::test]
async fn an_http_call_ends_in_time() {
    let server = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").await;
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    drop(server);
    let op = with(http(&base, "s", json!({})), json!({ "timeout_ms": 150 }));
    let started = Instant::now();
    let error = text(&Machine::new(&[]), plan(op), "x").await.unwrap_err();
    assert_eq!(error.id, "timed-out");
    assert!(error.message.contains("gave no answer within 150 ms"), "{}", error.message);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_flood_on_standard_output_is_stopped() {
    let started = Instant::now();
    let op = command(&["/bin/sh", "-c", "yes | head -c 500000000"], json!({}));
    let error = text(&Machine::new(&[]), plan(op), "x").await.unwrap_err();
    assert_eq!(error.id, "too-large");
    assert!(error.message.contains("more than 8 MiB"), "{}", error.message);
    assert!(started.elapsed() < Duration::from_secs(40), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_flood_on_standard_error_hides_nothing() {
    let op = command(&["/bin/sh", "-c", "yes noise | head -c 20000000 >&2; echo answer"], json!({}));
    assert_eq!(text(&Machine::new(&[]), plan(op), "x").await.unwrap(), "answer\n");
    let op =
        command(&["/bin/sh", "-c", "yes noise | head -c 20000000 >&2; echo the end >&2; exit 3"], json!({}));
    let error = text(&Machine::new(&[]), plan(op), "x").await.unwrap_err();
    assert!(
        error.message.contains("exit status 3") && error.message.ends_with("the end"),
        "{}",
        error.message
    );
    assert!(error.message.len() < 4000);
}
