//! One file per command: each takes its arguments, calls the library and renders what it gave.

pub mod adapters;
pub mod build;
pub mod check;
pub mod completions;
pub mod connect;
pub mod demo;
pub mod explain;
mod failure;
pub mod guard;
pub mod init;
pub mod lock;
pub mod plan;
pub mod run;
pub mod schema;
pub mod scope;
pub mod trust;

use std::io::IsTerminal;

use kontext_host::Env;

pub use self::failure::Failure;
use crate::args::{Color, Command, Globals};
use crate::output;

/// What every command gets: the global options and the environment, which nobody else reads.
#[derive(Debug, Clone)]
pub struct Context {
    /// The global options.
    pub globals: Globals,
    /// The environment of the process, or of a demo.
    pub env: Env,
    /// Programs read what the command writes, why it failed too.
    pub json: bool,
}

impl Context {
    /// Whether what people read on standard error is coloured.
    pub fn colour(&self) -> bool {
        self.colour_on(std::io::stderr().is_terminal())
    }

    /// Whether data for people on standard output is coloured.
    pub fn colour_stdout(&self) -> bool {
        self.colour_on(std::io::stdout().is_terminal())
    }

    fn colour_on(&self, terminal: bool) -> bool {
        match self.globals.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && self.env.get("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    /// Words on standard error that `-q` leaves out.
    pub fn say(&self, text: &str) {
        if !self.globals.quiet {
            output::say(text);
        }
    }
}

/// The exit status of a command that did its work.
pub type Outcome = Result<u8, Failure>;

/// All well.
pub const OK: u8 = 0;
/// Errors were found, or something differs.
pub const FOUND: u8 = 1;

/// Runs a command.
///
/// # Errors
/// Whatever ends the command early, see [`Failure`].
pub fn dispatch(context: &Context, command: Command) -> Outcome {
    match command {
        Command::Check(args) => check::run(context, &args),
        Command::Build(args) => build::run(context, &args),
        Command::Run(args) => run::run(context, &args),
        Command::Lock(args) => lock::run(context, &args),
        Command::Adapters(args) => adapters::run(context, &args),
        Command::Plan(args) => plan::run(context, &args),
        Command::Scope(args) => scope::run(context, &args),
        Command::Connect(args) => connect::run(context, &args),
        Command::Explain(args) => explain::run(context, &args),
        Command::Schema(args) => schema::run(&args),
        Command::Init(args) => init::run(context, &args),
        Command::Demo(args) => demo::run(context, &args),
        Command::Completions(args) => completions::run(&args),
        Command::Trust(args) => trust::run(&args),
        Command::Guard(args) => guard::run(&args),
        Command::DemoSearch(args) => demo::program::run(&args),
    }
}
