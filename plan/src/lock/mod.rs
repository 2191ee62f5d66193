//! The lock: what the tools of MCP servers were when people last looked, written by `kontext lock`.
//!
//! The compiler checks arguments against it and copies what the plan needs; the runtime takes the digest of a live
//! tool by the same rules and calls none that differs.

mod diff;
mod digest;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use diff::{Change, Diff, ToolChange, diff};
pub use digest::{DEEPEST, Unpinnable};
pub use file::{LockError, Read, parse, render};

use crate::Pin;

/// Version of the lock format this crate reads and writes.
pub const VERSION: u32 = 1;

/// Name of the files.
pub const FILE_NAME: &str = "kontext.lock";

/// What stands in a `kontext.lock`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Version of this format, [`VERSION`].
    pub version: u32,
    /// MCP servers by the name of their adapter.
    pub adapters: BTreeMap<String, LockedAdapter>,
}

impl Default for Lock {
    fn default() -> Lock {
        Lock { version: VERSION, adapters: BTreeMap::new() }
    }
}

/// The tools of one MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LockedAdapter {
    /// Digest of the adapter's compiled `command` or `url`: the entry is about no other server.
    pub connection: String,
    /// What the digests of the tools cover.
    #[serde(default, skip_serializing_if = "is_full")]
    pub pin: Pin,
    /// What the server calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<LockedServer>,
    /// Its tools, sorted by name.
    pub tools: Vec<LockedTool>,
}

/// What a server calls itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LockedServer {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// One tool, as its server described it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LockedTool {
    /// Its name.
    pub name: String,
    /// What people read as its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What agents choose it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON schema of its arguments; null when the server gives none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub input_schema: Value,
    /// JSON schema of its structured answer.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub output_schema: Value,
    /// What the server says about its effects; never believed.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub annotations: Value,
    /// SHA-256 over the canonical JSON (RFC 8785) of the above.
    pub digest: String,
}

impl LockedAdapter {
    /// The tool of a name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&LockedTool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The same with the older entry of every tool whose digest did not change, so that texts which the digests do
    /// not cover are written again only when something else is.
    #[must_use]
    pub fn settled(mut self, older: &LockedAdapter) -> LockedAdapter {
        if self.pin == older.pin {
            for tool in &mut self.tools {
                if let Some(known) = older.tool(&tool.name).filter(|known| known.digest == tool.digest) {
                    *tool = known.clone();
                }
            }
        }
        self
    }
}

impl LockedTool {
    /// The tool of an entry of `tools/list`, with its digest. Members of another type than the protocol's count as
    /// not given.
    ///
    /// # Errors
    /// When it is too large or nested too deep, or holds a number that has no canonical form.
    pub fn of_entry(entry: &Map<String, Value>, pin: Pin) -> Result<LockedTool, Unpinnable> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
        let value = |key: &str| entry.get(key).cloned().unwrap_or_default();
        let mut tool = LockedTool {
            name: text("name").unwrap_or_default(),
            title: text("title"),
            description: text("description"),
            input_schema: value("inputSchema"),
            output_schema: value("outputSchema"),
            annotations: value("annotations"),
            digest: String::new(),
        };
        tool.digest = tool.digest(pin)?;
        Ok(tool)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_full(pin: &Pin) -> bool {
    *pin == Pin::Full
}
