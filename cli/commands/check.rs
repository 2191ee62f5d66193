//! `kontext check`: compile everything, print what is wrong, and with `--fix` mend what is certain.

mod edits;
mod fix;
mod snapshot;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kontext_compiler::Compilation;
use kontext_compiler::diagnostic::{Diagnostic, Severity};

use super::{Context, FOUND, Failure, OK, Outcome};
use crate::args::ProfileArg;
use crate::compile::{Machine, Unsaved, diagnose_on};
use crate::{output, render};

/// Arguments of `check`.
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  kontext check                                    every layer of this repository
  kontext check .kontext.toml                      print only what is wrong in this file
  kontext check ../other-repository                as `-C ../other-repository`
  kontext check --profile shared --deny-warnings   what a CI job runs
  kontext check --fix                              mend what is certain, print the rest
  kontext check --format json                      for editors (schema: `kontext schema diagnostics`)")]
pub struct CheckArgs {
    /// Print only what is in these files; a directory is worked in, as with `-C`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub profile: ProfileArg,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    pub format: Output,
    /// Exit with status 1 for warnings too
    #[arg(long)]
    pub deny_warnings: bool,
    /// Apply the fixes that are certain; a file that changed since it was read is not touched
    #[arg(long, conflicts_with = "stdin_path")]
    pub fix: bool,
    /// Take the text of FILE from standard input (what an editor holds unsaved)
    #[arg(long, value_name = "FILE")]
    pub stdin_path: Option<PathBuf>,
}

/// How diagnostics are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people
    #[default]
    Human,
    /// For programs (`kontext schema diagnostics`)
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub workflow commands
    Github,
}

/// Compiles, prints, and says with its status whether there were errors.
pub fn run(context: &Context, args: &CheckArgs) -> Outcome {
    let (directory, files) = split(context, args)?;
    let machine = Machine::at(context, directory.as_deref())?;
    if args.fix {
        return mend(context, args, &machine, &files);
    }
    let unsaved = unsaved(args, directory.as_deref())?;
    let compilation = diagnose_on(&machine, args.profile.get(), unsaved);
    if let Some(path) = &args.stdin_path {
        // Says so when that text is no layer here.
        let path = directory.as_deref().unwrap_or(Path::new("")).join(path);
        wanted(context, &machine, &compilation, &[path]);
    }
    show(context, args, &machine, &files, &compilation)?;
    let status = status(&compilation.diagnostics, args.deny_warnings);
    // The process ends with this, and the system takes its memory at once.
    std::mem::forget(compilation);
    Ok(status)
}

/// Fixes, and prints what was fixed and what is left.
fn mend(context: &Context, args: &CheckArgs, machine: &Machine, files: &[PathBuf]) -> Outcome {
    let fixed = fix::fix(machine, args.profile.get(), files);
    for done in &fixed.done {
        context.say(&format!("fixed {done}"));
    }
    show(context, args, machine, files, &fixed.compilation)?;
    if fixed.done.is_empty() {
        context.say("fixed nothing: no finding has a fix that is certain");
    } else {
        let (done, files) = (fixed.done.len(), fixed.files);
        context.say(&format!("fixed {} in {}", plural(done, "problem"), plural(files, "file")));
    }
    if !fixed.refused.is_empty() {
        return Err(Failure::refused(fixed.refused.join("; ")).help("run `kontext check --fix` again"));
    }
    Ok(status(&fixed.compilation.diagnostics, args.deny_warnings))
}

/// Prints the diagnostics of the files that were asked for.
fn show(
    context: &Context,
    args: &CheckArgs,
    machine: &Machine,
    files: &[PathBuf],
    compilation: &Compilation,
) -> Result<(), Failure> {
    let wanted = wanted(context, machine, compilation, files);
    let shown = |d: &&Diagnostic| wanted.as_ref().is_none_or(|files| files.contains(file_of(compilation, d)));
    let shown: Vec<&Diagnostic> = compilation.diagnostics.iter().filter(shown).collect();
    print(context, compilation, &shown, args.format)?;
    elsewhere(context, compilation, &shown);
    Ok(())
}

