//! The configuration as the compiler works on it, generic over what a template slot holds.
//!
//! `Config<Cell>` is what `parse` gives (syntax trees), `Config<Typed>` what `check` gives (resolved and typed
//! instructions). One set of types for both stages keeps every field in one place.

use std::collections::BTreeSet;

use kontext_plan::path::{Path, Step};
use kontext_plan::{EventKind, Expose, Format, LayerName, Method, Pin, Protocol, Visibility};
use serde_json::Value;

use crate::source::FileSpan;

/// A value and its place.
#[derive(Debug, Clone)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: FileSpan,
}

/// A named slot: a variable, a header, a query parameter, an environment entry.
#[derive(Debug, Clone)]
pub struct Named<T> {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub key: FileSpan,
    /// The slot.
    pub value: T,
}

/// Everything that was configured.
#[derive(Debug, Clone)]
pub struct Config<T> {
    /// `[vars]`.
    pub vars: Vec<Named<T>>,
    /// `public_env`: variables that are no secrets.
    pub public_env: BTreeSet<String>,
    /// `project.name` and `project.description`, when configured.
    pub project: Project,
    /// `[knowledge]` and `[workspace]`.
    pub notes: NotesConfig,
    /// The adapters, by name.
    pub adapters: Vec<Adapter<T>>,
}

/// `[knowledge]` and `[workspace]`; nothing in them is a template.
#[derive(Debug, Clone, Default)]
pub struct NotesConfig {
    /// `knowledge.primary`.
    pub primary: Option<Spanned<String>>,
    /// `knowledge.roots`.
    pub roots: Vec<Named<Spanned<String>>>,
    /// `knowledge.read_only`: ids and paths.
    pub read_only: Vec<(Spanned<String>, Spanned<String>)>,
    /// `workspace.default_scope`.
    pub default_scope: Option<Spanned<String>>,
    /// `workspace.scope_map`.
    pub scope_map: Option<Spanned<String>>,
    /// `workspace.scope_aliases`.
    pub scope_aliases: Option<Spanned<String>>,
    /// `workspace.hot_sections`.
    pub hot_sections: Option<Vec<String>>,
    /// `workspace.hot_budget_warning`.
    pub hot_budget_warning: Option<usize>,
    /// `workspace.hot_budget_critical`.
    pub hot_budget_critical: Option<usize>,
}

/// `[project]`.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// `name`.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// The layers that say so.
    pub layers: BTreeSet<LayerName>,
}

/// The driver of an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverKind {
    /// An MCP server.
    Mcp,
    /// HTTP requests.
    Http,
    /// Programs.
    Command,
}

/// `[adapters.<name>]`.
#[derive(Debug, Clone)]
pub struct Adapter<T> {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub key: FileSpan,
    /// The driver; none when it is missing or unknown (reported already).
    pub driver: Option<DriverKind>,
    /// `enabled`.
    pub enabled: bool,
    /// `description`.
    pub description: Option<String>,
    /// `when`.
    pub when: When<T>,
    /// `vars`.
    pub vars: Vec<Named<T>>,
    /// `timeout_ms`.
    pub timeout_ms: Option<u64>,
    /// `weight`.
    pub weight: f64,
    /// `command`, `env`, `cwd`, `url`, `base_url`, `headers`.
    pub reach: Reach<T>,
    /// `base_url`, or an http adapter's `url`.
    pub base_url: Option<T>,
    /// An mcp adapter's own fields.
    pub mcp: Mcp,
    /// `ops`.
    pub ops: Vec<Op<T>>,
    /// `on`.
    pub on: Vec<On>,
    /// `tools`.
    pub tools: Vec<Tool<T>>,
    /// Every layer that any part of it comes from.
    pub layers: BTreeSet<LayerName>,
}

impl<T> Adapter<T> {
    /// What stands before the names of the upstream tools that are published again.
    #[must_use]
    pub fn prefix(&self) -> String {
        self.mcp.prefix.clone().unwrap_or_else(|| format!("{}_", self.name.replace('-', "_")))
    }
}

/// How a system is reached: fields an adapter has and an op may have over them.
#[derive(Debug, Clone)]
pub struct Reach<T> {
    /// `command`.
    pub command: Option<Vec<T>>,
    /// `env`.
    pub env: Vec<Named<T>>,
    /// `cwd`.
    pub cwd: Option<T>,
    /// `url`: an MCP endpoint, or an op's absolute URL.
    pub url: Option<T>,
    /// `headers`.
    pub headers: Vec<Named<T>>,
}

impl<T> Default for Reach<T> {
    fn default() -> Self {
        Reach { command: None, env: Vec::new(), cwd: None, url: None, headers: Vec::new() }
    }
}

/// Fields that only `driver = "mcp"` has.
#[derive(Debug, Clone)]
pub struct Mcp {
    /// `start_timeout_ms`.
    pub start_timeout_ms: u64,
    /// `expose`.
    pub expose: Expose,
    /// The names in a list of `expose`, with their places.
    pub exposed: Vec<Spanned<String>>,
    /// Where `expose` stands.
    pub expose_at: Option<FileSpan>,
    /// `prefix`.
    pub prefix: Option<String>,
    /// `protocol`.
    pub protocol: Protocol,
    /// `pin`.
    pub pin: Pin,
}

