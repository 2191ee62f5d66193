//! `kontext scope`: which scope a directory belongs to, and which step of the chain says so.

use clap::Args;
use kontext_compiler::Options;
use kontext_runtime::{About, ScopeAnswer};

use super::adapters::{json, runtime, table};
use super::run::told;
use super::{Context, OK, Outcome};
use crate::args::Format;
use crate::compile::compile;
use crate::output;

/// Arguments of `scope`.
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  kontext scope                          the scope of this directory, and why
  kontext scope ~/work/site              of another; it need not be there
  kontext scope --active-scope www       what an agent gets that names its scope
  kontext scope --json                   the same for programs")]
pub struct ScopeArgs {
    /// The workspace [default: the directory kontext works in]
    #[arg(value_name = "PATH", allow_hyphen_values = false)]
    pub path: Option<String>,
    /// The scope that an agent names
    #[arg(long, value_name = "SCOPE")]
    pub active_scope: Option<String>,
    /// For people, or JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl ScopeArgs {
    /// How the answer is written.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Compiles the layers in memory and resolves one workspace.
///
/// # Errors
/// When the layers do not compile, or the hot document cannot be read.
pub fn run(context: &Context, args: &ScopeArgs) -> Outcome {
    let (compilation, machine) = compile(context, Options::default())?;
    let runtime = runtime(context, &compilation, &machine)?;
    let about = About { workspace: args.path.as_deref(), active_scope: args.active_scope.as_deref() };
    let answer = told(&machine, runtime.scope(about))?;
    if args.format() == Format::Json {
        output::data(&json(&answer)?)?;
    } else {
        output::data(&human(&answer))?;
    }
    Ok(OK)
}

fn human(answer: &ScopeAnswer) -> String {
    let step = match answer.step.as_str() {
        "explicit" => "explicit: it was named",
        "map" => "map: the longest path that matches",
        "current" => "current: the hot document says so",
        _ => "default: nothing else answered",
    };
    let mut rows = vec![row("scope", &answer.scope), row("step", step)];
    rows.extend(answer.matched.as_deref().map(|key| row("matched", key)));
    rows.extend(answer.from.as_ref().map(|from| row("from", &format!("{}:{}", from.file, from.line))));
    rows.push(row("section", answer.section.as_deref().unwrap_or("none")));
    rows.extend(answer.notes.iter().map(|note| row("note", note)));
    table(&rows)
}

fn row(name: &str, value: &str) -> Vec<String> {
    vec![name.to_owned(), value.to_owned()]
}
