//! The `kontext` command: parse the arguments, call the library, render, exit.

mod args;
mod commands;
mod compile;
mod log;
mod output;
mod render;
mod world;

use std::process::ExitCode;

use clap::Parser;
use kontext_host::Env;

use crate::args::Cli;
use crate::commands::Context;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let json = cli.command.writes_json();
    let context = Context { globals: cli.globals, env: Env::from_process(), json };
    match commands::dispatch(&context, cli.command) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            failure.print(&context);
            ExitCode::from(failure.status)
        }
    }
}

/// Help and version go to standard output with status 0, usage errors to standard error with status 2.
fn usage(error: &clap::Error) -> ExitCode {
    // A closed pipe is the reader's choice.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
