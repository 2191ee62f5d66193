//! Tools of MCP servers published again: their results pass as they come, secrets masked, while they are what was
//! reviewed.

use std::time::Duration;

use kontext_plan::{Adapter, McpServer, Published};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::super::tool::ToolInfo;
use super::fit;
use crate::answer::{Content, ToolAnswer};
use crate::engine::Runtime;
use crate::error::{Failure, RunError};
use crate::exec::ANSWER_LIMIT;
use crate::mcp::{self, Calling, Connection, ProgressSink};
use crate::secret::Mask;

/// A published tool as agents are told of it.
///
/// # Errors
/// Why no client takes it, in words.
pub(super) fn info(published: &Published) -> Result<ToolInfo, String> {
    Ok(ToolInfo {
        name: published.name.clone(),
        title: published.title.clone(),
        description: published.description.clone(),
        schema: fit::arguments(&published.input_schema)?,
        output_schema: published.output_schema.as_ref().and_then(fit::output),
        annotations: published.annotations.is_object().then(|| published.annotations.clone()),
    })
}

impl Runtime {
    /// Calls a tool of an adapter's server with the arguments as they are.
    pub(super) async fn call_upstream(
        &self,
        name: &str,
        tool: &str,
        args: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> Result<ToolAnswer, RunError> {
        let (adapter, server) = self.server(name)?;
        let work = self.passed(name, (adapter, server), Calling { tool, arguments: args, progress });
        let answer = self.observer.call((name, tool), work).await;
        self.resting.note(name, &answer);
        answer.map_err(|failure| self.server_error(name, adapter, failure))
    }

    async fn passed(
        &self,
        name: &str,
        (adapter, server): (&Adapter, &McpServer),
        mut calling: Calling<'_>,
    ) -> Result<ToolAnswer, Failure> {
        let tool = calling.tool;
        let time = Duration::from_millis(adapter.timeout_ms);
        let connection = self.connected(name, adapter, server).await?;
        calling.progress = calling.progress.map(|sink| sink.masked(self.mask()));
        let asked = async {
            mcp::reviewed(&connection, name, server, tool).await?;
            asked(&connection, calling).await
        };
        let before = connection.questions();
        let result = timeout(time, asked).await;
        let mask = self.mask();
        let told = |mut failure: Failure| {
            let questions = mcp::unanswered(&connection.questions_since(before));
            failure.message.push_str(&mask.text(&questions));
            failure
        };
        let Ok(result) = result else {
            connection.give_up_if_stuck().await;
            let who = format!("the tool `{tool}` of `{}`", connection.served.name());
            return Err(told(mcp::silent(&connection.served, Failure::timed_out(&who, time))));
        };
        let mut result = result.map_err(told)?;
        if !mask.is_empty() {
            mask.json(&mut result);
        }
        answer(tool, result, &mask)
    }
}

async fn asked(connection: &Connection, calling: Calling<'_>) -> Result<Value, Failure> {
    let tool = calling.tool;
    match connection.call(calling).await {
        Ok(result) => Ok(result),
        Err(error) => Err(mcp::failure(connection, &error, &format!("the call of the tool `{tool}`")).await),
    }
}

/// The result as it came; what is no result of a tool is an error.
fn answer(tool: &str, result: Value, mask: &Mask) -> Result<ToolAnswer, Failure> {
    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
        return Err(mcp::asking(tool, &mask.text(&mcp::questions(result.get("inputRequests")))));
    }
    let odd = |what: &str| Err(Failure::call(format!("the tool `{tool}` {what}")));
    let Value::Object(mut result) = result else { return odd("gave no object") };
    if result.get("resultType").and_then(Value::as_str).is_some_and(|kind| kind != "complete") {
        return odd("gave a result of a kind that cannot be passed on");
    }
    result.shift_remove("resultType");
    let structured_content = result.shift_remove("structuredContent");
    let meta = result.shift_remove("_meta");
    // What is no truth value says nothing here, and is passed on all the same.
    let is_error = result.get("isError").and_then(Value::as_bool);
    if is_error.is_some() {
        result.shift_remove("isError");
    }
    let content = match result.shift_remove("content") {
        Some(Value::Array(blocks)) => blocks.into_iter().map(Content::Other).collect(),
        None | Some(Value::Null) if structured_content.is_some() || is_error.is_some() => Vec::new(),
        None if result.is_empty() => Vec::new(),
        _ => return odd("gave something that is no result of a tool"),
    };
    let answer =
        ToolAnswer { content, structured_content, is_error, meta, beside: result, notes: Vec::new() };
    if answer.is_larger_than(ANSWER_LIMIT) {
        return Err(mcp::too_large(tool));
    }
    Ok(answer)
}
