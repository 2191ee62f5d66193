//! `kontext plan`: what a plan holds, and whether it is sound.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use kontext_host::Places;
use kontext_plan::{Adapter, Capability, CapabilityKind, Driver, Plan};
use serde::Serialize;
use serde_json::Value;

use super::build::{self, again};
use super::{Context, Failure, OK, Outcome, adapters, schema};
use crate::args::Format;
use crate::compile::Machine;
use crate::output;

/// Arguments of `plan`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext plan show                        what this repository's plan would start, contact and read
  kontext plan show --format json | jq .   the plan itself
  kontext plan verify --plan plan.json     its form and its digest")]
pub struct PlanArgs {
    /// What to do
    #[command(subcommand)]
    pub command: PlanCommand,
}

/// What can be done with a plan.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Print what a plan holds
    Show(ShowArgs),
    /// Check a plan against its schema and its digest
    Verify(VerifyArgs),
}

impl PlanCommand {
    /// How the answer is written.
    pub fn format(&self) -> Format {
        match self {
            PlanCommand::Show(args) => args.format,
            PlanCommand::Verify(args) => args.format,
        }
    }
}

/// Arguments of `plan show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The plan [default: where `kontext build` writes it]
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// A summary, or the plan itself
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `plan verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The plan [default: where `kontext build` writes it]
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// For people, or JSON
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What `plan verify` found: the contract of `schemas/verify.schema.json`.
#[derive(Serialize)]
struct Verdict<'a> {
    version: u32,
    sound: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a Sound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal<'a>>,
}

/// A plan that is what it was written as.
#[derive(Serialize)]
struct Sound {
    file: String,
    format: u32,
    digest: String,
}

/// Why a plan is not.
#[derive(Serialize)]
struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    message: &'a str,
}

/// Shows or verifies.
///
/// # Errors
/// Status 2 when there is no plan, it has another format, or was changed after it was written.
pub fn run(context: &Context, args: &PlanArgs) -> Outcome {
    match &args.command {
        PlanCommand::Show(args) => {
            let machine = Machine::discover(context)?;
            let (_, text) = read(context, &machine, args.plan.as_ref())?;
            let plan = kontext_plan::parse(&text).map_err(|error| refused(&error))?;
            match args.format {
                Format::Json => output::data(&pretty(&text)?)?,
                Format::Human => output::data(&summary(&plan, &machine.places))?,
            }
        }
        PlanCommand::Verify(args) => return verify(context, args),
    }
    Ok(OK)
}

fn verify(context: &Context, args: &VerifyArgs) -> Outcome {
    let verified = sound(context, args);
    if args.format == Format::Human {
        let Sound { file, format, digest } = verified?;
        output::data(&format!("`{file}` is sound: format {format}, digest {digest}"))?;
        return Ok(OK);
    }
    let status = verified.as_ref().map_or_else(|error| error.status, |_| OK);
    let (plan, error) = match &verified {
        Ok(plan) => (Some(plan), None),
        Err(error) => (None, Some(Refusal { id: error.id.as_deref(), message: &error.message })),
    };
    output::data(&adapters::json(&Verdict { version: 1, sound: plan.is_some(), plan, error })?)?;
    Ok(status)
}

fn read(context: &Context, machine: &Machine, file: Option<&PathBuf>) -> Result<(String, String), Failure> {
    let path = file.map_or_else(|| machine.places.plan(), |file| machine.resolve(context, file));
    let shown = machine.places.display(&path);
    match fs_err::read(&path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok((shown, text)),
            Err(_) => Err(Failure::refused(format!("`{shown}` is not UTF-8 text")).id("plan-format")),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::refused(format!("there is no plan at `{shown}`"))
                .id("no-plan")
                .help(format!("run `{}`", again::here(context, machine, file.map(PathBuf::as_path)))))
        }
        Err(error) => Err(Failure::refused(format!("`{shown}` cannot be read: {error}"))),
    }
}

fn refused(error: &kontext_plan::PlanError) -> Failure {
    let id = match error {
        kontext_plan::PlanError::Digest => "plan-digest",
        _ => "plan-format",
    };
    Failure::refused(error.to_string()).id(id).help("run `kontext build`")
}

fn pretty(text: &str) -> Result<String, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|error| Failure::refused(error.to_string()))?;
    serde_json::to_string_pretty(&value).map_err(|error| Failure::refused(error.to_string()))
}

/// The schema first, so that what is wrong is said with its place; then format and digest.
fn sound(context: &Context, args: &VerifyArgs) -> Result<Sound, Failure> {
    let (shown, text) = read(context, &Machine::discover(context)?, args.plan.as_ref())?;
    let not_a_plan =
        |reason: String| Failure::refused(format!("`{shown}` is not a plan: {reason}")).id("plan-format");
    let value: Value = serde_json::from_str(&text).map_err(|error| not_a_plan(error.to_string()))?;
    let schema =
        serde_json::from_str(schema::SchemaName::Plan.text()).map_err(|e| Failure::refused(e.to_string()))?;
    let validator =
        jsonschema::validator_for(&schema).map_err(|error| Failure::refused(error.to_string()))?;
    if value.get("format").is_some_and(|format| *format == kontext_plan::FORMAT)
        && let Some(error) = validator.iter_errors(&value).next()
    {
        return Err(not_a_plan(format!("{error} at `{}`", error.instance_path())));
    }
    let plan = kontext_plan::parse(&text).map_err(|error| refused(&error))?;
    Ok(Sound { file: shown, format: plan.format, digest: plan.digest })
}

/// What people want to know before they run a plan.
pub fn summary(plan: &Plan, places: &Places) -> String {
    let head = format!("plan of kontext {}, profile {}", plan.kontext, plan.profile.as_str());
    let mut out = format!("{head}: {}\n{}\n", build::contents(plan), plan.digest);
    section(
        &mut out,
        "adapters",
        plan.adapters.iter().map(|(name, adapter)| adapter_row(plan, places, name, adapter)),
    );
    section(
        &mut out,
        "it could",
        plan.capabilities.iter().map(|capability| capability_row(places, capability)),
    );
    let secret = |secret: bool| if secret { "secret" } else { "" };
    section(
        &mut out,
        "it asks this machine for",
        plan.facts.iter().map(|f| vec![f.name.clone(), secret(f.secret).into()]),
    );
    let short = |digest: &str| digest.chars().take("sha256:".len() + 12).collect::<String>();
    let path = |name: &str| places.input(name).map_or_else(String::new, |path| places.display(&path));
    section(
        &mut out,
        "it was made from",
        plan.inputs.iter().map(|i| vec![i.name.clone(), short(&i.digest), path(&i.name)]),
    );
    out
}

/// A titled table whose columns are as wide as they need be.
fn section(out: &mut String, title: &str, rows: impl Iterator<Item = Vec<String>>) {
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return;
    }
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    out.push_str(&format!("\n{title}\n"));
    for row in &rows {
        let cells =
            row.iter().enumerate().map(|(at, cell)| format!("{cell:width$}", width = width(at).unwrap_or(0)));
        out.push_str(&format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end()));
    }
}

fn adapter_row(plan: &Plan, places: &Places, name: &str, adapter: &Adapter) -> Vec<String> {
    let driver = match adapter.driver {
        Driver::Http => "http",
        Driver::Command => "command",
        Driver::Mcp { .. } => "mcp",
    };
    let ops = adapter.ops.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let ops = if adapter.enabled { ops } else { format!("{ops} (switched off)") };
    let at = usize::try_from(adapter.at.0).ok().and_then(|at| plan.origins.get(at));
    let place = at.map_or_else(String::new, |origin| {
        format!("{}:{}", places.display_logical(&origin.file), origin.line)
    });
    vec![name.to_owned(), driver.to_owned(), ops, place]
}

/// Where something stands, as a path that can be opened: `clone:config.toml:3` is a file of git's own directory.
fn openable(places: &Places, at: &str) -> String {
    match at.rsplit_once(':') {
        Some((file, line)) => format!("{}:{line}", places.display_logical(file)),
        None => at.to_owned(),
    }
}

/// What a capability of a kind lets kontext do.
pub fn verb(kind: CapabilityKind) -> &'static str {
    match kind {
        CapabilityKind::Exec => "start",
        CapabilityKind::Host => "contact",
        CapabilityKind::Env => "read variable",
        CapabilityKind::File => "look at file",
        CapabilityKind::Tool => "publish tool",
        CapabilityKind::Root => "read notes in",
    }
}

fn capability_row(places: &Places, capability: &Capability) -> Vec<String> {
    vec![
        verb(capability.kind).to_owned(),
        capability.value.clone(),
        capability.adapter.clone(),
        openable(places, &capability.at),
    ]
}
