//! One file per command: each takes its arguments, calls the library and renders what it gave.

pub mod adapters;
pub mod build;
pub mod check;
pub mod completions;
pub mod connect;
pub mod demo;
pub mod explain;
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

use crate::args::{Color, Command, Globals};
use crate::output;

/// What every command gets: the global options and the environment, which nobody else reads.
#[derive(Debug, Clone)]
pub struct Context {
    /// The global options.
    pub globals: Globals,
    /// The environment of the process, or of a demo.
    pub env: Env,
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

/// Why a command ends early.
#[derive(Debug)]
pub struct Failure {
    /// Exit status: 1 a call or a check failed, 2 kontext could not do its work.
    pub status: u8,
    /// The diagnostic id, when there is one.
    pub id: Option<String>,
    /// What went wrong, in lower case.
    pub message: String,
    /// `file:line:column` of the configuration it came from.
    pub at: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// kontext could not do its work (status 2).
    pub fn refused(message: impl Into<String>) -> Failure {
        Failure { status: 2, id: None, message: message.into(), at: None, help: None }
    }

    /// It did, and the answer is no (status 1).
    pub fn failed(message: impl Into<String>) -> Failure {
        Failure { status: 1, ..Failure::refused(message) }
    }

    /// With a diagnostic id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Failure {
        self.id = Some(id.into());
        self
    }

    /// With the place in the configuration.
    #[must_use]
    pub fn at(mut self, at: Option<String>) -> Failure {
        self.at = at;
        self
    }

    /// With what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// `error[ID]: message`, the place and the help, on standard error.
    pub fn print(&self, context: &Context) {
        let word = match &self.id {
            Some(id) => format!("error[{id}]"),
            None => "error".to_owned(),
        };
        let word = if context.colour() { format!("\u{1b}[1;31m{word}\u{1b}[0m") } else { word };
        let mut text = format!("{word}: {}\n", self.message);
        if let Some(at) = &self.at {
            text.push_str(&format!("  --> {at}\n"));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("  help: {help}\n"));
        }
        output::say(&text);
    }
}

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
