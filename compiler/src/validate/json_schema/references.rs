//! References inside a schema: each leads somewhere, and none leads back to where it stands.

use std::collections::{BTreeMap, HashMap};

use super::keywords::{self, Sub};
use super::{DEEPEST, Reading};
use crate::diagnostic::schemas as report;
use crate::tree::{Node, Value};

/// How many schemas one value may be held against at once.
const MOST: u64 = 10_000;

/// Checks every reference.
pub fn check(reading: &mut Reading<'_, '_>) {
    let root = Sub { node: reading.root, pointer: String::new(), in_place: true };
    let mut all = Vec::new();
    gather(root, &mut all, 0);
    let mut graph = Graph { root: reading.root, anchors: BTreeMap::new(), known: HashMap::new() };
    for sub in &all {
        graph.anchors(sub);
    }
    for sub in &all {
        for (key, node, written) in references(sub.node) {
            let at = keywords::below(&sub.pointer, key);
            if !written.starts_with('#') {
                reading.tell(at, report::report_remote(node.span, written));
            } else if graph.target(written).is_none() {
                let near = graph.near(reading, written);
                reading.tell(at, report::report_lost(node.span, written, near.as_deref()));
            }
        }
    }
    for sub in &all {
        if graph.weigh(sub.node, 0, reading) > MOST {
            let finding = report::report_too_large(sub.node.span, MOST);
            reading.tell(sub.pointer.clone(), finding);
            return;
        }
    }
}

fn gather<'a>(sub: Sub<'a>, all: &mut Vec<Sub<'a>>, depth: usize) {
    if depth <= DEEPEST {
        for inner in keywords::subschemas(&sub) {
            gather(inner, all, depth + 1);
        }
        all.push(sub);
    }
}

/// The references of a schema: keyword, value, text.
fn references(node: &Node) -> Vec<(&'static str, &Node, &str)> {
    let table = node.as_table();
    let of = |key| table.and_then(|table| table.get(key)).and_then(|node| Some((key, node, node.as_str()?)));
    ["$ref", "$dynamicRef"].into_iter().filter_map(of).collect()
}

/// The schemas that a value is held against together.
struct Graph<'a> {
    root: &'a Node,
    anchors: BTreeMap<&'a str, &'a Node>,
    /// By a schema's address: how many schemas it stands for; none while it is being weighed.
    known: HashMap<usize, Option<u64>>,
}

impl<'a> Graph<'a> {
    fn anchors(&mut self, sub: &Sub<'a>) {
        let table = sub.node.as_table();
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = table.and_then(|table| table.get(key)).and_then(Node::as_str) {
                self.anchors.entry(name).or_insert(sub.node);
            }
        }
    }

    /// The schema a reference leads to.
    fn target(&self, written: &str) -> Option<&'a Node> {
        let decoded = decoded(written.trim_start_matches('#'));
        if !decoded.is_empty() && !decoded.starts_with('/') {
            return self.anchors.get(decoded.as_str()).copied();
        }
        let node = keywords::find(self.root, &decoded)?;
        matches!(node.value, Value::Table(_) | Value::Bool(_)).then_some(node)
    }

    /// The nearest reference that leads somewhere: another anchor, or the same pointer with another last name.
    fn near(&self, reading: &mut Reading<'_, '_>, written: &str) -> Option<String> {
        let decoded = decoded(written.trim_start_matches('#'));
        let Some((parent, last)) = decoded.rsplit_once('/') else {
            return reading.nearest(&decoded, self.anchors.keys().copied()).map(|name| format!("#{name}"));
        };
        // The definitions of older drafts had another name.
        [parent, "/$defs", "/definitions"].into_iter().find_map(|parent| {
            let table = keywords::find(self.root, parent)?.as_table()?;
            let near = reading.nearest(last, table.entries.keys().map(String::as_str))?;
            let near = format!("#{}", keywords::below(parent, near));
            self.target(&near).is_some().then_some(near)
        })
    }

    /// How many schemas a value is held against by one, itself counted. A circle is reported where it closes.
    fn weigh(&mut self, node: &'a Node, depth: usize, reading: &mut Reading<'_, '_>) -> u64 {
        let address = std::ptr::from_ref(node).addr();
        if let Some(known) = self.known.get(&address) {
            return known.unwrap_or(0);
        }
        if depth > DEEPEST {
            reading.walk.push(report::report_too_deep(node.span, DEEPEST));
            self.known.insert(address, Some(1));
            return 1;
        }
        self.known.insert(address, None);
        let mut weight: u64 = 1;
        for (_, value, written) in references(node) {
            let Some(target) = self.target(written) else { continue };
            if self.known.get(&std::ptr::from_ref(target).addr()) == Some(&None) {
                reading.walk.push(report::report_endless(value.span, written));
            } else {
                weight = weight.saturating_add(self.weigh(target, depth + 1, reading));
            }
        }
        let sub = Sub { node, pointer: String::new(), in_place: true };
        for inner in keywords::subschemas(&sub).into_iter().filter(|inner| inner.in_place) {
            weight = weight.saturating_add(self.weigh(inner.node, depth + 1, reading));
        }
        self.known.insert(address, Some(weight));
        weight
    }
}

/// Percent escapes resolved; one that is none stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (first, after) {
            (b'%', [high, low, tail @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                bytes.push(hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0));
                rest = tail;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
