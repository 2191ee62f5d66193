//! A batch of revision 2025-03-26 in the body of one request: each message is passed on as a request of its own, and what comes
//! back goes out as one list.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::future::join_all;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, ServerJsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::server::batch;
use crate::server::lines::Line;

/// What of a message tells whether it is an answer.
#[derive(Deserialize)]
struct Answer {
    id: Option<Value>,
    method: Option<Value>,
}

/// The answer to a batch.
pub(super) async fn answer(head: &Parts, items: &[Box<RawValue>], next: &Next) -> Response {
    let answers = join_all(batch::read(items).into_iter().map(|line| one(head, line, next))).await;
    let answers: Vec<Box<RawValue>> = answers.into_iter().flatten().collect();
    if answers.is_empty() {
        return StatusCode::ACCEPTED.into_response();
    }
    let text = serde_json::to_string(&answers).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// The answer to one message of it; none to what wants none, and to a call that was cancelled.
async fn one(head: &Parts, line: Line, next: &Next) -> Option<Box<RawValue>> {
    let message = match line {
        Line::Message(message) => message,
        Line::Refused(answer) => return raw(&answer),
        Line::Batch(_) => return None,
    };
    let response = next.clone().run(alone(head, &message)?).await;
    let ClientJsonRpcMessage::Request(request) = *message else { return None };
    let status = response.status();
    let is_stream = kind(response.headers()).starts_with("text/event-stream");
    let body = to_bytes(response.into_body(), usize::MAX).await.ok()?;
    let text = str::from_utf8(&body).ok()?;
    if is_stream {
        return text.lines().filter_map(|line| said(line.strip_prefix("data:")?)).next_back();
    }
    said(text).or_else(|| {
        let error = ErrorData::invalid_request(format!("status {}: {}", status.as_u16(), text.trim()), None);
        raw(&ServerJsonRpcMessage::error(error, Some(request.id)))
    })
}

/// The request this message would have come in by itself.
fn alone(head: &Parts, message: &RxJsonRpcMessage<RoleServer>) -> Option<Request> {
    let mut head = head.clone();
    head.headers.remove(CONTENT_LENGTH);
    Some(Request::from_parts(head, Body::from(serde_json::to_vec(message).ok()?)))
}

fn kind(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default()
}

/// The message in this text when it is an answer.
fn said(text: &str) -> Option<Box<RawValue>> {
    let answer: Answer = serde_json::from_str(text).ok()?;
    (answer.id.is_some() && answer.method.is_none()).then(|| serde_json::from_str(text.trim()).ok())?
}

fn raw(answer: &ServerJsonRpcMessage) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(answer).ok()
}
