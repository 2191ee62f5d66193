//! A server that is spoken to: started, agreed with, asked, and ended.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use kontext_plan::Protocol;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ServerPeerInfo};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::ask::{self, Asked, Peer};
use super::client::{Client, Service};
use super::era::{self, Agreed, Era, Refused};
use super::http;
use super::launch::{Launch, Stdio};
use super::listen::Listening;
use super::progress::ProgressSink;
use super::report::{self, Served};
use super::spawn::{self, Process};
use super::stdio::Wire;
use super::tools::{self, Tools};
use crate::error::Failure;

/// How long a list of tools is taken for what the server has.
const LIST_AGE: Duration = Duration::from_secs(60);
/// How long a connection may take to close.
const CLOSE_TIME: Duration = Duration::from_secs(1);
/// How long a server may read nothing of what waits for it.
const STUCK_TIME: Duration = Duration::from_millis(200);
/// How long a server that closed the connection may take to say why.
const SETTLE_TIME: Duration = Duration::from_millis(300);
/// How often a call is made that the server wants made again.
const ROUNDS: usize = 10;

/// A server that is spoken to.
#[derive(Debug)]
pub(crate) struct Connection {
    peer: Peer,
    client: Client,
    service: Mutex<Option<Service>>,
    tools: tokio::sync::Mutex<Option<Listed>>,
    /// Made when somebody first wants to hear of changes.
    listening: OnceLock<Option<Listening>>,
    pub(super) era: Era,
    /// Who it is, for messages.
    pub(crate) served: Served,
    pipes: Option<Pipes>,
}

/// A call of a tool.
pub(crate) struct Calling<'a> {
    /// Its name on the server.
    pub(crate) tool: &'a str,
    pub(crate) arguments: Map<String, Value>,
    /// Who hears of its progress.
    pub(crate) progress: Option<ProgressSink>,
}

/// The tools, after how many changes they were listed, and when.
#[derive(Debug)]
struct Listed {
    tools: Arc<Tools>,
    changes: u64,
    at: Instant,
}

/// What a server on pipes has besides.
#[derive(Debug)]
struct Pipes {
    wire: Arc<Wire>,
    process: Process,
}

impl Connection {
    /// Starts or contacts the server and agrees with it; everything within its limit.
    pub(super) async fn open(launch: Launch) -> Result<Connection, Failure> {
        match launch {
            Launch::Stdio(stdio) => open_pipes(stdio).await,
            Launch::Http(target) => {
                let served = target.served.clone();
                let client = Client::new();
                let agreeing = http::agree(&target, &client);
                match timeout(target.time, agreeing).await {
                    Err(_) => Err(report::no_handshake(&served, target.time)),
                    Ok(Err(refused)) => Err(report::refused(&served, &refused)),
                    Ok(Ok(agreed)) => Ok(Connection::new(agreed, client, served, None)),
                }
            }
        }
    }

    fn new((service, era): Agreed, client: Client, served: Served, pipes: Option<Pipes>) -> Connection {
        let peer = service.peer().clone();
        Connection {
            peer,
            client,
            service: Mutex::new(Some(service)),
            tools: tokio::sync::Mutex::default(),
            listening: OnceLock::new(),
            era,
            served,
            pipes,
        }
    }

    /// Whether it can still be asked.
    pub(crate) fn is_alive(&self) -> bool {
        !self.peer.is_transport_closed() && self.pipes.as_ref().is_none_or(|pipes| !pipes.process.is_gone())
    }

    /// Whether it is a program that was started.
    pub(super) fn is_program(&self) -> bool {
        self.pipes.is_some()
    }

    /// What the server said of itself.
    pub(crate) fn server(&self) -> Option<Arc<ServerPeerInfo>> {
        self.peer.peer_info()
    }

    /// The server's tools: listed again after it said that they changed, and now and then, as not every server says so.
    pub(crate) async fn tools(&self) -> Asked<Arc<Tools>> {
        let mut known = self.tools.lock().await;
        let changes = self.client.changes();
        if let Some(listed) = known.as_ref()
            && listed.changes == changes
            && listed.at.elapsed() < LIST_AGE
        {
            return Ok(Arc::clone(&listed.tools));
        }
        let at = Instant::now();
        let tools = tools::list(&self.peer).await?;
        *known = Some(Listed { tools: Arc::clone(&tools), changes, at });
        Ok(tools)
    }

