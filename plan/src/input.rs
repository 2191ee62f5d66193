//! The files a plan was made from, by names that mean the same on every machine.

use serde::{Deserialize, Serialize};

/// Digest of an input that was looked for and not there.
pub const ABSENT: &str = "absent";

/// One file the compiler looked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Logical name: `user:config.toml`, `user:repos/<slug>.toml`, `repo:.kontext.toml`,
    /// `repo:<store.dir>/kontext.toml`, `clone:config.toml`, `explicit`, `repo:…/kontext.lock`, `clone:kontext.lock`,
    /// `root:<name>/<path>` (a map) or `section:<name>/<id>` (a map in the hot document of that root).
    pub name: String,
    /// `sha256:<hex>` of the bytes (of a section its text), or [`ABSENT`].
    pub digest: String,
}

/// The layers, lowest precedence first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LayerName {
    /// Built in.
    Defaults,
    /// The user's own configuration.
    User,
    /// The user's configuration for this repository.
    UserRepo,
    /// The file in the repository that everyone shares.
    Shared,
    /// The file beside this clone's git data.
    Clone,
    /// The file named on the command line or by `KONTEXT_CONFIG`.
    Explicit,
}

impl LayerName {
    /// The name in plans, messages and JSON output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LayerName::Defaults => "defaults",
            LayerName::User => "user",
            LayerName::UserRepo => "user-repo",
            LayerName::Shared => "shared",
            LayerName::Clone => "clone",
            LayerName::Explicit => "explicit",
        }
    }
}
