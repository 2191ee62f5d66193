//! Servers as other tools list them: each is written out as the adapter it is here.

use super::foreign::Answer;
use crate::diagnostic::fields::written;
use crate::placeholders;
use crate::tree::{Entry, Node, Table};

/// Servers that are written out; of more the names are enough.
const SHOWN: usize = 3;

/// `[mcpServers.x]` and its kin.
pub fn answer(entry: &Entry) -> Answer {
    let servers = entry.node.as_table().map(|table| &table.entries);
    let mut shown: Vec<String> = Vec::new();
    for (name, server) in servers.into_iter().flatten().take(SHOWN) {
        if let Some(table) = server.node.as_table() {
            shown.push(adapter(name, table));
        }
    }
    let say = if shown.is_empty() {
        "write each server as `[adapters.<name>]` with `driver = \"mcp\"`".to_owned()
    } else {
        format!("write each server as an adapter: {}", shown.join("; "))
    };
    Answer { meant: &["adapters"], say, rename: None, value: None }
}

/// The lines of an adapter for a server.
fn adapter(name: &str, server: &Table) -> String {
    let valid = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    let name: String = name.to_lowercase().chars().map(|c| if valid(c) { c } else { '-' }).take(64).collect();
    let mut lines = vec![format!("[adapters.{}]", written::key(&name)), "driver = \"mcp\"".to_owned()];
    let command = command(server);
    if !command.is_empty() {
        lines.push(format!("command = {}", written::array(command.iter().map(String::as_str))));
    }
    if let Some(url) = ["url", "serverUrl", "httpUrl"].into_iter().find_map(|key| server.get(key)?.as_str()) {
        lines.push(format!("url = {}", written::string(&placeholders::mended(url, ""))));
    }
    for key in ["env", "headers"] {
        let table = server.get(key).and_then(Node::as_table).filter(|table| !table.entries.is_empty());
        lines.extend(table.map(|table| format!("{key} = {}", pairs(table))));
    }
    lines.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join(", ")
}

/// Program and arguments in one list.
fn command(server: &Table) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for key in ["command", "args"] {
        match server.get(key) {
            Some(node) if node.as_array().is_some() => {
                let items = node.as_array().unwrap_or_default().iter().filter_map(Node::as_str);
                words.extend(items.map(|text| placeholders::mended(text, "")));
            }
            Some(node) => {
                words.extend(node.as_str().into_iter().flat_map(str::split_whitespace).map(str::to_owned))
            }
            None => {}
        }
    }
    words
}

/// A table of texts; values that look like secrets are left to the environment.
fn pairs(table: &Table) -> String {
    let entries = table.entries.iter().filter_map(|(name, entry)| {
        let text = placeholders::mended(entry.node.as_str()?, name);
        let secret = crate::flow::literal(&text).is_some() || crate::flow::is_named_secret(name, &text);
        let text =
            if secret { format!("{{{{env.{}}}}}", name.to_uppercase().replace('-', "_")) } else { text };
        Some(format!("{} = {}", written::key(name), written::string(&text)))
    });
    format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
}
