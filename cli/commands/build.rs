//! `kontext build`: check, then write the plan.

pub mod again;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use kontext_compiler::Options;
use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::pin::LockUse;
use kontext_plan::{Plan, Profile};

use super::{Context, FOUND, Failure, OK, Outcome, check};
use crate::args::{Format, ProfileArg};
use crate::compile::compile;
use crate::{output, render};

/// Arguments of `build`.
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  kontext build                                  write the plan to its place, where `kontext run` finds it
  kontext build --check                          is the plan there what would be written? (status 1: no)
  kontext build --profile shared -o plan.json    the plan every clone of the repository would get")]
pub struct BuildArgs {
    #[command(flatten)]
    pub profile: ProfileArg,
    /// Where the plan goes; required for a profile other than `local`
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write nothing; exit with status 1 when the plan on disk is not what would be written
    #[arg(long)]
    pub check: bool,
    /// An MCP server whose tools are not in `kontext.lock` is an error
    #[arg(long)]
    pub locked: bool,
    /// For people, or JSON with what became of the plan and every finding
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What became of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    /// There are errors, so there is none.
    Failed,
    /// It was written.
    Written,
    /// It is what would be written.
    Current,
    /// It is not what would be written.
    Outdated,
    /// There is none.
    Missing,
}

impl Became {
    fn word(self) -> &'static str {
        match self {
            Became::Failed => "failed",
            Became::Written => "written",
            Became::Current => "current",
            Became::Outdated => "outdated",
            Became::Missing => "missing",
        }
    }
}

/// Compiles and writes the plan when there is no error.
///
/// # Errors
/// Status 2 when the plan cannot be written, or a profile other than `local` has nowhere to go.
pub fn run(context: &Context, args: &BuildArgs) -> Outcome {
    let profile = args.profile.get();
    if profile != Profile::Local && args.output.is_none() && !args.check {
        return Err(Failure::refused(format!(
            "a plan of the profile `{}` needs `-o FILE`",
            profile.as_str()
        ))
        .help("the default place is for the plan that runs on this machine"));
    }
    let lock = if args.locked { LockUse::Require } else { LockUse::Follow };
    let (compilation, machine) = compile(context, Options { profile, lock })?;
    // What is only good to know is `check`'s to tell.
    let told = |diagnostic: &&Diagnostic| diagnostic.severity != Severity::Info;
    let shown: Vec<&Diagnostic> = compilation.diagnostics.iter().filter(told).collect();
    let is_json = args.format == Format::Json;
    if !is_json {
        output::say(&render::human(&compilation.sources, &compilation.masked, &shown, context.colour()));
    }
    let Some(plan) = &compilation.plan else {
        if is_json {
            output::data(&report::json(&compilation, &shown, Became::Failed, None)?)?;
        } else {
            context.say(&format!("{}: no plan was written", check::summary(&compilation, &shown)));
        }
        return Ok(FOUND);
    };
    let path = match &args.output {
        Some(file) => machine.resolve(context, file),
        None => machine.places.plan(),
    };
    let file = machine.places.display(&path);
    let mut plan = plan.clone();
    let text = kontext_plan::render(&mut plan).map_err(|error| Failure::refused(error.to_string()))?;
    let became = if args.check { compare(&path, &file, &text)? } else { write(&path, &text)? };
    if is_json {
        output::data(&report::json(&compilation, &shown, became, Some((&plan, &file)))?)?;
        return Ok(if matches!(became, Became::Written | Became::Current) { OK } else { FOUND });
    }
    if matches!(became, Became::Written | Became::Current) {
        tell(context, became, &file, &plan, compilation.sources.files().count() == 0);
        return Ok(OK);
    }
    let again = again::of(context, &machine, profile, args.output.as_deref());
    Err(differs(became, &file).help(format!("run `{again}`")))
}

/// The failure of `--check`.
fn differs(became: Became, file: &str) -> Failure {
    Failure::failed(match became {
        Became::Outdated => format!("`{file}` is not what would be written"),
        _ => format!("there is no plan at `{file}`"),
    })
}

fn write(path: &Path, text: &str) -> Result<Became, Failure> {
    kontext_host::write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::refused(error.to_string()))?;
    Ok(Became::Written)
}

fn compare(path: &Path, file: &str, text: &str) -> Result<Became, Failure> {
    match fs_err::read(path) {
        Ok(found) if found == text.as_bytes() => Ok(Became::Current),
        Ok(_) => Ok(Became::Outdated),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Became::Missing),
        Err(error) => Err(Failure::refused(format!("`{file}` cannot be read: {error}"))),
    }
}

/// Says what became of the plan.
fn tell(context: &Context, became: Became, file: &str, plan: &Plan, unconfigured: bool) {
    if became == Became::Current {
        return context.say(&format!("`{file}` is what `kontext build` would write"));
    }
    context.say(&format!("wrote `{file}`: {}", contents(plan)));
    if unconfigured {
        context.say("no configuration found: the plan is empty; `kontext init` writes a starter");
    }
}

/// `2 adapters, 3 ops`.
pub fn contents(plan: &Plan) -> String {
    let ops: usize = plan.adapters.values().map(|adapter| adapter.ops.len()).sum();
    let plural = |count: usize, word| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    format!("{}, {}", plural(plan.adapters.len(), "adapter"), plural(ops, "op"))
}
