//! `[knowledge]` and `[workspace]`: plain values with their places.

use super::read;
use crate::config::{Named, NotesConfig, Spanned};
use crate::tree::{Node, Table};

/// What the layers say of notes.
pub(super) fn notes(root: &Table) -> NotesConfig {
    let table = |key: &str| root.get(key).and_then(Node::as_table);
    let knowledge = |key: &str| table("knowledge").and_then(|table| table.get(key));
    let workspace = |key: &str| table("workspace").and_then(|table| table.get(key));
    let size = |key: &str| read::millis(workspace(key)).and_then(|value| usize::try_from(value).ok());
    NotesConfig {
        primary: read::spanned(knowledge("primary")),
        roots: roots(knowledge("roots")),
        read_only: read_only(knowledge("read_only")),
        default_scope: read::spanned(workspace("default_scope")),
        scope_map: read::spanned(workspace("scope_map")),
        scope_aliases: read::spanned(workspace("scope_aliases")),
        hot_sections: workspace("hot_sections").map(|node| read::texts(Some(node))),
        hot_budget_warning: size("hot_budget_warning"),
        hot_budget_critical: size("hot_budget_critical"),
    }
}

fn roots(node: Option<&Node>) -> Vec<Named<Spanned<String>>> {
    let Some(table) = node.and_then(Node::as_table) else { return Vec::new() };
    let root = |(name, entry): (&String, &crate::tree::Entry)| {
        let value = read::spanned(Some(&entry.node))?;
        Some(Named { name: name.clone(), key: entry.key, value })
    };
    table.entries.iter().filter_map(root).collect()
}

fn read_only(node: Option<&Node>) -> Vec<(Spanned<String>, Spanned<String>)> {
    let items = node.and_then(Node::as_array).unwrap_or_default();
    let pair = |item: &Node| {
        let table = item.as_table()?;
        Some((read::spanned(table.get("id"))?, read::spanned(table.get("path"))?))
    };
    items.iter().filter_map(pair).collect()
}
