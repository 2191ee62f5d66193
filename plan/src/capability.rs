//! The capability manifest: what a plan could do, for people who decide whether it may.

use serde::{Deserialize, Serialize};

use crate::LayerName;

/// What kind of thing the plan could reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CapabilityKind {
    /// A program it starts.
    Exec,
    /// A host it contacts.
    Host,
    /// An environment variable it reads, and where the value goes.
    Env,
    /// A file it tests or reads.
    File,
    /// A tool it publishes.
    Tool,
    /// A notes root it reads.
    Root,
}

/// One thing the plan could do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Capability {
    /// What kind.
    pub kind: CapabilityKind,
    /// Which: a program, host, variable (`NAME -> headers.Authorization`), path or tool. Expressions are shown in braces.
    pub value: String,
    /// The adapter that has it; empty for a notes root, which is of none.
    pub adapter: String,
    /// The layers it comes from.
    pub layers: Vec<LayerName>,
    /// `file:line` of the configuration.
    pub at: String,
}
