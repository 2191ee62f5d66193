//! Schemas of arguments as the checks read them: references and parts put together, and what is wanted in words.

use std::collections::BTreeSet;

use kontext_plan::binding;
use serde_json::{Map, Value};

use crate::diagnostic::fields::written;

/// References, parts and branches that are followed; a circle ends here.
const DEEPEST: usize = 16;
/// How many allowed values are named.
const NAMED: usize = 20;

/// All that holds for one value: a schema, what it refers to, and the parts of its `allOf`.
pub(super) fn parts<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Map<String, Value>> {
    let mut parts = Vec::new();
    gather(root, schema, DEEPEST, &mut parts);
    parts
}

fn gather<'s>(root: &'s Value, schema: &'s Value, depth: usize, parts: &mut Vec<&'s Map<String, Value>>) {
    let Some(object) = schema.as_object().filter(|_| depth > 0) else { return };
    let known = parts.iter().any(|part| std::ptr::eq(*part, object));
    if known {
        return;
    }
    parts.push(object);
    if let Some(target) = binding::resolved(root, schema) {
        gather(root, target, depth - 1, parts);
    }
    for part in list(object, "allOf") {
        gather(root, part, depth - 1, parts);
    }
}

/// The elements of a member that is a list.
pub(super) fn list<'s>(schema: &'s Map<String, Value>, key: &str) -> impl Iterator<Item = &'s Value> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The branches of which a value must fit one.
pub(super) fn branches(schema: &Map<String, Value>) -> impl Iterator<Item = Vec<&Value>> {
    ["anyOf", "oneOf"].into_iter().filter_map(|key| {
        let branches: Vec<&Value> = list(schema, key).collect();
        (!branches.is_empty()).then_some(branches)
    })
}

/// The types a schema names; none when it does not say.
pub(super) fn types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The members that some part or branch names, in order of their names.
pub(super) fn members<'s>(root: &'s Value, schema: &'s Value) -> BTreeSet<&'s str> {
    let mut names = BTreeSet::new();
    name_members(root, schema, DEEPEST, &mut names);
    names
}

fn name_members<'s>(root: &'s Value, schema: &'s Value, depth: usize, names: &mut BTreeSet<&'s str>) {
    if depth == 0 {
        return;
    }
    for part in parts(root, schema) {
        let properties = part.get("properties").and_then(Value::as_object).into_iter().flatten();
        names.extend(properties.map(|(name, _)| name.as_str()));
        for branch in branches(part).flatten() {
            name_members(root, branch, depth - 1, names);
        }
        for key in ["if", "then", "else"] {
            if let Some(branch) = part.get(key) {
                name_members(root, branch, depth - 1, names);
            }
        }
    }
}

/// Whether members may stand in an object that its schema does not name: it says so, or names none.
pub(super) fn is_open(parts: &[&Map<String, Value>], named: bool) -> bool {
    let closed = |part: &&Map<String, Value>| part.get("additionalProperties") == Some(&Value::Bool(false));
    let says = |part: &&Map<String, Value>| {
        ["additionalProperties", "unevaluatedProperties", "patternProperties"]
            .into_iter()
            .any(|key| part.get(key).is_some_and(|value| *value != Value::Bool(false)))
    };
    parts.iter().any(says) || (!named && !parts.iter().any(closed))
}

/// What a schema takes, in words: `an integer from 1 to 50`, ``one of `a`, `b` ``.
pub(super) fn wanted(root: &Value, schema: &Value) -> String {
    let allowed = binding::allowed(root, schema);
    if !allowed.is_empty() {
        return one_of(&allowed);
    }
    let mut words = Vec::new();
    name_types(root, schema, DEEPEST, &mut words);
    words.retain(|word| word != "null");
    if words.is_empty() { "another value".to_owned() } else { words.join(" or ") }
}

fn one_of(allowed: &[Value]) -> String {
    let names: Vec<String> = allowed.iter().take(NAMED).map(|value| format!("`{}`", plain(value))).collect();
    let more = if allowed.len() > NAMED { ", …" } else { "" };
    match names.as_slice() {
        [single] => single.clone(),
        _ => format!("one of {}{more}", names.join(", ")),
    }
}

/// A value as people write it.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn name_types(root: &Value, schema: &Value, depth: usize, words: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    for part in parts(root, schema) {
        for name in types(part) {
            let word = type_words(root, part, name, depth);
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if types(part).is_empty() && part.contains_key("properties") {
            words.push("a table".to_owned());
        }
        for branch in branches(part).flatten() {
            let allowed = binding::allowed(root, branch);
            if allowed.is_empty() {
                name_types(root, branch, depth - 1, words);
            } else {
                words.push(one_of(&allowed));
            }
        }
    }
}

fn type_words(root: &Value, part: &Map<String, Value>, name: &str, depth: usize) -> String {
    match name {
        "string" => "a string".to_owned(),
        "integer" => format!("an integer{}", bounds(part)),
        "number" => format!("a number{}", bounds(part)),
        "boolean" => "`true` or `false`".to_owned(),
        "object" => "a table".to_owned(),
        "array" => {
            let mut elements = Vec::new();
            if let Some(items) = part.get("items") {
                name_types(root, items, depth - 1, &mut elements);
            }
            let plural = match elements.as_slice() {
                [only] if only == "a string" => " of strings",
                [only] if only.starts_with("an integer") => " of integers",
                [only] if only.starts_with("a number") => " of numbers",
                [only] if only == "a table" => " of tables",
                _ => "",
            };
            format!("a list{plural}")
        }
        other => other.to_owned(),
    }
}

fn bounds(part: &Map<String, Value>) -> String {
    match (part.get("minimum"), part.get("maximum")) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    }
}

/// A value to begin with, as TOML writes it.
pub(super) fn example(root: &Value, schema: &Value) -> String {
    if let Some(first) = binding::allowed(root, schema).first() {
        return first.as_str().map_or_else(|| first.to_string(), written::string);
    }
    let parts = parts(root, schema);
    match parts.iter().flat_map(|part| types(part)).next() {
        Some("integer" | "number") => {
            parts.iter().find_map(|part| part.get("minimum")).map_or_else(|| "1".to_owned(), Value::to_string)
        }
        Some("boolean") => "true".to_owned(),
        Some("array") => "[…]".to_owned(),
        Some("object") => "{ … }".to_owned(),
        _ => "\"…\"".to_owned(),
    }
}
