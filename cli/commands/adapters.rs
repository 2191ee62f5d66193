//! `kontext adapters`: which adapters there are, whether they can be used, and why not.

mod inspect;
mod list;
mod show;
mod test;

use clap::{Args, Subcommand};
use kontext_compiler::{Compilation, Options};
use kontext_runtime::{Runtime, Trust};

use super::{Context, Failure, Outcome};
use crate::args::Format;
use crate::compile::{Machine, compile, planned};

/// Arguments of `adapters`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext adapters list                      which are active here, and why others are not
  kontext adapters show notes --origins      which file each of its values comes from
  kontext adapters inspect notes             the tools of its MCP server, and how its ops use them
  kontext adapters test notes                is it there, and does a sample search work?")]
pub struct AdaptersArgs {
    /// What to do
    #[command(subcommand)]
    pub command: AdaptersCommand,
}

/// What can be done with adapters.
#[derive(Debug, Subcommand)]
pub enum AdaptersCommand {
    /// Every adapter, active or not
    List(list::ListArgs),
    /// One adapter: its ops and what they could do
    Show(show::ShowArgs),
    /// An MCP server's tools, their parameters, and how the adapter's ops use them
    Inspect(inspect::InspectArgs),
    /// Call it: its health op and a sample of search, history, code and brief
    Test(test::TestArgs),
}

impl AdaptersCommand {
    /// How the answer is written.
    pub fn format(&self) -> Format {
        match self {
            AdaptersCommand::List(args) => args.format,
            AdaptersCommand::Show(args) => args.format,
            AdaptersCommand::Inspect(args) => args.format,
            AdaptersCommand::Test(args) => args.format,
        }
    }
}

/// Compiles the layers in memory and answers from that; no plan is read or written.
///
/// # Errors
/// When the layers do not compile (status 1), the adapter is unknown, or a call fails.
pub fn run(context: &Context, args: &AdaptersArgs) -> Outcome {
    let (compilation, machine) = compile(context, Options::default())?;
    let runtime = runtime(context, &compilation, &machine)?;
    match &args.command {
        AdaptersCommand::List(args) => list::run(context, args, &runtime),
        AdaptersCommand::Show(args) => show::run(args, &runtime, &compilation, &machine),
        AdaptersCommand::Inspect(args) => inspect::run(context, args, &runtime, &machine),
        AdaptersCommand::Test(args) => test::run(context, args, &runtime, &machine),
    }
}

/// The runtime of what the layers say now. Layer claims count: they were compiled here and now.
pub fn runtime(context: &Context, compilation: &Compilation, machine: &Machine) -> Result<Runtime, Failure> {
    let plan = planned(context, compilation)?;
    let trust = Trust::new(&machine.env, true);
    let runtime = Runtime::new(plan.clone(), machine.env.clone(), machine.repository.clone(), trust);
    Ok(started(context, runtime))
}

/// The runtime in the directory that `-C` names.
pub fn started(context: &Context, runtime: Runtime) -> Runtime {
    match &context.globals.directory {
        Some(directory) => runtime.started_in(directory),
        None => runtime,
    }
}

/// Rows with their columns aligned; the last column is as long as it is.
pub fn table(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect::<Vec<_>>();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

pub fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::refused(error.to_string()))
}

/// Whether the answer is for programs.
fn is_json(format: Format) -> bool {
    format == Format::Json
}
