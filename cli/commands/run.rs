//! `kontext run`: execute a plan. Configuration is never read here.

mod execution;
mod inputs;
mod render;
mod serve;
mod serve_http;
mod tool;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use kontext_runtime::{Question, Runtime};

pub use self::execution::{block_on, told};
pub use self::inputs::Inputs;
use self::render::Rendered;
use self::tool::ToolArgs;
use super::{Context, Failure, OK, Outcome};
use crate::args::Format;
use crate::compile::Machine;
use crate::log::{self, LogFormat};
use crate::output;

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext run                                     an MCP server for the client that starts it
  kontext run --http 127.0.0.1:8080               the same over HTTP: /mcp, /healthz, /metrics
  kontext run --http 0.0.0.0:80 --token-env T     for other machines, with the token in $T
  kontext run search 'retry policy' -n 5          every active adapter that can search, merged
  kontext run history src/lib.rs --source git     what happened to a file, from one source
  kontext run read notes://retry-policy --text    the adapter that owns the address reads it
  kontext run op notes.store --json @note.json    one op with all its inputs
  kontext run tool find --json @args.json         a tool as an agent would call it

Standard output is JSON when it is no terminal, and empty when a run fails; remarks and errors go to standard error.")]
pub struct RunArgs {
    /// The plan [default: where `kontext build` writes it]
    #[arg(long, value_name = "FILE", global = true)]
    pub plan: Option<PathBuf>,
    /// Run a plan although the configuration has changed since it was built
    #[arg(long, global = true)]
    pub allow_stale: bool,
    /// How answers and errors are written [default: answers as JSON unless on a terminal, errors for people]
    #[arg(long, value_enum, global = true)]
    pub format: Option<Format>,
    /// Print the text alone
    #[arg(long, global = true, conflicts_with = "format")]
    pub text: bool,
    /// Serve over HTTP at this address: `127.0.0.1:8080`, `localhost:0` (a free port), `8080`
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// The variable that holds the token which clients must send; needed at addresses other machines can reach
    #[arg(long, value_name = "NAME", requires = "http")]
    pub token_env: Option<String>,
    /// A name by which clients call the server, beside `localhost` and its addresses
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// Write a line for each call to standard error; `-v` does so for people
    #[arg(long, value_name = "FORMAT", value_enum, global = true)]
    pub log_format: Option<LogFormat>,
    /// What to run
    #[command(subcommand)]
    pub form: Option<Form>,
}

/// What can be run.
#[derive(Debug, Subcommand)]
pub enum Form {
    /// Call one op of one adapter
    Op(OpArgs),
    /// Search everywhere, best hits first
    Search(SearchArgs),
    /// What happened to a file or a topic
    History(HistoryArgs),
    /// Find code by a symbol or in words
    Code(CodeArgs),
    /// What to know before work begins
    Brief(BriefArgs),
    /// The text behind an address
    Read(ReadArgs),
    /// Call a tool as an agent would
    Tool(ToolArgs),
    /// Deliver an event (in a later version)
    #[command(hide = true)]
    Event(Later),
}

/// Arguments of `run op`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext run op notes.search --input query=retry --input limit=3   each input by its name
  kontext run op notes.store --json @note.json                      all of them from a file
  kontext run op notes.health                                       one that takes none

`kontext adapters show NAME` lists the ops of an adapter and what they take.")]
pub struct OpArgs {
    /// The op
    #[arg(value_name = "ADAPTER.OP")]
    pub op: String,
    #[command(flatten)]
    pub inputs: Inputs,
}

/// Where and how much to look.
#[derive(Debug, Args)]
pub struct Reach {
    /// At most so many hits
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
    /// Ask only these adapters (stands behind what is asked)
    #[arg(long = "source", value_name = "NAME", num_args = 1..)]
    pub sources: Vec<String>,
}

/// Arguments of `run search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// What to look for
    #[arg(value_parser = not_empty)]
    pub query: String,
    #[command(flatten)]
    pub reach: Reach,
}

/// Arguments of `run history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// A file, or whatever the adapters know the history of
    #[arg(value_parser = not_empty)]
    pub target: String,
    #[command(flatten)]
    pub reach: Reach,
}

/// Arguments of `run code`.
#[derive(Debug, Args)]
pub struct CodeArgs {
    /// A symbol, or words
    #[arg(value_parser = not_empty)]
    pub symbol: String,
    #[command(flatten)]
    pub reach: Reach,
}

/// Arguments of `run brief`.
#[derive(Debug, Args)]
pub struct BriefArgs {
    /// What the work is about
    #[arg(value_parser = not_empty)]
    pub focus: Option<String>,
    /// Ask only these adapters (stands behind what is asked)
    #[arg(long = "source", value_name = "NAME", num_args = 1..)]
    pub sources: Vec<String>,
}

