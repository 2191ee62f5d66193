mod finding;
mod shaping;

use std::collections::BTreeMap;
use std::path::PathBuf;

use kontext_plan::path::{Path, Step};
use kontext_plan::result::{Equals, FieldMap, Items};
use kontext_plan::template::{Expr, Filter, Piece, Source, Template};
use kontext_plan::{Adapter, OriginId};
use serde_json::{Map, json};

use super::*;
use crate::value::Facts;

/// A path of dotted keys; `[*]`, `*` and numbers are steps of their own, `|` parts alternatives, `$` is the root.
pub(super) fn path(text: &str) -> Path {
    Path { alternatives: text.split('|').map(steps).collect() }
}

pub(super) fn steps(text: &str) -> Vec<Step> {
    let parts = text.split('.').filter(|part| !part.is_empty() && *part != "$");
    parts
        .map(|part| match (part, part.parse()) {
            ("[*]", _) => Step::Each,
            ("*", _) => Step::Any,
            (_, Ok(index)) => Step::Index(index),
            (key, Err(_)) => Step::Key(key.to_owned()),
        })
        .collect()
}

pub(super) fn by_path(text: &str, literal: Option<&str>) -> FieldRule {
    let alternatives = if text.is_empty() { Vec::new() } else { path(text).alternatives };
    FieldRule::Path { alternatives, literal: literal.map(str::to_owned) }
}

pub(super) fn map(items: Items, fields: &[(HitField, FieldRule)]) -> HitsMap {
    let rule = |rule: &FieldRule| FieldMap { rule: rule.clone(), at: OriginId(2) };
    let map = fields.iter().map(|(field, found)| (*field, rule(found))).collect();
    HitsMap { items, conditions: Vec::new(), map }
}

pub(super) fn items_at(text: &str) -> Items {
    Items::Path { path: path(text), text: text.to_owned() }
}

pub(super) fn run(payload: &Value, map: &HitsMap) -> Result<Mapped, EvalError> {
    let adapter: Adapter = serde_json::from_value(json!({
        "driver": "http", "enabled": true, "layers": [], "at": 0, "timeout_ms": 1, "weight": 1.0, "ops": {}
    }))
    .unwrap();
    let mut facts = Facts::new(PathBuf::from("/nowhere"));
    facts.set("env.TOKEN", Some("tok-12345678".to_owned()), true);
    facts.set("repo.name", Some("demo".to_owned()), false);
    let inputs = Map::new();
    hits(payload, map, "src", &Scope::new("src", &adapter, &facts, &inputs))
}

/// The hits as JSON without source and score.
pub(super) fn plain(payload: Value, map: &HitsMap) -> Value {
    let mapped = run(&payload, map).unwrap();
    let strip = |hit: &Hit| {
        let mut value = serde_json::to_value(hit).unwrap();
        let members = value.as_object_mut().unwrap();
        members.shift_remove("source");
        members.shift_remove("score");
        value
    };
    Value::Array(mapped.hits.iter().map(strip).collect())
}

pub(super) fn auto() -> HitsMap {
    map(Items::Auto, &[])
}

pub(super) fn template_of(pieces: Vec<Piece>) -> FieldRule {
    FieldRule::Template(Template::Concat(pieces))
}

pub(super) fn item(text: &str, filters: &[Filter]) -> Expr {
    Expr { from: Source::Item(steps(text)), filters: filters.to_vec(), at: OriginId(9) }
}

pub(super) fn equals(text: &str, value: &str) -> Equals {
    Equals { path: path(text), equals: value.to_owned() }
}

pub(super) fn with_conditions(conditions: Vec<Equals>) -> HitsMap {
    HitsMap { items: Items::Auto, conditions, map: BTreeMap::new() }
}
