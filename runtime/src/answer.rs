//! What calls give back, in the shape of the published output: the order of the fields here is the order in JSON.

use kontext_plan::LayerName;
use serde::Serialize;
use serde::ser::SerializeStruct;
use serde_json::{Map, Value};

use crate::mapping::Hit;
use crate::mcp;
use crate::observe::Seen;

/// A remark beside an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The adapter it is about.
    pub source: String,
    /// What it says.
    pub message: String,
}

/// What one op gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpAnswer {
    /// The adapter.
    pub adapter: String,
    /// The op.
    pub op: String,
    /// Hits or text.
    #[serde(flatten)]
    pub result: OpResult,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// Hits or text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OpResult {
    /// Search results in the system's order.
    Hits(Vec<Hit>),
    /// Text.
    Text(String),
}

/// The merged results of every source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitsAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Sources that were slow or failed, and what was odd in the answers of others.
    pub notes: Vec<Note>,
}

/// One source's part of a brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The adapter.
    pub source: String,
    /// Its text.
    pub text: String,
}

/// What every source says at the beginning of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BriefAnswer {
    /// By name of the source.
    pub parts: Vec<Part>,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// The text behind a URI.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadAnswer {
    /// The adapter that read it.
    pub source: String,
    /// The URI asked for.
    pub uri: String,
    /// The text.
    pub text: String,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// What a tool gave, as an MCP result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolAnswer {
    /// The text, and the remarks as another.
    pub content: Vec<Content>,
    /// Hits, or what a tool over notes gives, as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// Whether the text says what went wrong. A tool published again says what its server says, even nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// What the server of a tool published again says beside it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// What else its server says: members that the protocol does not have, or not of this type.
    #[serde(flatten)]
    pub beside: Map<String, Value>,
    /// Remarks, which are in the content too.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

impl Seen for ToolAnswer {
    fn size(&self) -> usize {
        let json = |value: &Value| serde_json::to_vec(value).map_or(0, |json| json.len());
        let block = |content: &Content| match content {
            Content::Text(text) => text.len(),
            Content::Other(value) => json(value),
        };
        self.content.iter().map(block).sum::<usize>() + self.structured_content.as_ref().map_or(0, json)
    }

    fn is_complaint(&self) -> bool {
        self.is_error == Some(true)
    }
}

impl ToolAnswer {
    /// Whether what it says, in blocks or as data, is more than this many bytes.
    #[must_use]
    pub(crate) fn is_larger_than(&self, limit: usize) -> bool {
        let block = |content: &Content| match content {
            Content::Other(value) => content.as_text().map_or_else(|| weight(value), str::len),
            Content::Text(text) => text.len(),
        };
        let blocks: usize = self.content.iter().map(block).sum();
        blocks > limit || self.structured_content.as_ref().is_some_and(|value| weight(value) > limit)
    }

    /// The text alone, without remarks.
    #[must_use]
    pub fn text(&self) -> &str {
        self.content.iter().find_map(Content::as_text).unwrap_or_default()
    }

    /// What the tool says of its failure, when it says that it failed.
    #[must_use]
    pub(crate) fn complaint(&self) -> Option<String> {
        let texts =
            || self.content.iter().filter_map(Content::as_text).map(str::to_owned).collect::<Vec<_>>();
        (self.is_error == Some(true)).then(|| mcp::complaint(&texts(), self.structured_content.as_ref()))
    }

    /// An answer of kontext's own: a text, what it says as data, and remarks, which follow as a text of their own.
    #[must_use]
    pub(crate) fn own(text: String, structured_content: Option<Value>, notes: Vec<Note>) -> ToolAnswer {
        let remarks: Vec<String> =
            notes.iter().map(|note| format!("note: {}: {}", note.source, note.message)).collect();
        let mut content = vec![Content::Text(text)];
        if !remarks.is_empty() {
            content.push(Content::Text(remarks.join("\n")));
        }
        ToolAnswer {
            content,
            structured_content,
            is_error: Some(false),
            meta: None,
            beside: Map::new(),
            notes,
        }
    }
}

/// About how many bytes a value says: its texts and names, and one for everything else.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 1 + weight(item)).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len() + weight(member)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

/// A block of an MCP result.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Text(String),
    /// A block as an upstream server gave it: text, an image, a sound, a resource.
    Other(Value),
}

impl Content {
    /// Its text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Other(block) if block.get("type").and_then(Value::as_str) == Some("text") => {
                block.get("text").and_then(Value::as_str)
            }
            Content::Other(_) => None,
        }
    }
}

impl Serialize for Content {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Content::Text(text) => {
                let mut block = serializer.serialize_struct("Text", 2)?;
                block.serialize_field("type", "text")?;
                block.serialize_field("text", text)?;
                block.end()
            }
            Content::Other(block) => block.serialize(serializer),
        }
    }
}

/// Whether an adapter can be used, and what it offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdapterStatus {
    /// Its name.
    pub name: String,
    /// `http`, `command` or `mcp`.
    pub driver: &'static str,
    /// What people read about it.
    pub description: Option<String>,
    /// The layers it comes from.
    pub layers: Vec<LayerName>,
    /// It can be called.
    pub active: bool,
    /// Why not.
    pub reason: Option<String>,
    /// It may be called on this machine.
    pub trusted: bool,
    /// The names of its ops.
    pub ops: Vec<String>,
    /// The names of its declared tools.
    pub tools: Vec<String>,
    /// The events it takes.
    pub events: Vec<&'static str>,
}

/// What an MCP server offers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// Version of this form.
    pub version: u32,
    /// The adapter.
    pub adapter: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// `legacy` or `modern`.
    pub era: &'static str,
    /// The protocol version agreed on.
    pub protocol: String,
    /// Who the server says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerName>,
    /// What it says about its use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Its tools in its own order.
    pub tools: Vec<InspectedTool>,
    /// The adapter's ops, as far as the tool they call is known before a call.
    pub ops: Vec<OpBinding>,
    /// The tools that the configuration declares with an op of their own, likewise.
    pub declared: Vec<OpBinding>,
    /// What is odd about the tools.
    pub notes: Vec<String>,
}

/// A server's name for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServerName {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One tool of a server. What it says of itself is not to be trusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InspectedTool {
    /// Its name.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// Hints such as `readOnlyHint`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
    /// The schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// The schema of what it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Why its arguments cannot be bound by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A parameter of a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type in short, such as `string`, `integer[]` or `string|null`.
    #[serde(rename = "type")]
    pub ty: String,
    /// It must be given.
    pub required: bool,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The only values it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

/// How an op uses its tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpBinding {
    /// The op, or the declared tool.
    pub op: String,
    /// The tool it calls.
    pub tool: String,
    /// The parameters that get a value by name.
    pub arguments: Vec<String>,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