/// The directory to work in and the files to print.
fn split(context: &Context, args: &CheckArgs) -> Result<(Option<PathBuf>, Vec<PathBuf>), Failure> {
    let base = context.globals.directory.clone();
    let at = |path: &PathBuf| base.as_deref().unwrap_or(Path::new("")).join(path);
    let (directories, files): (Vec<PathBuf>, Vec<PathBuf>) =
        args.files.iter().map(at).partition(|path| path.is_dir());
    if let Some(missing) = files.iter().find(|file| !file.exists() && args.stdin_path.is_none()) {
        return Err(Failure::refused(format!("there is no file `{}`", missing.display())));
    }
    match (directories.as_slice(), files.is_empty()) {
        ([], _) => Ok((base, files)),
        ([directory], true) => Ok((Some(directory.clone()), files)),
        _ => {
            Err(Failure::refused("a directory stands alone: it says where to work, files say what to print"))
        }
    }
}

fn unsaved(args: &CheckArgs, directory: Option<&Path>) -> Result<Option<Unsaved>, Failure> {
    let Some(path) = &args.stdin_path else { return Ok(None) };
    let mut bytes = Vec::new();
    let limit = kontext_compiler::world::MAX_LAYER + 1;
    std::io::stdin()
        .lock()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::refused(format!("standard input cannot be read: {error}")))?;
    Ok(Some(Unsaved { path: directory.unwrap_or(Path::new("")).join(path), bytes }))
}

/// The display names of the files that were asked for; none is all. A file that is no layer is named.
fn wanted(
    context: &Context,
    machine: &Machine,
    compilation: &Compilation,
    files: &[PathBuf],
) -> Option<BTreeSet<String>> {
    if files.is_empty() {
        return None;
    }
    let mut wanted = BTreeSet::new();
    for file in files {
        let names: Vec<&str> =
            compilation.sources.files().map(|(_, source)| source.display.as_str()).collect();
        match names.into_iter().find(|name| same_file(&machine.file(name), file)) {
            Some(name) => drop(wanted.insert(name.to_owned())),
            None => context.say(&format!(
                "note: `{}` is not a layer here, nothing in it was checked (`--config FILE` adds a layer)",
                file.display()
            )),
        }
    }
    Some(wanted)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (fs_err::canonicalize(a), fs_err::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}

fn file_of<'a>(compilation: &'a Compilation, diagnostic: &Diagnostic) -> &'a String {
    &compilation.sources.file(diagnostic.primary.file).display
}

/// Diagnostics on the stream they belong to: for programs on standard output, for people on standard error with the
/// summary behind them.
fn print(
    context: &Context,
    compilation: &Compilation,
    shown: &[&Diagnostic],
    format: Output,
) -> Result<(), Failure> {
    let Compilation { sources, masked, .. } = compilation;
    let text = match format {
        Output::Human => render::human(sources, masked, shown, context.colour_stdout()),
        Output::Json => render::json(sources, masked, shown),
        Output::Sarif => render::sarif(sources, masked, shown),
        Output::Github => render::github(sources, masked, shown),
    };
    output::data(&text)?;
    if matches!(format, Output::Human | Output::Github) {
        context.say(&summary(compilation, shown));
    }
    Ok(())
}

/// `no problems in 2 layers`, or how many errors and warnings.
pub fn summary(compilation: &Compilation, shown: &[&Diagnostic]) -> String {
    let count = |severity| shown.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings, infos) = (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let layers = compilation.sources.files().count();
    if layers == 0 && errors == 0 {
        return "no configuration found: `kontext init` writes a starter".to_owned();
    }
    let files = plural(layers, "file");
    let parts: Vec<String> = [(errors, "error"), (warnings, "warning"), (infos, "note")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| plural(count, word))
        .collect();
    if parts.is_empty() && compilation.diagnostics.len() > shown.len() {
        "no problems in what was asked for".to_owned()
    } else if parts.is_empty() {
        format!("no problems in {files}")
    } else {
        format!("{} in {files}", parts.join(", "))
    }
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The status counts every diagnostic; what the files left out is said.
fn elsewhere(context: &Context, compilation: &Compilation, shown: &[&Diagnostic]) {
    let hidden = compilation.diagnostics.len() - shown.len();
    if hidden > 0 {
        context.say(&format!(
            "{} in other files: run `kontext check` to see them",
            plural(hidden, "more finding")
        ));
    }
}

/// 1 when there is an error, or a warning where warnings count.
pub fn status(diagnostics: &[Diagnostic], deny_warnings: bool) -> u8 {
    let counts =
        |d: &Diagnostic| d.severity == Severity::Error || (deny_warnings && d.severity == Severity::Warning);
    if diagnostics.iter().any(counts) { FOUND } else { OK }
}
