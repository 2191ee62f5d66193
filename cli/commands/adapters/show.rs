//! `kontext adapters show`: one adapter, and where each of its values comes from.

use clap::Args;
use kontext_compiler::Compilation;
use kontext_compiler::source::{FileSpan, Sources};
use kontext_compiler::tree::{Node, Value};
use kontext_plan::Adapter;
use kontext_runtime::Runtime;
use kontext_runtime::answer::AdapterStatus;
use serde::Serialize;

use super::{is_json, json, table};
use crate::args::Format;
use crate::commands::plan::verb;
use crate::commands::run::told;
use crate::commands::{Failure, OK, Outcome};
use crate::compile::Machine;
use crate::output;

/// Arguments of `adapters show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The adapter
    pub name: String,
    /// Also where each of its values comes from, and what it replaced
    #[arg(long)]
    pub origins: bool,
    /// For people, or JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What is known about one adapter.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    status: &'a AdapterStatus,
    timeout_ms: u64,
    weight: f64,
    could: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origins: Option<Vec<ValueOrigin>>,
}

/// Where one value comes from.
#[derive(Debug, Serialize)]
struct ValueOrigin {
    key: String,
    layer: &'static str,
    at: String,
    replaced: Vec<String>,
}

/// Prints one adapter.
pub fn run(args: &ShowArgs, runtime: &Runtime, compilation: &Compilation, machine: &Machine) -> Outcome {
    let adapter = told(machine, runtime.adapter(&args.name))?;
    let status = runtime.status();
    let status = status.iter().find(|status| status.name == args.name);
    let status = status.ok_or_else(|| Failure::failed(format!("there is no adapter `{}`", args.name)))?;
    let origins = args.origins.then(|| origins(&args.name, compilation));
    let could = could(&args.name, runtime);
    let shown = Shown { status, timeout_ms: adapter.timeout_ms, weight: adapter.weight, could, origins };
    let text = if is_json(args.format) { json(&shown)? } else { human(adapter, &shown) };
    output::data(&text)?;
    Ok(OK)
}

fn could(name: &str, runtime: &Runtime) -> Vec<String> {
    let own = runtime.plan().capabilities.iter().filter(|capability| capability.adapter == name);
    let own = own.map(|capability| format!("{} {}", verb(capability.kind), capability.value));
    let mut lines: Vec<String> = own.collect();
    lines.sort();
    lines.dedup();
    lines
}

fn human(adapter: &Adapter, shown: &Shown<'_>) -> String {
    let status = shown.status;
    let state =
        status.reason.as_ref().map_or_else(|| "active".to_owned(), |reason| format!("inactive: {reason}"));
    let layers: Vec<&str> = status.layers.iter().map(|layer| layer.as_str()).collect();
    let mut out = format!("{} ({}), {state}\n", status.name, status.driver);
    if let Some(description) = &status.description {
        out.push_str(&format!("  {description}\n"));
    }
    let trust = if status.trusted { "" } else { ", not trusted" };
    out.push_str(&format!("\nlayers   {}{trust}\n", layers.join(", ")));
    out.push_str(&format!("timeout  {} ms\nweight   {}\n", shown.timeout_ms, shown.weight));
    for (name, op) in &adapter.ops {
        let inputs: Vec<&str> = op.inputs.iter().map(|input| input.name.as_str()).collect();
        let owns = if op.owns.is_empty() { String::new() } else { format!(", owns {}", op.owns.join(" ")) };
        out.push_str(&format!("op       {name}({}){owns}\n", inputs.join(", ")));
    }
    for tool in &status.tools {
        out.push_str(&format!("tool     {tool}\n"));
    }
    for could in &shown.could {
        out.push_str(&format!("could    {could}\n"));
    }
    if let Some(origins) = &shown.origins {
        let rows: Vec<Vec<String>> = origins.iter().map(row).collect();
        out.push('\n');
        out.push_str(&table(&rows));
    }
    out
}

fn row(origin: &ValueOrigin) -> Vec<String> {
    let replaced = if origin.replaced.is_empty() {
        String::new()
    } else {
        format!("replaces {}", origin.replaced.join(", "))
    };
    vec![origin.key.clone(), origin.layer.to_owned(), origin.at.clone(), replaced]
}

/// Every value of the adapter's merged table that is no table itself.
fn origins(name: &str, compilation: &Compilation) -> Vec<ValueOrigin> {
    let mut found = Vec::new();
    if let Some(node) = compilation.document.find(&["adapters", name]) {
        collect(node, String::new(), &compilation.sources, &mut found);
    }
    found
}

fn collect(node: &Node, key: String, sources: &Sources, found: &mut Vec<ValueOrigin>) {
    if let Value::Table(table) = &node.value {
        for (name, entry) in &table.entries {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            collect(&entry.node, key, sources, found);
        }
        return;
    }
    found.push(ValueOrigin {
        key,
        layer: sources.layer(node.span).as_str(),
        at: place(node.span, sources),
        replaced: node.shadowed.iter().map(|span| place(*span, sources)).collect(),
    });
}

fn place(span: FileSpan, sources: &Sources) -> String {
    let start = sources.start(span);
    format!("{}:{}:{}", sources.file(span.file).display, start.line, start.column)
}
