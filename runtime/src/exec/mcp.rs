//! The mcp driver: a tool of the adapter's server, called with what the op has to give.

use std::time::{Duration, Instant};

use kontext_plan::binding::ByName;
use kontext_plan::{Driver, McpArguments, McpCall};
use rmcp::service::ServiceError;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{SHOWN, Task, ending, evaluation, excerpt};
use crate::error::Failure;
use crate::mcp::{self, Calling, Connection, Tools, Unread};
use crate::payload::Payload;
use crate::value;

/// How long the tools are looked at again after a call failed, to see whether there is such a tool.
const LOOK_TIME: Duration = Duration::from_secs(1);
/// How many characters of a tool's complaint are shown.
const COMPLAINT: usize = 1500;

/// A tool, its arguments, and remarks on these.
struct Request {
    tool: String,
    arguments: Map<String, Value>,
    notes: Vec<String>,
}

/// Calls the tool. Its time is for the call alone; starting the server has its own.
pub(crate) async fn call(task: &Task<'_>, call: &McpCall) -> Result<Payload, Failure> {
    let Driver::Mcp(server) = &task.adapter.driver else {
        return Err(Failure::unsent("call-failed", "the adapter has no MCP server"));
    };
    let tool = value::text(task.scope, &call.tool).map_err(evaluation)?.unwrap_or_default();
    // Before anything is started: what cannot be put together needs no server.
    let (arguments, rule) = match &call.args {
        McpArguments::Given(slot) => (given(value::json(task.scope, slot).map_err(evaluation)?)?, None),
        McpArguments::Bound(bound) => (mcp::values(task.scope, bound), None),
        McpArguments::Named(rule) => (Map::new(), Some(rule)),
    };
    let mut request = Request { tool, arguments, notes: Vec::new() };
    let started = Instant::now();
    let connection = task.servers.get(task, server, task.most).await?;
    let time = task.most.map_or(task.time, |most| most.saturating_sub(started.elapsed()).min(task.time));
    let calling = async {
        mcp::reviewed(&connection, task.scope.adapter_name, server, &request.tool).await?;
        if let Some(rule) = rule {
            bind(task, &connection, &mut request, rule).await?;
        }
        ask(task, &connection, &mut request).await
    };
    let asked = connection.questions();
    let called = timeout(time, calling).await;
    let questions = connection.questions_since(asked);
    match called {
        Ok(called) => with_questions(task, called, &questions),
        Err(_) => {
            connection.give_up_if_stuck().await;
            let who = format!("the tool `{}` of `{}`", request.tool, connection.served.name());
            let silence = mcp::silent(&connection.served, Failure::timed_out(&who, time));
            with_questions(task, Err(silence), &questions)
        }
    }
}

/// Tells what the server asked meanwhile and nobody could answer: often why its answer is what it is.
fn with_questions(
    task: &Task<'_>,
    called: Result<Payload, Failure>,
    questions: &[String],
) -> Result<Payload, Failure> {
    if questions.is_empty() {
        return called;
    }
    match called {
        Ok(mut payload) => {
            let asked = task.masked(&questions.join(" and "));
            payload.notes.push(format!("the server asked for {asked}, which nobody is there to give"));
            Ok(payload)
        }
        Err(mut failure) => {
            failure.message.push_str(&task.masked(&mcp::unanswered(questions)));
            Err(failure)
        }
    }
}

/// Arguments as the configuration gives them.
fn given(arguments: Option<Value>) -> Result<Map<String, Value>, Failure> {
    match arguments {
        None => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(Failure::unsent("argument-type", "the arguments of a tool must be a table")),
    }
}

/// Fills in the arguments from the schema that the server reports.
async fn bind(
    task: &Task<'_>,
    connection: &Connection,
    request: &mut Request,
    rule: &ByName,
) -> Result<(), Failure> {
    let tools = mcp::listed(connection).await?;
    let Some(tool) = tools.get(&request.tool) else { return Err(unknown(connection, &tools, &request.tool)) };
    if let Some(problem) = &tool.problem {
        let message = format!("the tool `{}` cannot be bound by name: {problem}; give `args`", tool.name);
        return Err(Failure::unsent("invalid-schema", message));
    }
    let (arguments, notes) = mcp::bind(task.scope, tool, rule)?;
    request.arguments = arguments;
    request.notes = notes;
    Ok(())
}

async fn ask(task: &Task<'_>, connection: &Connection, request: &mut Request) -> Result<Payload, Failure> {
    let tool = &request.tool;
    let arguments = std::mem::take(&mut request.arguments);
    let calling = Calling { tool, arguments, progress: None };
    let result = match connection.call(calling).await {
        Ok(result) => result,
        Err(error) => {
            if matches!(error, ServiceError::McpError(_)) {
                known(connection, tool).await?;
            }
            return Err(mcp::failure(connection, &error, &format!("the call of the tool `{tool}`")).await);
        }
    };
    match mcp::read(result, task.op.format) {
        Ok(mut payload) => {
            payload.notes.append(&mut request.notes);
            Ok(payload)
        }
        Err(unread) => {
            if matches!(unread, Unread::Complaint(_)) {
                known(connection, tool).await?;
            }
            Err(unusable(task, tool, unread))
        }
    }
}

/// The failure of a result that is none. A tool that complains is no sign of a sick server.
fn unusable(task: &Task<'_>, tool: &str, unread: Unread) -> Failure {
    match unread {
        Unread::Complaint(text) => {
            let text = ending(&task.masked(&text), COMPLAINT);
            Failure::unsent("call-failed", format!("the tool `{tool}` failed: {text}"))
        }
        Unread::Bad(bad, text) => {
            let start = excerpt(&task.masked(&text), SHOWN);
            Failure::system("bad-payload", format!("the tool `{tool}`: {bad}; it begins: {start}"))
        }
        Unread::TooLarge => mcp::too_large(tool),
        Unread::Asks(question) => mcp::asking(tool, &task.masked(&question)),
        Unread::Other(what) => Failure::call(format!("the tool `{tool}` {what}")),
    }
}

/// An error when the server, asked again, has no such tool.
async fn known(connection: &Connection, tool: &str) -> Result<(), Failure> {
    match timeout(LOOK_TIME, connection.fresh_tools()).await {
        Ok(Ok(tools)) if tools.get(tool).is_none() => Err(unknown(connection, &tools, tool)),
        _ => Ok(()),
    }
}

fn unknown(connection: &Connection, tools: &Tools, tool: &str) -> Failure {
    Failure::unsent("unknown-tool", mcp::no_such_tool(connection, tools, tool))
}
