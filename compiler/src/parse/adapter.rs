//! `[adapters.<name>]`: the adapter's own fields.

use kontext_plan::{EventKind, Expose, Pin, Protocol};

use super::{Cell, Parser, read};
use crate::config::{Adapter, DriverKind, Mcp, On, Reach, Spanned, When};
use crate::merge;
use crate::tree::{Element, Entry, Node, Table, Value, elements};

/// Weight of an adapter's hits when the configuration gives none.
const DEFAULT_WEIGHT: f64 = 0.9;
/// Limit of starting an MCP server in milliseconds when the configuration gives none.
const DEFAULT_START_TIMEOUT_MS: u64 = 30_000;

impl Parser<'_> {
    /// An adapter; none when its entry is no table.
    pub(super) fn adapter(&mut self, name: &str, entry: &Entry) -> Option<Adapter<Cell>> {
        let table = entry.node.as_table()?;
        let driver = driver(table.get("driver"));
        let mut reach = self.reach(table);
        let mut base_url = table.get("base_url").and_then(|node| self.cell(node));
        if driver == Some(DriverKind::Http) && base_url.is_none() {
            base_url = reach.url.take();
        }
        Some(Adapter {
            name: name.to_owned(),
            key: entry.key,
            driver,
            enabled: table.get("enabled").and_then(Node::as_bool).unwrap_or(true),
            description: table.get("description").and_then(Node::as_str).map(str::to_owned),
            when: self.when(table.get("when")),
            vars: self.named(table.get("vars")),
            timeout_ms: read::millis(table.get("timeout_ms")),
            weight: read::number(table.get("weight")).unwrap_or(DEFAULT_WEIGHT),
            reach,
            base_url,
            mcp: mcp(table),
            ops: self.ops(table.get("ops")),
            on: on(table.get("on")),
            tools: self.tools(table.get("tools")),
            layers: merge::layers(&entry.node, self.sources),
        })
    }

    /// The fields that say how a system is reached.
    pub(super) fn reach(&mut self, table: &Table) -> Reach<Cell> {
        Reach {
            command: table.get("command").and_then(|node| self.cells(node)),
            env: self.named(table.get("env")),
            cwd: table.get("cwd").and_then(|node| self.cell(node)),
            url: table.get("url").and_then(|node| self.cell(node)),
            headers: self.named(table.get("headers")),
        }
    }

    fn when(&mut self, node: Option<&Node>) -> When<Cell> {
        let Some(table) = node.and_then(Node::as_table) else { return When::default() };
        let repo = read::spanned(table.get("repo"));
        if let Some(repo) = &repo {
            self.regex(&repo.value, repo.span, 0);
        }
        When {
            command: read::spanned(table.get("command")),
            file: read::spanned(table.get("file")),
            repo,
            env: read::spanned(table.get("env")),
            exists: table.get("exists").and_then(|node| self.cell(node)),
            scope: table.get("scope").and_then(scopes),
        }
    }
}

/// A list of scopes; what is no list was reported.
fn scopes(node: &Node) -> Option<Spanned<Vec<Spanned<String>>>> {
    node.as_array()?;
    Some(Spanned { value: read::spanned_texts(Some(node)), span: node.span })
}

fn driver(node: Option<&Node>) -> Option<DriverKind> {
    match node.and_then(Node::as_str)? {
        "mcp" => Some(DriverKind::Mcp),
        "http" => Some(DriverKind::Http),
        "command" => Some(DriverKind::Command),
        _ => None,
    }
}

fn mcp(table: &Table) -> Mcp {
    Mcp {
        start_timeout_ms: read::millis(table.get("start_timeout_ms")).unwrap_or(DEFAULT_START_TIMEOUT_MS),
        expose: expose(table.get("expose")),
        exposed: read::spanned_texts(table.get("expose")),
        expose_at: table.get("expose").map(|node| node.span),
        prefix: table.get("prefix").and_then(Node::as_str).map(str::to_owned),
        protocol: read::choice(table.get("protocol")).unwrap_or(Protocol::Auto),
        pin: read::choice(table.get("pin")).unwrap_or(Pin::Full),
    }
}

fn expose(node: Option<&Node>) -> Expose {
    match node {
        Some(node) if node.as_str() == Some("all") => Expose::All,
        Some(node) if node.as_array().is_some() => Expose::Only(read::texts(Some(node))),
        _ => Expose::None,
    }
}

fn on(node: Option<&Node>) -> Vec<On> {
    node.map(elements).unwrap_or_default().into_iter().filter_map(subscription).collect()
}

fn subscription(element: Element<'_>) -> Option<On> {
    let table = element.node.as_table()?;
    let named = element.name.map(|(name, span)| Node::new(Value::String(name.to_owned()), span));
    Some(On {
        // A wrong event was reported by `validate`; the op it names is still looked at.
        event: read::choice(table.get("event").or(named.as_ref())).unwrap_or(EventKind::Sync),
        op: read::spanned(table.get("op"))?,
        visibility: read::choice(table.get("visibility")),
        kinds: read::texts(table.get("kinds")),
        span: element.node.span,
    })
}
