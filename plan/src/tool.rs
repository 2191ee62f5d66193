//! Tools declared in the configuration.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Op, OriginId};

/// A tool that agents see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The published name.
    pub name: String,
    /// What agents choose by.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: Value,
    /// What it calls.
    pub op: ToolOp,
    /// The place in the configuration.
    pub at: OriginId,
}

/// What a tool calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolOp {
    /// An op of the adapter, by name.
    Named(String),
    /// An op of its own.
    Inline(Box<Op>),
}
