//! The tools a server reports, read so that one bad entry costs only itself, in bounded size and depth.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use kontext_plan::Pin;
use kontext_plan::lock::LockedTool;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use serde_json::{Map, Value};

use super::ask::{self, Asked, Peer};
use super::message;

/// How many pages of a list are asked for.
const PAGES: usize = 100;
/// How many tools are kept.
const TOOLS: usize = 5_000;
/// How deep a schema may be.
const DEEPEST: usize = 64;
/// How large a tool's entry may be, in bytes of JSON.
const LARGEST: usize = 512 * 1024;

/// One tool as the server describes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The entry as it came.
    pub(crate) entry: Map<String, Value>,
    /// Why its arguments cannot be bound by name.
    pub(crate) problem: Option<String>,
    /// Its digest by the adapter's pin, taken when it is first called; none when it cannot have one.
    digest: OnceLock<Option<String>>,
}

impl Tool {
    /// The digest of what a pin holds fast; a connection has one pin.
    pub(super) fn digest(&self, pin: Pin) -> Option<&str> {
        let digest = || LockedTool::of_entry(&self.entry, pin).ok().map(|tool| tool.digest);
        self.digest.get_or_init(digest).as_deref()
    }

    /// The schema of its arguments; null when the server gives none.
    pub(crate) fn schema(&self) -> &Value {
        self.entry.get("inputSchema").unwrap_or(&Value::Null)
    }
}

/// All tools of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tools {
    /// By name, in the server's order.
    pub(crate) list: Vec<Tool>,
    places: BTreeMap<String, usize>,
    /// What was odd about the list.
    pub(crate) notes: Vec<String>,
    /// Tools that could not be read, each with the reason.
    pub(crate) unread: Vec<(String, String)>,
}

impl Tools {
    /// A tool by its name.
    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.list.get(*self.places.get(name)?)
    }

    /// Every name.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.list.iter().map(|tool| tool.name.as_str()).collect()
    }

    fn add(&mut self, entry: Value) {
        let Value::Object(entry) = entry else {
            return self.notes.push("an entry of the list of tools is no object".to_owned());
        };
        let Some(name) = entry.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            return self.notes.push("a tool has no name".to_owned());
        };
        let name = name.to_owned();
        if self.places.contains_key(&name) {
            return self.notes.push(format!("the tool `{name}` is listed twice: the first counts"));
        }
        if let Some(why) = message::why_unreadable(&entry) {
            self.notes.push(format!("the tool `{name}` is left out: {why}"));
            return self.unread.push((name, why.to_owned()));
        }
        let problem = problem(&entry);
        if let Some(problem) = &problem {
            self.notes.push(format!("the tool `{name}` cannot be bound by name: {problem}"));
        }
        self.places.insert(name.clone(), self.list.len());
        self.list.push(Tool { name, entry, problem, digest: OnceLock::new() });
    }
}

/// Asks for every page.
pub(super) async fn list(peer: &Peer) -> Asked<Arc<Tools>> {
    let mut tools = Tools::default();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let page = page(peer, cursor.clone()).await?;
        let (entries, next) = parted(page);
        for entry in entries {
            if tools.list.len() >= TOOLS {
                tools.notes.push(format!("only the first {TOOLS} tools are looked at"));
                return Ok(Arc::new(tools));
            }
            tools.add(entry);
        }
        match next {
            Some(next) if Some(&next) != cursor.as_ref() => cursor = Some(next),
            _ => return Ok(Arc::new(tools)),
        }
    }
    tools.notes.push(format!("only the first {PAGES} pages of the list of tools are looked at"));
    Ok(Arc::new(tools))
}

async fn page(peer: &Peer, cursor: Option<String>) -> Asked<Value> {
    let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
    let request = ListToolsRequest { method: Default::default(), params, extensions: Default::default() };
    ask::ask(peer, ClientRequest::ListToolsRequest(request)).await
}

/// The entries of a page and where the next begins.
fn parted(page: Value) -> (Vec<Value>, Option<String>) {
    let Value::Object(mut page) = page else { return (Vec::new(), None) };
    let entries = match page.remove("tools") {
        Some(Value::Array(entries)) => entries.into_iter().map(message::entry_came).collect(),
        _ => Vec::new(),
    };
    let next = page.get("nextCursor").and_then(Value::as_str).filter(|next| !next.is_empty());
    (entries, next.map(str::to_owned))
}

fn problem(entry: &Map<String, Value>) -> Option<String> {
    let schema = entry.get("inputSchema").unwrap_or(&Value::Null);
    if !matches!(schema, Value::Null | Value::Object(_)) {
        return Some("its input schema is no object".to_owned());
    }
    if depth(schema, DEEPEST + 1) > DEEPEST {
        return Some(format!("its input schema is nested more than {DEEPEST} deep"));
    }
    let size = schema.to_string().len();
    (size > LARGEST).then(|| format!("its input schema is larger than {} KiB", LARGEST / 1024))
}

/// How deep a value is, looked at to `most` levels.
fn depth(value: &Value, most: usize) -> usize {
    if most == 0 {
        return 0;
    }
    let deepest = match value {
        Value::Array(items) => items.iter().map(|item| depth(item, most - 1)).max(),
        Value::Object(members) => members.values().map(|member| depth(member, most - 1)).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bad_entry_costs_only_itself() {
        let mut deep = json!({});
        for _ in 0..70 {
            deep = json!({ "properties": deep });
        }
        let page = json!({ "tools": [
            { "name": "good", "inputSchema": { "type": "object" } }, { "name": "bare" }, 7, { "title": "x" },
            { "name": "good" }, { "name": "list", "inputSchema": [] }, { "name": "deep", "inputSchema": deep },
        ] });
        let mut tools = Tools::default();
        parted(page).0.into_iter().for_each(|entry| tools.add(entry));
        assert_eq!(tools.names(), ["good", "bare", "list", "deep"]);
        assert_eq!(tools.notes.len(), 5, "{:?}", tools.notes);
        assert!(tools.get("good").is_some_and(|tool| tool.problem.is_none() && tool.schema().is_object()));
        assert!(tools.get("deep").is_some_and(|tool| tool.problem.is_some()));
    }
}
