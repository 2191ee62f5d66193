//! Strings to syntax trees: every slot of the document is parsed, each string on its own, so that one broken
//! template never hides another. What has the wrong type was reported by `validate` and is skipped here.

mod adapter;
mod cell;
mod mapping;
mod notes;
mod op;
pub(crate) mod params;
mod read;

use crate::config::{Config, Named, Project};
use crate::diagnostic::Diagnostics;
use crate::merge::{self, Document};
use crate::source::Sources;
use crate::tree::{Node, Table};

pub use cell::Cell;

/// What parsing reads and writes.
struct Parser<'a> {
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
}

/// The configuration with every string parsed.
pub fn parse(document: &Document, sources: &Sources, diagnostics: &mut Diagnostics) -> Config<Cell> {
    let mut parser = Parser { sources, diagnostics };
    let root = &document.root;
    Config {
        vars: parser.named(root.get("vars")),
        public_env: read::texts(root.get("public_env")).into_iter().collect(),
        project: project(root.get("project"), sources),
        notes: notes::notes(root),
        adapters: adapters(&mut parser, root),
    }
}

fn project(node: Option<&Node>, sources: &Sources) -> Project {
    let table = node.and_then(Node::as_table);
    let text = |key: &str| table.and_then(|table| table.get(key)).and_then(Node::as_str).map(str::to_owned);
    let layers = node.map(|node| merge::layers(node, sources)).unwrap_or_default();
    Project { name: text("name"), description: text("description"), layers }
}

fn adapters(parser: &mut Parser<'_>, root: &Table) -> Vec<crate::config::Adapter<Cell>> {
    let Some(table) = root.get("adapters").and_then(Node::as_table) else { return Vec::new() };
    let mut adapters: Vec<_> =
        table.entries.iter().filter_map(|(name, entry)| parser.adapter(name, entry)).collect();
    adapters.sort_by(|a, b| a.name.cmp(&b.name));
    adapters
}

impl Parser<'_> {
    /// A table of templates under names of the user's choice.
    fn named(&mut self, node: Option<&Node>) -> Vec<Named<Cell>> {
        let Some(table) = node.and_then(Node::as_table) else { return Vec::new() };
        let entries = table.entries.iter().filter_map(|(name, entry)| {
            let value = self.cell(&entry.node)?;
            Some(Named { name: name.clone(), key: entry.key, value })
        });
        at_most(table.entries.len(), entries)
    }

    /// A list of templates.
    fn cells(&mut self, node: &Node) -> Option<Vec<Cell>> {
        let items = node.as_array()?;
        Some(at_most(items.len(), items.iter().filter_map(|item| self.cell(item))))
    }
}

/// As `collect`, with room for so many: a vector that grows by itself begins with four, most of ours have one or two,
/// and what they hold is large.
fn at_most<T>(most: usize, items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::with_capacity(most);
    list.extend(items);
    list
}
