//! What a parameter's schema takes: local references followed, the null branch left out.

use serde_json::{Map, Value};

use super::{Bounds, Target};

/// References and branches that are followed; a circle ends here.
const DEEPEST: usize = 16;

/// The types a property takes, first choice first; none when the schema does not say.
pub fn targets(root: &Value, property: &Value) -> Vec<Target> {
    let mut targets = Vec::new();
    collect(root, property, DEEPEST, &mut targets);
    targets
}

/// Whether a property chooses among fixed values.
pub fn is_fixed(root: &Value, property: &Value) -> bool {
    fixed(root, property, DEEPEST)
}

fn fixed(root: &Value, property: &Value, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    let here = property.get("enum").is_some() || property.get("const").is_some();
    here || resolved(root, property).is_some_and(|target| fixed(root, target, depth - 1))
        || branches(property).any(|branch| fixed(root, branch, depth - 1))
}

/// The values a property is confined to; none when it takes others too.
#[must_use]
pub fn allowed(root: &Value, property: &Value) -> Vec<Value> {
    confined(root, property, DEEPEST).unwrap_or_default()
}

fn confined(root: &Value, property: &Value, depth: usize) -> Option<Vec<Value>> {
    if depth == 0 {
        return None;
    }
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        return Some(values.clone());
    }
    if let Some(value) = property.get("const") {
        return Some(vec![value.clone()]);
    }
    if let Some(target) = resolved(root, property) {
        return confined(root, target, depth - 1);
    }
    let mut all = Vec::new();
    for branch in
        branches(property).filter(|branch| branch.get("type").and_then(Value::as_str) != Some("null"))
    {
        all.extend(confined(root, branch, depth - 1)?);
    }
    (!all.is_empty()).then_some(all)
}

fn collect(root: &Value, property: &Value, depth: usize, into: &mut Vec<Target>) {
    if depth == 0 {
        return;
    }
    if let Some(target) = resolved(root, property) {
        collect(root, target, depth - 1, into);
    }
    if let Some(object) = property.as_object() {
        for name in type_names(object) {
            if let Some(target) = target(root, object, name, depth) {
                into.push(target);
            }
        }
    }
    for branch in branches(property) {
        collect(root, branch, depth - 1, into);
    }
}

/// The schema a local reference leads to; nothing outside the document is ever looked at.
#[must_use]
pub fn resolved<'v>(root: &'v Value, property: &Value) -> Option<&'v Value> {
    let reference = property.get("$ref")?.as_str()?;
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() { Some(root) } else { root.pointer(pointer) }
}

fn branches(property: &Value) -> impl Iterator<Item = &Value> {
    let of = |key: &str| property.get(key).and_then(Value::as_array).into_iter().flatten();
    of("anyOf").chain(of("oneOf"))
}

fn type_names(object: &Map<String, Value>) -> Vec<&str> {
    match object.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn target(root: &Value, object: &Map<String, Value>, name: &str, depth: usize) -> Option<Target> {
    Some(match name {
        "string" => Target::String,
        "integer" => Target::Integer(bounds(object)),
        "number" => Target::Number(bounds(object)),
        "boolean" => Target::Boolean,
        "object" => Target::Object,
        "array" => {
            let mut elements = Vec::new();
            if let Some(items) = object.get("items") {
                collect(root, items, depth - 1, &mut elements);
            }
            Target::Array(elements)
        }
        _ => return None,
    })
}

fn bounds(object: &Map<String, Value>) -> Bounds {
    let number = |key: &str| match object.get(key) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    Bounds { minimum: number("minimum"), maximum: number("maximum") }
}
