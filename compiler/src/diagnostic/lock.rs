//! The words about the lock: what it holds no more or not yet, and names and arguments that it shows to be wrong.

use super::fields::written;
use super::{Diagnostic, lint};
use crate::source::FileSpan;
use crate::suggest::{is_certain, nearest};

/// How many names are listed.
const LISTED: usize = 20;

/// An entry that is about another server than the adapter names now.
pub fn report_drift(
    at: FileSpan,
    adapter: &str,
    key: &str,
    lock: &str,
    entry: Option<FileSpan>,
) -> Diagnostic {
    let message =
        format!("`{lock}` holds the tools of another server: this `{key}` is not the one it was written for");
    let found = Diagnostic::new(&lint::LOCK_DRIFT, at, message);
    let found = match entry {
        Some(entry) => found.label(entry, "locked here"),
        None => found,
    };
    found.help(format!(
        "run `kontext lock --diff --adapter {adapter}` to see what changed, then `kontext lock --adapter {adapter}`"
    ))
}

/// A file that is no lock.
pub fn report_broken(at: FileSpan, display: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(&lint::LOCK_DRIFT, at, format!("`{display}` cannot be used: {reason}"))
        .help("the file is not written by hand: run `kontext lock` to write it again")
}

/// A server of which the lock holds nothing.
pub fn report_unlocked(at: FileSpan, adapter: &str, lock: &str, possible: bool) -> Diagnostic {
    let message =
        format!("the tools of `{adapter}` are not locked: what is called is checked only at run time");
    let found = Diagnostic::new(&lint::UNLOCKED_TOOL, at, message);
    if possible {
        found.help(format!(
            "run `kontext lock --adapter {adapter}`, which writes them to `{lock}`; `pin = \"off\"` says that they may change"
        ))
    } else {
        found.help("outside git there is no place to lock them in: write the adapter into `.kontext.toml`")
    }
}

/// A tool that the server does not have.
pub fn report_unknown_tool(at: FileSpan, adapter: &str, name: &str, known: &[&str]) -> Diagnostic {
    let found = Diagnostic::new(
        &lint::UNKNOWN_TOOL,
        at,
        format!("the server of `{adapter}` has no tool `{name}` in the lock"),
    );
    let found = named(found, at, name, known, "it has", "it has no tools", written::string);
    found.help(format!("if the server is newer than the lock, run `kontext lock --adapter {adapter}`"))
}

/// An argument that the tool does not have.
pub fn report_unknown(at: FileSpan, tool: &str, path: &str, name: &str, known: &[&str]) -> Diagnostic {
    let message = match path {
        "" => format!("the tool `{tool}` has no argument `{name}`"),
        path => format!("`{path}` of the tool `{tool}` has no member `{name}`"),
    };
    let found = Diagnostic::new(&lint::UNKNOWN_ARGUMENT, at, message);
    named(found, at, name, known, "it takes", "it takes none", written::key)
}

fn named(
    found: Diagnostic,
    at: FileSpan,
    name: &str,
    known: &[&str],
    has: &str,
    none: &str,
    write: fn(&str) -> String,
) -> Diagnostic {
    if let Some(near) = nearest(name, known.iter().copied()) {
        let safe = is_certain(name, near, known.iter().copied());
        return found.help(format!("did you mean `{near}`?")).fix(
            format!("write `{near}`"),
            safe,
            at,
            write(near),
        );
    }
    let names: Vec<String> = known.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > LISTED { ", …" } else { "" };
    if names.is_empty() { found.help(none) } else { found.help(format!("{has} {}{more}", names.join(", "))) }
}

/// An argument that the tool requires and the configuration does not give.
pub fn report_missing(at: FileSpan, tool: &str, path: &str, name: &str, wanted: &str) -> Diagnostic {
    let message = match path {
        "" => format!("the tool `{tool}` requires the argument `{name}`: {wanted}"),
        path => format!("`{path}` of the tool `{tool}` requires the member `{name}`: {wanted}"),
    };
    Diagnostic::new(&lint::MISSING_ARGUMENT, at, message).help(format!("write `{} = …`", written::key(name)))
}

/// A required argument that binding by name does not fill.
pub fn report_unfilled(at: FileSpan, tool: &str, name: &str, wanted: &str, example: &str) -> Diagnostic {
    let message =
        format!("the tool `{tool}` requires the argument `{name}`: {wanted}; nothing this op has goes there");
    Diagnostic::new(&lint::MISSING_ARGUMENT, at, message).help(format!("say what it gets: `{example}`"))
}

/// A required argument whose value callers of a declared tool may leave out.
pub fn report_left_out(
    at: FileSpan,
    tool: &str,
    name: &str,
    parameter: &str,
    declared: Option<FileSpan>,
) -> Diagnostic {
    let message =
        format!("the tool `{tool}` requires the argument `{name}`, and callers may leave out `{parameter}`");
    let found = Diagnostic::new(&lint::MISSING_ARGUMENT, at, message);
    let found = match declared {
        Some(declared) => found.label(declared, "declared here"),
        None => found,
    };
    found.help(format!("make `{parameter}` required: a `!` behind its type, or its name under `required`"))
}

/// A parameter of a declared tool that no argument of the called tool is named like.
pub fn report_unplaced(at: FileSpan, tool: &str, name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("the tool `{tool}` has no argument `{name}`: what callers pass would go nowhere");
    let found = Diagnostic::new(&lint::UNKNOWN_ARGUMENT, at, message);
    let to = nearest(name, known.iter().copied()).unwrap_or("…");
    let names: Vec<String> = known.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > LISTED { ", …" } else { "" };
    let takes = match names.is_empty() {
        true => "it names no arguments".to_owned(),
        false => format!("it takes {}{more}", names.join(", ")),
    };
    let key = if to == "…" { to.to_owned() } else { written::key(to) };
    found.help(format!(
        "{takes}: rename the parameter, or say where it goes: `args = {{ {key} = \"{{{{{name}}}}}\" }}`"
    ))
}

/// An argument of another type than the tool takes.
pub fn report_type(
    at: FileSpan,
    tool: &str,
    path: &str,
    wanted: &str,
    given: &str,
    mend: Option<String>,
) -> Diagnostic {
    let message = match path {
        "" => format!("the tool `{tool}` takes {wanted}, and its arguments are {given}"),
        path => format!("`{path}` of the tool `{tool}` takes {wanted}, and this is {given}"),
    };
    let found = Diagnostic::new(&lint::ARGUMENT_TYPE, at, message).note(format!("takes {wanted}"));
    match mend {
        Some(mend) => found.help(format!("write `{mend}`")).fix(format!("write `{mend}`"), false, at, mend),
        None => found,
    }
}
