//! The keywords of JSON schema 2020-12, and which of them hold schemas.

use crate::suggest;
use crate::tree::{Node, Table, Value};

/// Every keyword, and what is usual beside them.
pub const KNOWN: &[&str] = &[
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
];

/// Keywords that hold one schema; the second value says that it is about the same value.
const ONE: [(&str, bool); 12] = [
    ("items", false),
    ("contains", false),
    ("additionalProperties", false),
    ("propertyNames", false),
    ("unevaluatedItems", false),
    ("unevaluatedProperties", false),
    ("contentSchema", false),
    ("if", true),
    ("then", true),
    ("else", true),
    ("not", true),
    ("additionalItems", false),
];
/// Keywords that hold a list of schemas.
const LISTS: [(&str, bool); 4] = [("prefixItems", false), ("allOf", true), ("anyOf", true), ("oneOf", true)];
/// Keywords that hold schemas by name.
const TABLES: [(&str, bool); 5] = [
    ("properties", false),
    ("patternProperties", false),
    ("dependentSchemas", true),
    ("$defs", false),
    ("definitions", false),
];

/// A schema inside another.
pub struct Sub<'a> {
    /// It.
    pub node: &'a Node,
    /// Where it stands in the whole.
    pub pointer: String,
    /// It is about the same value as the schema around it.
    pub in_place: bool,
}

/// The schemas right inside a schema.
pub fn subschemas<'a>(of: &Sub<'a>) -> Vec<Sub<'a>> {
    let Some(table) = of.node.as_table() else { return Vec::new() };
    let mut found = Vec::new();
    for (key, entry) in &table.entries {
        let pointer = || below(&of.pointer, key);
        let flag = |list: &[(&str, bool)]| list.iter().find(|(name, _)| name == key).map(|(_, flag)| *flag);
        if let Some(in_place) = flag(&ONE) {
            found.push(Sub { node: &entry.node, pointer: pointer(), in_place });
        } else if let (Some(in_place), Value::Array(items)) = (flag(&LISTS), &entry.node.value) {
            found.extend(items.iter().enumerate().map(|(at, node)| Sub {
                node,
                pointer: below(&pointer(), &at.to_string()),
                in_place,
            }));
        } else if let (Some(in_place), Value::Table(inner)) = (flag(&TABLES), &entry.node.value) {
            found.extend(inner.entries.iter().map(|(name, entry)| Sub {
                node: &entry.node,
                pointer: below(&pointer(), name),
                in_place,
            }));
        }
    }
    found
}

/// Whether a table at a pointer holds schemas under names of the user's choice.
pub fn holds_names(keyword: &str) -> bool {
    TABLES.iter().any(|(name, _)| *name == keyword)
}

/// The pointer of a member.
pub fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// What stands at a pointer.
pub fn find<'a>(root: &'a Node, pointer: &str) -> Option<&'a Node> {
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        node = match &node.value {
            Value::Table(table) => Table::get(table, &step)?,
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(node)
}

/// What to write for a key of other schema languages that changes nothing here.
pub fn foreign(key: &str) -> Option<&'static str> {
    match key {
        "nullable" => {
            Some("write `type = [\"string\", \"null\"]`; a parameter off `required` may be left out")
        }
        "optional" => Some("parameters may be left out unless `required` names them"),
        "additionalItems" => Some("write `items` beside `prefixItems`"),
        "dependencies" => Some("write `dependentRequired` or `dependentSchemas`"),
        "ref" => Some("write `\"$ref\"`, with quotes: the name begins with `$`"),
        _ => None,
    }
}

/// The keyword a key was meant to be: one letter off, or in other case.
pub fn meant(key: &str) -> Option<&'static str> {
    let near = suggest::nearest(key, KNOWN.iter().copied())?;
    let only_case = near.eq_ignore_ascii_case(&key.replace(['_', '-'], ""));
    let long = key.chars().count().max(near.len()) >= 5;
    (only_case || (long && strsim::osa_distance(key, near) == 1)).then_some(near)
}
