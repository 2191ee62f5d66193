//! `kontext schema`: the published JSON schemas, as this version of kontext has them.

use clap::{Args, ValueEnum};

use super::{OK, Outcome};
use crate::output;

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  kontext schema config > kontext.schema.json     for editors with a TOML language server")]
pub struct SchemaArgs {
    /// Which schema
    #[arg(value_enum)]
    pub name: SchemaName,
}

/// The published schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// Configuration files
    Config,
    /// The plan `build` writes
    Plan,
    /// `kontext.lock`
    Lock,
    /// What `check --format json` prints
    Diagnostics,
    /// What `build --format json` prints
    Build,
    /// What `plan verify --format json` prints
    Verify,
    /// What `adapters inspect --format json` prints
    Inspect,
    /// What `adapters test --format json` prints
    Test,
    /// What `lock --format json` prints
    LockReport,
    /// What `run op`, `search`, `history`, `code`, `brief` and `read` print
    Answer,
    /// What `run tool` prints
    ToolResult,
    /// What a command that fails writes with `--format json`
    Failure,
    /// What `adapters list --format json` prints
    Adapters,
    /// What `adapters show --format json` prints
    Adapter,
    /// What `scope --format json` prints
    Scope,
    /// What `connect --format json` prints
    Connect,
    /// The note that `run event` reads
    Event,
}

impl SchemaName {
    /// The schema's text.
    pub fn text(self) -> &'static str {
        match self {
            SchemaName::Config => include_str!("../../schemas/config.schema.json"),
            SchemaName::Plan => include_str!("../../schemas/plan.schema.json"),
            SchemaName::Lock => include_str!("../../schemas/lock.schema.json"),
            SchemaName::Diagnostics => include_str!("../../schemas/diagnostics.schema.json"),
            SchemaName::Build => include_str!("../../schemas/build.schema.json"),
            SchemaName::Verify => include_str!("../../schemas/verify.schema.json"),
            SchemaName::Inspect => include_str!("../../schemas/inspect.schema.json"),
            SchemaName::Test => include_str!("../../schemas/test.schema.json"),
            SchemaName::Connect => include_str!("../../schemas/connect.schema.json"),
            SchemaName::LockReport => include_str!("../../schemas/lock-report.schema.json"),
            SchemaName::Answer => include_str!("../../schemas/answer.schema.json"),
            SchemaName::Failure => include_str!("../../schemas/failure.schema.json"),
            SchemaName::Adapter => include_str!("../../schemas/adapter.schema.json"),
            SchemaName::ToolResult => include_str!("../../schemas/tool-result.schema.json"),
            SchemaName::Adapters => include_str!("../../schemas/adapters.schema.json"),
            SchemaName::Scope => include_str!("../../schemas/scope.schema.json"),
            SchemaName::Event => include_str!("../../schemas/event.schema.json"),
        }
    }
}

/// Prints a schema.
pub fn run(args: &SchemaArgs) -> Outcome {
    output::data(args.name.text())?;
    Ok(OK)
}
