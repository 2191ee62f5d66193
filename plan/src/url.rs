//! Compiled URLs: a prefix that is taken as it is, then encoded segments.

use serde::{Deserialize, Serialize};

use crate::OriginId;
use crate::template::{Expr, Template};

/// Where an http op goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UrlTemplate {
    /// Scheme, host and base path; nothing is encoded in it. One `/` stands between it and the segments.
    pub prefix: Template,
    /// Path segments after the prefix; none leaves the prefix as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Vec<UrlPiece>>,
    /// What stands behind a literal `?`, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Vec<UrlPiece>>,
    /// The slot in the configuration.
    pub at: OriginId,
}

/// A part of a segment or of a literal query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum UrlPiece {
    /// Text as the configuration has it.
    Text(String),
    /// An expression that is percent-encoded as one segment or one query value.
    Encoded(Expr),
    /// An expression that is sent as it is (its last filter is `raw` or `urlencode`).
    Raw(Expr),
}
