//! `kontext trust`, which messages name: until it is there it says what does instead.

use clap::Args;

use super::{Failure, Outcome};

/// Arguments of a command that is not there yet.
#[derive(Debug, Args)]
pub struct TrustArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

/// Says how adapters of the shared layer are trusted today.
///
/// # Errors
/// Always: status 2.
pub fn run(_: &TrustArgs) -> Outcome {
    Err(Failure::refused("`kontext trust` is not part of this version yet")
        .help("`KONTEXT_TRUST_REPO_ADAPTERS=1` trusts the adapters of the shared layer for one process"))
}
