//! References inside a schema: each leads somewhere, and none leads back to where it stands.

use std::collections::{BTreeMap, HashMap};

use super::keywords::{self, Sub};
use super::{DEEPEST, Reading};
use crate::diagnostic::schemas as report;
use crate::suggest;
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
            } else if let Err(near) = graph.target(written) {
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

    /// What a reference leads to, else the nearest that does.
    fn target(&self, written: &str) -> Result<&'a Node, Option<String>> {
        let decoded = decoded(written.trim_start_matches('#'));
        if !decoded.is_empty() && !decoded.starts_with('/') {
            let near = || suggest::nearest(&decoded, self.anchors.keys().copied());
            return self.anchors.get(decoded.as_str()).copied().ok_or_else(|| Some(format!("#{}", near()?)));
        }
        match keywords::find(self.root, &decoded) {
            Some(node) if matches!(node.value, Value::Table(_) | Value::Bool(_)) => Ok(node),
            Some(_) => Err(None),
            None => Err(self.near(&decoded)),
        }
    }

    /// The pointer with another last name that leads somewhere.
    fn near(&self, pointer: &str) -> Option<String> {
        let (parent, last) = pointer.rsplit_once('/')?;
        let names = |parent: &str| {
            let table = keywords::find(self.root, parent)?.as_table()?;
            suggest::nearest(last, table.entries.keys().map(String::as_str)).map(str::to_owned)
        };
        // The definitions of older drafts had another name.
        let parents = [parent, "/$defs", "/definitions"];
        parents.into_iter().find_map(|parent| Some(format!("#{}", keywords::below(parent, &names(parent)?))))
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
            let Ok(target) = self.target(written) else { continue };
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