/// Arguments of `run read`.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// The address, as a hit has it
    #[arg(value_parser = not_empty)]
    pub uri: String,
    /// How much of it: 0 a line, 1 a summary, 2 everything
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=2))]
    pub level: Option<u64>,
}

/// A question that asks something: kontext's own tools take no empty one either.
fn not_empty(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("it must have at least 1 character") } else { Ok(text.to_owned()) }
}

/// Arguments of a form that is not there yet.
#[derive(Debug, Args)]
pub struct Later {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

/// Loads the plan, runs the form, prints the answer.
///
/// # Errors
/// Status 2 when there is no plan to run, 1 when the call failed.
pub fn run(context: &Context, args: &RunArgs) -> Outcome {
    let _log = log::start(context, args.log_format);
    match &args.form {
        Some(_) if args.http.is_some() => {
            Err(Failure::refused("`--http` serves the tools; it does not go with a form such as `search`"))
        }
        None => match &args.http {
            Some(address) => serve_http::run(context, args, address),
            None => serve::run(context, args),
        },
        Some(Form::Event(_)) => Err(later("`kontext run event`")),
        Some(form) => {
            let machine = Machine::discover(context)?;
            let answer = answer(context, args, &machine, form);
            finish(context, args, answer)
        }
    }
}

fn later(what: &str) -> Failure {
    Failure::refused(format!("{what} is not part of this version yet"))
        .help("`kontext run`, `kontext run op`, `tool`, `search`, `history`, `code`, `brief` and `read` are")
}

fn answer(context: &Context, args: &RunArgs, machine: &Machine, form: &Form) -> Result<Rendered, Failure> {
    let runtime = execution::runtime(context, args, machine)?;
    if let Some(op) = federated(form).filter(|op| !runtime.can(op)) {
        context.say(&format!("note: no active adapter has the op `{op}`; `kontext adapters list` says why"));
    }
    block_on(async {
        let answer = ask(context, machine, &runtime, form).await;
        runtime.close().await;
        answer
    })?
}

/// The op that a form asks of every adapter.
fn federated(form: &Form) -> Option<&'static str> {
    match form {
        Form::Search(_) => Some("search"),
        Form::History(_) => Some("history"),
        Form::Code(_) => Some("code"),
        Form::Brief(_) => Some("brief"),
        Form::Op(_) | Form::Read(_) | Form::Tool(_) | Form::Event(_) => None,
    }
}

async fn ask(
    context: &Context,
    machine: &Machine,
    runtime: &Runtime,
    form: &Form,
) -> Result<Rendered, Failure> {
    match form {
        Form::Op(args) => {
            let (adapter, op) = split(&args.op)?;
            let given = args.inputs.given(context, machine)?;
            told(machine, runtime.op(adapter, op, &given).await).map(|answer| Rendered::op(&answer))
        }
        Form::Search(args) => hits(machine, runtime, "search", &args.query, &args.reach).await,
        Form::History(args) => hits(machine, runtime, "history", &args.target, &args.reach).await,
        Form::Code(args) => hits(machine, runtime, "code", &args.symbol, &args.reach).await,
        Form::Brief(args) => {
            let question = Question { text: args.focus.clone(), limit: 10, sources: args.sources.clone() };
            told(machine, runtime.brief(&question).await).map(|answer| Rendered::brief(&answer))
        }
        Form::Read(args) => {
            let read = runtime.read(&args.uri, args.level).await;
            told(machine, read).map(|answer| Rendered::read(&answer))
        }
        Form::Tool(args) => tool::call(context, machine, runtime, args).await,
        Form::Event(_) => Err(later("this form")),
    }
}

async fn hits(
    machine: &Machine,
    runtime: &Runtime,
    op: &str,
    words: &str,
    reach: &Reach,
) -> Result<Rendered, Failure> {
    let limit = usize::try_from(reach.limit).unwrap_or(usize::MAX);
    let question = Question { text: Some(words.to_owned()), limit, sources: reach.sources.clone() };
    told(machine, runtime.hits(op, &question).await).map(|answer| Rendered::hits(&answer))
}

fn split(name: &str) -> Result<(&str, &str), Failure> {
    name.split_once('.')
        .filter(|(adapter, op)| !adapter.is_empty() && !op.is_empty())
        .ok_or_else(|| Failure::refused(format!("`{name}` is not ADAPTER.OP, such as `notes.search`")))
}

fn finish(context: &Context, args: &RunArgs, answer: Result<Rendered, Failure>) -> Outcome {
    let answer = answer?;
    if wants_text(args) {
        for note in answer.notes {
            context.say(&format!("note: {note}"));
        }
        output::data(&answer.text)?;
    } else {
        output::data(&answer.json)?;
    }
    Ok(OK)
}

fn wants_text(args: &RunArgs) -> bool {
    match args.format {
        Some(format) => format == Format::Human,
        None => args.text || std::io::IsTerminal::is_terminal(&std::io::stdout()),
    }
}
