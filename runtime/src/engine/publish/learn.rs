//! The tools of servers that are published again and stand in no lock: asked for when serving starts, and after they
//! changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use kontext_plan::lock::LockedTool;
use kontext_plan::{Adapter, Driver, Expose, McpServer, Published, publish};
use serde_json::Value;
use tokio::time::sleep;

use super::{Catalogue, ONLY_AS_TASK, is_only_a_task};
use crate::engine::Runtime;
use crate::error::RunError;
use crate::mcp::Tools;

/// How often it is looked at whether a server was started again, which then may have other tools.
const LOOK: Duration = Duration::from_secs(2);

/// What is known of the tools by now.
#[derive(Debug, Default)]
pub(in crate::engine) struct Learnt {
    /// By adapter, in the server's order: the tool's own name, and how it is published.
    pub(super) tools: BTreeMap<String, Vec<(String, Published)>>,
    /// The catalogue of all this; none when it is to be made anew.
    pub(super) catalogue: Option<Arc<Catalogue>>,
}

impl Runtime {
    /// The active adapters whose tools are published again and which only their servers know.
    #[must_use]
    pub fn unpinned(&self) -> Vec<&str> {
        let exposing = self.plan.adapters.iter().filter(|(_, adapter)| exposing(adapter).is_some());
        let active = exposing.filter(|(name, adapter)| self.reason(name, adapter).is_none());
        active.map(|(name, _)| name.as_str()).collect()
    }

    /// Whether a tool may turn out to be one of these servers', which were not heard of yet.
    pub(crate) fn may_come_from(&self, tool: &str, servers: &BTreeSet<String>) -> bool {
        self.silent(tool).any(|name| servers.contains(name))
    }

    /// The adapters whose servers were not heard of yet and may have a tool of this name.
    pub(super) fn silent(&self, tool: &str) -> impl Iterator<Item = &str> {
        self.unpinned().into_iter().filter(move |name| {
            let server = self.plan.adapters.get(*name).and_then(exposing);
            let fits = server.is_some_and(|server| tool.starts_with(&server.prefix));
            fits && !self.learnt.lock().tools.contains_key(*name)
        })
    }

    /// Asks the server of such an adapter for its tools, starting it when need be. Gives whether they are others than
    /// before, and remarks.
    ///
    /// # Errors
    /// Whatever keeps the server from answering.
    pub async fn learn(&self, name: &str) -> Result<(bool, Vec<String>), RunError> {
        let (adapter, server) = self.server(name)?;
        let listed = self.listed(name, adapter, server).await;
        let (_, tools) = listed.map_err(|failure| self.server_error(name, adapter, failure))?;
        let (published, notes) = self.publishable(name, server, &tools);
        let mut learnt = self.learnt.lock();
        let changed = learnt.tools.get(name) != Some(&published);
        if changed {
            learnt.tools.insert(name.to_owned(), published);
            learnt.catalogue = None;
        }
        Ok((changed, notes))
    }

    /// Waits until the adapter's server says that it has other tools, or was started again.
    pub async fn tools_changed(&self, name: &str) {
        let listed = self.servers.open(name);
        let told = async {
            match &listed {
                Some(connection) => connection.tools_changed().await,
                None => std::future::pending().await,
            }
        };
        let started_again = async {
            loop {
                sleep(LOOK).await;
                let now = self.servers.open(name);
                if now.is_some_and(|now| listed.as_ref().is_none_or(|listed| !Arc::ptr_eq(listed, &now))) {
                    return;
                }
            }
        };
        tokio::select! {
            () = told => {}
            () = started_again => {}
        }
    }

    /// Whether the adapter's server runs.
    #[must_use]
    pub fn is_connected(&self, name: &str) -> bool {
        self.servers.open(name).is_some()
    }

    /// Asks every server that may have this tool, all at once, until one has it; gives the failures.
    pub(super) async fn learn_of(&self, tool: &str) -> Vec<RunError> {
        let mut asked: FuturesUnordered<_> = self.silent(tool).map(|name| self.learn(name)).collect();
        let mut failed = Vec::new();
        while let Some(learnt) = asked.next().await {
            match learnt {
                Ok(_) if self.knows_tool(tool) => break,
                Ok(_) => {}
                Err(error) => failed.push(error),
            }
        }
        failed
    }

    fn publishable(
        &self,
        name: &str,
        server: &McpServer,
        tools: &Tools,
    ) -> (Vec<(String, Published)>, Vec<String>) {
        let mask = self.mask();
        let mut notes = Vec::new();
        let mut published = Vec::new();
        for tool in tools.list.iter().filter(|tool| server.expose.takes(&tool.name)) {
            if is_only_a_task(&tool.entry) {
                notes.push(mask.string(format!("the tool `{}` is left out: {ONLY_AS_TASK}", tool.name)));
                continue;
            }
            let mut entry = Value::Object(tool.entry.clone());
            mask.json(&mut entry);
            match entry.as_object().map(|entry| LockedTool::of_entry(entry, server.pin)) {
                Some(Ok(locked)) => {
                    published.push((tool.name.clone(), publish(name, &server.prefix, &locked)));
                }
                Some(Err(why)) => {
                    notes.push(format!("the tool `{}` is left out: {why}", locked_name(&entry)))
                }
                None => {}
            }
        }
        for (tool, why) in tools.unread.iter().filter(|(tool, _)| server.expose.takes(tool)) {
            notes.push(mask.string(format!("the tool `{tool}` is left out: {why}")));
        }
        if let Expose::Only(names) = &server.expose {
            let unread = |name: &String| tools.unread.iter().any(|(unread, _)| unread == name);
            let missing = names.iter().filter(|name| tools.get(name).is_none() && !unread(name));
            notes.extend(missing.map(|tool| format!("`{name}` has no tool `{tool}`, which `expose` names")));
        }
        (published, notes)
    }
}

fn locked_name(entry: &Value) -> &str {
    entry.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// The server of an adapter that publishes tools which no lock holds.
fn exposing(adapter: &Adapter) -> Option<&McpServer> {
    match &adapter.driver {
        Driver::Mcp(server) if server.expose != Expose::None && server.tools.is_none() => Some(server),
        _ => None,
    }
}
