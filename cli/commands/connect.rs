//! `kontext connect`: the entry an MCP client needs to start `kontext run`, printed or put into the client's file.

mod client;
mod file;
mod jsonc;
mod program;
mod text;
mod toml;
mod variables;

use std::path::{Path, PathBuf};

use clap::Args;
use kontext_compiler::layer::EXPLICIT;
use kontext_compiler::world::{ReadError, World};
use serde_json::{Map, Value, json};

use self::client::{Facts, NAME, Syntax};
use self::file::ClientFile;
use self::text::{Change, Merged, Refusal, position};
use super::build::again;
use super::{Context, Failure, OK, Outcome};
use crate::args::Format;
use crate::compile::Machine;
use crate::output;
use crate::world::MachineWorld;

pub use self::client::Client;

/// Arguments of `connect`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext connect claude                         print the entry
  kontext connect claude --write                 put it into .mcp.json at the root of the repository
  kontext connect vscode --write --plan p.json   the server is to run that plan
  kontext connect codex --format json            the entry for programs

A file that is there keeps every byte outside the entry: comments, layout, line ends.")]
pub struct ConnectArgs {
    /// The client
    #[arg(value_enum, value_name = "CLIENT")]
    pub client: Client,
    /// Put the entry into the client's file in this repository
    #[arg(long)]
    pub write: bool,
    /// The plan the server runs [default: where `kontext build` writes it]
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// How the entry is printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: Format,
}

/// Prints the entry or writes it.
///
/// # Errors
/// Status 2 when the client's file cannot be read, changed or written; 1 when there is no layer where `--config` says.
pub fn run(context: &Context, args: &ConnectArgs) -> Outcome {
    let machine = Machine::discover(context)?;
    readable(context, &machine)?;
    let facts = args.client.facts();
    let entry = entry(context, args, &machine, facts)?;
    let file = ClientFile::find(&machine, facts)?;
    let merged = match args.write {
        true => Some(write(&file, facts, &entry)?),
        false => None,
    };
    let plan = match &args.plan {
        Some(plan) => machine.resolve(context, plan),
        None => machine.places.plan(),
    };
    let variables = if facts.passes_all { Vec::new() } else { variables::read_by(&plan) };
    let done = Done {
        client: args.client,
        file: &file,
        merged: merged.as_ref(),
        planned: plan.is_file(),
        build: again::here(context, &machine, args.plan.as_deref()),
        variables,
    };
    match args.format {
        Format::Json => output::data(&done.report(&entry))?,
        Format::Human => {
            if merged.is_none() {
                output::data(&shown(facts, &entry))?;
            }
            done.say(context);
        }
    }
    Ok(OK)
}

/// The file that `--config` names is there: a server that is started with it could never serve.
fn readable(context: &Context, machine: &Machine) -> Result<(), Failure> {
    if context.globals.config.is_none() {
        return Ok(());
    }
    let world = MachineWorld::new(&machine.repository, &machine.places);
    let shown = world.display(EXPLICIT).unwrap_or_default();
    let failure = match world.read(EXPLICIT) {
        Ok(Some(_)) => return Ok(()),
        Ok(None) => Failure::failed(format!("`{shown}` does not exist"))
            .help("it was named with `--config`: mend the path, or leave it out"),
        Err(ReadError { reason, help }) => {
            let failure = Failure::failed(format!("`{shown}` cannot be read: {reason}"));
            help.into_iter().fold(failure, Failure::help)
        }
    };
    Err(failure.id("unreadable-layer"))
}

/// The entry that starts `kontext run` for this repository.
fn entry(
    context: &Context,
    args: &ConnectArgs,
    machine: &Machine,
    facts: &Facts,
) -> Result<Map<String, Value>, Failure> {
    let program = word(facts, &program::path(context)?)?;
    let option = |name: &str, path: &Path| -> Result<[String; 2], Failure> {
        let path = absolute(&machine.resolve(context, path))?;
        Ok([name.to_owned(), word(facts, &path)?])
    };
    let mut words = vec!["-C".to_owned(), word(facts, machine.repository.root())?];
    if let Some(config) = &context.globals.config {
        words.extend(option("--config", config)?);
    }
    words.push("run".to_owned());
    // Other than `--config`, it is an option of `run` alone.
    if let Some(plan) = &args.plan {
        words.extend(option("--plan", plan)?);
    }
    Ok(facts.entry(&program, &words))
}

/// Without links and `..` when the file is there.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    fs_err::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .map_err(|error| Failure::refused(format!("`{}` has no absolute path: {error}", path.display())))
}

/// A path as a word of an entry.
fn word(facts: &Facts, path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let text = path.to_str().ok_or_else(|| {
        Failure::refused(format!("the path `{shown}` is not UTF-8, and {} reads nothing else", facts.title))
    })?;
    match facts.replaces.iter().find(|begin| text.contains(**begin)) {
        Some(begin) => Err(Failure::refused(format!(
            "the path `{shown}` holds `{begin}`, which {} would replace",
            facts.title
        ))),
        None => Ok(text.to_owned()),
    }
}

