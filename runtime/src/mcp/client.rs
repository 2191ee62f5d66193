//! Who kontext is to a server, and what it answers to the server's own questions: where the repository is, and that
//! nobody is there to answer others.
#![expect(
    deprecated,
    reason = "servers of the older era may ask for a model, and are told that there is none"
)]

use std::path::Path;
use std::sync::Arc;

use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ErrorCode, ErrorData, Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::{ClientHandler, RoleClient};
use serde::Serialize;
use tokio::sync::watch;

use super::progress::Listeners;
use super::question::Questions;
use super::roots::{self, Roots};

/// A lifecycle that was agreed on.
pub(super) type Service = RunningService<RoleClient, Client>;

/// kontext as a client.
#[derive(Debug, Clone)]
pub(super) struct Client {
    roots: Option<Roots>,
    changes: Arc<watch::Sender<u64>>,
    listeners: Listeners,
    questions: Questions,
}

impl Client {
    /// A client that says nothing of itself but its name.
    pub(super) fn new() -> Client {
        Client {
            roots: None,
            changes: Arc::new(watch::Sender::new(0)),
            listeners: Listeners::default(),
            questions: Questions::default(),
        }
    }

    /// The same with the repository root, which only the older era asks for.
    pub(super) fn with_root(&self, root: &Path) -> Client {
        Client { roots: Some(roots::of(root)), ..self.clone() }
    }

    /// How often the server said that its tools changed.
    pub(super) fn changes(&self) -> u64 {
        *self.changes.borrow()
    }

    /// The server says that they did.
    pub(super) fn tools_changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// What says that it did once more.
    pub(super) fn watch_changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Who hears of progress.
    pub(super) fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    /// What the server asked that nobody could answer.
    pub(super) fn questions(&self) -> &Questions {
        &self.questions
    }

    /// Keeps a question for the call's failure to tell, and refuses it.
    fn refused<T>(&self, method: &'static str, params: &impl Serialize) -> Result<T, ErrorData> {
        self.questions.keep(method, &serde_json::to_value(params).unwrap_or_default());
        let said = format!("kontext does not offer {method}: nobody is there to answer");
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, said, None))
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.roots.is_some() {
            roots::declare(&mut capabilities);
        }
        let itself = Implementation::new("kontext", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, itself).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<Roots, ErrorData> {
        Ok(self.roots.clone().unwrap_or_default())
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.refused("sampling/createMessage", &params)
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.refused("elicitation/create", &params)
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed();
    }

    async fn on_progress(&self, said: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.listeners.tell(said);
    }
}
