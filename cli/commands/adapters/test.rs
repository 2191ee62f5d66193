//! `kontext adapters test`: does it answer? Only ops that read are called, unless one is named.

use clap::Args;
use kontext_plan::{Driver, Op};
use kontext_runtime::answer::{OpAnswer, OpResult};
use kontext_runtime::{Given, RunError, Runtime};
use serde_json::{Map, Value};

use super::inspect;
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
pub struct TestArgs {
    /// The adapter
    pub name: String,
    /// Call this op alone, whatever it does
    #[arg(long, value_name = "OP")]
    pub op: Option<String>,
    #[command(flatten)]
    pub inputs: Inputs,
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
    block_on(async {
        let mut status = OK;
        if has_server {
            status = server(context, &args.name, runtime, machine).await?;
        }
        // A server that does not start would not start for an op either.
        if status == OK || !has_server {
            for op in ops {
                let inputs = adapter.ops.get(op).map_or_else(Given::none, |call| sample(call, &given));
                match runtime.op(&args.name, op, &inputs).await {
                    Ok(answer) => output::data(&format!("ok      {}.{op}: {}", args.name, words(&answer)))?,
                    Err(error) => {
                        status = FOUND;
                        show(context, machine, error);
                    }
                }
            }
        }
        runtime.close().await;
        Ok(status)
    })?
}

/// Agrees with the adapter's server and says who it is.
async fn server(context: &Context, name: &str, runtime: &Runtime, machine: &Machine) -> Outcome {
    match runtime.inspect(name).await {
        Ok(found) => {
            let tools = found.tools.len();
            let many = if tools == 1 { "" } else { "s" };
            let headline = inspect::headline(&found);
            output::data(&format!("ok      {name}: {headline}, {tools} tool{many}"))?;
            Ok(OK)
        }
        Err(error) => {
            show(context, machine, error);
            Ok(FOUND)
        }
    }
}

fn show(context: &Context, machine: &Machine, error: RunError) {
    told::<()>(machine, Err(error)).err().iter().for_each(|failure| failure.print(context));
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
