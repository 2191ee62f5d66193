//! Arguments that the configuration gives, against the schema of their tool.

use std::collections::BTreeSet;

use kontext_plan::lock::LockedTool;
use serde_json::{Map, Value};

use super::schema;
use crate::check::Typed;
use crate::config::Json;
use crate::diagnostic::{Diagnostic, Diagnostics, lock as report};
use crate::source::FileSpan;
use crate::suggest;
use crate::types::Kind;

/// How deep arguments are checked.
const DEEPEST: usize = 64;
/// How many schemas are looked at for one call; beyond, everything fits.
const MOST: usize = 20_000;

/// Reports what the tool does not take.
pub(super) fn check(args: &Json<Typed>, tool: &LockedTool, diagnostics: &mut Diagnostics) {
    let mut checker = Checker { root: &tool.input_schema, tool: &tool.name, left: MOST };
    for found in checker.value(args, &tool.input_schema, &Place::default()) {
        diagnostics.push(found);
    }
}

/// Where a value stands in the arguments.
#[derive(Debug, Clone, Default)]
struct Place {
    /// `filter.tags[0]`; empty for the arguments themselves.
    path: String,
    /// How many values it stands in.
    depth: usize,
    /// A branch of alternatives: which members there may be is decided outside it.
    branch: bool,
}

impl Place {
    fn member(&self, name: &str) -> Place {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Place { path, depth: self.depth + 1, branch: false }
    }

    fn element(&self, at: usize) -> Place {
        Place { path: format!("{}[{at}]", self.path), depth: self.depth + 1, branch: false }
    }
}

struct Checker<'a> {
    root: &'a Value,
    tool: &'a str,
    left: usize,
}

