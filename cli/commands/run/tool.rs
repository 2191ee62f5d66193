//! `kontext run tool`: a tool called as an agent would call it.

use clap::Args;
use kontext_runtime::Runtime;

use super::inputs;
use super::render::Rendered;
use super::told;
use crate::commands::{Context, Failure};
use crate::compile::Machine;

/// Arguments of `run tool`.
#[derive(Debug, Args)]
pub struct ToolArgs {
    /// The tool's name
    pub name: String,
    /// Its arguments as a JSON object; `-` reads standard input, `@FILE` a file
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub json: String,
}

/// Calls the tool.
pub async fn call(
    context: &Context,
    machine: &Machine,
    runtime: &Runtime,
    args: &ToolArgs,
) -> Result<Rendered, Failure> {
    let arguments = inputs::object(context, machine, &args.json)?;
    told(machine, runtime.tool(&args.name, arguments).await).map(|answer| Rendered::tool(&answer))
}
