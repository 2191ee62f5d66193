//! What calls give back, in the shape of the published output: the order of the fields here is the order in JSON.

use kontext_plan::LayerName;
use serde::Serialize;

use crate::mapping::Hit;

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
