//! What an MCP server offers, and whether the adapter's ops can use it.

use std::sync::Arc;
use std::time::Duration;

use kontext_plan::binding::{self, Bound};
use kontext_plan::result::ResultMap;
use kontext_plan::template::{JsonTemplate, Template};
use kontext_plan::{Adapter, Call, Driver, Format, McpArguments, McpCall, McpServer, Op, ToolOp};
use serde_json::Map;
use tokio::time::timeout;

use super::Runtime;
use crate::answer::{Inspection, OpBinding};
use crate::error::{Failure, RunError};
use crate::exec::Task;
use crate::mcp::{self, Connection, Tools};
use crate::secret::Mask;
use crate::value::Scope;

impl Runtime {
    /// Starts or contacts the server of an MCP adapter and lists what it offers.
    ///
    /// # Errors
    /// An unknown, inactive or not trusted adapter, one of another driver, and whatever keeps the server from
    /// answering.
    pub async fn inspect(&self, name: &str) -> Result<Inspection, RunError> {
        let (adapter, server) = self.server(name)?;
        let inspected = self.inspected(name, adapter, server).await;
        inspected.map_err(|failure| self.server_error(name, adapter, failure))
    }

    /// An active adapter with a server.
    pub(super) fn server(&self, name: &str) -> Result<(&Adapter, &McpServer), RunError> {
        let adapter = self.active(name)?;
        match &adapter.driver {
            Driver::Mcp(server) => Ok((adapter, server)),
            _ => {
                let message = format!("`{name}` is no mcp adapter: it has no server to ask");
                Err(RunError::new("call-failed", message).at(&self.plan, adapter.at))
            }
        }
    }

    /// Why a server did not answer, with the adapter's name and place.
    pub(super) fn server_error(&self, name: &str, adapter: &Adapter, failure: Failure) -> RunError {
        let message = self.mask().string(format!("`{name}`: {}", failure.message));
        RunError::new(failure.id, message).at(&self.plan, failure.at.unwrap_or(adapter.at))
    }

    async fn inspected(
        &self,
        name: &str,
        adapter: &Adapter,
        server: &McpServer,
    ) -> Result<Inspection, Failure> {
        let (connection, tools) = self.listed(name, adapter, server).await?;
        let mask = self.mask();
        let mut inspection = mcp::inspection(name, &connection, &tools, &mask);
        let used = |op_name: &str, op: &Op| {
            let mut used = binding_of(op_name, op, &connection, &tools, &mask)?;
            let pinned = mcp::pinned(name, server, &tools, &used.tool);
            used.problem = used.problem.or_else(|| Some(pinned.err()?.message));
            Some(used)
        };
        inspection.ops = adapter.ops.iter().filter_map(|(name, op)| used(name, op)).collect();
        let declared = adapter.tools.iter().filter_map(|tool| match &tool.op {
            ToolOp::Inline(op) => used(&tool.name, op),
            ToolOp::Named(_) => None,
        });
        inspection.declared = declared.collect();
        Ok(inspection)
    }

    /// The connection to an adapter's server, and the tools it reports.
    pub(super) async fn listed(
        &self,
        name: &str,
        adapter: &Adapter,
        server: &McpServer,
    ) -> Result<(Arc<Connection>, Arc<Tools>), Failure> {
        let time = Duration::from_millis(adapter.timeout_ms);
        let connection = self.connected(name, adapter, server).await?;
        let asking = "the question for its tools";
        match timeout(time, connection.tools()).await {
            Ok(Ok(tools)) => Ok((connection, tools)),
            Ok(Err(error)) => Err(mcp::failed(&connection.served, &error, asking)),
            Err(_) => Err(Failure::timed_out(&format!("`{}`", connection.served.name()), time)),
        }
    }

    /// The connection to an adapter's server, which is started or contacted when need be.
    pub(super) async fn connected(
        &self,
        name: &str,
        adapter: &Adapter,
        server: &McpServer,
    ) -> Result<Arc<Connection>, Failure> {
        let inputs = Map::new();
        let facts = self.current_facts();
        let scope = Scope::new(name, adapter, &facts, &inputs);
        let op = nothing(adapter);
        let task = Task {
            env: &self.env,
            repository: &self.repository,
            clients: &self.clients,
            servers: &self.servers,
            adapter,
            op: &op,
            scope: &scope,
            output_file: None,
            withheld: self.withheld(adapter),
            time: Duration::from_millis(adapter.timeout_ms),
            most: None,
        };
        self.servers.get(&task, server, None).await
    }
}

/// An op that nobody calls: what a server is, does not depend on one.
fn nothing(adapter: &Adapter) -> Op {
    let args = McpArguments::Given(JsonTemplate::Object(Vec::new()));
    Op {
        call: Call::Mcp(McpCall { tool: Template::Text(String::new()), args }),
        format: Format::Auto,
        timeout_ms: adapter.timeout_ms,
        result: ResultMap::Text(None),
        inputs: Vec::new(),
        owns: Vec::new(),
        at: adapter.at,
    }
}

/// How an op uses its tool, where that is known before a call.
fn binding_of(name: &str, op: &Op, connection: &Connection, tools: &Tools, mask: &Mask) -> Option<OpBinding> {
    let Call::Mcp(McpCall { tool: Template::Text(wanted), args }) = &op.call else { return None };
    let mut found =
        OpBinding { op: name.to_owned(), tool: wanted.clone(), arguments: Vec::new(), problem: None };
    let Some(tool) = tools.get(wanted) else {
        found.problem = Some(mask.string(mcp::no_such_tool(connection, tools, wanted)));
        return Some(found);
    };
    let parameters = |bound: &[Bound]| bound.iter().map(|bound| bound.parameter.clone()).collect();
    match args {
        McpArguments::Given(_) => {}
        McpArguments::Bound(bound) => found.arguments = parameters(bound),
        McpArguments::Named(rule) => {
            let bound = binding::bind(tool.schema(), rule);
            found.arguments = parameters(&bound);
            found.problem = tool.problem.clone().or_else(|| mcp::unfillable(tool, &bound));
        }
    }
    Some(found)
}

impl Inspection {
    /// Whether every op of the adapter, those of its declared tools too, can use its tool.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.ops.iter().chain(&self.declared).all(|op| op.problem.is_none())
    }
}
