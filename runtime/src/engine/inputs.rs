//! From what a caller passes to the inputs an op declares: conversion, defaults and twins.

use kontext_plan::{InputDecl, InputType};
use serde_json::{Map, Number, Value};

use crate::error::Failure;
use crate::suggest;

/// Inputs as a caller gives them.
#[derive(Debug, Clone)]
pub enum Given {
    /// `name=value` pairs in order; values are converted to the input's type, and a repeated name makes a list.
    Text(Vec<(String, String)>),
    /// A JSON object; values must have the input's type.
    Json(Map<String, Value>),
}

impl Given {
    /// No inputs.
    #[must_use]
    pub fn none() -> Self {
        Given::Json(Map::new())
    }
}

/// The complete inputs of a call. Null counts as absent.
pub(crate) fn complete(declared: &[InputDecl], given: &Given) -> Result<Map<String, Value>, Failure> {
    let mut inputs = match given {
        Given::Text(pairs) => from_text(declared, pairs)?,
        Given::Json(object) => from_json(declared, object)?,
    };
    for input in declared {
        let value =
            [Some(&input.name), input.twin.as_ref()].into_iter().flatten().find_map(|name| inputs.get(name));
        if let Some(value) = value.cloned().or_else(|| input.default.clone()) {
            inputs.insert(input.name.clone(), value);
        }
    }
    // An op whose first way is a tool: all its parameters together have a name too.
    if declared.iter().any(|input| input.name == "args") && !inputs.contains_key("args") {
        let all = Value::Object(inputs.clone());
        inputs.insert("args".to_owned(), all);
    }
    match declared.iter().find(|input| input.required && !inputs.contains_key(&input.name)) {
        Some(input) => {
            Err(Failure::unsent("missing-argument", format!("the input `{}` is missing", input.name)))
        }
        None => Ok(inputs),
    }
}

fn from_json(declared: &[InputDecl], object: &Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    let mut inputs = Map::new();
    for (name, value) in object {
        let input = find(declared, name)?;
        if value.is_null() {
            continue;
        }
        let value = whole(value, input.ty);
        if !fits(&value, input.ty) {
            return Err(wrong(name, input.ty));
        }
        inputs.insert(name.clone(), value);
    }
    Ok(inputs)
}

/// For JSON `2.0` is an integer too: it is passed on as `2`.
pub(crate) fn whole(value: &Value, ty: InputType) -> Value {
    let Value::Number(number) = value else { return value.clone() };
    let text = number.to_string();
    let digits = text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    match digits.filter(|_| ty == InputType::Integer) {
        Some((digits, _)) => serde_json::from_str(digits).unwrap_or_else(|_| value.clone()),
        None => value.clone(),
    }
}

fn from_text(declared: &[InputDecl], pairs: &[(String, String)]) -> Result<Map<String, Value>, Failure> {
    let mut inputs = Map::new();
    for (name, text) in pairs {
        if let Some((object, member)) = member_of_object(declared, name) {
            let slot = inputs.entry(object).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(members) = slot {
                members.insert(member.to_owned(), Value::String(text.clone()));
            }
            continue;
        }
        let input = find(declared, name)?;
        let value = convert(text, input.ty).ok_or_else(|| wrong(name, input.ty))?;
        match (inputs.get_mut(name), value) {
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            (Some(_), _) => {
                let message = format!("the input `{name}` is given twice, and it is no list");
                return Err(Failure::unsent("argument-type", message));
            }
            (None, value) => {
                inputs.insert(name.clone(), value);
            }
        }
    }
    Ok(inputs)
}

/// `source.repo=x` gives a member of the object `source`.
fn member_of_object<'a>(declared: &[InputDecl], name: &'a str) -> Option<(&'a str, &'a str)> {
    let (object, member) = name.split_once('.')?;
    let is_object = |input: &&InputDecl| input.name == object && input.ty == InputType::Object;
    declared.iter().find(is_object).map(|_| (object, member))
}

fn find<'a>(declared: &'a [InputDecl], name: &str) -> Result<&'a InputDecl, Failure> {
    declared.iter().find(|input| input.name == name).ok_or_else(|| {
        let known: Vec<&str> = declared.iter().map(|input| input.name.as_str()).collect();
        Failure::unsent(
            "unknown-input",
            format!("there is no input `{name}`; {}", suggest::among(name, &known, "inputs")),
        )
    })
}

