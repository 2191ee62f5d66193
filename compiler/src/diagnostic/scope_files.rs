//! The words of the *scope and notes* group about roots and files.

use super::fields::written;
use super::{Diagnostic, lint};
use crate::source::{FileId, FileSpan};
use crate::suggest::nearest;
use crate::world::RootPlace;

/// A hot document that is too large to be read.
pub fn report_large(file: FileId, reason: &str) -> Diagnostic {
    Diagnostic::new(&lint::UNREADABLE_LAYER, FileSpan::new(file, 0..0), reason)
        .help("move what is not always needed into files of the folder `knowledge`")
}

/// A map that the configuration names and that is not there.
pub fn report_missing_file(at: FileSpan, shown: &str) -> Diagnostic {
    Diagnostic::new(&lint::MISSING_NOTES_FILE, at, format!("there is no file `{shown}`"))
        .help("the path stands against the folder `knowledge` of the primary root")
}

/// A root that the configuration names and that is not there, or is no directory.
pub fn report_missing_root(at: FileSpan, path: &str, place: RootPlace) -> Diagnostic {
    let message = match place {
        RootPlace::NoDirectory => format!("`{path}` is no directory"),
        RootPlace::Nothing | RootPlace::Directory => format!("there is no directory `{path}`"),
    };
    let found = Diagnostic::new(&lint::MISSING_NOTES_FILE, at, message);
    let homes = ["$HOME/", "${HOME}/", "${env:HOME}/", "%HOME%/", "{{env.HOME}}/"];
    if let Some(below) = homes.iter().find_map(|home| path.strip_prefix(home)) {
        let meant = written::string(&format!("~/{below}"));
        return found.help(format!("no variable is read here: write `{meant}`")).fix(
            format!("write `{meant}`"),
            false,
            at,
            meant,
        );
    }
    if path.contains(['$', '%']) || path.contains("{{") {
        return found.help(
            "no variable is read here: write the path itself, and `~/…` for what is in the home directory",
        );
    }
    let help = "create it, or write the directory that holds the notes";
    match path.strip_prefix('~') {
        Some(user) if !user.is_empty() && !user.starts_with('/') => {
            found.help("`~/…` is your own home directory; write that of another in full")
        }
        _ if path.starts_with(['/', '~']) => found.help(help),
        _ => found.help(format!("{help}; the path stands against the root of the repository")),
    }
}

/// A map of an older kind.
pub fn report_legacy(at: FileSpan, map: &str) -> Diagnostic {
    let message = "this map of an older kind is not read";
    Diagnostic::new(&lint::LEGACY_MAP_FILE, at, message)
        .help(format!("write its paths as lines `path => scope` into `{map}`, then remove it"))
}

/// A default that can be no scope.
pub fn report_default_scope(at: FileSpan, written: &str) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, at, format!("`default_scope` cannot be `{written}`"))
        .help("a scope is made of letters, digits, `.`, `_` and `-`")
}

/// A name of a root that cannot stand in an address.
pub fn report_root_name(at: FileSpan, name: &str) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, at, format!("a root cannot be called `{name}`"))
        .help("its name stands in `notes:<name>/…`: letters, digits, `.`, `_` and `-`")
}

/// A name that another root has.
pub fn report_root_taken(at: FileSpan, name: &str) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, at, format!("there is a root `{name}` already"))
        .help("give it another name")
}

/// A root outside the repository that the repository itself wants to be read.
pub fn report_shared_root(at: FileSpan, key: &str, path: &str) -> Diagnostic {
    let message = format!("`{key}` is `{path}`, and the shared layer may only name places in the repository");
    Diagnostic::new(&lint::INVALID_VALUE, at, message)
        .help("write a path without `..` below the repository, or set it in a layer of your own")
}

/// A primary root that is none.
pub fn report_no_such_root(at: FileSpan, name: &str, known: &[(String, String)]) -> Diagnostic {
    let found = Diagnostic::new(
        &lint::INVALID_VALUE,
        at,
        format!("there is no root `{name}`: `primary` is the name of one of `[knowledge.roots]`"),
    );
    let near = nearest(name, known.iter().map(|(name, _)| name.as_str()));
    let same = known.iter().find(|(_, path)| path.trim_end_matches('/') == name.trim_end_matches('/'));
    if let Some(near) = near.or(same.map(|(name, _)| name.as_str())) {
        return found
            .note(format!("did you mean `{near}`?"))
            .help(format!("write `primary = \"{near}\"`"))
            .fix(format!("write `primary = \"{near}\"`"), false, at, format!("\"{near}\""));
    }
    let is_path = name.contains(['/', '\\', '~']);
    match known {
        [] if is_path => {
            found.help(format!("write `roots = {{ main = \"{name}\" }}` and `primary = \"main\"`"))
        }
        [] => found.help(format!("say where it is: `roots = {{ {name} = \"path/to/it\" }}`")),
        known => found.help(format!("the roots are {}", listed(known))),
    }
}

/// Several roots, of which none is primary.
pub fn report_no_primary(at: FileSpan, known: &[(String, String)]) -> Diagnostic {
    let message = format!("nothing says which of the roots {} is primary", listed(known));
    Diagnostic::new(&lint::MISSING_KEY, at, message).help(format!(
        "write `primary = \"{}\"` into `[knowledge]`: the root that holds `agent-notes.md`",
        known.first().map_or("…", |(name, _)| name)
    ))
}

fn listed(roots: &[(String, String)]) -> String {
    roots.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
