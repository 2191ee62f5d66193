//! What MCP servers offer, in the form in which a lock holds it fast.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt};
use kontext_plan::Pin;
use kontext_plan::lock::{LockedServer, LockedTool};
use serde_json::Value;

use super::Runtime;
use super::publish::{ONLY_AS_TASK, fit_arguments, is_only_a_task};
use crate::error::RunError;
use crate::mcp::{Connection, Tool, Tools};
use crate::secret::Mask;

/// How many servers are asked at the same time.
const AT_ONCE: usize = 8;

/// What a server offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What it calls itself.
    pub server: Option<LockedServer>,
    /// What of its tools the adapter's `pin` holds fast.
    pub pin: Pin,
    /// Its tools, sorted by name.
    pub tools: Vec<LockedTool>,
    /// Tools that cannot be locked, and what else is odd about them.
    pub notes: Vec<String>,
}

impl Runtime {
    /// Asks the servers of these adapters for their tools, several at a time, and gives the answers in the order of
    /// the names. `answered` hears of each as it comes.
    ///
    /// Each fails for itself: an unknown, inactive or not trusted adapter, one of another driver, and whatever keeps
    /// a server from answering.
    pub async fn offers(
        &self,
        names: &[&str],
        answered: impl Fn(&str),
    ) -> Vec<(String, Result<Offer, RunError>)> {
        let answered = &answered;
        let asking = names.iter().map(|name| async move {
            let offer = self.offer(name).await;
            answered(name);
            ((*name).to_owned(), offer)
        });
        stream::iter(asking).buffered(AT_ONCE).collect().await
    }

    async fn offer(&self, name: &str) -> Result<Offer, RunError> {
        let (adapter, server) = self.server(name)?;
        let listed = self.listed(name, adapter, server).await;
        let (connection, tools) = listed.map_err(|failure| self.server_error(name, adapter, failure))?;
        let mask = self.mask();
        let mut offer = offered(&connection, &tools, server.pin, &mask);
        let exposed = tools.list.iter().filter(|tool| server.expose.takes(&tool.name));
        let unfit = exposed.filter_map(|tool| Some((&tool.name, unfit(tool)?)));
        offer.notes.extend(
            unfit.map(|(tool, why)| mask.string(format!("the tool `{tool}` is not published: {why}"))),
        );
        Ok(offer)
    }
}

/// Why no client takes a tool that `expose` names.
fn unfit(tool: &Tool) -> Option<String> {
    let schema = tool.entry.get("inputSchema").and_then(Value::as_object)?;
    fit_arguments(&Arc::new(schema.clone())).err()
}

fn offered(connection: &Connection, tools: &Tools, pin: Pin, mask: &Mask) -> Offer {
    let mut notes: Vec<String> = tools.notes.iter().map(|note| mask.text(note).into_owned()).collect();
    let mut locked = Vec::new();
    for tool in &tools.list {
        match lockable(tool, pin, mask) {
            Ok(tool) => locked.push(tool),
            Err(why) => {
                notes.push(format!("the tool `{}` cannot be locked: {why}", mask.text(&tool.name)));
            }
        }
    }
    locked.sort_by(|a, b| a.name.cmp(&b.name));
    let info = connection.server();
    let server = info.as_deref().and_then(|info| info.server_info.as_ref());
    let server = server.map(|server| LockedServer {
        name: mask.text(&server.name).into_owned(),
        version: Some(mask.text(&server.version).into_owned()),
    });
    Offer { server, pin, tools: locked, notes }
}

/// The tool as the lock holds it. A file that is committed never gets a secret.
fn lockable(tool: &Tool, pin: Pin, mask: &Mask) -> Result<LockedTool, String> {
    if is_only_a_task(&tool.entry) {
        return Err(ONLY_AS_TASK.to_owned());
    }
    let locked = LockedTool::of_entry(&tool.entry, pin).map_err(|why| why.to_string())?;
    let entry = Value::Object(tool.entry.clone());
    let mut masked = entry.clone();
    mask.json(&mut masked);
    if masked != entry {
        return Err("what it says of itself holds a value that may be secret here; `public_env` names variables that are not".to_owned());
    }
    Ok(locked)
}
