//! `kontext guard`: the process between kontext and an MCP server, and the one beside the programs of calls. kontext
//! starts both itself.

use std::ffi::OsString;

use clap::Args;

use super::{Failure, Outcome};

/// Arguments of the guard.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// Keep the process groups that standard input names
    #[arg(long)]
    pub commands: bool,
    /// The program and its arguments
    #[arg(last = true, required_unless_present = "commands", value_name = "PROGRAM")]
    pub words: Vec<OsString>,
}

/// Guards the program until it or kontext ends.
///
/// # Errors
/// When no program is named.
pub fn run(args: &GuardArgs) -> Outcome {
    match args.words.split_first() {
        _ if args.commands => Ok(kontext_runtime::keep()),
        Some((program, arguments)) => Ok(kontext_runtime::guard(program, arguments)),
        None => Err(Failure::refused("no program is named")),
    }
}
