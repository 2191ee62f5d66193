//! `kontext adapters test`: does it answer? Only ops that read are called, unless one is named.

use clap::Args;
use kontext_plan::{Driver, Op};
use kontext_runtime::answer::{OpAnswer, OpResult, ServerName};
use kontext_runtime::{Given, RunError, Runtime};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{inspect, is_json, json};
use crate::args::Format;
use crate::commands::run::{Inputs, block_on, told};
use crate::commands::{Context, FOUND, Failure, OK, Outcome};
use crate::compile::Machine;
use crate::output;

/// The ops that may be called unasked, in the order they are.
const SAFE: [&str; 5] = ["health", "search", "history", "code", "brief"];
/// How many characters of a text are shown.
const SHOWN: usize = 200;

/// Arguments of `adapters test`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext adapters test notes                                is it there? a sample search
  kontext adapters test notes --op store --json @note.json   one op, whatever it does

Exit status: 1 when anything that was tried failed.")]
pub struct TestArgs {
    /// The adapter
    pub name: String,
    /// Call this op alone, whatever it does
    #[arg(long, value_name = "OP")]
    pub op: Option<String>,
    #[command(flatten)]
    pub inputs: Inputs,
    /// For people, or JSON with the whole answers
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How everything went: the contract of `schemas/test.schema.json`.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    adapter: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<Server>,
    ops: Vec<Tried>,
}

/// How agreeing with a server went.
#[derive(Serialize)]
struct Server {
    ok: bool,
    #[serde(flatten)]
    found: Found,
}

/// Who the server is, or why it did not answer.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Is {
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<ServerName>,
        transport: &'static str,
        era: &'static str,
        protocol: String,
        tools: usize,
    },
    Not {
        error: Value,
    },
}

/// How an op went.
#[derive(Serialize)]
struct Tried {
    op: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<OpAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// Calls the ops one after the other and says how each went. An MCP server is agreed with first.
pub fn run(context: &Context, args: &TestArgs, runtime: &Runtime, machine: &Machine) -> Outcome {
    let adapter = told(machine, runtime.adapter(&args.name))?;
    let given = args.inputs.given(context, machine)?;
    let ops: Vec<&str> = match &args.op {
        Some(op) => vec![op],
        None => SAFE.into_iter().filter(|op| adapter.ops.contains_key(*op)).collect(),
    };
    let has_server = matches!(adapter.driver, Driver::Mcp(_));
    if ops.is_empty() && !has_server {
        let known: Vec<String> = adapter.ops.keys().map(|op| format!("`{op}`")).collect();
        return Err(Failure::refused(format!("`{}` has no op that may be called unasked", args.name))
            .help(format!("name one with `--op`: {}", known.join(", "))));
    }
    let teller = Teller { context, args, machine };
    block_on(async {
        let mut report = Report { version: 1, adapter: &args.name, ok: true, server: None, ops: Vec::new() };
        if has_server {
            let server = teller.server(runtime).await?;
            report.ok = server.ok;
            report.server = Some(server);
        }
        // A server that does not start would not start for an op either.
        if report.ok {
            for op in ops {
                let inputs = adapter.ops.get(op).map_or_else(Given::none, |call| sample(call, &given));
                let tried = teller.op(op, runtime.op(&args.name, op, &inputs).await)?;
                report.ok &= tried.ok;
                report.ops.push(tried);
            }
        }
        runtime.close().await;
        if is_json(args.format) {
            output::data(&json(&report)?)?;
        }
        Ok(if report.ok { OK } else { FOUND })
    })?
}

/// Says how each step went as soon as it is known, to people.
struct Teller<'a> {
    context: &'a Context,
    args: &'a TestArgs,
    machine: &'a Machine,
}

impl Teller<'_> {
    /// Agrees with the adapter's server.
    async fn server(&self, runtime: &Runtime) -> Result<Server, Failure> {
        match runtime.inspect(&self.args.name).await {
            Ok(found) => {
                let tools = found.tools.len();
                let many = if tools == 1 { "" } else { "s" };
                self.well(&format!("{}: {}, {tools} tool{many}", self.args.name, inspect::headline(&found)))?;
                let (transport, era) = (found.transport, found.era);
                let (server, protocol) = (found.server, found.protocol);
                Ok(Server { ok: true, found: Found::Is { server, transport, era, protocol, tools } })
            }
            Err(error) => Ok(Server { ok: false, found: Found::Not { error: self.ill(error) } }),
        }
    }

    fn op(&self, op: &str, answer: Result<OpAnswer, RunError>) -> Result<Tried, Failure> {
        let (answer, error) = match answer {
            Ok(answer) => {
                self.well(&format!("{}.{op}: {}", self.args.name, words(&answer)))?;
                (Some(answer), None)
            }
            Err(error) => (None, Some(self.ill(error))),
        };
        Ok(Tried { op: op.to_owned(), ok: error.is_none(), answer, error })
    }

    fn well(&self, words: &str) -> Result<(), Failure> {
        if is_json(self.args.format) { Ok(()) } else { output::data(&format!("ok      {words}")) }
    }

    fn ill(&self, error: RunError) -> Value {
        let Err(failure) = told::<()>(self.machine, Err(error)) else { return Value::Null };
        if !is_json(self.args.format) {
            failure.print(self.context);
        }
        failure.json()
    }
}

/// What was given, else a question that most systems have an answer to.
fn sample(op: &Op, given: &Given) -> Given {
    if !matches!(given, Given::Text(pairs) if pairs.is_empty()) {
        return given.clone();
    }
    let mut inputs = Map::new();
    for input in &op.inputs {
        let value = match input.name.as_str() {
            "query" | "focus" => Value::from("readme"),
            "target" => Value::from("README.md"),
            "limit" => Value::from(3),
            _ => continue,
        };
        inputs.insert(input.name.clone(), value);
    }
    Given::Json(inputs)
}

fn words(answer: &OpAnswer) -> String {
    let said = match &answer.result {
        OpResult::Hits(hits) => {
            let first = hits.first().and_then(|hit| hit.title.as_deref());
            let first = first.map(|title| format!(", the first `{}`", short(title))).unwrap_or_default();
            let many = if hits.len() == 1 { "" } else { "s" };
            format!("{} hit{many}{first}", hits.len())
        }
        OpResult::Text(text) if text.trim().is_empty() => "an empty text".to_owned(),
        OpResult::Text(text) => short(text),
    };
    let notes: String = answer.notes.iter().map(|note| format!("\n        note: {}", note.message)).collect();
    format!("{said}{notes}")
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > SHOWN { line.chars().take(SHOWN).chain(['…']).collect() } else { line }
}
