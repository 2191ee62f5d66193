//! Evaluates slots that are more than one text: JSON, argument vectors and query parameters.

use kontext_plan::NamedTemplate;
use kontext_plan::template::{JsonTemplate, Member, Template};
use serde_json::{Map, Value};

use super::error::{EvalError, EvalErrorKind};
use super::eval::{located, template, text};
use super::scope::Scope;
use super::text::{append, kind_of};

/// The value of a JSON slot; none when it is one expression that gave null. Members and elements that are null are
/// dropped, nulls inside a passed-on value stay.
///
/// # Errors
/// As [`template`], and when a key is a list or an object.
pub fn json(scope: &Scope<'_>, slot: &JsonTemplate) -> Result<Option<Value>, EvalError> {
    match slot {
        JsonTemplate::Scalar(value) => Ok(Some(value.clone())),
        JsonTemplate::Template(slot) => {
            let found = template(scope, slot)?.value;
            Ok(if found.is_null() { None } else { Some(found) })
        }
        JsonTemplate::Object(members) => object(scope, members).map(Some),
        JsonTemplate::Array(elements) => {
            let mut list = Vec::with_capacity(elements.len());
            for element in elements {
                list.extend(json(scope, element)?);
            }
            Ok(Some(Value::Array(list)))
        }
    }
}

/// An object; of members that are there, a later one whose key renders the same wins.
fn object(scope: &Scope<'_>, members: &[Member]) -> Result<Value, EvalError> {
    let mut object = Map::new();
    for member in members {
        let Some(key) = text(scope, &member.key)? else { continue };
        if let Some(value) = json(scope, &member.value)? {
            object.insert(key, value);
        }
    }
    Ok(Value::Object(object))
}

/// The arguments of a program: null is left out, a list gives one argument an element.
///
/// # Errors
/// As [`template`]; when the program is missing, empty or a list; when an argument holds a NUL character.
pub fn argv(scope: &Scope<'_>, command: &[Template]) -> Result<Vec<String>, EvalError> {
    let mut arguments = Vec::with_capacity(command.len());
    for (position, slot) in command.iter().enumerate() {
        let value = template(scope, slot)?.value;
        let added = spread(&value, position == 0).and_then(|added| no_nul(added, position));
        arguments.extend(added.map_err(|error| located(error, slot))?);
    }
    match arguments.first() {
        Some(program) if !program.is_empty() => Ok(arguments),
        _ => Err(EvalError::value("the command has no program")),
    }
}

/// What one element of a command becomes.
fn spread(value: &Value, program: bool) -> Result<Vec<String>, EvalError> {
    match value {
        Value::Null if program => Err(EvalError::value("the program of the command has no value")),
        Value::Array(_) if program => {
            Err(EvalError::new(EvalErrorKind::Type, "the program of a command cannot be a list"))
        }
        Value::Null => Ok(Vec::new()),
        Value::Array(elements) => {
            elements.iter().filter(|element| !element.is_null()).map(one).collect::<Result<_, _>>()
        }
        scalar => Ok(vec![one(scalar)?]),
    }
}

fn one(value: &Value) -> Result<String, EvalError> {
    let mut text = String::new();
    append(&mut text, value)?;
    Ok(text)
}

fn no_nul(arguments: Vec<String>, position: usize) -> Result<Vec<String>, EvalError> {
    if arguments.iter().any(|argument| argument.contains('\0')) {
        return Err(EvalError::value(format!("element {position} of the command holds a NUL character")));
    }
    Ok(arguments)
}

/// Query parameters as names and values, not yet encoded: null, empty text and empty lists are dropped, a list
/// repeats the name.
///
/// # Errors
/// As [`template`], and when a value is an object or a list within a list.
pub fn query(scope: &Scope<'_>, parameters: &[NamedTemplate]) -> Result<Vec<(String, String)>, EvalError> {
    let mut pairs = Vec::with_capacity(parameters.len());
    for NamedTemplate { name, value: slot, at } in parameters {
        let value = template(scope, slot).map_err(|error| error.or_at(*at))?.value;
        let failed = |found: &Value| {
            let message = format!("query parameter `{name}` takes text, the value is {}", kind_of(found));
            located(EvalError::new(EvalErrorKind::Type, message), slot).or_at(*at)
        };
        match &value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::Array(elements) => {
                for element in elements.iter().filter(|element| !element.is_null()) {
                    pairs.push((name.clone(), one(element).map_err(|_| failed(element))?));
                }
            }
            other => pairs.push((name.clone(), one(other).map_err(|_| failed(other))?)),
        }
    }
    Ok(pairs)
}
