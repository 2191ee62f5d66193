//! What an agent is told once, in few words: which systems are here, and which tool to begin with.

use super::live::Live;
use super::{Served, Server};
use crate::answer::AdapterStatus;

/// How many adapters are named.
const NAMED: usize = 24;
/// How many characters of an adapter's description are shown.
const SHOWN: usize = 80;

/// What kontext's own tools are for, in the order in which they are of use.
const TOOLS: [(&str, &str); 6] = [
    ("kontext_brief", "what to know before work begins"),
    ("read_hot_context", "the notes of this workspace"),
    ("kontext_search", "everywhere at once"),
    ("kontext_read", "the uri of a hit"),
    ("kontext_history", "of a file or topic"),
    ("kontext_code", "by symbol or words"),
];

impl Server {
    /// The instructions of this server as it is now.
    pub(super) fn instructions(&self) -> String {
        match self.served() {
            Served::Plan(live) => of(&live),
            Served::Nothing(error) => {
                format!("{}\nThe tool `kontext_status` says the same.", self.explanation(&error))
            }
        }
    }
}

fn of(live: &Live) -> String {
    let runtime = &live.runtime;
    let status = runtime.status();
    let (active, inactive): (Vec<&AdapterStatus>, Vec<&AdapterStatus>) =
        status.iter().partition(|adapter| adapter.active);
    // The directory too: an agent sees when a client started kontext for another one.
    let repository = runtime.repository();
    let mut text = format!("kontext connects `{}` ({}) to ", repository.name(), repository.root().display());
    let names: Vec<String> = active.iter().take(NAMED).map(|adapter| named(adapter)).collect();
    match names.is_empty() {
        true if runtime.has_notes() => text.push_str("its notes"),
        true => text.push_str("nothing yet: no adapter is in use, and there are no notes"),
        false => text.push_str(&names.join(", ")),
    }
    if active.len() > NAMED {
        text.push_str(", …");
    }
    text.push('.');
    let catalogue = runtime.catalogue();
    let has = |name: &str| match name {
        "read_hot_context" => runtime.has_notes(),
        _ => catalogue.get(name).is_some(),
    };
    let tools: Vec<String> =
        TOOLS.iter().filter(|(name, _)| has(name)).map(|(name, what)| format!("`{name}`: {what}")).collect();
    if !tools.is_empty() {
        text.push_str(&format!("\nBegin with {}.", tools.join("; ")));
    }
    let off: Vec<String> = inactive.iter().filter_map(|adapter| unused(adapter)).take(NAMED).collect();
    if !off.is_empty() {
        text.push_str(&format!("\nNot in use: {}.", off.join("; ")));
    }
    text
}

fn named(adapter: &AdapterStatus) -> String {
    let words = adapter.description.as_deref().unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut words: String = words.join(" ");
    if words.is_empty() {
        return adapter.name.clone();
    }
    if words.chars().count() > SHOWN {
        words = words.chars().take(SHOWN).chain(['…']).collect();
    }
    format!("{} ({words})", adapter.name)
}

/// An adapter that is not in use although nobody switched it off, and why.
fn unused(adapter: &AdapterStatus) -> Option<String> {
    let reason = adapter.reason.as_deref()?;
    (reason != "`enabled = false`").then(|| format!("{} ({reason})", adapter.name))
}
