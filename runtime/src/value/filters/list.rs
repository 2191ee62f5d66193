//! `join`: a list as one text.

use serde_json::Value;

use super::refused;
use crate::value::error::EvalError;
use crate::value::text;

/// The elements as text with the separator between; nulls are empty pieces.
pub(super) fn join(value: &Value, separator: &str) -> Result<String, EvalError> {
    match value {
        Value::Array(elements) => Ok(text::join(elements, separator)),
        other => Err(refused("join", "a list", other)),
    }
}
