//! Event subscriptions.

use serde::{Deserialize, Serialize};

use crate::OriginId;

/// What may happen to a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// It was written.
    Capture,
    /// It was moved to the shared notes.
    Promote,
    /// The store was synchronised.
    Sync,
}

/// Who may see a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Everyone who shares the repository.
    Team,
    /// Its author.
    Private,
}

/// One subscription of an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What it waits for.
    pub event: EventKind,
    /// The op it calls.
    pub op: String,
    /// Only notes of this visibility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    /// Only notes of these kinds; none is any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// The place in the configuration.
    pub at: OriginId,
}