impl Checker<'_> {
    /// What does not fit of a value.
    fn value(&mut self, json: &Json<Typed>, wanted: &Value, place: &Place) -> Vec<Diagnostic> {
        if place.depth > DEEPEST || self.left == 0 {
            return Vec::new();
        }
        self.left -= 1;
        let parts = schema::parts(self.root, wanted);
        if !parts.iter().all(|part| is_taken(json, part)) {
            return vec![self.wrong(json, wanted, place)];
        }
        let mut found = Vec::new();
        for branches in parts.iter().flat_map(|part| schema::branches(part)) {
            found.extend(self.one_of(json, wanted, &branches, place));
        }
        if !found.is_empty() {
            return found;
        }
        match json {
            Json::Object(members, at) => self.object(members, *at, wanted, &parts, place),
            Json::Array(items, _) => {
                let element = parts.iter().find_map(|part| part.get("items"));
                let items = items.iter().enumerate();
                items.flat_map(|(at, item)| self.element(item, element, &place.element(at))).collect()
            }
            Json::Scalar(..) | Json::Slot(_) => Vec::new(),
        }
    }

    fn element(&mut self, item: &Json<Typed>, wanted: Option<&Value>, place: &Place) -> Vec<Diagnostic> {
        wanted.map(|wanted| self.value(item, wanted, place)).unwrap_or_default()
    }

    /// Nothing when a value fits one of some branches; what is wrong in the only one that it can be meant for; else
    /// that it fits none.
    fn one_of(
        &mut self,
        json: &Json<Typed>,
        wanted: &Value,
        branches: &[&Value],
        place: &Place,
    ) -> Vec<Diagnostic> {
        let inner = Place { branch: true, ..place.clone() };
        let mut meant = Vec::new();
        for branch in branches {
            let found = self.value(json, branch, &inner);
            if found.is_empty() {
                return Vec::new();
            }
            let kind = schema::parts(self.root, branch).iter().all(|part| is_of_type(json, part));
            meant.extend(kind.then_some(found));
        }
        let nested = matches!(json, Json::Object(..) | Json::Array(..));
        match <[Vec<Diagnostic>; 1]>::try_from(meant) {
            Ok([only]) if nested => only,
            _ => vec![self.wrong(json, wanted, place)],
        }
    }

    fn object(
        &mut self,
        members: &[(Typed, Json<Typed>)],
        at: FileSpan,
        wanted: &Value,
        parts: &[&Map<String, Value>],
        place: &Place,
    ) -> Vec<Diagnostic> {
        let known = schema::members(self.root, wanted);
        let closed = parts.iter().any(|part| part.get("additionalProperties") == Some(&Value::Bool(false)));
        let open = schema::is_open(parts, !known.is_empty()) || (place.branch && !closed);
        let unknown = |name: &str| !open && !known.contains(name);
        let names: Vec<Option<String>> = members.iter().map(|(key, _)| key.literal()).collect();
        let mut found = Vec::new();
        // A name that only a caller gives may be any, also one that is required.
        if !names.contains(&None) {
            let given: BTreeSet<&str> = names.iter().flatten().map(String::as_str).collect();
            let misspelt = given.iter().filter(|name| unknown(name));
            let meant: BTreeSet<&str> =
                misspelt.filter_map(|name| suggest::nearest(name, known.iter().copied())).collect();
            // What is misspelt is told once, as the misspelling.
            let missing = |name: &&str| !given.contains(name) && !meant.contains(name);
            found.extend(required(parts).filter(missing).map(|name| self.missing(name, at, parts, place)));
        }
        for ((key, value), name) in members.iter().zip(&names) {
            let Some(name) = name else { continue };
            if unknown(name) {
                let known: Vec<&str> = known.iter().copied().collect();
                found.push(report::report_unknown(key.span, self.tool, &place.path, name, &known));
            } else {
                found.extend(self.member(value, name, parts, place));
            }
        }
        found
    }

    /// What does not fit of a member: by every part that names it, else by what holds for all others.
    fn member(
        &mut self,
        value: &Json<Typed>,
        name: &str,
        parts: &[&Map<String, Value>],
        place: &Place,
    ) -> Vec<Diagnostic> {
        let inner = place.member(name);
        let mut wanted: Vec<&Value> =
            parts.iter().filter_map(|part| part.get("properties")?.get(name)).collect();
        if wanted.is_empty() {
            wanted.extend(parts.iter().filter_map(|part| part.get("additionalProperties")));
        }
        wanted.into_iter().flat_map(|wanted| self.value(value, wanted, &inner)).collect()
    }

    fn missing(&self, name: &str, at: FileSpan, parts: &[&Map<String, Value>], place: &Place) -> Diagnostic {
        let wanted = property(parts, name).map(|it| schema::wanted(self.root, it));
        let wanted = wanted.unwrap_or_else(|| "a value".to_owned());
        report::report_missing(at, self.tool, &place.path, name, &wanted)
    }

    fn wrong(&self, json: &Json<Typed>, wanted: &Value, place: &Place) -> Diagnostic {
        let words = schema::wanted(self.root, wanted);
        let mend = mend(json, &schema::parts(self.root, wanted));
        let (given, at) = (given(json), span(json));
        report::report_type(at, self.tool, &place.path, &words, &given, mend)
    }
}

fn required<'s>(parts: &[&'s Map<String, Value>]) -> impl Iterator<Item = &'s str> {
    let names: BTreeSet<&str> =
        parts.iter().flat_map(|part| schema::list(part, "required")).filter_map(Value::as_str).collect();
    names.into_iter()
}

fn property<'s>(parts: &[&'s Map<String, Value>], name: &str) -> Option<&'s Value> {
    parts.iter().find_map(|part| part.get("properties")?.get(name))
}

/// Whether a value is of a type that a schema names.
fn is_of_type(json: &Json<Typed>, part: &Map<String, Value>) -> bool {
    let types = schema::types(part);
    let kind = kind(json);
    let broken = literal(json).and_then(|value| value.as_f64()).is_some_and(|number| number.fract() != 0.0);
    let fits = |name: &&str| of_type(&kind, name) && !(broken && *name == "integer");
    types.is_empty() || types.iter().any(fits)
}

