//! A value in the type a parameter takes.

use serde_json::{Number, Value};

use super::{Bounds, Target};

/// The value as a parameter takes it: in the first type it already fits, else in the first. What cannot be converted
/// is passed as it is: the server's own complaint is better than a guess.
#[must_use]
pub fn convert(value: Value, takes: &[Target]) -> Value {
    let target = takes.iter().find(|target| fits(&value, target)).or_else(|| takes.first());
    match target {
        Some(target) => to(value, target),
        None => value,
    }
}

fn fits(value: &Value, target: &Target) -> bool {
    match target {
        Target::String => value.is_string(),
        Target::Integer(_) => value.as_number().is_some_and(is_whole),
        Target::Number(_) => value.is_number(),
        Target::Boolean => value.is_boolean(),
        Target::Array(_) => value.is_array(),
        Target::Object => value.is_object(),
    }
}

fn to(value: Value, target: &Target) -> Value {
    match target {
        Target::String => text(&value).map_or(value, Value::String),
        Target::Integer(bounds) => match numeric(&value).filter(is_whole) {
            Some(number) => Value::Number(clamp(number, bounds)),
            None => value,
        },
        Target::Number(bounds) => match numeric(&value) {
            Some(number) => Value::Number(clamp(number, bounds)),
            None => value,
        },
        Target::Array(elements) if !value.is_array() => Value::Array(vec![convert(value, elements)]),
        Target::Array(_) | Target::Boolean | Target::Object => value,
    }
}

/// Scalars as text; a list of scalars joined by `, `.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(text).collect();
            Some(texts?.join(", "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

fn numeric(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => serde_json::from_str(text.trim()).ok(),
        _ => None,
    }
}

fn is_whole(number: &Number) -> bool {
    let text = number.to_string();
    text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// Moved into its bounds; compared as floating point, which decides rightly for every bound a schema writes.
fn clamp(number: Number, bounds: &Bounds) -> Number {
    let below = |a: &Number, b: &Number| matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a < b);
    match bounds {
        Bounds { minimum: Some(minimum), .. } if below(&number, minimum) => minimum.clone(),
        Bounds { maximum: Some(maximum), .. } if below(maximum, &number) => maximum.clone(),
        _ => number,
    }
}
