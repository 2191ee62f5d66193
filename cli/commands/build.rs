//! `kontext build`: check, then write the plan.

use std::path::PathBuf;

use clap::Args;
use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::pin::LockUse;
use kontext_compiler::{Compilation, Options};
use kontext_plan::{Plan, Profile};

use super::{Context, FOUND, Failure, OK, Outcome, check};
use crate::args::ProfileArg;
use crate::compile::{Machine, compile};
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
    output::say(&render::human(&compilation.sources, &compilation.masked, &shown, context.colour()));
    let Some(plan) = &compilation.plan else {
        context.say(&format!("{}: no plan was written", check::summary(&compilation, &shown)));
        return Ok(FOUND);
    };
    write(context, args, &machine, plan, &compilation)
}

fn write(
    context: &Context,
    args: &BuildArgs,
    machine: &Machine,
    plan: &Plan,
    compilation: &Compilation,
) -> Outcome {
    let path = match &args.output {
        Some(file) => machine.resolve(context, file),
        None => machine.places.plan(),
    };
    let shown = machine.places.display(&path);
    let mut plan = plan.clone();
    let text = kontext_plan::render(&mut plan).map_err(|error| Failure::refused(error.to_string()))?;
    if args.check {
        return compare(context, &path, &shown, &text);
    }
    kontext_host::write_atomically(&path, text.as_bytes())
        .map_err(|error| Failure::refused(error.to_string()))?;
    context.say(&format!("wrote `{shown}`: {}", contents(&plan)));
    if compilation.sources.files().count() == 0 {
        context.say("no configuration found: the plan is empty; `kontext init` writes a starter");
    }
    Ok(OK)
}

fn compare(context: &Context, path: &std::path::Path, shown: &str, text: &str) -> Outcome {
    match fs_err::read(path) {
        Ok(found) if found == text.as_bytes() => {
            context.say(&format!("`{shown}` is what `kontext build` would write"));
            Ok(OK)
        }
        Ok(_) => {
            Err(Failure::failed(format!("`{shown}` is not what would be written"))
                .help("run `kontext build`"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::failed(format!("there is no plan at `{shown}`")).help("run `kontext build`"))
        }
        Err(error) => Err(Failure::refused(format!("`{shown}` cannot be read: {error}"))),
    }
}

/// `2 adapters, 3 ops`.
pub fn contents(plan: &Plan) -> String {
    let ops: usize = plan.adapters.values().map(|adapter| adapter.ops.len()).sum();
    let plural = |count: usize, word| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    format!("{}, {}", plural(plan.adapters.len(), "adapter"), plural(ops, "op"))
}
