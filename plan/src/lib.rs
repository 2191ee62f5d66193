//! The plan: the only thing the compiler writes and the only thing the runtime reads.
//!
//! Every type here is data with a fixed JSON form. A plan holds no template, path or map *text*: those are
//! compiled to the instructions of [`template`], [`url`], [`path`] and [`result`]. Regular expressions and JSON
//! schemas are the only languages left in it.

mod adapter;
pub mod binding;
mod call;
mod canonical;
mod capability;
mod event;
mod file;
mod input;
pub mod lock;
pub mod notes;
mod object_schema;
mod origin;
pub mod path;
mod publish;
pub mod result;
pub mod template;
mod tool;
pub mod url;
mod when;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use adapter::{Adapter, Connection, Driver, Expose, McpServer, Need, Pin, Protocol, Var};
pub use call::{
    Body, Call, CommandCall, Format, HttpCall, InputDecl, InputType, McpArguments, McpCall, Method,
    NamedTemplate, Op,
};
pub use canonical::{canonical_json, sha256_hex};
pub use capability::{Capability, CapabilityKind};
pub use event::{Event, EventKind, Visibility};
pub use file::{FORMAT, PlanError, parse, render};
pub use input::{ABSENT, Input, LayerName};
pub use notes::{Notes, NotesRoot};
pub use object_schema::{ObjectSchema, object_schema};
pub use origin::{Origin, OriginId};
pub use publish::{PinnedTool, Published, publish};
pub use tool::{LONGEST_TOOL_NAME, OWN_TOOLS, Tool, ToolOp, is_tool_name, published_name};
pub use when::{Condition, Exists, InScope, When};

/// Which layers a plan was compiled from, and under which rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Every layer of this machine.
    #[default]
    Local,
    /// Defaults and the shared layer: what every clone gets.
    Shared,
    /// `Shared`, with the rules for a text anyone may read.
    Public,
}

impl Profile {
    /// The name used on the command line and in the plan.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Local => "local",
            Profile::Shared => "shared",
            Profile::Public => "public",
        }
    }
}

/// A compiled configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this format, [`FORMAT`].
    pub format: u32,
    /// Version of the kontext that wrote the plan.
    pub kontext: String,
    /// SHA-256 of the canonical JSON in which this field is empty, as `sha256:<hex>`.
    pub digest: String,
    /// What was compiled.
    pub profile: Profile,
    /// The files the plan was made from, by logical name, sorted by name.
    pub inputs: Vec<Input>,
    /// Places in the configuration that instructions point to by position.
    pub origins: Vec<Origin>,
    /// Values known only at run time that the plan needs, sorted by name.
    pub facts: Vec<Fact>,
    /// Everything the plan could do, sorted.
    pub capabilities: Vec<Capability>,
    /// The adapters by name.
    pub adapters: BTreeMap<String, Adapter>,
    /// Scope and notes; none when everything is as it is without configuration and maps.
    pub scope: Option<Notes>,
}

/// A value known only at run time: environment, repository, clock or the scope of the start.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// `env.NAME`, `repo.id`, `repo.slug`, `repo.name`, `repo.dir`, `repo.root`, `repo.remote`, `repo.branch`,
    /// `repo.worktree`, `now.date`, `now.iso`, `scope.id` or `scope.step`.
    pub name: String,
    /// The value must not appear in anything kontext writes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}
