//! Ops: one call kontext may make on a system, and how its answer is read.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::OriginId;
use crate::binding::{Bound, ByName};
use crate::result::ResultMap;
use crate::template::{JsonTemplate, Template};
use crate::url::UrlTemplate;

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Op {
    /// What is called.
    pub call: Call,
    /// How the answer is read.
    pub format: Format,
    /// Limit of one call in milliseconds.
    pub timeout_ms: u64,
    /// What is made of the payload.
    pub result: ResultMap,
    /// What the caller passes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputDecl>,
    /// URI prefixes a `read` op answers for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owns: Vec<String>,
    /// Its table in the configuration.
    pub at: OriginId,
}

/// What an op calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Call {
    /// An HTTP request.
    Http(HttpCall),
    /// A program.
    Command(CommandCall),
    /// A tool of the adapter's MCP server.
    Mcp(McpCall),
}

/// An HTTP request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HttpCall {
    /// The method.
    pub method: Method,
    /// Where it goes.
    pub url: UrlTemplate,
    /// Query parameters in document order; null, empty text and empty lists are dropped, a list repeats the key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query: Vec<NamedTemplate>,
    /// Headers, adapter's and op's merged; null is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<NamedTemplate>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

/// Request methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
    Head,
}

/// A request body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Body {
    /// Sent as JSON.
    Json(JsonTemplate),
    /// A string body: text is sent as it is; exactly one expression that is not text is sent as JSON.
    Text(Template),
}

/// A template with a name: a header, a query parameter, an environment entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamedTemplate {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Template,
    /// The place in the configuration.
    pub at: OriginId,
}

/// A program to start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CommandCall {
    /// Program and arguments; null is left out, a list gives one argument an element.
    pub command: Vec<Template>,
    /// What is written to its standard input; none is the null device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Template>,
    /// Working directory; none is the repository root, a relative one stands against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Template>,
    /// Additions to the environment; null is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<NamedTemplate>,
    /// Exit statuses that are not failures.
    pub ok_exit: Vec<u8>,
    /// The answer is in the file named by the `output_file` source, not on standard output.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub output_file: bool,
}

/// A tool of an MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpCall {
    /// The tool's name.
    pub tool: Template,
    /// Its arguments.
    pub args: McpArguments,
}

/// Where a tool's arguments come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum McpArguments {
    /// As the configuration gives them.
    Given(JsonTemplate),
    /// Bound by name to a schema that the lock holds.
    Bound(Vec<Bound>),
    /// To be bound by name to the schema that the server reports.
    Named(ByName),
}

/// How an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON where it can be found, else text.
    #[default]
    Auto,
    /// JSON, or the answer is bad.
    Json,
    /// One JSON value a line.
    Jsonl,
    /// The lines that are not blank.
    Lines,
    /// As it is.
    Text,
}

/// Something the caller passes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InputDecl {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: InputType,
    /// What it is when the caller passes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Another input it takes its value from when the caller passes none (`focus` from `query`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// The call fails without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

/// Type of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "JSON's own names")]
pub enum InputType {
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
    Any,
}
