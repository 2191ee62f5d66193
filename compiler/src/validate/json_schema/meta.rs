//! The schema against the schema of schemas, and the defaults against the schema.

use std::collections::BTreeSet;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, Validator};
use serde_json::{Map, Value as Json};

use super::{Reading, keywords};
use crate::diagnostic::schemas as report;
use crate::parse::params;
use crate::tree::{Node, Table};

/// Bytes of a default that is checked: a pattern takes time for each byte of a text, and both may be of any length.
const LONGEST_DEFAULT: usize = 4096;

/// Reports what is wrong and was not told before.
pub fn check(reading: &mut Reading<'_, '_>, table: &Table) {
    let schema = params::to_json(table);
    let mut wrong = BTreeSet::new();
    for error in jsonschema::draft202012::meta::validator().iter_errors(&schema) {
        wrong.insert((error.instance_path().to_string(), wanted(error.kind())));
    }
    for (pointer, wanted) in wrong {
        let told = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
        let mut told = told.filter_map(|at| pointer.get(..at));
        if !told.any(|above| !above.is_empty() && reading.told.contains(above)) {
            let place = keywords::find(reading.root, &pointer).map_or(reading.root.span, |node| node.span);
            let finding = report::report_meta(place, &subject(&pointer), &wanted, hint(&pointer, &wanted));
            reading.tell(pointer, finding);
        }
    }
    if reading.told.is_empty() {
        match jsonschema::draft202012::new(&schema) {
            Ok(validator) => defaults(reading, table, &schema, &validator),
            Err(error) => {
                let pointer = error.instance_path().to_string();
                let place =
                    keywords::find(reading.root, &pointer).map_or(reading.root.span, |node| node.span);
                reading.tell(pointer, report::report_unusable(place, &error.to_string()));
            }
        }
    }
}

/// The defaults of parameters, which stand in for what an agent leaves out.
fn defaults(reading: &mut Reading<'_, '_>, table: &Table, schema: &Json, validator: &Validator) {
    let Some(properties) = table.get("properties").and_then(Node::as_table) else { return };
    let mut given = Map::new();
    for name in properties.entries.keys() {
        let pointer = keywords::below("/properties", name);
        let default = schema.pointer(&format!("{pointer}/default"));
        if let Some(default) = default.filter(|default| default.to_string().len() <= LONGEST_DEFAULT) {
            given.insert(name.clone(), default.clone());
        }
    }
    let given = Json::Object(given);
    let mut wrong = BTreeSet::new();
    for error in validator.iter_errors(&given) {
        let pointer = error.instance_path().to_string();
        wrong.extend(pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~")));
    }
    for name in wrong {
        let default = properties.get(&name).and_then(Node::as_table).and_then(|table| table.get("default"));
        if let Some(default) = default {
            let finding = report::report_default(default.span, &name);
            reading.tell(keywords::below("/properties", &name), finding);
        }
    }
}

/// What a pointer's value is, for messages.
fn subject(pointer: &str) -> String {
    let steps: Vec<String> =
        pointer.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    match steps.as_slice() {
        [.., around, last] if last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty() => {
            format!("element {last} of `{around}`")
        }
        [.., around, last] if keywords::holds_names(around) => format!("the schema of `{last}`"),
        [.., last] if !last.is_empty() => format!("`{last}`"),
        _ => "the schema".to_owned(),
    }
}

/// What a keyword wants, behind "must".
fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Type { kind: TypeKind::Single(ty) } => format!("be {}", name(*ty)),
        Kind::Type { kind: TypeKind::Multiple(types) } => {
            let names: Vec<&str> = types.iter().map(name).collect();
            format!("be {}", names.join(" or "))
        }
        Kind::Minimum { .. } => "not be negative".to_owned(),
        Kind::ExclusiveMinimum { .. } => "be above 0".to_owned(),
        Kind::MinItems { .. } => "not be empty".to_owned(),
        Kind::UniqueItems => "hold nothing twice".to_owned(),
        _ => "be what JSON schema (2020-12) says it is".to_owned(),
    }
}

/// In TOML's words.
fn name(ty: JsonType) -> &'static str {
    match ty {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "a table",
        JsonType::String => "a string",
    }
}

/// What else may have been meant.
fn hint(pointer: &str, wanted: &str) -> Option<&'static str> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    match last {
        "items" if wanted.contains("table") => {
            Some("a list of schemas, one for each element, is `prefixItems`")
        }
        "exclusiveMinimum" | "exclusiveMaximum" => Some("it is the limit itself: a number"),
        "enum" => Some("list the allowed values: `enum = [\"a\", \"b\"]`"),
        "examples" => Some("a single one is written as a list too"),
        _ => None,
    }
}
