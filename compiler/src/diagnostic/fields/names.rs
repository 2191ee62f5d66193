//! Names that cannot be used as such.

use crate::diagnostic::lint::{INVALID_TOOL_NAME, INVALID_VALUE};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::FileSpan;

/// The name of an adapter or an op.
#[must_use]
pub fn report_table_name(at: FileSpan, what: &str, name: &str, mended: &str) -> Diagnostic {
    let long =
        if name.len() > 64 { format!(" ({} characters)", name.chars().count()) } else { String::new() };
    let finding = Diagnostic::new(&INVALID_VALUE, at, format!("`{name}` is no name of an {what}{long}"))
        .help("a name has `a-z`, `0-9`, `_` and `-`, begins with a letter or a digit, and is at most 64 characters long");
    if mended.is_empty() { finding } else { finding.note(format!("such as `{mended}`")) }
}

/// The name of a tool agents see.
#[must_use]
pub fn report_tool_name(at: FileSpan, name: &str, mended: &str) -> Diagnostic {
    let length = name.chars().count();
    let finding = Diagnostic::new(
        &INVALID_TOOL_NAME,
        at,
        format!("`{name}` ({length} characters) is no name of a tool"),
    )
    .help("agents accept `A-Z`, `a-z`, `0-9`, `_` and `-`, 1 to 64 characters");
    if mended.is_empty() {
        finding
    } else {
        finding.note(format!("such as `{mended}`")).fix(
            format!("write `\"{mended}\"`"),
            false,
            at,
            format!("\"{mended}\""),
        )
    }
}

/// The name of an environment variable.
#[must_use]
pub fn report_variable(at: FileSpan, key: &str, name: &str, mended: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{name}` in `{key}` is no name of an environment variable"),
    );
    if mended.is_empty() {
        finding.help("write the bare name, such as `NOTES_TOKEN`")
    } else {
        finding.help(format!("write the bare name, `{mended}`"))
    }
}

/// The id of a scope.
#[must_use]
pub fn report_scope(at: FileSpan, key: &str, id: &str, mended: &str) -> Diagnostic {
    let finding = Diagnostic::new(&INVALID_VALUE, at, format!("`{id}` in `{key}` is no id of a scope"))
        .help("a scope is made of letters, digits, `.`, `_` and `-`");
    if mended.is_empty() { finding } else { finding.note(format!("such as `{mended}`")) }
}

/// `public_env` in the shared layer.
#[must_use]
pub fn report_shared_public_env(at: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        "`public_env` cannot stand in the shared layer: it would uncover other people's secrets",
    )
    .help("move it to your own configuration, `~/.config/kontext/config.toml`")
}

/// A prefix with characters that no published name may have.
#[must_use]
pub fn report_prefix_characters(at: FileSpan, prefix: &str, mended: &str) -> Diagnostic {
    Diagnostic::new(
        &INVALID_TOOL_NAME,
        at,
        format!("the names of tools cannot begin with `{prefix}`: agents would see other names"),
    )
    .severity(Severity::Warning)
    .help(format!("letters, digits, `_` and `-` may stand in them: write `prefix = \"{mended}\"`"))
    .fix(format!("write `prefix = \"{mended}\"`"), true, at, format!("\"{mended}\""))
}

/// A prefix that leaves hardly any room.
#[must_use]
pub fn report_long_prefix(at: FileSpan, length: usize, most: usize) -> Diagnostic {
    let left = most.saturating_sub(length);
    Diagnostic::new(
        &INVALID_TOOL_NAME,
        at,
        format!(
            "this prefix leaves {left} of {most} characters for the names of the tools: longer ones are cut"
        ),
    )
    .severity(Severity::Warning)
    .help("write a shorter one")
}
