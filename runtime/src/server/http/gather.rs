//! Answers that are soon there go out in one piece. A stream of events is written head, event and end apart, each a write and a
//! packet of its own that wakes the client.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use futures_util::{StreamExt, stream};
use tokio::time::sleep;

/// For how long the beginning of an answer waits for its end.
const SOON: Duration = Duration::from_millis(20);

/// The response as it is to be written: whole when it ends soon, else what there is of it and the rest as it comes.
pub(super) async fn soon(response: Response) -> Response {
    if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "text/event-stream") {
        return response;
    }
    let (head, body) = response.into_parts();
    let mut rest = body.into_data_stream();
    let mut start: Vec<Bytes> = Vec::new();
    let late = sleep(SOON);
    tokio::pin!(late);
    let ended = loop {
        tokio::select! {
            biased;
            part = rest.next() => match part {
                Some(Ok(part)) => start.push(part),
                // A stream that breaks ends, too.
                Some(Err(_)) | None => break true,
            },
            () = &mut late => break false,
        }
    };
    let body = match (ended, start.as_mut_slice()) {
        (true, [only]) => Body::from(std::mem::take(only)),
        (true, _) => Body::from(start.concat()),
        (false, _) => Body::from_stream(stream::iter(start.into_iter().map(Ok)).chain(rest)),
    };
    Response::from_parts(head, body)
}
