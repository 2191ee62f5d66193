//! What changed between two looks at a server's tools.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::{LockedAdapter, LockedTool};
use crate::Pin;

/// How many changes of one tool are told.
const MOST: usize = 100;

/// The difference between the tools of two entries, names sorted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Diff {
    /// Tools that only the newer one has.
    pub added: Vec<String>,
    /// Tools that only the older one has.
    pub removed: Vec<String>,
    /// Tools that differ in what the pin holds fast.
    pub changed: Vec<ToolChange>,
}

/// A tool that both have and that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolChange {
    /// Its name.
    pub name: String,
    /// Where it differs, in the order of the pointers; at most 100.
    pub changes: Vec<Change>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// JSON pointer into the tool: `/inputSchema/properties/limit/maximum`.
    pub path: String,
    /// What stood there; none when it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What stands there now; none when it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl Diff {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// What changed from one entry to another, in what the pin holds fast.
#[must_use]
pub fn diff(old: &LockedAdapter, new: &LockedAdapter, pin: Pin) -> Diff {
    let names = |adapter: &LockedAdapter, other: &LockedAdapter| {
        let only = adapter.tools.iter().filter(|tool| other.tool(&tool.name).is_none());
        only.map(|tool| tool.name.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let mut changed: Vec<ToolChange> = old
        .tools
        .iter()
        .filter_map(|tool| {
            let changes = tool.changes(new.tool(&tool.name)?, pin);
            (!changes.is_empty()).then(|| ToolChange { name: tool.name.clone(), changes })
        })
        .collect();
    changed.sort_by(|a, b| a.name.cmp(&b.name));
    Diff { added: names(new, old), removed: names(old, new), changed }
}

impl LockedTool {
    /// Where another look at the tool differs in what the pin holds fast.
    #[must_use]
    pub fn changes(&self, newer: &LockedTool, pin: Pin) -> Vec<Change> {
        let mut changes = Vec::new();
        compare("", Some(&self.content(pin)), Some(&newer.content(pin)), &mut changes);
        changes
    }
}

fn compare(path: &str, before: Option<&Value>, after: Option<&Value>, changes: &mut Vec<Change>) {
    if before == after || changes.len() == MOST {
        return;
    }
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (before, after) {
        let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for key in keys {
            let inner = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
            compare(&inner, old.get(key), new.get(key), changes);
        }
        return;
    }
    if let (Some(Value::Array(old)), Some(Value::Array(new))) = (before, after)
        && old.len() == new.len()
    {
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            compare(&format!("{path}/{at}"), Some(old), Some(new), changes);
        }
        return;
    }
    changes.push(Change { path: path.to_owned(), before: before.cloned(), after: after.cloned() });
}
