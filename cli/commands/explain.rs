//! `kontext explain`: the page of a diagnostic.

use clap::Args;
use kontext_compiler::diagnostic::lint;
use kontext_compiler::diagnostic::run::{self as run_pages, PAGES};
use kontext_compiler::suggest;

use super::{Context, Failure, OK, Outcome};
use crate::output;

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext explain                 every id with its severity
  kontext explain unknown-key     the page of one")]
pub struct ExplainArgs {
    /// The id that stands in brackets in a diagnostic; all are listed without one
    pub id: Option<String>,
}

/// Prints a page, or the list of all.
///
/// # Errors
/// Status 2 for an id that does not exist.
pub fn run(_context: &Context, args: &ExplainArgs) -> Outcome {
    let Some(id) = &args.id else {
        output::data(&list())?;
        return Ok(OK);
    };
    // `error[unknown-key]` and `[unknown-key]` are what people copy.
    let id = id.rsplit('[').next().unwrap_or(id).trim_end_matches(']');
    match lint::find(id).map(|lint| lint.page).or_else(|| run_pages::find(id).map(|page| page.text)) {
        Some(page) => output::data(page)?,
        None => return Err(unknown(id)),
    }
    Ok(OK)
}

fn list() -> String {
    let compiled = lint::ALL.iter().map(|lint| (lint.id, lint.severity.as_str(), lint.page));
    // `tool-changed` and others may be told by both.
    let run =
        PAGES.iter().filter(|page| lint::find(page.id).is_none()).map(|page| (page.id, "run", page.text));
    let all: Vec<_> = compiled.chain(run).collect();
    let width = all.iter().map(|(id, ..)| id.len()).max().unwrap_or(0);
    all.iter().map(|(id, kind, page)| format!("{id:width$}  {kind:7}  {}\n", first_sentence(page))).collect()
}

/// The first line of prose of a page.
fn first_sentence(page: &str) -> &str {
    page.lines().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("")
}

fn unknown(id: &str) -> Failure {
    let failure = Failure::refused(format!("there is no diagnostic `{id}`"));
    match suggest::nearest(id, lint::ALL.iter().map(|lint| lint.id).chain(PAGES.iter().map(|page| page.id))) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure.help("`kontext explain` lists all"),
    }
}
