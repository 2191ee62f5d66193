//! Sessions of clients of the older era. They live for long, as agents may be silent for long; when there are many, those
//! that were not used for the longest make room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};

/// How many sessions there may be.
const SESSIONS: usize = 500;
/// How long one is kept of which nothing is heard. A call of hours is silent, too.
const SILENT: Duration = Duration::from_secs(24 * 3600);
/// The header that names one.
const SESSION: &str = "mcp-session-id";

/// The sessions of a server.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) manager: Arc<LocalSessionManager>,
    used: Mutex<HashMap<SessionId, Used>>,
}

/// What is known of a session.
#[derive(Debug, Clone, Copy)]
struct Used {
    /// When it was last.
    last: Instant,
    /// Its revision is the one that has batches.
    batches: bool,
}

/// Marks the request that begins a session whose revision has batches.
#[derive(Debug, Clone, Copy)]
pub(super) struct BeginsBatches;

impl Sessions {
    /// None yet.
    pub(super) fn new() -> Sessions {
        let mut manager = LocalSessionManager::default();
        let mut config = SessionConfig::default();
        config.keep_alive = Some(SILENT);
        manager.session_config = config;
        Sessions { manager: Arc::new(manager), used: Mutex::default() }
    }

    /// Ends the one that was not used for the longest when there are too many.
    async fn make_room(&self) {
        let live: Vec<SessionId> = {
            let sessions = self.manager.sessions.read().await;
            if sessions.len() < SESSIONS {
                return;
            }
            sessions.keys().cloned().collect()
        };
        let oldest = {
            let mut used = self.used();
            used.retain(|session, _| live.contains(session));
            live.into_iter().min_by_key(|session| used.get(session).map(|used| used.last))
        };
        if let Some(oldest) = oldest {
            tracing::info!("the session that was not used for the longest makes room");
            // One that ended by itself meanwhile makes room as well.
            let _ = self.manager.close_session(&oldest).await;
        }
    }

    /// Whether messages of this request may come in a batch.
    pub(super) fn have_batches(&self, headers: &HeaderMap) -> bool {
        session(headers).is_some_and(|session| self.used().get(session).is_some_and(|used| used.batches))
    }

    fn used(&self) -> MutexGuard<'_, HashMap<SessionId, Used>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a request, and makes room for a session that it may begin.
pub(super) async fn pass(State(sessions): State<Arc<Sessions>>, request: Request, next: Next) -> Response {
    let ends = request.method() == Method::DELETE;
    let batches = request.extensions().get::<BeginsBatches>().is_some();
    match session(request.headers()) {
        Some(session) => {
            if let Some(used) = sessions.used().get_mut(session) {
                used.last = Instant::now();
            }
        }
        None if !is_of_newer_era(request.headers()) => sessions.make_room().await,
        None => {}
    }
    let mut response = next.run(request).await;
    if let Some(begun) = session(response.headers()) {
        sessions.used().entry(begun.into()).or_insert(Used { last: Instant::now(), batches });
    }
    // A session that was ended is gone when the answer is sent. Clients take "accepted" for a failure.
    if ends && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}

/// Whether a request is of the era that has no sessions.
fn is_of_newer_era(headers: &HeaderMap) -> bool {
    let version = headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok());
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str())
}
