//! Schemas that clients cannot take: one tool with such a schema costs a client the whole list. What means the same in a
//! form that they do take is written so; a tool whose schema has none is left out.

use std::sync::Arc;

use serde_json::{Map, Value, json};

/// Why a tool that its server only runs as a task cannot be published.
pub(in crate::engine) const ONLY_AS_TASK: &str = "its server runs it only as a task (`execution.taskSupport` is \"required\"), which kontext does not offer";

/// Whether an entry of a list of tools is of one that is only run as a task.
pub(in crate::engine) fn is_only_a_task(entry: &Map<String, Value>) -> bool {
    entry.get("execution").and_then(|execution| execution.get("taskSupport")) == Some(&json!("required"))
}

/// The schema of arguments as clients take it: arguments are an object, and so says `type`.
///
/// # Errors
/// What no client takes, in words.
pub(in crate::engine) fn arguments(
    schema: &Arc<Map<String, Value>>,
) -> Result<Arc<Map<String, Value>>, String> {
    let ty = schema.get("type");
    let is_object = |ty: &Value| match ty {
        Value::String(name) => name == "object",
        Value::Array(names) => names.iter().any(|name| name == "object"),
        _ => false,
    };
    if ty.is_some_and(|ty| !is_object(ty)) {
        return Err("`type` of its input schema is not \"object\", which arguments always are".to_owned());
    }
    if let Some(why) = members(schema, "input schema") {
        return Err(why);
    }
    if ty == Some(&json!("object")) && !has_truths(schema) {
        return Ok(Arc::clone(schema));
    }
    let mut fit = schema.as_ref().clone();
    fit.insert("type".to_owned(), json!("object"));
    written_out(&mut fit);
    Ok(Arc::new(fit))
}

/// The schema of what a tool gives; none when no client takes it.
pub(super) fn output(schema: &Arc<Map<String, Value>>) -> Option<Arc<Map<String, Value>>> {
    if members(schema, "output schema").is_some() {
        return None;
    }
    if !has_truths(schema) {
        return Some(Arc::clone(schema));
    }
    let mut fit = schema.as_ref().clone();
    written_out(&mut fit);
    Some(Arc::new(fit))
}

/// What is wrong with `properties` or `required` of a schema of this name.
fn members(schema: &Map<String, Value>, name: &str) -> Option<String> {
    match schema.get("properties") {
        None => {}
        Some(Value::Object(properties)) => {
            let is_none = |property: &Value| !matches!(property, Value::Object(_) | Value::Bool(_));
            if let Some((odd, _)) = properties.iter().find(|(_, property)| is_none(property)) {
                return Some(format!("`properties.{odd}` of its {name} is no schema"));
            }
        }
        Some(_) => return Some(format!("`properties` of its {name} is no object")),
    }
    match schema.get("required") {
        None => None,
        Some(Value::Array(names)) if names.iter().all(Value::is_string) => None,
        Some(_) => Some(format!("`required` of its {name} is no list of names")),
    }
}

/// Whether a property is a schema without members: `true` takes everything, `false` nothing.
fn has_truths(schema: &Map<String, Value>) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| properties.values().any(Value::is_boolean))
}

/// Writes these as objects that mean the same.
fn written_out(schema: &mut Map<String, Value>) {
    for property in
        schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        match property {
            Value::Bool(true) => *property = json!({}),
            Value::Bool(false) => *property = json!({ "not": {} }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(schema: Value) -> Result<Value, String> {
        let Value::Object(schema) = schema else { panic!("{schema}") };
        arguments(&Arc::new(schema)).map(|fit| Value::Object(fit.as_ref().clone()))
    }

    #[test]
    fn what_no_client_takes_is_refused() {
        for (schema, words) in [
            (json!({ "type": "string" }), "`type` of its input schema is not \"object\""),
            (json!({ "type": 5 }), "`type` of its input schema"),
            (json!({ "type": "object", "properties": 5 }), "`properties` of its input schema is no object"),
            (json!({ "properties": { "a": "string" } }), "`properties.a` of its input schema is no schema"),
            (
                json!({ "type": "object", "required": "a" }),
                "`required` of its input schema is no list of names",
            ),
            (
                json!({ "type": "object", "required": [1] }),
                "`required` of its input schema is no list of names",
            ),
        ] {
            let why = fit(schema.clone()).unwrap_err();
            assert!(why.contains(words), "{schema}: {why}");
        }
    }

    #[test]
    fn what_means_the_same_is_written_so() {
        for (schema, written) in [
            (json!({}), json!({ "type": "object" })),
            (json!({ "properties": {} }), json!({ "properties": {}, "type": "object" })),
            (json!({ "type": ["object", "null"] }), json!({ "type": "object" })),
            (
                json!({ "type": "object", "properties": { "a": true, "b": false, "c": { "type": "string" } } }),
                json!({ "type": "object", "properties": { "a": {}, "b": { "not": {} }, "c": { "type": "string" } } }),
            ),
        ] {
            assert_eq!(fit(schema).unwrap(), written);
        }
        let good =
            Arc::new(Map::from_iter([("type".to_owned(), json!("object")), ("x".to_owned(), json!(1))]));
        assert!(Arc::ptr_eq(&arguments(&good).unwrap(), &good), "nothing is copied");
    }
}
