//! A tool's parameters as a JSON schema (2020-12, references inside it only), each mistake at its own place.

mod keywords;
mod meta;
mod references;

use std::collections::BTreeSet;

use super::{Walk, types};
use crate::diagnostic::{Diagnostic, schemas as report};
use crate::suggest;
use crate::tree::{Entry, Node, Table, Value};
use keywords::Sub;

/// Schemas may stand in one another this deep, references that are followed on the spot counted too.
const DEEPEST: usize = 64;
/// The types of JSON.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
/// How many names are compared for suggestions in one schema.
const COMPARED: usize = 100_000;
/// What `$schema` may say.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Checks a schema that stands in the configuration.
pub fn check(walk: &mut Walk<'_>, node: &Node, table: &Table) {
    if !finite(node) {
        types::json(walk, node, "params");
        return;
    }
    let mut reading = Reading { walk, root: node, told: BTreeSet::new(), compared: COMPARED };
    reading.root(node, table);
    reading.schema(&Sub { node, pointer: String::new(), in_place: true }, 0);
    references::check(&mut reading);
    meta::check(&mut reading, table);
}

/// A schema that is being read.
struct Reading<'r, 'w> {
    walk: &'r mut Walk<'w>,
    root: &'r Node,
    /// Where something was found wrong, as JSON pointers.
    told: BTreeSet<String>,
    /// How many names may still be compared.
    compared: usize,
}

impl<'r> Reading<'r, '_> {
    /// Adds a finding about what stands at a pointer.
    fn tell(&mut self, pointer: String, finding: Diagnostic) {
        self.told.insert(pointer);
        self.walk.push(finding);
    }

    /// The nearest name, while there are not too many to compare.
    fn nearest<'a>(
        &mut self,
        written: &str,
        names: impl ExactSizeIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.compared = self.compared.checked_sub(names.len())?;
        suggest::nearest(written, names)
    }

    /// The arguments of a tool are an object.
    fn root(&mut self, node: &Node, table: &Table) {
        match table.entry("type") {
            Some(entry) if entry.node.as_str() == Some("object") => {}
            Some(entry) => {
                let finding = report::report_root_type(entry.node.span, true);
                self.tell("/type".to_owned(), finding);
            }
            None => {
                let place = table.entry("properties").map_or(node.span, |entry| entry.key);
                let finding = report::report_root_type(place, false);
                self.tell("/type".to_owned(), finding);
            }
        }
    }

    /// One schema and all inside it.
    fn schema(&mut self, sub: &Sub<'r>, depth: usize) {
        let Some(table) = sub.node.as_table() else { return };
        if depth > DEEPEST {
            let finding = report::report_too_deep(sub.node.span, DEEPEST);
            self.tell(sub.pointer.clone(), finding);
            return;
        }
        for (key, entry) in &table.entries {
            self.keyword(table, key, entry, &sub.pointer);
        }
        for inner in keywords::subschemas(sub) {
            self.schema(&inner, depth + 1);
        }
    }

    fn keyword(&mut self, table: &Table, key: &str, entry: &Entry, pointer: &str) {
        let at = keywords::below(pointer, key);
        let node = &entry.node;
        match (key, &node.value) {
            ("type", _) if at == "/type" => {}
            ("type", Value::String(word)) => self.ty(node, word, at),
            ("type", Value::Array(words)) => {
                for word in words {
                    self.ty(word, word.as_str().unwrap_or_default(), at.clone());
                }
            }
            ("required", Value::Array(names)) => self.required(table, names, &at),
            ("required" | "optional", Value::Bool(_)) => self.tell(at, report::report_flag(node.span, key)),
            ("pattern", Value::String(pattern)) => self.pattern(node, pattern, at),
            ("patternProperties", Value::Table(patterns)) => {
                for (pattern, entry) in &patterns.entries {
                    let at = keywords::below(&at, pattern);
                    let node = Node::new(Value::Bool(true), entry.key);
                    self.pattern(&node, pattern, at);
                }
            }
            ("$schema", Value::String(draft)) if draft.trim_end_matches('#') != DRAFT => {
                self.tell(at, report::report_draft(node.span, draft, DRAFT));
            }
            ("$id", _) if !pointer.is_empty() => self.tell(at, report::report_inner_id(entry.key)),
            _ => self.name(key, entry, at),
        }
    }

    /// A word for a type.
    fn ty(&mut self, node: &Node, word: &str, at: String) {
        if node.as_str().is_some() && !TYPES.contains(&word) {
            self.tell(at, report::report_type(node.span, word, &TYPES));
        }
    }

    fn required(&mut self, table: &Table, names: &[Node], at: &str) {
        let properties = table.get("properties").and_then(Node::as_table);
        let elsewhere = ["patternProperties", "allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "if"];
        let known = properties.filter(|_| !elsewhere.iter().any(|key| table.get(key).is_some()));
        let open = table.get("additionalProperties").is_some_and(|node| node.as_bool() != Some(false));
        let mut seen = BTreeSet::new();
        for name in names {
            let Some(text) = name.as_str() else { continue };
            if !seen.insert(text) {
                self.tell(at.to_owned(), report::report_required_twice(name.span, text));
            } else if let Some(known) = known.filter(|known| known.get(text).is_none()) {
                let near = self.nearest(text, known.entries.keys().map(String::as_str));
                if near.is_some() || !open {
                    self.tell(at.to_owned(), report::report_required_unknown(name.span, text, near));
                }
            }
        }
    }

    fn pattern(&mut self, node: &Node, pattern: &str, at: String) {
        let schema = serde_json::json!({ "pattern": pattern });
        if jsonschema::draft202012::new(&schema).is_err() {
            self.tell(at, report::report_pattern(node.span, pattern));
        }
    }

    /// A key that JSON schema has no meaning for and that is nearly one that has.
    fn name(&mut self, key: &str, entry: &Entry, at: String) {
        if keywords::KNOWN.contains(&key) {
            return;
        }
        if let Some(help) = keywords::foreign(key) {
            self.tell(at, report::report_foreign_keyword(entry.key, key, help));
        } else if let Some(meant) = keywords::meant(key) {
            self.tell(at, report::report_keyword(entry.key, key, meant));
        }
    }
}

/// Whether JSON can write every number.
fn finite(node: &Node) -> bool {
    match &node.value {
        Value::Float(number) => number.is_finite(),
        Value::Array(items) => items.iter().all(finite),
        Value::Table(table) => table.entries.values().all(|entry| finite(&entry.node)),
        _ => true,
    }
}
