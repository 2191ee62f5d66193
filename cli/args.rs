//! What can be written on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kontext_plan::Profile;

use crate::commands::{
    adapters, build, check, completions, connect, demo, explain, guard, init, lock, plan, run, schema, scope,
    trust,
};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "kontext",
    version,
    about = "Checks and compiles the configuration that wires agents to outside systems, and runs the result",
    after_help = "Examples:
  kontext init                         write a starter configuration
  kontext check                        find every mistake before anything runs
  kontext build                        write the plan that `kontext run` executes
  kontext run search 'retry policy'    ask every active adapter
  kontext connect claude --write       let an agent start it
  kontext explain unknown-key          why a diagnostic exists and how to mend it

Exit status: 0 all well, 1 errors were found or a call failed, 2 kontext could not do its work.",
    max_term_width = 110,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub globals: Globals,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Work as if started in this directory
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// One more trusted layer, the last [default: $KONTEXT_CONFIG]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// When to colour what people read (NO_COLOR is honoured)
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t)]
    pub color: Color,
    /// Say less: no summaries and hints
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more: `run` writes a line for each call to standard error
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    #[default]
    Auto,
    /// Also into pipes and files
    Always,
    /// Not at all
    Never,
}

/// Which layers are compiled; only commands that compile for others take it.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ProfileArg {
    /// Which layers are compiled: all, or only what every clone of the repository gets
    #[arg(long, value_name = "PROFILE", value_enum, default_value_t)]
    pub profile: ProfileName,
}

/// The profiles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// Every layer of this machine
    #[default]
    Local,
    /// The defaults and the repository's own layer
    Shared,
    /// As `shared`, for a plan that anyone may read
    Public,
}

impl ProfileArg {
    /// The profile of the plan.
    pub fn get(self) -> Profile {
        match self.profile {
            ProfileName::Local => Profile::Local,
            ProfileName::Shared => Profile::Shared,
            ProfileName::Public => Profile::Public,
        }
    }
}

/// How a command writes its data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile everything, write nothing, print what is wrong
    Check(check::CheckArgs),
    /// Check, then write the plan that `run` executes
    Build(build::BuildArgs),
    /// Execute a plan; never reads configuration
    Run(run::RunArgs),
    /// Write down what tools the MCP servers have, and show what changed
    Lock(lock::LockArgs),
    /// Show the adapters and why they are active or not
    Adapters(adapters::AdaptersArgs),
    /// Read a plan
    Plan(plan::PlanArgs),
    /// Which scope a directory belongs to, and which step decided
    Scope(scope::ScopeArgs),
    /// The entry an MCP client needs to start `kontext run`
    Connect(connect::ConnectArgs),
    /// The page of a diagnostic: why it exists, an example, the mend
    Explain(explain::ExplainArgs),
    /// Print a published JSON schema
    Schema(schema::SchemaArgs),
    /// Write a starter configuration into the repository
    Init(init::InitArgs),
    /// The whole path on a built-in sample, leaving nothing behind
    Demo(demo::DemoArgs),
    /// Print shell completions
    Completions(completions::CompletionsArgs),
    /// Approve what a repository's shared layer may do (in a later version)
    #[command(hide = true)]
    Trust(trust::TrustArgs),
    /// The process between kontext and an MCP server
    #[command(hide = true)]
    Guard(guard::GuardArgs),
    /// The program of the demo's command adapter
    #[command(name = "demo-search", hide = true)]
    DemoSearch(demo::program::ProgramArgs),
}

impl Command {
    /// Whether `--format json` was asked for.
    pub fn writes_json(&self) -> bool {
        let format = match self {
            Command::Check(args) => return args.format == check::Output::Json,
            Command::Build(args) => args.format,
            Command::Run(args) => args.format.unwrap_or_default(),
            Command::Lock(args) => args.format,
            Command::Adapters(args) => args.command.format(),
            Command::Plan(args) => args.command.format(),
            Command::Scope(args) => args.format(),
            Command::Connect(args) => args.format,
            Command::Explain(_) | Command::Schema(_) | Command::Init(_) | Command::Demo(_) => Format::Human,
            Command::Completions(_) | Command::Trust(_) | Command::Guard(_) => Format::Human,
            Command::DemoSearch(_) => Format::Human,
        };
        format == Format::Json
    }
}
