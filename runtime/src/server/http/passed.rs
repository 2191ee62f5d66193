//! Takes what travels in the protocol's types out of the bodies of answers, whole ones and streams.

use std::borrow::Cow;
use std::future::ready;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use serde_json::Value;

use crate::mcp::carry::KEY;
use crate::server::passed;

/// Passes an answer on, what travels in it in its place.
pub(super) async fn unpack(request: Request, next: Next) -> Response {
    let (mut head, body) = next.run(request).await.into_parts();
    let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/event-stream") {
        return Response::from_parts(head, stream(body));
    }
    if !kind.starts_with("application/json") {
        return Response::from_parts(head, body);
    }
    // One whose body breaks off was never an answer.
    let whole = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let whole = match str::from_utf8(&whole).map(message) {
        Ok(Cow::Owned(text)) => {
            head.headers.remove(CONTENT_LENGTH);
            Bytes::from(text)
        }
        _ => whole,
    };
    Response::from_parts(head, Body::from(whole))
}

/// Events one after the other, each as soon as it is whole.
fn stream(body: Body) -> Body {
    let events = body.into_data_stream().scan(Vec::new(), |held: &mut Vec<u8>, part| {
        let part = part.map(|part| {
            held.extend_from_slice(&part);
            let end = held.windows(2).rposition(|end| end == b"\n\n").map_or(0, |at| at + 2);
            let rest = held.split_off(end);
            Bytes::from(events(std::mem::replace(held, rest)))
        });
        ready(Some(part))
    });
    Body::from_stream(events.filter(|part| ready(!part.as_ref().is_ok_and(Bytes::is_empty))))
}

fn events(whole: Vec<u8>) -> Vec<u8> {
    match str::from_utf8(&whole) {
        Ok(text) if text.contains(KEY) => {
            let lines = text.split_inclusive('\n').map(|line| match line.split_once("data:") {
                Some(("", data)) => {
                    let (data, end) = data.trim_start().split_at(data.trim_start().trim_end().len());
                    format!("data: {}{end}", message(data))
                }
                _ => line.to_owned(),
            });
            lines.collect::<String>().into_bytes()
        }
        _ => whole,
    }
}

/// A message, as it is to be sent.
fn message(text: &str) -> Cow<'_, str> {
    if !text.contains(KEY) {
        return Cow::Borrowed(text);
    }
    let Ok(mut message) = serde_json::from_str::<Value>(text) else { return Cow::Borrowed(text) };
    if let Some(result) = message.get_mut("result") {
        passed::unpack(result);
    }
    Cow::Owned(message.to_string())
}
