//! Compiled activation conditions; all that are given must hold on the machine that runs.

use serde::{Deserialize, Serialize};

use crate::OriginId;
use crate::template::Template;

/// The conditions of one adapter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct When {
    /// A program on `PATH`, or an executable path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Condition>,
    /// A path relative to the repository root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Condition>,
    /// A regular expression searched in `repo.id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<Condition>,
    /// A variable that must be set and not empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Condition>,
    /// A path that must exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<Exists>,
    /// Scopes of which the start directory must be in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<InScope>,
}

/// A condition with a fixed value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// What is looked for.
    pub value: String,
    /// The place in the configuration.
    pub at: OriginId,
}

/// Scopes, of which one must be that of the directory the process starts in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InScope {
    /// Their ids in lower case; none of them is an alias.
    pub ids: Vec<String>,
    /// The place in the configuration.
    pub at: OriginId,
}

/// A templated path. `*` and `?` of the template's own text in the last segment match any characters and any one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Exists {
    /// The path.
    pub path: Template,
    /// The place in the configuration.
    pub at: OriginId,
}
