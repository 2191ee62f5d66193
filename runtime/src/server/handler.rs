//! Requests of clients of both eras: which tools there are, and calls of them.
#![expect(
    deprecated,
    reason = "clients of the older era may want log messages, and are told that there are none"
)]

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, CustomRequest, CustomResult, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tracing::Instrument;

use super::live::{Live, Running};
use super::{Served, Server, convert, params, status};
use crate::error::RunError;
use crate::mcp::{Progress, ProgressSink};
use crate::observe::{Seen, ToolCall};

/// How many words of progress may wait to be passed on.
const PROGRESS: usize = 32;
/// How often it is looked at whether a client that was told of nothing is still there.
const LOOK: Duration = Duration::from_secs(30);

/// Methods of the protocol that are not here, answered in a sentence.
macro_rules! absent {
    ($($name:ident($params:ty) -> $result:ty: $method:literal),* $(,)?) => {
        $(async fn $name(&self, _: $params, _: RequestContext<RoleServer>) -> Result<$result, ErrorData> {
            Err(params::absent($method))
        })*
    };
}

impl ServerHandler for Server {
    absent! {
        complete(CompleteRequestParams) -> CompleteResult: "completion/complete",
        get_prompt(GetPromptRequestParams) -> GetPromptResponse: "prompts/get",
        list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult: "prompts/list",
        list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult: "resources/list",
        list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult:
            "resources/templates/list",
        read_resource(ReadResourceRequestParams) -> ReadResourceResponse: "resources/read",
        set_level(SetLevelRequestParams) -> (): "logging/setLevel",
        subscribe(SubscribeRequestParams) -> (): "resources/subscribe",
        unsubscribe(UnsubscribeRequestParams) -> (): "resources/unsubscribe",
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("kontext", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
            .with_instructions(self.instructions())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        if is_modern(&context) {
            return Err(params::unknown("initialize", true));
        }
        let answer = self.negotiate_initialize(&request)?;
        let mut client = request;
        client.protocol_version = answer.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(answer)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            let words = "`cursor` leads nowhere: all tools are on the first page";
            return Err(ErrorData::invalid_params(words, None));
        }
        if let Served::Plan(live) = self.served() {
            live.first_list().await;
        }
        // A new plan may come at any time: clients of the newer era are told to keep the list for no time at all.
        Ok(ListToolsResult::with_all_items(self.list().as_ref().clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        match self.served() {
            Served::Plan(live) => live.tools().iter().find(|tool| tool.name == name).cloned(),
            Served::Nothing(_) => (name == status::STATUS).then(status::tool),
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let token = context.meta.get_progress_token();
        let (cancelled, peer) = (context.ct.clone(), context.peer.clone());
        let arguments = request.arguments.unwrap_or_default();
        let seen = self.inner.observer.tool();
        // Boxed: the future of a request is moved several times, and that of a call is large.
        let answer = Box::pin(self.called(&request.name, arguments, token.map(|token| (token, peer)), &seen));
        // Whichever is not the first is dropped, and with it everything that was done for it.
        tokio::select! {
            result = answer => result.map(CallToolResponse::Complete),
            () = cancelled.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
            () = self.calls_end() => {
                Err(ErrorData::internal_error("kontext ends; the call was given up", None))
            }
        }
    }

    /// A request of no kind that the protocol's types know, or whose parameters they do not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(params::unknown(&request.method, is_modern(&context)))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::default();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    /// A client of the newer era that wants to hear of changes.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.inner.changes.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.news_end() => return Ok(()),
                changed = changes.changed() => {
                    if changed.is_err() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// A client of the older era, which hears of changes without asking.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.inner.changes.subscribe();
        let peer = context.peer;
        while !peer.is_transport_closed() {
            match timeout(LOOK, changes.changed()).await {
                Ok(Ok(())) => {
                    if peer.notify_tool_list_changed().await.is_err() {
                        return;
                    }
                }
                Ok(Err(_)) => return,
                Err(_) => {}
            }
        }
    }
}

/// Whether a request is of the era without `initialize`.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.meta.protocol_version().is_some_and(|version| !version.has_initialize())
}

impl Server {
    /// A call, with its progress passed on to who asked for it.
    async fn called(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        progress: Option<(ProgressToken, Peer<RoleServer>)>,
        seen: &ToolCall,
    ) -> Result<CallToolResult, ErrorData> {
        let Some((token, peer)) = progress else { return self.answer(name, arguments, None, seen).await };
        let (sink, mut words) = mpsc::channel(PROGRESS);
        let answering = self.answer(name, arguments, Some(ProgressSink::new(sink)), seen);
        tokio::pin!(answering);
        let answer = loop {
            tokio::select! {
                biased;
                Some(word) = words.recv() => pass_on(&peer, &token, word).await,
                answer = &mut answering => break answer,
            }
        };
        while let Ok(word) = words.try_recv() {
            pass_on(&peer, &token, word).await;
        }
        answer
    }

    async fn answer(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
        seen: &ToolCall,
    ) -> Result<CallToolResult, ErrorData> {
        if name == status::STATUS {
            seen.known(name, None);
            let status = self.status();
            seen.answered(&status);
            return Ok(status);
        }
        let (live, running) = match self.entered() {
            Ok(entered) => entered,
            Err(error) => {
                let refusal = self.refusal(&error);
                seen.failed(error.id, refusal.size());
                return Ok(refusal);
            }
        };
        live.first_call(name).await;
        if !live.runtime.knows_tool(name) {
            let error = live.runtime.unknown_tool(name);
            seen.failed(error.id, error.message.len());
            return Err(ErrorData::invalid_params(error.message, None));
        }
        let span = seen.known(name, live.runtime.adapter_of_tool(name));
        let answer = live.runtime.call_tool(name, arguments, progress).instrument(span).await;
        drop(running);
        Ok(match answer {
            Ok(answer) => {
                seen.answered(&answer);
                convert::result(answer)
            }
            Err(error) => {
                let failure = self.failure(&error);
                seen.failed(error.id, failure.size());
                failure
            }
        })
    }

    /// The plan that is served now, held for a call.
    fn entered(&self) -> Result<(Arc<Live>, Running), Arc<RunError>> {
        loop {
            match self.served() {
                Served::Nothing(error) => return Err(error),
                Served::Plan(live) => {
                    // One that is being replaced takes no call any more; the next one is there already.
                    if let Some(running) = live.enter() {
                        return Ok((live, running));
                    }
                }
            }
        }
    }

    /// A failed call as the agent reads it: what happened, and the place in the configuration.
    fn failure(&self, error: &RunError) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.reason(error))])
    }
}

async fn pass_on(peer: &Peer<RoleServer>, token: &ProgressToken, word: Progress) {
    let mut said = ProgressNotificationParam::new(token.clone(), word.done);
    said.total = word.total;
    said.message = word.message;
    // A client that is gone needs no progress.
    let _ = peer.notify_progress(said).await;
}