    /// Waits until the server says that its tools are others than those listed last.
    pub(crate) async fn tools_changed(&self) {
        if self.era == Era::Modern {
            self.listening.get_or_init(|| Listening::to(&self.peer, &self.client));
        }
        let listed = self.tools.lock().await.as_ref().map_or(0, |listed| listed.changes);
        let mut changes = self.client.watch_changes();
        if changes.wait_for(|now| *now != listed).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// The tools as they are now.
    pub(crate) async fn fresh_tools(&self) -> Asked<Arc<Tools>> {
        *self.tools.lock().await = None;
        self.tools().await
    }

    /// What the server asked of its caller; see [`questions_since`](Self::questions_since).
    pub(crate) fn questions(&self) -> u64 {
        self.client.questions().count()
    }

    /// The questions that nobody could answer, since there were so many.
    pub(crate) fn questions_since(&self, count: u64) -> Vec<String> {
        self.client.questions().since(count)
    }

    /// Calls a tool; the result as it came. A server that only wants to be asked again with what it gave is.
    pub(crate) async fn call(&self, calling: Calling<'_>) -> Asked<Value> {
        if self.era == Era::Modern && self.pipes.is_none() {
            // Which arguments are sent as headers too, the transport learns from the list.
            let _ = self.tools().await;
        }
        let mut params = CallToolRequestParams::new(calling.tool.to_owned());
        params.arguments = Some(calling.arguments);
        for _ in 1..ROUNDS {
            let result = self.call_once(params.clone(), calling.progress.as_ref()).await?;
            match again(&result) {
                Some(state) => params.request_state = Some(state),
                None => return Ok(result),
            }
        }
        self.call_once(params, calling.progress.as_ref()).await
    }

    async fn call_once(&self, params: CallToolRequestParams, sink: Option<&ProgressSink>) -> Asked<Value> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let listeners = sink.map(|sink| (self.client.listeners(), sink.clone()));
        ask::ask_with_progress(&self.peer, request, listeners).await
    }

    /// A server that does not even read what it is sent is of no use to the next call.
    pub(crate) async fn give_up_if_stuck(&self) {
        let Some(pipes) = &self.pipes else { return };
        if pipes.wire.is_stuck(STUCK_TIME).await {
            pipes.wire.close();
            pipes.process.kill();
            pipes.process.wait(CLOSE_TIME).await;
        }
    }

    /// Gives a server that just died the time to say why.
    pub(crate) async fn settle(&self) {
        if let Some(pipes) = &self.pipes {
            pipes.process.wait(SETTLE_TIME).await;
        }
    }

    /// Ends it: asked first, then forced, all within a second or so.
    pub(super) async fn close(&self) {
        let service = self.service.lock().unwrap_or_else(PoisonError::into_inner).take();
        let closing = async {
            if let Some(mut service) = service {
                let _ = service.close_with_timeout(CLOSE_TIME).await;
            }
        };
        let ending = async {
            if let Some(pipes) = &self.pipes {
                pipes.wire.close();
                pipes.process.end().await;
            }
        };
        tokio::join!(closing, ending);
    }
}

/// The state with which a call is to be made again, when the server asks for nothing else.
fn again(result: &Value) -> Option<String> {
    let asks = result.get("resultType").and_then(Value::as_str) == Some("input_required");
    let requests = result.get("inputRequests").and_then(Value::as_object);
    if !asks || requests.is_some_and(|requests| !requests.is_empty()) {
        return None;
    }
    result.get("requestState")?.as_str().map(str::to_owned)
}

/// Why a program gave no connection.
enum Unopened {
    NotStarted(Failure),
    Refused(Refused),
}

/// A server that ends at the sight of the probe is started once more without it.
async fn open_pipes(stdio: Stdio) -> Result<Connection, Failure> {
    let opening = async {
        match attempt(&stdio, stdio.protocol).await {
            Err(Unopened::Refused(refused))
                if stdio.protocol == Protocol::Auto && report::is_closed(&refused) =>
            {
                attempt(&stdio, Protocol::Initialize).await
            }
            other => other,
        }
    };
    match timeout(stdio.time, opening).await {
        Ok(Ok(connection)) => Ok(connection),
        Ok(Err(Unopened::NotStarted(failure))) => Err(failure),
        Ok(Err(Unopened::Refused(refused))) => Err(report::refused(&stdio.served, &refused)),
        Err(_) => Err(report::no_handshake(&stdio.served, stdio.time)),
    }
}

async fn attempt(stdio: &Stdio, protocol: Protocol) -> Result<Connection, Unopened> {
    let diary = &stdio.served.diary;
    diary.clear();
    let (process, pipes) = spawn::start(&stdio.invocation, diary)
        .map_err(|error| Unopened::NotStarted(Failure::call(stdio.invocation.not_started(&error))))?;
    let wire = Wire::new(pipes, Arc::clone(diary));
    let client = Client::new();
    match era::over_pipes(&wire, &client, &stdio.root, protocol, stdio.time).await {
        Ok(agreed) => {
            Ok(Connection::new(agreed, client, stdio.served.clone(), Some(Pipes { wire, process })))
        }
        Err(refused) => {
            wire.close();
            process.wait(SETTLE_TIME).await;
            Err(Unopened::Refused(refused))
        }
    }
}