/// Whether a value is what a schema takes by itself, without looking into it.
fn is_taken(json: &Json<Typed>, part: &Map<String, Value>) -> bool {
    if !is_of_type(json, part) {
        return false;
    }
    let literal = literal(json);
    if let Some(number) = literal.as_ref().and_then(Value::as_f64) {
        let bound = |key: &str| part.get(key).and_then(Value::as_f64);
        if bound("minimum").is_some_and(|least| number < least)
            || bound("maximum").is_some_and(|most| number > most)
        {
            return false;
        }
    }
    let single = part.get("const").map(std::slice::from_ref);
    let Some(allowed) = part.get("enum").and_then(Value::as_array).map(Vec::as_slice).or(single) else {
        return true;
    };
    match literal {
        Some(value) => allowed.iter().any(|allowed| same(allowed, &value)),
        None => allowed.iter().any(|allowed| of_type(&kind(json), type_of(allowed))),
    }
}

fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.to_bits() == other.to_bits() || one == other,
        _ => one == other,
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn of_type(kind: &Kind, name: &str) -> bool {
    match kind {
        Kind::Any => true,
        Kind::String => name == "string",
        Kind::Bool => name == "boolean",
        // A number may be a whole one.
        Kind::Integer | Kind::Number => matches!(name, "integer" | "number"),
        Kind::List(_) => name == "array",
        Kind::Object(_) => name == "object",
    }
}

fn kind(json: &Json<Typed>) -> Kind {
    match json {
        Json::Scalar(Value::Bool(_), _) => Kind::Bool,
        Json::Scalar(Value::Number(number), _) if number.is_i64() || number.is_u64() => Kind::Integer,
        Json::Scalar(..) => Kind::Number,
        Json::Slot(typed) => typed.ty().kind,
        Json::Array(..) => Kind::List(Box::new(Kind::Any)),
        Json::Object(..) => Kind::Object(None),
    }
}

/// A scalar that is written out.
fn literal(json: &Json<Typed>) -> Option<Value> {
    match json {
        Json::Scalar(value, _) => Some(value.clone()),
        Json::Slot(typed) => typed.literal().map(Value::from),
        Json::Array(..) | Json::Object(..) => None,
    }
}

fn span(json: &Json<Typed>) -> FileSpan {
    match json {
        Json::Scalar(_, at) | Json::Array(_, at) | Json::Object(_, at) => *at,
        Json::Slot(typed) => typed.span,
    }
}

/// What a value is, in words.
fn given(json: &Json<Typed>) -> String {
    match (literal(json), json) {
        (Some(Value::String(text)), _) if text.chars().count() <= 40 => format!("the string `{text}`"),
        (Some(Value::String(_)), _) => "a string".to_owned(),
        (Some(value), _) => format!("`{value}`"),
        (None, Json::Object(..)) => "a table".to_owned(),
        (None, _) => kind(json).to_string(),
    }
}

/// What to write instead, where one value is surely meant: the number in quotes, the single element of a list.
fn mend(json: &Json<Typed>, parts: &[&Map<String, Value>]) -> Option<String> {
    let wants = |name: &str| parts.iter().any(|part| schema::types(part).contains(&name));
    let fits = |value: &Value| {
        let json = Json::Scalar(value.clone(), span(json));
        parts.iter().all(|part| is_taken(&json, part)).then(|| value.to_string())
    };
    match literal(json)? {
        Value::String(text) if wants("integer") || wants("number") || wants("boolean") => {
            let value: Value = serde_json::from_str(text.trim()).ok()?;
            (value.is_number() || value.is_boolean()).then(|| fits(&value)).flatten()
        }
        value @ (Value::Number(_) | Value::Bool(_)) if wants("string") && !value.is_string() => {
            Some(format!("\"{value}\""))
        }
        _ => None,
    }
}
