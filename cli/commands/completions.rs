//! `kontext completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{OK, Outcome};
use crate::args::Cli;
use crate::output;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  kontext completions bash > ~/.local/share/bash-completion/completions/kontext")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints the completions.
pub fn run(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kontext", &mut script);
    output::data(&String::from_utf8_lossy(&script))?;
    Ok(OK)
}
