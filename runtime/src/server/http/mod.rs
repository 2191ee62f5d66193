//! The server over HTTP: the MCP endpoint, whether it is well, and what it counts.

mod batch;
mod body;
mod gather;
mod guard;
mod listen;
mod passed;
mod sessions;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any_service, get};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use self::guard::Caller;
pub use self::listen::{Http, Listening};
use self::sessions::Sessions;
use super::{Ending, Server};

/// The path of the MCP endpoint.
const ENDPOINT: &str = "/mcp";
/// The path that says whether the server is well.
const HEALTH: &str = "/healthz";
/// The path of what it counts.
const METRICS: &str = "/metrics";
/// How many connections there may be; others wait to be taken.
const CONNECTIONS: usize = 512;
/// How long a client may take to say what it wants, and be silent between two requests.
const HEAD_TIME: Duration = Duration::from_secs(60);
/// The largest message a client may send.
const BODY: usize = 4 << 20;
/// How long the last answers may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long the end of a connection may take then.
const LAST_BYTES: Duration = Duration::from_millis(250);

impl Server {
    /// Serves clients over HTTP until `until` ends, then ends everything, in a few seconds at most.
    pub async fn serve_http(&self, listening: Listening, until: impl Future<Output = ()>) {
        let Listening { listener, guard, .. } = listening;
        self.inner.observer.count();
        let config = StreamableHttpServerConfig::default()
            // The guard does both, for every path.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(BODY);
        let streams = config.cancellation_token.clone();
        let server = self.clone();
        let sessions = Arc::new(Sessions::new());
        let manager = Arc::clone(&sessions.manager);
        let mcp = StreamableHttpService::new(move || Ok(server.clone()), manager, config);
        let mcp = any_service(mcp)
            .layer(from_fn(passed::unpack))
            .layer(from_fn_with_state(Arc::clone(&sessions), sessions::pass))
            .layer(from_fn_with_state(sessions, body::check));
        let router = Router::new()
            .route(ENDPOINT, mcp)
            .route(HEALTH, get(health))
            .route(METRICS, get(metrics))
            .layer(from_fn_with_state(Arc::new(guard), guard::check))
            .with_state(self.clone());
        let connections = GracefulShutdown::new();
        tokio::select! {
            () = accept(&listener, &router, &connections) => {}
            () = until => {}
        }
        drop(listener);
        self.end(Ending::Now);
        let _ = timeout(LAST_WORDS, self.calls_ended()).await;
        let ended = connections.shutdown();
        tokio::pin!(ended);
        if timeout(LAST_BYTES, &mut ended).await.is_err() {
            // Streams that wait for nothing but news end here.
            streams.cancel();
            let _ = timeout(LAST_BYTES, ended).await;
        }
        self.close().await;
    }
}

/// Takes connections for ever.
async fn accept(listener: &TcpListener, router: &Router, connections: &GracefulShutdown) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => connect(stream, place, router, connections),
            // The table of open files is full, or the client is gone already: the next one may be luckier.
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
}

fn connect(stream: TcpStream, place: OwnedSemaphorePermit, router: &Router, connections: &GracefulShutdown) {
    // Answers are small: none waits to be sent with the next.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        // How a connection ends is its client's matter.
        let _ = connection.await;
        drop(place);
    });
}

/// 200 when a plan is served, 503 and the reason when only its absence is told. Who has no token is not told the reason.
async fn health(State(server): State<Server>, Extension(caller): Extension<Caller>) -> Response {
    let text = [(CONTENT_TYPE, "text/plain; charset=utf-8")];
    match server.problem() {
        None => (text, "ok\n").into_response(),
        Some(reason) => {
            let reason = if caller == Caller::Known { reason } else { "no plan is served".to_owned() };
            (StatusCode::SERVICE_UNAVAILABLE, text, format!("{reason}\n")).into_response()
        }
    }
}

/// What the server counted.
async fn metrics(State(server): State<Server>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, kind)], server.counts()).into_response()
}
