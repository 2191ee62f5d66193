//! One hop of rmcp and nothing else: a server that passes every call on to its one upstream, as a measure for what
//! stands between a client and a server. This program again, with other arguments.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientConfig, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{RoleClient, RoleServer, ServerHandler, ServiceExt};
use tokio::process::Command;

use crate::Fallible;

/// The word with which this program is a hop; the upstream's command follows.
pub const WORD: &str = "hop";

struct Hop(Peer<RoleClient>);

impl ServerHandler for Hop {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.0.list_tools(page).await.map_err(|error| failed(&error))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call_tool(request).await.map(CallToolResponse::Complete).map_err(|error| failed(&error))
    }
}

fn failed(error: &rmcp::ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

/// Serves standard input until it ends, in front of the program that the words start.
///
/// # Errors
/// When either side does not agree.
pub fn serve(words: &[String]) -> Fallible<()> {
    let (program, arguments) = words.split_first().ok_or("hop COMMAND")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut command = Command::new(program);
        command.args(arguments).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;
        let pipes = child.stdout.take().zip(child.stdin.take()).ok_or("no pipes")?;
        let upstream = ClientConfig::default().serve(pipes).await?;
        let server = Hop(upstream.peer().clone()).serve(rmcp::transport::stdio_pipes()).await?;
        server.waiting().await?;
        upstream.cancel().await?;
        Ok(())
    })
}
