//! Adapters: one outside system each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::template::Template;
use crate::{Event, LayerName, NamedTemplate, Op, OriginId, PinnedTool, Tool, When};

/// One outside system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// How it is reached.
    pub driver: Driver,
    /// `false` when the configuration switches it off.
    pub enabled: bool,
    /// What people and agents read about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Every layer that any part of it comes from, lowest first.
    pub layers: Vec<LayerName>,
    /// Its table in the configuration.
    pub at: OriginId,
    /// Activation conditions.
    #[serde(default)]
    pub when: When,
    /// Templates that expressions point to by position. An entry uses only entries before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vars: Vec<Var>,
    /// Variables without which the adapter is inactive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Need>,
    /// Secret variables this adapter names; programs of other adapters do not inherit them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Limit of one call in milliseconds.
    pub timeout_ms: u64,
    /// Weight of its hits when merging.
    pub weight: f64,
    /// Its ops by name, each complete: adapter defaults are already in them.
    pub ops: BTreeMap<String, Op>,
    /// Event subscriptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// Declared tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
}

/// How an adapter's system is reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Driver {
    /// HTTP requests.
    Http,
    /// Programs started for each call.
    Command,
    /// An MCP server.
    Mcp(Box<McpServer>),
}

/// An MCP server, and what of it is published again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// Where the server is.
    pub connect: Connection,
    /// Limit of starting it and its handshake, in milliseconds.
    pub start_timeout_ms: u64,
    /// Tools published again.
    pub expose: Expose,
    /// Prefix of the published names.
    pub prefix: String,
    /// Protocol era.
    pub protocol: Protocol,
    /// What the lock holds fast.
    pub pin: Pin,
    /// The tools that are called or published, as the lock holds them, by name; none when it has no entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<PinnedTool>>,
}

/// Where an MCP server is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Connection {
    /// A program that speaks on its standard streams.
    Stdio {
        /// Program and arguments.
        command: Vec<Template>,
        /// Additions to the environment.
        env: Vec<NamedTemplate>,
        /// Working directory; none is the repository root.
        cwd: Option<Template>,
    },
    /// A streamable HTTP endpoint.
    Http {
        /// The endpoint.
        url: Template,
        /// Request headers.
        headers: Vec<NamedTemplate>,
    },
}

/// Which tools of an MCP server are published again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Expose {
    /// None.
    None,
    /// All.
    All,
    /// Those named.
    Only(Vec<String>),
}

impl Expose {
    /// Whether a tool of the server is one of them.
    #[must_use]
    pub fn takes(&self, tool: &str) -> bool {
        match self {
            Expose::None => false,
            Expose::All => true,
            Expose::Only(names) => names.iter().any(|name| name == tool),
        }
    }
}

/// Protocol era of an MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Probed.
    Auto,
    /// With a handshake.
    Initialize,
    /// Without.
    Stateless,
}

/// What of a tool the lock holds fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Pin {
    /// Everything.
    #[default]
    Full,
    /// All but titles and descriptions.
    Schema,
    /// Nothing.
    Off,
}

/// One entry of the adapter's variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Var {
    /// Its name in the configuration.
    pub name: String,
    /// Its value.
    pub value: Template,
    /// The place in the configuration.
    pub at: OriginId,
}

/// An environment variable without which the adapter is inactive.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// The variable's name.
    pub env: String,
    /// The slot that needs it, such as `headers.Authorization`.
    pub slot: String,
    /// The place in the configuration.
    pub at: OriginId,
}
