//! `kontext lock`: asks MCP servers what tools they have, shows what changed, and writes that down.

mod drift;
mod files;
mod report;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;

use clap::Args;
use kontext_compiler::pin::{LockUse, Place};
use kontext_compiler::{Compilation, Options};
use kontext_plan::lock::LockedAdapter;
use kontext_plan::{Plan, Profile};
use kontext_runtime::{Offer, RunError, Runtime, Trust};

use self::drift::{Row, Status};
use self::files::Files;
use super::run::{block_on, told};
use super::{Context, FOUND, Failure, OK, Outcome};
use crate::args::{Format, ProfileArg};
use crate::compile::{Machine, compile, planned};
use crate::output;
use crate::world::MachineWorld;

/// Arguments of `lock`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext lock                     write down what tools the MCP servers have
  kontext lock --diff              what changed since, written nowhere
  kontext lock --adapter docs      ask one server alone
  kontext lock --check             status 1 when anything changed")]
pub struct LockArgs {
    #[command(flatten)]
    pub profile: ProfileArg,
    /// Ask only this adapter's server; may be given again
    #[arg(long = "adapter", value_name = "NAME")]
    pub adapters: Vec<String>,
    /// Show what changed and write nothing
    #[arg(long, conflicts_with = "check")]
    pub diff: bool,
    /// Write nothing; exit with status 1 when anything changed
    #[arg(long)]
    pub check: bool,
    /// For people, or JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What servers offer, or why they do not answer, by adapter.
type Offers = BTreeMap<String, Result<Offer, RunError>>;

/// What the layers say, and where the entries of their servers belong.
struct Configured<'a> {
    machine: &'a Machine,
    plan: &'a Plan,
    places: &'a BTreeMap<String, Place>,
}

/// Compiles the layers in memory, asks, compares, and writes what changed.
///
/// # Errors
/// When the layers do not compile, an adapter is named that has no lock, or a lock cannot be read or written.
pub fn run(context: &Context, args: &LockArgs) -> Outcome {
    let profile = args.profile.get();
    let (compilation, machine) = compile(context, Options { profile, lock: LockUse::Ignore })?;
    let unasked = |failure: Failure| Failure { message: failure.message + ": nothing was asked", ..failure };
    let plan = planned(context, &compilation).map_err(unasked)?;
    let configured = Configured { machine: &machine, plan, places: &compilation.pins.places };
    let mut files = Files::read(&machine, &known(&machine, profile, &compilation))?;
    let rows = rows(context, args, &configured, &mut files)?;
    let written = if args.diff || args.check { Vec::new() } else { files.write()? };
    output::data(&match args.format {
        Format::Human => report::human(&rows, context.colour_stdout()),
        Format::Json => report::json(&rows, &written)?,
    })?;
    finish(context, args, &rows, &written)
}

/// By the logical name of each lock that this profile may write: the adapters whose entries belong there; none where
/// that is not known. What every clone shares is not forgotten because a layer of this machine replaces it here.
fn known(
    machine: &Machine,
    profile: Profile,
    compilation: &Compilation,
) -> BTreeMap<String, Option<BTreeSet<String>>> {
    let shared = (profile == Profile::Local).then(|| {
        let world = MachineWorld::new(&machine.repository, &machine.places);
        let options = Options { profile: Profile::Shared, lock: LockUse::Ignore };
        kontext_compiler::compile(&world, &options)
    });
    let all: Vec<&Compilation> = [Some(compilation), shared.as_ref()].into_iter().flatten().collect();
    let mut known: BTreeMap<String, Option<BTreeSet<String>>> = BTreeMap::new();
    if profile == Profile::Local {
        known.insert(files::of_clone(), Some(BTreeSet::new()));
    }
    if let Some(name) = compilation.plan.as_ref().and_then(files::of_shared) {
        known.insert(name, Some(BTreeSet::new()));
    }
    for (name, place) in all.iter().flat_map(|compilation| &compilation.pins.places) {
        if let Some(names) = known.entry(place.file.clone()).or_insert_with(|| Some(BTreeSet::new())) {
            names.insert(name.clone());
        }
    }
    if all.iter().any(|compilation| compilation.plan.is_none()) {
        let of_shared = known.iter_mut().filter(|(file, _)| **file != files::of_clone());
        of_shared.for_each(|(_, names)| *names = None);
    }
    known
}

