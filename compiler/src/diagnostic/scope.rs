//! The words of the *scope and notes* group about the lines of maps and the markup of the hot document.

use kontext_grammar::scope_map::ast::{IGNORED_LINE, Problem, SCOPE_PATH};
use kontext_notes::PrivateKind;
use kontext_notes::document::{Problem as Markup, ProblemKind};

use super::{Diagnostic, Severity, lint};
use crate::source::FileSpan;
use crate::suggest;

/// A line of a map that is no entry, or is left out.
pub fn report_line(at: FileSpan, problem: &Problem) -> Diagnostic {
    let lint = match problem.id {
        SCOPE_PATH => &lint::SCOPE_PATH,
        IGNORED_LINE => &lint::IGNORED_LINE,
        _ => &lint::SCOPE_LINE,
    };
    Diagnostic::new(lint, at, problem.message.clone()).help(problem.help.clone())
}

/// A key that is there already, with the same scope.
pub fn report_same_key(at: FileSpan, key: &str, scope: &str) -> Diagnostic {
    let message = format!("`{key}` is in the map already, with the same scope `{scope}`");
    Diagnostic::new(&lint::SCOPE_DUPLICATE, at, message).help("take one of the two lines out")
}

/// A key that is there already, with another scope.
pub fn report_key_conflict(at: FileSpan, key: &str, scope: &str, first: &str) -> Diagnostic {
    let message = format!("`{key}` cannot be both `{first}` and `{scope}`");
    Diagnostic::new(&lint::SCOPE_CONFLICT, at, message)
        .help("take one of the two lines out; a longer path may have a scope of its own")
}

/// A map that is not read.
pub fn report_shadowed(at: FileSpan, first: &str, later: &str, entries: usize) -> Diagnostic {
    let entries =
        if entries == 1 { "1 entry that is".to_owned() } else { format!("{entries} entries that are") };
    let message = format!("{later} holds {entries} not read: {first} has a map");
    Diagnostic::new(&lint::SHADOWED_MAP, at, message)
        .help("the sources of a map are not merged: move its lines, or take it out")
}

/// An alias with two meanings.
pub fn report_alias_conflict(at: FileSpan, alias: &str, scope: &str, first: &str) -> Diagnostic {
    let message = format!("the alias `{alias}` cannot stand for both `{first}` and `{scope}`");
    Diagnostic::new(&lint::ALIAS_CONFLICT, at, message).help("take one of the two lines out")
}

/// Aliases that lead to each other.
pub fn report_alias_cycle(at: FileSpan, members: &[String]) -> Diagnostic {
    let way = members.iter().chain(members.first()).map(|alias| format!("`{alias}`")).collect::<Vec<_>>();
    let message = format!("the aliases lead in a circle: {}", way.join(" => "));
    Diagnostic::new(&lint::ALIAS_CYCLE, at, message).help("one of them must name a scope that is no alias")
}

/// An alias behind which a section is out of reach.
pub fn report_hidden(at: FileSpan, alias: &str, scope: &str) -> Diagnostic {
    let message =
        format!("`{alias}` stands for `{scope}`, so that the section `scope-{alias}` is never loaded");
    Diagnostic::new(&lint::ALIAS_HIDES_SECTION, at, message)
        .help(format!("rename the section to `scope-{scope}`, or take the alias out"))
}

/// An alias where a scope is meant: the chain never ends at it.
pub fn report_alias_in_condition(at: FileSpan, written: &str, scope: &str) -> Diagnostic {
    let message = format!("`{written}` is an alias of `{scope}`: no directory is in a scope `{written}`");
    Diagnostic::new(&lint::UNREACHABLE_SCOPE, at, message).help(format!("write `\"{scope}\"`")).fix(
        format!("write `\"{scope}\"`"),
        true,
        at,
        format!("\"{scope}\""),
    )
}

/// A scope that nothing gives. `everywhere` is the file and line of a key that answers for every directory: then it is
/// certain, else only a slip of the pen is told.
pub fn report_not_given(
    at: FileSpan,
    written: &str,
    known: &[&str],
    everywhere: Option<(&str, usize)>,
) -> Option<Diagnostic> {
    let near = suggest::nearest(written, known.iter().copied());
    let found = match (everywhere, near) {
        (Some((file, line)), _) => {
            let why = format!("the key `/` in line {line} of `{file}` answers where no longer one does");
            let message = format!("no directory is in a scope `{written}`: {why}");
            Diagnostic::new(&lint::UNREACHABLE_SCOPE, at, message)
        }
        (None, Some(_)) => {
            let message = format!("no map, default or section knows a scope `{written}`");
            Diagnostic::new(&lint::UNREACHABLE_SCOPE, at, message).severity(Severity::Warning)
        }
        (None, None) => return None,
    };
    Some(match near {
        Some(near) => {
            let certain = everywhere.is_some() && suggest::is_certain(written, near, known.iter().copied());
            found.help(format!("did you mean `{near}`?")).fix(
                format!("write `\"{near}\"`"),
                certain,
                at,
                format!("\"{near}\""),
            )
        }
        None => found.help(format!("the map knows {}", listed(known))),
    })
}

/// The first few of some names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// A wrong marker.
pub fn report_markup(at: FileSpan, problem: &Markup) -> Diagnostic {
    let id = &problem.section;
    let (lint, help) = match problem.kind {
        ProblemKind::Unclosed => {
            (&lint::SECTION_UNCLOSED, format!("write `<!-- /section:{id} -->` where it ends"))
        }
        ProblemKind::Orphan => (
            &lint::SECTION_ORPHAN,
            format!("write `<!-- section:{id} -->` where it begins, or take this marker out"),
        ),
        ProblemKind::Nested { .. } => {
            (&lint::SECTION_NESTED, "close the outer section before it: sections are not nested".to_owned())
        }
        ProblemKind::Duplicate { .. } => {
            (&lint::SECTION_DUPLICATE, "join the two, or give one another name".to_owned())
        }
        ProblemKind::CutInside { .. } => {
            (&lint::CUT_INSIDE_SECTION, "put it before the section or behind it".to_owned())
        }
        ProblemKind::CutDuplicate { .. } => (&lint::CUT_DUPLICATE, "take this one out".to_owned()),
    };
    Diagnostic::new(lint, at, problem.message()).help(help)
}

/// A document of which nobody said what is public.
pub fn report_no_cut(at: FileSpan) -> Diagnostic {
    let message = "the hot document has no public cut, so that nothing says which part of it is public";
    Diagnostic::new(&lint::CUT_MISSING, at, message)
        .help("write `<!-- public-cut -->` on a line of its own: what stands before it is public")
}

/// A path map in the public part.
pub fn report_map_before_cut(at: FileSpan, id: &str) -> Diagnostic {
    let message = format!("the path map `{id}` stands before the public cut");
    Diagnostic::new(&lint::MAP_BEFORE_CUT, at, message).help("move the section behind `<!-- public-cut -->`")
}

/// A place of one machine or network in the public part.
pub fn report_private(at: FileSpan, kind: PrivateKind, shown: &str) -> Diagnostic {
    let what = match kind {
        PrivateKind::Drive => "a path of one machine",
        PrivateKind::Unc => "a share of one network",
        PrivateKind::Home => "somebody's home directory",
        PrivateKind::Network => "an address of a private network",
    };
    let shown: String = shown.chars().filter(|c| *c != '`').take(80).collect();
    Diagnostic::new(&lint::PRIVATE_PATH, at, format!("`{shown}` is {what}, in the public part")).help(
        "move it behind the cut, write it in general, or allow the line with `<!-- kontext:allow-path -->`",
    )
}