/// `when`.
#[derive(Debug, Clone)]
pub struct When<T> {
    /// `command`.
    pub command: Option<Spanned<String>>,
    /// `file`.
    pub file: Option<Spanned<String>>,
    /// `repo`.
    pub repo: Option<Spanned<String>>,
    /// `env`.
    pub env: Option<Spanned<String>>,
    /// `exists`.
    pub exists: Option<T>,
    /// `scope`: ids, and the list's place.
    pub scope: Option<Spanned<Vec<Spanned<String>>>>,
}

impl<T> Default for When<T> {
    fn default() -> Self {
        When { command: None, file: None, repo: None, env: None, exists: None, scope: None }
    }
}

/// `[adapters.<name>.ops.<op>]`, or a tool's inline op.
#[derive(Debug, Clone)]
pub struct Op<T> {
    /// Its name; a tool's inline op has none.
    pub name: Option<String>,
    /// Where the name stands (the `op` key of an inline op).
    pub key: FileSpan,
    /// `command`, `env`, `cwd`, `url`, `headers`.
    pub reach: Reach<T>,
    /// The adapter's base URL; `check` puts it here.
    pub base: Option<T>,
    /// Whether it gives hits (else text); `check` decides.
    pub hits: bool,
    /// `method`.
    pub method: Option<Method>,
    /// `path`.
    pub path: Option<T>,
    /// `query`.
    pub query: Vec<Named<T>>,
    /// `body`.
    pub body: Option<Json<T>>,
    /// `stdin`.
    pub stdin: Option<T>,
    /// `ok_exit`.
    pub ok_exit: Option<Vec<u8>>,
    /// `output_file`.
    pub output_file: bool,
    /// `tool`.
    pub tool: Option<T>,
    /// `args`.
    pub args: Option<Json<T>>,
    /// `format`.
    pub format: Format,
    /// `timeout_ms`.
    pub timeout_ms: Option<u64>,
    /// `items`, `split`, `where`, `map`, `text`.
    pub result: ResultFields<T>,
    /// `owns`.
    pub owns: Vec<Spanned<String>>,
}

/// The result fields of an op.
#[derive(Debug, Clone)]
pub struct ResultFields<T> {
    /// `items`: the compiled path and its text.
    pub items: Option<Spanned<(Path, String)>>,
    /// `split`.
    pub split: Option<Spanned<String>>,
    /// `where`: paths and the texts they must equal; the key's place.
    pub conditions: Option<Spanned<Vec<(Path, String)>>>,
    /// `map`: the key's place and the entries.
    pub map: Option<Spanned<Vec<MapEntry<T>>>>,
    /// `text`.
    pub text: Option<Spanned<Path>>,
}

impl<T> Default for ResultFields<T> {
    fn default() -> Self {
        ResultFields { items: None, split: None, conditions: None, map: None, text: None }
    }
}

/// One entry of `map`.
#[derive(Debug, Clone)]
pub struct MapEntry<T> {
    /// The hit field.
    pub field: kontext_plan::result::HitField,
    /// Where the value stands.
    pub span: FileSpan,
    /// The rule.
    pub rule: MapRule<T>,
}

/// The rule of one hit field.
#[derive(Debug, Clone)]
pub enum MapRule<T> {
    /// A path with an optional literal at the end.
    Path {
        /// Alternatives in order.
        alternatives: Vec<Vec<Step>>,
        /// What stands in.
        literal: Option<String>,
    },
    /// A regular expression.
    Regex(String),
    /// A template over the item.
    Template(T),
}

/// A TOML value whose strings are templates.
#[derive(Debug, Clone)]
pub enum Json<T> {
    /// A number or boolean, and its place.
    Scalar(Value, FileSpan),
    /// A string.
    Slot(T),
    /// A table, members in document order, and its place.
    Object(Vec<(T, Json<T>)>, FileSpan),
    /// An array and its place.
    Array(Vec<Json<T>>, FileSpan),
}

/// `[[adapters.<name>.on]]`.
#[derive(Debug, Clone)]
pub struct On {
    /// `event`.
    pub event: EventKind,
    /// `op`.
    pub op: Spanned<String>,
    /// `visibility`.
    pub visibility: Option<Visibility>,
    /// `kinds`.
    pub kinds: Vec<String>,
    /// Its place.
    pub span: FileSpan,
}

/// `[[adapters.<name>.tools]]`.
#[derive(Debug, Clone)]
pub struct Tool<T> {
    /// `name`.
    pub name: Spanned<String>,
    /// `description`.
    pub description: String,
    /// `params` as a JSON schema.
    pub schema: Value,
    /// `op`.
    pub op: ToolOp<T>,
}

/// What a tool calls.
#[derive(Debug, Clone)]
pub enum ToolOp<T> {
    /// An op of the adapter.
    Named(Spanned<String>),
    /// An op of its own.
    Inline(Box<Op<T>>),
}