/// Puts the entry into the file, unless it is there.
fn write(file: &ClientFile, facts: &Facts, entry: &Map<String, Value>) -> Result<Merged, Failure> {
    let blank = facts.blank();
    let text = file.text()?;
    let old = text.unwrap_or(&blank);
    let refused = |refusal: Refusal| {
        let at = refusal.at.map(|at| position(old.trim_start_matches('\u{feff}'), at));
        Failure::refused(format!("`{}` was not touched: {}", file.shown, refusal.message))
            .at(at.map(|(line, column)| format!("{}:{line}:{column}", file.shown)))
            .help("mend it, or put the entry in by hand: the same command without `--write` prints it")
    };
    let merged = match facts.syntax {
        Syntax::Toml => toml::merge(old, facts.servers, NAME, entry),
        Syntax::Json if has_newer_form(facts, old).map_err(refused)? => {
            // The newer form has no `enabled`; what is there is on.
            let entry = entry.iter().filter(|(key, _)| *key != "enabled");
            let entry = entry.map(|(key, value)| (key.clone(), value.clone())).collect();
            jsonc::merge(old, &[facts.servers, "servers", NAME], &entry)
        }
        Syntax::Json => jsonc::merge(old, &[facts.servers, NAME], entry),
    }
    .map_err(refused)?;
    if merged.change != Change::Same {
        file.write(&merged.text)?;
    }
    Ok(merged)
}

/// Whether an opencode file keeps its servers one level deeper, as from version 2 on. A server that is itself called
/// `servers` has a `type`.
fn has_newer_form(facts: &Facts, text: &str) -> Result<bool, Refusal> {
    if facts.servers != "mcp" {
        return Ok(false);
    }
    let servers = jsonc::find(text, &[facts.servers, "servers"])?;
    Ok(servers
        .is_some_and(|servers| servers.is_object() && !servers.get("type").is_some_and(Value::is_string)))
}

/// What a new file would hold.
fn shown(facts: &Facts, entry: &Map<String, Value>) -> String {
    match facts.syntax {
        Syntax::Toml => toml::alone(facts.servers, NAME, entry),
        Syntax::Json => jsonc::merge(&facts.blank(), &[facts.servers, NAME], entry)
            .map(|merged| merged.text)
            .unwrap_or_default(),
    }
}

/// What was done.
struct Done<'a> {
    client: Client,
    file: &'a ClientFile,
    /// None when nothing was to be written.
    merged: Option<&'a Merged>,
    /// Whether there is a plan to run.
    planned: bool,
    /// The command that writes it.
    build: String,
    /// What the plan reads and the client's servers do not get.
    variables: Vec<String>,
}

/// `a`, `b` and `c`.
fn listed(keys: &[String]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

impl Done<'_> {
    /// For programs.
    fn report(&self, entry: &Map<String, Value>) -> String {
        let (status, changed): (&str, &[String]) = match self.merged.map(|merged| &merged.change) {
            None => ("shown", &[]),
            Some(Change::Added) => ("added", &[]),
            Some(Change::Keys(keys)) => ("changed", keys),
            Some(Change::Replaced) => ("replaced", &[]),
            Some(Change::Same) => ("unchanged", &[]),
        };
        let path = match self.merged {
            Some(merged) => merged.path.clone(),
            None => vec![self.client.facts().servers.to_owned(), NAME.to_owned()],
        };
        let report = json!({
            "version": 1, "client": self.client.name(), "file": self.file.shown, "path": path, "status": status,
            "changed": changed, "entry": entry, "plan": self.planned, "variables": self.variables,
        });
        serde_json::to_string_pretty(&report).unwrap_or_default()
    }

    /// For people.
    fn say(&self, context: &Context) {
        let facts = self.client.facts();
        self.say_change(context, facts);
        if !self.planned {
            context.say(&format!(
                "help: there is no plan yet: run `{}`; until then the server only says so",
                self.build
            ));
        }
        if !self.variables.is_empty() {
            let list = toml::written(&json!(self.variables));
            context.say(&format!(
                "help: {} gives servers few variables, and the plan reads others: add `env_vars = {list}` to the \
                 entry",
                facts.title
            ));
        }
    }

    fn say_change(&self, context: &Context, facts: &Facts) {
        let shown = &self.file.shown;
        let Some(merged) = self.merged else {
            let client = self.client.name();
            let words =
                format!("this belongs into `{shown}`; `kontext connect {client} --write` puts it there");
            return context.say(&words);
        };
        let path = merged.path.join(".");
        match &merged.change {
            Change::Same => {
                return context.say(&format!("`{path}` is in `{shown}` already: nothing was written"));
            }
            Change::Added => context.say(&format!("added `{path}` to `{shown}`")),
            Change::Replaced => {
                context.say(&format!("replaced `{path}` in `{shown}`, which was something else"));
            }
            Change::Keys(keys) => {
                context.say(&format!("changed {} of `{path}` in `{shown}`", listed(keys)));
            }
        }
        context.say(&format!("next: {}", facts.next));
    }
}
