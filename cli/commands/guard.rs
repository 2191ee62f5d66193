//! `kontext guard`: the process between kontext and an MCP server. kontext starts it itself.

use std::ffi::OsString;

use clap::Args;

use super::{Failure, Outcome};

/// Arguments of the guard.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub words: Vec<OsString>,
}

/// Guards the program until it or kontext ends.
///
/// # Errors
/// When no program is named.
pub fn run(args: &GuardArgs) -> Outcome {
    match args.words.split_first() {
        Some((program, arguments)) => Ok(kontext_runtime::guard(program, arguments)),
        None => Err(Failure::refused("no program is named")),
    }
}
