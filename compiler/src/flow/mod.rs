//! Where values may go: every expression has sources, every slot is a sink, and [`table`] says what is wrong with
//! which pair.
//!
//! The phase runs between `check` and `lower` and only adds diagnostics.

mod argv;
mod exit_status;
mod literals;
mod named_secret;
mod no_shell;
pub mod programs;
mod secret;
mod sinks;
mod sources;
pub mod table;
mod withheld;

use kontext_plan::Profile;

use crate::check::Checked;
use crate::diagnostic::Diagnostics;
use crate::merge::Document;
use crate::source::{FileSpan, Sources};

pub use secret::{is_secret, literal};

/// Whether a text is a secret by the name it stands under.
#[must_use]
pub fn is_named_secret(name: &str, text: &str) -> bool {
    named_secret::under(name, text).is_some()
}

/// Follows values to where they go; gives the places of secrets that stand in the files, to be masked wherever the
/// source is shown.
pub fn flow(
    checked: &Checked,
    document: &Document,
    texts: &Sources,
    _profile: Profile,
    diagnostics: &mut Diagnostics,
) -> Vec<FileSpan> {
    let masked = literals::literals(document, texts, diagnostics);
    let globals = sources::of_globals(&checked.config);
    for adapter in &checked.config.adapters {
        sinks::adapter(adapter, &globals, &checked.config.public_env, diagnostics);
    }
    withheld::withheld(checked, diagnostics);
    masked
}