/// Asks every chosen server and puts what it has into its file; what became of each, by name.
fn rows(
    context: &Context,
    args: &LockArgs,
    configured: &Configured<'_>,
    files: &mut Files,
) -> Result<Vec<Row>, Failure> {
    let trust = Trust::new(&configured.machine.env, true);
    let machine = configured.machine;
    let runtime =
        Runtime::new(configured.plan.clone(), machine.env.clone(), machine.repository.clone(), trust);
    let chosen = chosen(args, configured, &runtime)?;
    let names: Vec<&str> =
        chosen.iter().filter(|(_, place)| files.is_possible(&place.file)).map(|(name, _)| *name).collect();
    let mut offers = ask(context, &runtime, &names)?;
    let (mut rows, mut silent) = (Vec::new(), Vec::new());
    for (name, place) in chosen {
        let file = files.shown(&place.file);
        let row = match offers.remove(name) {
            None => Row::kept(name, file, "outside git there is no place to lock its tools in".to_owned()),
            Some(Ok(offer)) => taken(files, name, place, offer, &file)?,
            Some(Err(error)) => {
                let is_off = matches!(error.id, "inactive" | "not-trusted") && args.adapters.is_empty();
                let row = Row::kept(name, file, error.message.clone());
                if is_off { row } else { row.failed(told::<()>(machine, Err(error)).err()) }
            }
        };
        if row.reason.is_some() {
            silent.push((name, place.file.as_str()));
        }
        rows.push(row);
    }
    files.refuse_loss(!args.adapters.is_empty(), &silent)?;
    if args.adapters.is_empty() {
        rows.extend(files.drop_unknown().into_iter().map(|(name, file)| Row::dropped(&name, file)));
    }
    rows.sort_by(|a, b| (&a.name, &a.file).cmp(&(&b.name, &b.file)));
    Ok(rows)
}

/// The adapters to ask, by name.
fn chosen<'a>(
    args: &'a LockArgs,
    configured: &Configured<'a>,
    runtime: &Runtime,
) -> Result<BTreeMap<&'a str, &'a Place>, Failure> {
    if args.adapters.is_empty() {
        return Ok(configured.places.iter().map(|(name, place)| (name.as_str(), place)).collect());
    }
    let mut chosen = BTreeMap::new();
    for name in &args.adapters {
        told(configured.machine, runtime.adapter(name))?;
        let place = configured.places.get(name).ok_or_else(|| {
            Failure::failed(format!("`{name}` has nothing to lock"))
                .help("only mcp adapters have, and those with `pin = \"off\"` have not")
        })?;
        chosen.insert(name.as_str(), place);
    }
    Ok(chosen)
}

fn ask(context: &Context, runtime: &Runtime, names: &[&str]) -> Result<Offers, Failure> {
    let watched = std::io::stderr().is_terminal() && !names.is_empty();
    if watched {
        let many = if names.len() == 1 { "" } else { "s" };
        context.say(&format!("asking {} server{many} …", names.len()));
    }
    let answered = |name: &str| {
        if watched {
            context.say(&format!("  asked `{name}`"));
        }
    };
    block_on(async {
        let offers = runtime.offers(names, answered).await;
        runtime.close().await;
        offers.into_iter().collect()
    })
}

/// Puts what a server offers into its file.
fn taken(files: &mut Files, name: &str, place: &Place, offer: Offer, file: &str) -> Result<Row, Failure> {
    let Offer { server, pin, tools, notes } = offer;
    let entry = LockedAdapter { connection: place.connection.clone(), pin, server, tools };
    let older = files.entry(&place.file, name);
    let entry = match &older {
        Some(older) => entry.settled(older),
        None => entry,
    };
    let row = Row::compared(name, file, older.as_ref(), &entry, notes);
    files.put(&place.file, name, entry)?;
    Ok(row)
}

fn finish(context: &Context, args: &LockArgs, rows: &[Row], written: &[String]) -> Outcome {
    for row in rows {
        if let Some(words) = report::aside(row) {
            context.say(&words);
        }
        if let Some(failure) = &row.failure {
            failure.print(context);
        }
    }
    for file in written {
        context.say(&format!("wrote `{file}`"));
    }
    if rows.is_empty() && args.format == Format::Human {
        context.say("no MCP server to lock: no adapter has `driver = \"mcp\"` and a pin");
    }
    let drifted = rows.iter().any(Row::is_drift);
    if args.check && drifted {
        Failure::failed("the lock is not what the servers have now")
            .help("review it with `kontext lock --diff`, then run `kontext lock`")
            .print(context);
    }
    let failed = rows.iter().any(|row| row.status == Status::Failed);
    Ok(if failed || (args.check && drifted) { FOUND } else { OK })
}
