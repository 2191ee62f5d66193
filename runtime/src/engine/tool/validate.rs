//! Arguments against a tool's schema: every problem at once, in words an agent can act on.

mod problem;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use self::problem::Problem;
use crate::error::Failure;
use crate::suggest;

/// How many problems are told.
const MOST: usize = 20;
/// How deep in-place schemas are followed for the names they have.
const DEEPEST: usize = 32;

/// A tool's schema, made ready.
#[derive(Debug)]
pub(in crate::engine) struct Schema {
    schema: Value,
    validator: Validator,
    /// Every parameter with its schema.
    known: BTreeMap<String, Value>,
    /// Others may be given too; the validator says which.
    open: bool,
}

impl Schema {
    /// Makes a schema ready.
    pub(in crate::engine) fn new(schema: &Map<String, Value>) -> Result<Schema, String> {
        let schema = Value::Object(schema.clone());
        let validator = jsonschema::draft202012::new(&schema).map_err(|error| error.to_string())?;
        let says = |key: &str| schema.get(key).is_some_and(|value| *value != Value::Bool(false));
        let open = says("additionalProperties") || says("unevaluatedProperties") || says("patternProperties");
        let mut known = BTreeMap::new();
        names(&schema, &schema, &mut known, 0);
        Ok(Schema { schema, validator, known, open })
    }

    /// The arguments without nulls and with the defaults of those that are absent.
    pub(in crate::engine) fn arguments(
        &self,
        mut args: Map<String, Value>,
    ) -> Result<Map<String, Value>, Failure> {
        args.retain(|_, value| !value.is_null());
        let mut unknown = BTreeSet::new();
        if !self.open {
            unknown.extend(args.keys().filter(|name| !self.known.contains_key(*name)).cloned());
            args.retain(|name, _| !unknown.contains(name));
        }
        let instance = Value::Object(args);
        let problems = self.problems(&instance, unknown);
        if !problems.is_empty() {
            return Err(failure(&problems));
        }
        let Value::Object(mut args) = instance else { return Ok(Map::new()) };
        for (name, schema) in &self.known {
            if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
                args.entry(name.clone()).or_insert_with(|| default.clone());
            }
        }
        Ok(args)
    }

    /// What is wrong: names nobody knows, what is missing, and what has the wrong form.
    fn problems(&self, instance: &Value, unknown: BTreeSet<String>) -> Vec<Problem> {
        let (mut missing, mut wrong) = (BTreeSet::new(), Vec::new());
        for error in self.validator.iter_errors(instance) {
            match error.kind() {
                Kind::Required { property: Value::String(name) } if error.instance_path().is_empty() => {
                    missing.insert(name.clone());
                }
                _ => wrong.push(problem::of(&error, &self.schema)),
            }
        }
        let mut problems: Vec<Problem> =
            unknown.iter().map(|name| self.unknown(name, &mut missing)).collect();
        problems.extend(missing.iter().map(|name| self.missing(name)));
        wrong.sort();
        wrong.dedup();
        problems.extend(wrong);
        problems
    }

    /// An argument that is no parameter; a missing one it was meant to be is not missed again.
    fn unknown(&self, name: &str, missing: &mut BTreeSet<String>) -> Problem {
        let candidates: Vec<&str> = missing.iter().map(String::as_str).collect();
        let near = suggest::nearest(name, &candidates).map(str::to_owned);
        let text = match &near {
            Some(near) => format!("`{name}` is no parameter; did you mean `{near}`, which is missing?"),
            None => {
                let known: Vec<&str> = self.known.keys().map(String::as_str).collect();
                format!("`{name}` is no parameter; {}", suggest::among(name, &known, "parameters"))
            }
        };
        if let Some(near) = near {
            missing.remove(&near);
        }
        Problem { id: "unknown-argument", text }
    }

    fn missing(&self, name: &str) -> Problem {
        let wanted = self.known.get(name).and_then(problem::wanted);
        let wanted = wanted.map(|wanted| format!(": {wanted}")).unwrap_or_default();
        Problem { id: "missing-argument", text: format!("`{name}` is missing{wanted}") }
    }
}

