//! Layers folded into one document, lowest first.
//!
//! The laws: tables merge key by key at every depth, everything else is replaced whole; the later layer wins; an
//! empty layer changes nothing; and (where no layer has an `unset` or another kind of value than a lower one)
//! folding may start at either end. A value keeps the places it replaced, lowest layer first.

use std::collections::{BTreeSet, HashSet};

use kontext_plan::LayerName;

use crate::diagnostic::Diagnostics;
use crate::diagnostic::layers::{report_type_conflict, report_unset_type, report_unset_unknown};
use crate::layer::Layer;
use crate::source::{FileSpan, Sources};
use crate::tree::{Entry, Node, Table, Value};

/// The key whose array removes inherited keys.
pub const UNSET: &str = "unset";

/// All layers as one table.
#[derive(Debug, Default)]
pub struct Document {
    /// The merged root.
    pub root: Table,
}

impl Document {
    /// The value at a path of keys.
    #[must_use]
    pub fn find(&self, path: &[&str]) -> Option<&Node> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.root.get(first)?, |node, key| node.as_table()?.get(key))
    }

    /// Every layer that has part in the value at a path; none when there is no value.
    #[must_use]
    pub fn layers_of(&self, path: &[&str], sources: &Sources) -> BTreeSet<LayerName> {
        self.find(path).map(|node| layers(node, sources)).unwrap_or_default()
    }
}

/// Every layer that a value, a key, a table header or an `unset` in a subtree comes from. A value that was replaced
/// has no part in it any more.
#[must_use]
pub fn layers(node: &Node, sources: &Sources) -> BTreeSet<LayerName> {
    let mut found = BTreeSet::new();
    collect(node, sources, &mut found);
    found
}

fn collect(node: &Node, sources: &Sources, found: &mut BTreeSet<LayerName>) {
    found.insert(sources.layer(node.span));
    let Value::Table(table) = &node.value else { return };
    found.extend(node.shadowed.iter().map(|span| sources.layer(*span)));
    for entry in table.entries.values() {
        found.insert(sources.layer(entry.key));
        collect(&entry.node, sources, found);
    }
}

/// Folds layers, lowest first.
pub fn merge(layers: Vec<Layer>, sources: &Sources, diagnostics: &mut Diagnostics) -> Document {
    let mut fold = Fold { sources, diagnostics, path: Vec::new() };
    let mut root = Table::default();
    for layer in layers {
        fold.table(&mut root, layer.root, Place::Root);
    }
    Document { root }
}

/// Where in the surface a table stands: decides whether it may have `unset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Vars,
    Adapters,
    Adapter,
    Ops,
    Op,
    /// `args` and `body` of an op, and all below: values of any kind.
    Free,
    Other,
}

impl Place {
    fn below(self, key: &str) -> Place {
        match (self, key) {
            (Place::Root, "vars") | (Place::Adapter, "vars") => Place::Vars,
            (Place::Root, "adapters") => Place::Adapters,
            (Place::Adapters, _) => Place::Adapter,
            (Place::Adapter, "ops") => Place::Ops,
            (Place::Ops, _) => Place::Op,
            (Place::Op, "args" | "body") | (Place::Free, _) => Place::Free,
            _ => Place::Other,
        }
    }

    fn has_unset(self) -> bool {
        matches!(self, Place::Vars | Place::Adapter | Place::Op)
    }
}

struct Fold<'a> {
    sources: &'a Sources,
    diagnostics: &'a mut Diagnostics,
    path: Vec<String>,
}

impl Fold<'_> {
    fn table(&mut self, lower: &mut Table, higher: Table, place: Place) {
        for (key, mut entry) in higher.entries {
            if key == UNSET && place.has_unset() {
                continue;
            }
            let below = place.below(&key);
            if let Some(inherited) = lower.entries.get_mut(&key) {
                self.path.push(key);
                self.entry(inherited, entry, place, below);
                self.path.pop();
            } else {
                self.fresh(&mut entry.node, below);
                lower.entries.insert(key, entry);
            }
        }
    }

    /// A key both layers have.
    fn entry(&mut self, lower: &mut Entry, higher: Entry, place: Place, below: Place) {
        if !self.fits(&lower.node, &higher.node, place, below) {
            return;
        }
        lower.key = higher.key;
        let mut shadowed = std::mem::take(&mut lower.node.shadowed);
        shadowed.push(lower.node.span);
        shadowed.extend(higher.node.shadowed);
        lower.node.span = higher.node.span;
        match (&mut lower.node.value, higher.node.value) {
            (Value::Table(inherited), Value::Table(own)) => {
                shadowed.extend(self.unset(inherited, &own, below));
                self.table(inherited, own, below);
            }
            (value, own) => *value = own,
        }
        lower.node.shadowed = shadowed;
    }

    /// A key only the higher layer has. Its `unset`s find nothing to remove, and do not stay.
    fn fresh(&mut self, node: &mut Node, place: Place) {
        let Value::Table(table) = &mut node.value else { return };
        if matches!(place, Place::Free | Place::Other) {
            return;
        }
        if let Some(list) = self.unset(&mut Table::default(), table, place) {
            table.entries.shift_remove(UNSET);
            node.shadowed.push(list);
        }
        for (key, entry) in &mut table.entries {
            self.fresh(&mut entry.node, place.below(key));
        }
    }

    /// Whether one value may take the other's place; reported when not. The lower one stays then.
    fn fits(&mut self, lower: &Node, higher: &Node, place: Place, below: Place) -> bool {
        if matches!(higher.value, Value::Unread) || matches!(lower.value, Value::Unread) {
            // Reported where the file was read: what the other layer says stays.
            return matches!(lower.value, Value::Unread);
        }
        let table = |node: &Node| node.as_table().is_some();
        let array = |node: &Node| node.as_array().is_some();
        let either = below == Place::Free || self.path.last().is_some_and(|key| key == "expose");
        if table(lower) == table(higher) && (either || array(lower) == array(higher)) {
            return true;
        }
        let path = self.path.join(".");
        let key = self.path.last().filter(|_| place.has_unset()).map(String::as_str);
        let (at, lower_at) = (higher.span, lower.span);
        report_type_conflict(
            &path,
            (at, higher.kind(), self.sources.layer(at)),
            (lower_at, lower.kind(), self.sources.layer(lower_at)),
            key,
            self.diagnostics,
        );
        false
    }

    /// Removes the inherited keys that a layer lists, and gives the place of the list: it has part in the table.
    fn unset(&mut self, inherited: &mut Table, own: &Table, place: Place) -> Option<FileSpan> {
        let list = own.get(UNSET).filter(|_| place.has_unset())?;
        let Some(items) = list.as_array() else {
            report_unset_type(list.span, list.kind(), self.diagnostics);
            return Some(list.span);
        };
        let mut removed = HashSet::new();
        for item in items {
            match item.as_str() {
                None => report_unset_type(item.span, item.kind(), self.diagnostics),
                Some(key) if inherited.entries.contains_key(key) => {
                    removed.insert(key);
                }
                Some(key) => {
                    let keys: Vec<&str> = inherited.entries.keys().map(String::as_str).collect();
                    report_unset_unknown(item.span, key, &keys, self.diagnostics);
                }
            }
        }
        if !removed.is_empty() {
            inherited.entries.retain(|key, _| !removed.contains(key.as_str()));
        }
        Some(list.span)
    }
}

#[cfg(test)]
mod tests;
