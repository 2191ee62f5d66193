//! `int`: an integer of any length.

use serde_json::{Number, Value};

use super::refused;
use crate::value::error::{EvalError, EvalErrorKind};
use crate::value::text::Decimal;

/// Most digits an exponent may unfold to.
const LONGEST: usize = 4096;

/// Text of an optional sign and digits, or a number without a fraction, as an integer.
pub(super) fn int(value: &Value) -> Result<Value, EvalError> {
    let number = match value {
        Value::String(text) => from_text(text),
        Value::Number(number) => from_number(number),
        other => return Err(refused("int", "text or a number", other)),
    };
    let failed =
        || EvalError::new(EvalErrorKind::Filter { name: "int" }, "`int` takes an optional sign and digits");
    number.map(Value::Number).ok_or_else(failed)
}

fn from_text(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    whole(negative, digits.trim_start_matches('0'))
}

fn from_number(number: &Number) -> Option<Number> {
    let written = number.to_string();
    if !written.contains(['.', 'e', 'E']) {
        return Some(number.clone());
    }
    let mut decimal = Decimal::read(&written)?;
    let zeros = usize::try_from(decimal.exponent).ok().filter(|zeros| *zeros <= LONGEST)?;
    decimal.digits.extend(std::iter::repeat_n('0', zeros));
    whole(decimal.negative, &decimal.digits)
}

/// Digits without leading zeros as a number; none is zero.
fn whole(negative: bool, digits: &str) -> Option<Number> {
    let sign = if negative && !digits.is_empty() { "-" } else { "" };
    let digits = if digits.is_empty() { "0" } else { digits };
    serde_json::from_str(&[sign, digits].concat()).ok()
}