/// The members that a schema and the schemas about the same value name.
fn names(schema: &Value, root: &Value, known: &mut BTreeMap<String, Value>, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        known.entry(name.clone()).or_insert_with(|| property.clone());
    }
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    if let Some(target) = reference.and_then(|pointer| root.pointer(pointer)) {
        names(target, root, known, depth + 1);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for part in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
            names(part, root, known, depth + 1);
        }
    }
    for key in ["if", "then", "else"] {
        if let Some(part) = schema.get(key) {
            names(part, root, known, depth + 1);
        }
    }
    for part in schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flatten() {
        names(part.1, root, known, depth + 1);
    }
}

/// All problems as one failure, with the id of the first.
fn failure(problems: &[Problem]) -> Failure {
    let id = problems.first().map_or("argument-type", |problem| problem.id);
    if let [problem] = problems {
        return Failure::unsent(id, problem.text.clone());
    }
    let mut message = format!("{} arguments are wrong:", problems.len());
    for problem in problems.iter().take(MOST) {
        message.push_str("\n  ");
        message.push_str(&problem.text);
    }
    if problems.len() > MOST {
        message.push_str(&format!("\n  and {} more", problems.len() - MOST));
    }
    Failure::unsent(id, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::problem::shown;
    use super::*;

    fn check(schema: &Value, args: &Value) -> String {
        let schema = Schema::new(schema.as_object().unwrap()).unwrap();
        match schema.arguments(args.as_object().unwrap().clone()) {
            Ok(args) => Value::Object(args).to_string(),
            Err(failure) => format!("{}: {}", failure.id, failure.message),
        }
    }

    fn notes() -> Value {
        json!({
            "type": "object", "required": ["query"], "additionalProperties": false,
            "properties": {
                "query": { "type": "string", "minLength": 2 },
                "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 5 },
                "kind": { "enum": ["bug", "idea", 3] },
                "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
                "page": { "type": "object", "properties": { "size": { "type": "number" } }, "required": ["size"],
                          "additionalProperties": false },
                "since": { "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] },
            },
        })
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let rows = [
            (json!({}), "missing-argument: `query` is missing: a string"),
            (json!({ "query": null }), "missing-argument: `query` is missing: a string"),
            (
                json!({ "quary": "ab" }),
                "unknown-argument: `quary` is no parameter; did you mean `query`, which is missing?",
            ),
            (
                json!({ "query": "ab", "limits": 1 }),
                "unknown-argument: `limits` is no parameter; did you mean `limit`?",
            ),
            (
                json!({ "query": "ab", "x": 1 }),
                "unknown-argument: `x` is no parameter; the parameters are `kind`, `limit`, `page`, `query`, `since`, `tags`",
            ),
        ];
        for (args, wanted) in rows {
            assert_eq!(check(&notes(), &args), wanted, "{args}");
        }
    }

    #[test]
    fn each_wrong_form_is_told_in_words() {
        let rows = [
            (json!({ "query": 5 }), "argument-type: `query` must be a string, not `5`"),
            (json!({ "query": "a" }), "argument-type: `query` must have at least 2 characters, not 1"),
            (
                json!({ "query": "ab", "limit": "10" }),
                "argument-type: `limit` must be an integer, not `\"10\"`",
            ),
            (json!({ "query": "ab", "limit": 51 }), "argument-type: `limit` must be at most 50, not `51`"),
            (
                json!({ "query": "ab", "kind": "bgu" }),
                "argument-type: `kind` must be one of `\"bug\"`, `\"idea\"`, `3`, not `\"bgu\"`; did you mean `\"bug\"`?",
            ),
            (
                json!({ "query": "ab", "tags": ["a", 1] }),
                "argument-type: `tags[1]` must be a string, not `1`",
            ),
            (json!({ "query": "ab", "tags": ["a", "a"] }), "argument-type: `tags` must hold nothing twice"),
            (json!({ "query": "ab", "tags": "a" }), "argument-type: `tags` must be an array, not `\"a\"`"),
            (
                json!({ "query": "ab", "page": { "size": "x" } }),
                "argument-type: `page.size` must be a number, not `\"x\"`",
            ),
            (json!({ "query": "ab", "page": {} }), "missing-argument: `page.size` is missing"),
            (
                json!({ "query": "ab", "page": { "size": 1, "sise": 1 } }),
                "unknown-argument: `page.sise` is no parameter; did you mean `page.size`?",
            ),
            (
                json!({ "query": "ab", "since": true }),
                "argument-type: `since` must be a string, an integer or null, not `true`",
            ),
        ];
        for (args, wanted) in rows {
            assert_eq!(check(&notes(), &args), wanted, "{args}");
        }
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let args = json!({ "qurey": "ab", "limit": 0, "kind": "x", "tags": [1], "more": 1 });
        let wanted = "unknown-argument: 5 arguments are wrong:\n  \
            `more` is no parameter; the parameters are `kind`, `limit`, `page`, `query`, `since`, `tags`\n  \
            `qurey` is no parameter; did you mean `query`, which is missing?\n  \
            `kind` must be one of `\"bug\"`, `\"idea\"`, `3`, not `\"x\"`\n  \
            `limit` must be at least 1, not `0`\n  \
            `tags[0]` must be a string, not `1`";
        assert_eq!(check(&notes(), &args), wanted);
        let many: Map<String, Value> = (0..30).map(|n| (format!("wombat{n}"), json!(1))).collect();
        let told = check(&notes(), &Value::Object(many));
        assert!(
            told.starts_with("unknown-argument: 31 arguments are wrong:")
                && told.ends_with("\n  and 11 more"),
            "{told}"
        );
    }

    #[test]
    fn nulls_are_absent_and_defaults_stand_in() {
        assert_eq!(check(&notes(), &json!({ "query": "ab", "kind": null })), r#"{"query":"ab","limit":5}"#);
        assert_eq!(check(&notes(), &json!({ "query": "ab", "limit": 7 })), r#"{"query":"ab","limit":7}"#);
        let nullable = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": ["string", "null"] } } });
        assert_eq!(
            check(&nullable, &json!({ "a": null })),
            "missing-argument: `a` is missing: a string or null"
        );
    }

    #[test]
    fn unknown_arguments_are_refused_unless_the_schema_takes_them() {
        let schema = |more: Value| {
            let mut schema = json!({ "type": "object", "properties": { "a": {} } });
            schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            schema
        };
        let args = json!({ "b1": 1 });
        assert!(check(&schema(json!({})), &args).starts_with("unknown-argument"));
        assert_eq!(check(&schema(json!({ "additionalProperties": true })), &args), r#"{"b1":1}"#);
        assert_eq!(check(&schema(json!({ "patternProperties": { "^b": {} } })), &args), r#"{"b1":1}"#);
        let part =
            json!({ "allOf": [{ "$ref": "#/$defs/b" }], "$defs": { "b": { "properties": { "b1": {} } } } });
        assert_eq!(check(&schema(part), &args), r#"{"b1":1}"#);
        let typed = schema(json!({ "additionalProperties": { "type": "string" } }));
        assert_eq!(check(&typed, &args), "argument-type: `b1` must be a string, not `1`");
    }

    #[test]
    fn long_values_are_cut() {
        let told = check(&notes(), &json!({ "query": "ab", "limit": "x".repeat(500) }));
        assert!(told.len() < 200 && told.contains('…'), "{told}");
        assert_eq!(shown(&json!("é".repeat(100))).chars().count(), 61);
    }

    #[test]
    fn numbers_of_any_length() {
        let args: Value =
            serde_json::from_str(r#"{"query":"ab","page":{"size":123456789012345678901234567890}}"#).unwrap();
        assert!(check(&notes(), &args).contains("123456789012345678901234567890"));
    }
}
