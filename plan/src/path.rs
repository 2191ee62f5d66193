//! Compiled result paths.

use serde::{Deserialize, Serialize};

/// Alternatives, tried in order; the first that selects something not null answers. An alternative without steps
/// is the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Path {
    /// The alternatives, at least one.
    pub alternatives: Vec<Vec<Step>>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// A member of an object.
    Key(String),
    /// An element of a list; negative counts from the end.
    Index(i64),
    /// Every element of a list (`[*]`).
    Each,
    /// Every value of an object or element of a list (`*`).
    Any,
}
