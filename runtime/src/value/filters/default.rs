//! `default`: what stands in where there is nothing.

use serde_json::Value;

use crate::value::Evaluated;

/// The literal where the value is missing, null, empty text or the empty list. It is never secret.
pub(super) fn apply(input: Evaluated, literal: &Value) -> Evaluated {
    let nothing = match &input.value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    };
    if nothing { Evaluated { value: literal.clone(), missing: None, secret: false } } else { input }
}
