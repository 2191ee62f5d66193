//! The message in a request's body, looked at before the transport does: one that cannot be read is answered as a message,
//! and `initialize` of the newer era is no method.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, ServerJsonRpcMessage};

use super::sessions::{BeginsBatches, Sessions};
use super::{BODY, batch, gather};
use crate::server::era::begins_batches;
use crate::server::lines::{self, Line};
use crate::server::params;

/// How much is read of a body that is too large.
const PATIENCE: usize = 16 * BODY;
/// What the method of the older era's first request looks like in a message.
const INITIALIZE: &[u8] = b"initialize";

/// Lets a message through, or answers it.
pub(super) async fn check(State(sessions): State<Arc<Sessions>>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST || !is_json(request.headers()) {
        return next.run(request).await;
    }
    let (mut head, body) = request.into_parts();
    let Some(body) = whole(body).await else { return too_large() };
    if body.trim_ascii_start().starts_with(b"[") {
        return match lines::read(&body) {
            Some(Line::Batch(items)) if sessions.have_batches(&head.headers) => {
                batch::answer(&head, &items, &next).await
            }
            _ => unreadable(&body),
        };
    }
    match early(&body) {
        Some(Early::Answer(answer)) => return answer,
        Some(Early::BeginsBatches) => _ = head.extensions.insert(BeginsBatches),
        None => {}
    }
    let response = next.run(Request::from_parts(head, Body::from(body.clone()))).await;
    // What the transport could not read is told by what reads lines, too.
    match response.status() {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => unreadable(&body),
        _ => gather::soon(response).await,
    }
}

/// The body, when it is not too large. One that is, is read to its end all the same: a client that is still sending would not
/// see the answer.
async fn whole(body: Body) -> Option<Bytes> {
    let (mut kept, mut length) = (Vec::new(), 0);
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        // A client that went in the middle gets no answer anyway.
        let part = part.ok()?;
        length += part.len();
        if length <= BODY {
            kept.extend_from_slice(&part);
        } else if length <= PATIENCE {
            kept = Vec::new();
        } else {
            break;
        }
    }
    (length <= BODY).then(|| Bytes::from(kept))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn too_large() -> Response {
    (StatusCode::PAYLOAD_TOO_LARGE, format!("a message may be {} MiB long\n", BODY >> 20)).into_response()
}

/// What is known of an `initialize` before the transport looks at it.
enum Early {
    /// It cannot be one: it is of the newer era, or lacks what it needs.
    Answer(Response),
    /// It begins a session whose revision has batches.
    BeginsBatches,
}

/// Looks at what may be `initialize`.
fn early(body: &Bytes) -> Option<Early> {
    if !body.windows(INITIALIZE.len()).any(|window| window == INITIALIZE) {
        return None;
    }
    let Line::Message(message) = lines::read(body)? else { return None };
    let ClientJsonRpcMessage::Request(request) = *message else { return None };
    let method = request.request.method();
    if method != "initialize" {
        return None;
    }
    let modern =
        request.request.get_meta().protocol_version().is_some_and(|version| !version.has_initialize());
    let custom = matches!(request.request, ClientRequest::CustomRequest(_));
    let status = match (modern, custom) {
        (true, _) => StatusCode::NOT_FOUND,
        (false, true) => StatusCode::BAD_REQUEST,
        (false, false) => {
            return begins_batches(&request.request)?.then_some(Early::BeginsBatches);
        }
    };
    let error = params::unknown(method, modern);
    Some(Early::Answer(answer(status, &ServerJsonRpcMessage::error(error, Some(request.id)))))
}

/// The answer to a body that is no message.
fn unreadable(body: &Bytes) -> Response {
    match lines::read(body) {
        Some(Line::Refused(refused)) => answer(StatusCode::BAD_REQUEST, &refused),
        Some(Line::Batch(_)) => answer(StatusCode::BAD_REQUEST, &lines::no_batch()),
        _ => (StatusCode::BAD_REQUEST, "the body is no message that wants an answer\n").into_response(),
    }
}

fn answer(status: StatusCode, message: &ServerJsonRpcMessage) -> Response {
    let text = serde_json::to_string(message).unwrap_or_default();
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}
