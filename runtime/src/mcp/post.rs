//! The client of a server behind an address. The answers to calls and lists of tools are read here, as they are over pipes;
//! everything else is the protocol's own client's.

use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
    StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::{Sse, SseStream};

use super::message::{self, Reading};

/// How much of an answer with the status of an error is shown, in bytes.
const STATUS_BODY: usize = 16 * 1024;

/// The headers of a request.
type Headers = HashMap<HeaderName, HeaderValue>;
/// What a request may give.
type Answered<T> = Result<T, StreamableHttpError<reqwest::Error>>;

/// Asks a server.
#[derive(Debug, Clone)]
pub(super) struct Post(pub(super) Client);

/// The request that an answer is for, and how that is read.
#[derive(Debug, Clone)]
struct Asked {
    id: RequestId,
    reading: Reading,
    limit: usize,
}

impl Asked {
    /// A request whose answer is read here.
    fn of(message: &ClientJsonRpcMessage, limit: usize) -> Option<Asked> {
        let JsonRpcMessage::Request(request) = message else { return None };
        let reading = Reading::of(&request.request);
        (reading != Reading::Typed).then(|| Asked { id: request.id.clone(), reading, limit })
    }

    /// The message in this text; what is none says so in place of the answer.
    fn read(&self, text: &[u8]) -> ServerJsonRpcMessage {
        let read = message::read(text, |id| (*id == self.id).then_some(self.reading));
        read.unwrap_or_else(|| message::unreadable(text, self.id.clone()))
    }

    /// The same for an event, which is read again by the protocol's types.
    fn event(&self, mut event: Sse, is_cut: bool) -> Sse {
        let Some(data) = event.data.as_mut() else { return event };
        let read = |id: &RequestId| (*id == self.id).then_some(self.reading);
        let message = match is_cut {
            true => Some(message::too_large(self.limit, self.id.clone())),
            false => message::read(data.as_bytes(), read),
        };
        if let Some(message @ (JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))) = message
            && let Ok(text) = serde_json::to_string(&message::carried(message))
        {
            *data = text;
        }
        event
    }

    fn events(self, response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
        let cut = Arc::new(AtomicBool::new(false));
        let (cuts, limit) = (Arc::clone(&cut), self.limit);
        let mut length = 0;
        let bounded = response.bytes_stream().scan(false, move |is_over, part| {
            if *is_over {
                return ready(None);
            }
            length = part.as_ref().map_or(0, |part| match part.windows(2).rposition(is_end) {
                Some(end) => part.len() - end,
                None => length + part.len(),
            });
            *is_over = length > limit;
            cuts.fetch_or(*is_over, Ordering::Relaxed);
            ready(Some(if *is_over { Ok(Bytes::from_static(b"\n\n")) } else { part }))
        });
        SseStream::from_bytes_stream(bounded)
            .map(move |event| event.map(|event| self.event(event, cut.load(Ordering::Relaxed))))
            .boxed()
    }
}

/// Whether an event ends between these bytes.
fn is_end(bytes: &[u8]) -> bool {
    matches!(bytes, b"\n\n" | b"\n\r" | b"\r\r")
}

impl Post {
    async fn ask(
        &self,
        uri: &str,
        message: &ClientJsonRpcMessage,
        (session, token, headers): (Option<Arc<str>>, Option<String>, Headers),
        asked: Asked,
    ) -> Answered<StreamableHttpPostResponse> {
        let mut request = self.0.post(uri).header(ACCEPT, "text/event-stream, application/json");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let has_session = session.is_some();
        if let Some(session) = session {
            request = request.header("mcp-session-id", session.as_ref());
        }
        let response = request.json(message).send().await?;
        if matches!(response.status(), StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        challenged(&response)?;
        if response.status() == StatusCode::NOT_FOUND && has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        let session = text_of(&response, "mcp-session-id");
        let kind = text_of(&response, CONTENT_TYPE.as_str());
        let kind_is = |name: &str| {
            let essence = kind.as_deref().and_then(|kind| kind.split(';').next());
            essence.is_some_and(|kind| kind.trim().eq_ignore_ascii_case(name))
        };
        let is_json = kind_is("application/json");
        match response.status().is_success() {
            true if is_json => {
                let message = asked.read(&body(response, asked.limit).await?);
                Ok(StreamableHttpPostResponse::Json(message::carried(message), session))
            }
            true if kind_is("text/event-stream") => {
                Ok(StreamableHttpPostResponse::Sse(asked.events(response), session))
            }
            true => Err(StreamableHttpError::UnexpectedContentType(kind)),
            false => match refused(response, &asked, is_json).await {
                Ok(error) => Ok(StreamableHttpPostResponse::Json(error, session)),
                Err(error) => Err(error),
            },
        }
    }
}

/// The error in the body of an answer whose status is one; else that status.
async fn refused(response: Response, asked: &Asked, is_json: bool) -> Answered<ServerJsonRpcMessage> {
    let status = response.status();
    let wait = text_of(&response, RETRY_AFTER.as_str());
    let told = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    let told = told.then(|| StreamableHttpError::HttpStatus(HttpStatusError::new(status.as_u16(), wait)));
    let body = match told {
        Some(told) if !is_json || status == StatusCode::TOO_MANY_REQUESTS => return Err(told),
        _ => body(response, asked.limit).await.unwrap_or_default(),
    };
    match serde_json::from_slice(&body) {
        Ok(error @ JsonRpcMessage::Error(_)) if is_json => Ok(error),
        _ => Err(told.unwrap_or_else(|| {
            let start = String::from_utf8_lossy(body.get(..body.len().min(STATUS_BODY)).unwrap_or_default());
            StreamableHttpError::UnexpectedServerResponse(format!("HTTP {status}: {start}").into())
        })),
    }
}

/// The server wants to know who asks.
fn challenged(response: &Response) -> Answered<()> {
    let Some(challenge) = text_of(response, WWW_AUTHENTICATE.as_str()) else { return Ok(()) };
    match response.status() {
        StatusCode::UNAUTHORIZED => Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge))),
        StatusCode::FORBIDDEN => {
            Err(StreamableHttpError::InsufficientScope(InsufficientScopeError::new(challenge, None)))
        }
        _ => Ok(()),
    }
}

fn text_of(response: &Response, header: &str) -> Option<String> {
    response.headers().get(header)?.to_str().ok().map(str::to_owned)
}

/// A body that is not larger than this.
async fn body(mut response: Response, limit: usize) -> Answered<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await? {
        if body.len() + part.len() > limit {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: limit });
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

impl StreamableHttpClient for Post {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Answered<StreamableHttpPostResponse> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Answered<StreamableHttpPostResponse> {
        match Asked::of(&message, limits.max_json_response_size) {
            Some(asked) => self.ask(&uri, &message, (session, token, headers), asked).await,
            None => {
                self.0.post_message_with_response_limits(uri, message, session, token, headers, limits).await
            }
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Answered<()> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Answered<BoxStream<'static, Result<Sse, SseError>>> {
        self.0.get_stream(uri, session, last_event, token, headers).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
        limit: usize,
    ) -> Answered<BoxStream<'static, Result<Sse, SseError>>> {
        self.0.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, limit).await
    }
}
