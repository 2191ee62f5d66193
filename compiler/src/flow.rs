//! Where values may go: secrets, callers' text, hosts, programs.
//!
//! The phase runs between `check` and `lower` and only adds diagnostics. Today it knows which variables of the
//! environment are secret; following values from source to sink has its place here.

use std::collections::BTreeSet;

use crate::check::Checked;
use crate::diagnostic::Diagnostics;

/// Variables that describe the session, not what it may do.
const SESSION: [&str; 12] = [
    "HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "HOSTNAME",
];
/// Beginnings of names that hold no secret.
const OPEN_PREFIXES: [&str; 3] = ["LC_", "XDG_", "KONTEXT_"];
/// Ends of names that say what they hold.
const OPEN_SUFFIXES: [&str; 14] = [
    "_URL", "_URI", "_HOST", "_PORT", "_ADDR", "_DIR", "_PATH", "_HOME", "_ROOT", "_FILE", "_USER",
    "_REGION", "_PROFILE", "_MODEL",
];

/// Whether the value of a variable must not appear in anything kontext writes.
#[must_use]
pub fn is_secret(name: &str, public_env: &BTreeSet<String>) -> bool {
    let open = SESSION.contains(&name)
        || OPEN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || OPEN_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || public_env.contains(name);
    !open
}

/// Follows values to where they go.
pub fn flow(_checked: &Checked, _diagnostics: &mut Diagnostics) {}
