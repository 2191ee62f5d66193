//! `kontext adapters inspect`: an MCP server's tools, and how the adapter's ops use them.

use std::io::IsTerminal;

use clap::Args;
use kontext_runtime::Runtime;
use kontext_runtime::answer::{InspectedTool, Inspection, OpBinding, Parameter};
use serde_json::Value;

use super::{is_json, json, table};
use crate::args::Format;
use crate::commands::run::{block_on, told};
use crate::commands::{Context, FOUND, OK, Outcome};
use crate::compile::Machine;
use crate::output;

/// How many characters of a description are shown.
const SHOWN: usize = 300;

/// Arguments of `adapters inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The adapter
    pub name: String,
    /// For people, or JSON with the whole schemas
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Starts the server, prints what it offers, and ends it. An op that cannot use its tool gives status 1.
pub fn run(context: &Context, args: &InspectArgs, runtime: &Runtime, machine: &Machine) -> Outcome {
    if std::io::stderr().is_terminal() {
        context.say(&format!("asking the server of `{}` …", args.name));
    }
    let found = block_on(async {
        let found = runtime.inspect(&args.name).await;
        runtime.close().await;
        found
    })?;
    let found = told(machine, found)?;
    output::data(&if is_json(args.format) { json(&found)? } else { human(&found) })?;
    Ok(if found.is_well() { OK } else { FOUND })
}

/// Who the server is and how it is spoken to.
pub fn headline(found: &Inspection) -> String {
    let server = match &found.server {
        Some(server) => format!("`{}` {}", line(&server.name), line(&server.version)),
        None => "a server without a name".to_owned(),
    };
    format!("{server} over {}, protocol {} ({})", found.transport, found.protocol, found.era)
}

fn human(found: &Inspection) -> String {
    let mut out = format!("{}: {}\n", found.adapter, headline(found));
    if let Some(instructions) = &found.instructions {
        out.push_str(&format!("  {}\n", short(instructions)));
    }
    for tool in &found.tools {
        out.push_str(&format!("\n{}", described(tool)));
    }
    let ops = found.ops.iter().map(|op| used("op", op));
    let rows: Vec<Vec<String>> = ops.chain(found.declared.iter().map(|tool| used("tool", tool))).collect();
    if !rows.is_empty() {
        out.push('\n');
        out.push_str(&table(&rows));
    }
    for note in &found.notes {
        out.push_str(&format!("note: {}\n", short(note)));
    }
    out
}

fn described(tool: &InspectedTool) -> String {
    let hints: Vec<&str> = hints(tool).collect();
    let hints = if hints.is_empty() { String::new() } else { format!("  [says: {}]", hints.join(", ")) };
    let mut out = format!("{}{hints}\n", line(&tool.name));
    if let Some(description) = tool.description.as_ref().or(tool.title.as_ref()) {
        out.push_str(&format!("  {}\n", short(description)));
    }
    if let Some(problem) = &tool.problem {
        out.push_str(&format!("  problem: {problem}\n"));
    }
    let rows: Vec<Vec<String>> = tool.parameters.iter().map(row).collect();
    out.extend(table(&rows).lines().map(|line| format!("  {line}\n")));
    out
}

/// What a tool claims of itself; nobody checks it.
fn hints(tool: &InspectedTool) -> impl Iterator<Item = &'static str> {
    let is = |hint: &str| {
        tool.annotations.as_ref().and_then(|all| all.get(hint)).and_then(Value::as_bool) == Some(true)
    };
    let words = [
        ("readOnlyHint", "read-only"),
        ("destructiveHint", "destructive"),
        ("idempotentHint", "idempotent"),
        ("openWorldHint", "open world"),
    ];
    words.map(|(hint, word)| is(hint).then_some(word)).into_iter().flatten()
}

fn row(parameter: &Parameter) -> Vec<String> {
    let values: Vec<String> = parameter.values.iter().take(20).map(plain).collect();
    let mut words = parameter.description.as_deref().map(short).unwrap_or_default();
    if !values.is_empty() {
        words = format!("one of {}{}{words}", values.join(", "), if words.is_empty() { "" } else { "; " });
    }
    let required = if parameter.required { "required" } else { "" };
    vec![line(&parameter.name), line(&parameter.ty), required.to_owned(), words]
}

fn plain(value: &Value) -> String {
    line(value.as_str().map_or_else(|| value.to_string(), str::to_owned).as_str())
}

fn used(kind: &str, op: &OpBinding) -> Vec<String> {
    let call = match &op.problem {
        Some(problem) => format!("cannot call `{}`: {problem}", line(&op.tool)),
        None if op.arguments.is_empty() => format!("calls `{}`", line(&op.tool)),
        None => format!("calls `{}` with {}", line(&op.tool), line(&op.arguments.join(", "))),
    };
    vec![kind.to_owned(), op.op.clone(), call]
}

/// A foreign text on one line, cut, without control characters that a terminal would obey.
fn short(text: &str) -> String {
    let line = line(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() > SHOWN { line.chars().take(SHOWN).chain(['…']).collect() } else { line }
}

fn line(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}
