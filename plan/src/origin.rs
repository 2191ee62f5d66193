//! Places in the configuration, so that an error at run time can name the line it came from.

use serde::{Deserialize, Serialize};

/// Position of an [`Origin`] in the plan's `origins`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct OriginId(pub u32);

/// One place in one input file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Logical name of the input, such as `repo:.kontext.toml`.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

impl Origin {
    /// `file:line:column` as people read it: a repository file without its `repo:` prefix.
    #[must_use]
    pub fn display(&self) -> String {
        let file = self.file.strip_prefix("repo:").unwrap_or(&self.file);
        format!("{file}:{}:{}", self.line, self.column)
    }
}
