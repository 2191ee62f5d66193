//! One request to a server: its answer as plain JSON, and word to the server when nobody waits for it any more.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::ClientRequest;
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value;
use tokio::time::timeout;

use super::message;
use super::progress::{Listeners, ProgressSink};

/// The server as seen from here.
pub(super) type Peer = rmcp::service::Peer<RoleClient>;

/// An answer, or why there is none.
pub(super) type Asked<T> = Result<T, ServiceError>;

/// How long the word about a given-up request may take.
const CANCEL_TIME: Duration = Duration::from_millis(200);

/// Sends a request and waits for its answer. When that is given up, the server is told.
pub(super) async fn ask(peer: &Peer, request: ClientRequest) -> Asked<Value> {
    let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
    answer(handle).await
}

/// The same, and a sink hears of the progress meanwhile.
pub(super) async fn ask_with_progress(
    peer: &Peer,
    request: ClientRequest,
    sink: Option<(&Listeners, ProgressSink)>,
) -> Asked<Value> {
    let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
    // Nothing is awaited in between: no progress can have come yet.
    let _listening = sink.map(|(listeners, sink)| listeners.listen(handle.progress_token.clone(), sink));
    answer(handle).await
}

async fn answer(handle: RequestHandle<RoleClient>) -> Asked<Value> {
    let mut pending = Pending { handle: Some(handle) };
    let answer = match pending.handle.as_mut() {
        Some(handle) => (&mut handle.rx).await,
        None => return Err(ServiceError::TransportClosed),
    };
    pending.handle = None;
    let result = answer.map_err(|_| ServiceError::TransportClosed)??;
    serde_json::to_value(result).map(message::came).map_err(|_| ServiceError::UnexpectedResponse)
}

/// A request that is waited for.
struct Pending {
    handle: Option<RequestHandle<RoleClient>>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let (Some(handle), Ok(runtime)) = (self.handle.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            let _ = timeout(CANCEL_TIME, handle.cancel(Some("nobody waits for the answer".to_owned()))).await;
        });
    }
}
