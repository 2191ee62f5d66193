//! `kontext adapters list`.

use clap::Args;
use kontext_runtime::Runtime;
use kontext_runtime::answer::AdapterStatus;

use super::{is_json, json, table};
use crate::args::Format;
use crate::commands::{Context, OK, Outcome};
use crate::output;

/// Arguments of `adapters list`.
#[derive(Debug, Default, Args)]
pub struct ListArgs {
    /// A table, or JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Prints every adapter.
pub fn run(context: &Context, args: &ListArgs, runtime: &Runtime) -> Outcome {
    let status = runtime.status();
    if is_json(args.format) {
        output::data(&json(&status)?)?;
        return Ok(OK);
    }
    if status.is_empty() {
        context.say("no adapters are configured: `kontext init` writes a starter");
        return Ok(OK);
    }
    let rows: Vec<Vec<String>> = status.iter().map(row).collect();
    output::data(&table(&rows))?;
    Ok(OK)
}

fn row(status: &AdapterStatus) -> Vec<String> {
    let ops = if status.ops.is_empty() { "-".to_owned() } else { status.ops.join(" ") };
    let state = match &status.reason {
        None => "active".to_owned(),
        Some(reason) => format!("inactive: {reason}"),
    };
    vec![status.name.clone(), status.driver.to_owned(), ops, state]
}
