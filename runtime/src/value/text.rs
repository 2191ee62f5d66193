//! Values as text: numbers keep their digits.

use serde_json::{Number, Value};

use super::error::EvalError;

/// A scalar as text: null is nothing. None for lists and objects.
#[must_use]
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number_text(number)),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Any value as text: scalars are written, lists joined with `, `, objects are compact JSON.
#[must_use]
pub fn as_text(value: &Value) -> String {
    match value {
        Value::Array(elements) => join(elements, ", "),
        other => element(other),
    }
}

/// Elements as text with a separator between; nulls are empty pieces.
pub(super) fn join(elements: &[Value], separator: &str) -> String {
    let mut joined = String::new();
    for (position, value) in elements.iter().enumerate() {
        if position > 0 {
            joined.push_str(separator);
        }
        joined.push_str(&element(value));
    }
    joined
}

fn element(value: &Value) -> String {
    scalar(value).unwrap_or_else(|| value.to_string())
}

/// Appends a scalar to a longer text.
pub(super) fn append(whole: &mut String, value: &Value) -> Result<(), EvalError> {
    match value {
        Value::String(text) => whole.push_str(text),
        other => match scalar(other) {
            Some(text) => whole.push_str(&text),
            None => return Err(EvalError::not_text(kind_of(other))),
        },
    }
    Ok(())
}

/// What a value is, as messages say it.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A number as text: whole digits as they are, else the shortest form that reads back as the same number.
pub(super) fn number_text(number: &Number) -> String {
    let written = number.to_string();
    if !written.contains(['.', 'e', 'E']) {
        return written;
    }
    let shortest = number.as_f64().map(|float| format!("{float:?}"));
    match shortest {
        Some(shortest) if Decimal::read(&shortest) == Decimal::read(&written) => shortest,
        _ => written.replace('+', ""),
    }
}

/// A decimal number: its digits without outer zeros, and the power of ten of the last one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// It is below zero.
    pub negative: bool,
    /// Digits without zeros at either end; none is zero.
    pub digits: String,
    /// Power of ten of the last digit.
    pub exponent: i64,
}

impl Decimal {
    /// Reads a JSON number; none when its exponent is beyond all measure.
    pub(super) fn read(text: &str) -> Option<Decimal> {
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let power: i64 = power.parse().ok()?;
        let (negative, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let trimmed = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - trimmed.len()).ok()?;
        let exponent = power.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
        let digits = trimmed.trim_start_matches('0').to_owned();
        let exponent = if digits.is_empty() { 0 } else { exponent };
        Some(Decimal { negative, digits, exponent })
    }
}