fn wrong(name: &str, ty: InputType) -> Failure {
    let wanted = match ty {
        InputType::String => "a string",
        InputType::Integer => "an integer",
        InputType::Number => "a number",
        InputType::Boolean => "`true` or `false`",
        InputType::Array => "a list",
        InputType::Object => "a JSON object",
        InputType::Any => "a JSON value",
    };
    Failure::unsent("argument-type", format!("the input `{name}` must be {wanted}"))
}

fn fits(value: &Value, ty: InputType) -> bool {
    match ty {
        InputType::String => value.is_string(),
        InputType::Integer => matches!(value, Value::Number(number) if is_integer(number)),
        InputType::Number => value.is_number(),
        InputType::Boolean => value.is_boolean(),
        InputType::Array => value.is_array(),
        InputType::Object => value.is_object(),
        InputType::Any => true,
    }
}

/// Digits of any length; an exponent or a fraction is none.
fn is_integer(number: &Number) -> bool {
    let text = number.to_string();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn convert(text: &str, ty: InputType) -> Option<Value> {
    let parsed = || serde_json::from_str::<Value>(text.trim()).ok();
    match ty {
        InputType::String => Some(Value::String(text.to_owned())),
        InputType::Array => match parsed() {
            Some(Value::Array(list)) => Some(Value::Array(list)),
            _ => Some(Value::Array(vec![Value::String(text.to_owned())])),
        },
        InputType::Any => match parsed() {
            Some(value) if !value.is_string() && !value.is_null() => Some(value),
            _ => Some(Value::String(text.to_owned())),
        },
        _ => parsed().filter(|value| fits(value, ty)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<InputDecl> {
        let input = |name: &str, ty| InputDecl {
            name: name.to_owned(),
            ty,
            default: None,
            twin: None,
            required: false,
        };
        vec![
            InputDecl { required: true, ..input("query", InputType::String) },
            InputDecl { twin: Some("query".to_owned()), ..input("focus", InputType::String) },
            InputDecl { default: Some(Value::from(10)), ..input("limit", InputType::Integer) },
            input("tags", InputType::Array),
            input("source", InputType::Object),
        ]
    }

    fn text(pairs: &[(&str, &str)]) -> Result<String, String> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let inputs = complete(&declared(), &Given::Text(pairs))
            .map_err(|failure| format!("{}: {}", failure.id, failure.message))?;
        Ok(Value::Object(inputs).to_string())
    }

    #[test]
    fn text_is_converted_and_the_rest_filled_in() {
        let all = text(&[
            ("query", "5"),
            ("limit", "12345678901234567890123"),
            ("tags", "a"),
            ("tags", "b"),
            ("source.repo", "r"),
        ]);
        let wanted = r#"{"query":"5","limit":12345678901234567890123,"tags":["a","b"],"source":{"repo":"r"},"focus":"5"}"#;
        assert_eq!(all.unwrap(), wanted);
        assert_eq!(
            text(&[("query", "x"), ("tags", r#"["p","q"]"#)]).unwrap(),
            r#"{"query":"x","tags":["p","q"],"focus":"x","limit":10}"#
        );
    }

    #[test]
    fn faults_are_named() {
        assert!(text(&[("query", "x"), ("query", "y")]).unwrap_err().contains("given twice"));
        assert_eq!(text(&[("limit", "3")]).unwrap_err(), "missing-argument: the input `query` is missing");
        assert_eq!(
            text(&[("query", "x"), ("limit", "many")]).unwrap_err(),
            "argument-type: the input `limit` must be an integer"
        );
        assert!(text(&[("qeury", "x")]).unwrap_err().contains("did you mean `query`"));
    }

    #[test]
    fn json_keeps_types_and_null_is_absent() {
        let given = |json: &str| match serde_json::from_str(json) {
            Ok(Value::Object(object)) => {
                complete(&declared(), &Given::Json(object)).map_err(|failure| failure.message)
            }
            _ => Err("no object".to_owned()),
        };
        assert!(given(r#"{"query":null}"#).is_err());
        assert!(given(r#"{"query":"a","limit":"5"}"#).is_err());
        assert!(given(r#"{"query":"a","limit":2.5}"#).is_err());
        assert_eq!(given(r#"{"query":"a","limit":2.0}"#).unwrap()["limit"], 2);
        assert!(given(r#"{"query":"a","limit":null}"#).is_ok());
    }
}
