//! Reads the bytes of an answer as the value that result maps work on.

mod json;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use kontext_plan::Format;
use serde_json::Value;

/// An answer as a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Payload {
    /// The value; null for an empty answer.
    pub value: Value,
    /// What was skipped or replaced to read it.
    pub notes: Vec<String>,
}

/// An answer that is not what its format says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not JSON: {reason}")]
pub struct BadPayload {
    /// What is wrong, with line and column.
    pub reason: String,
    /// The first 200 characters of the answer; mask them before they are shown.
    pub start: String,
}

/// Reads an answer.
///
/// # Errors
/// When the format is `json` and the answer holds none.
pub fn read(bytes: &[u8], format: Format) -> Result<Payload, BadPayload> {
    let mut notes = Vec::new();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            notes.push("bytes that are not UTF-8 were replaced".to_owned());
            String::from_utf8_lossy(bytes)
        }
    };
    let value = match format {
        Format::Text if text.is_empty() => Value::Null,
        Format::Text => Value::String(text.into_owned()),
        _ => other(without_mark(&text), format, &mut notes)?,
    };
    Ok(Payload { value, notes })
}

/// A text without the byte order mark it may begin with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn other(text: &str, format: Format, notes: &mut Vec<String>) -> Result<Value, BadPayload> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    match format {
        Format::Jsonl => Ok(json::lines(text, notes)),
        Format::Lines => Ok(lines(text)),
        Format::Json => json::whole_or_part(text, notes).map_err(|reason| bad(reason, text)),
        Format::Auto | Format::Text => {
            Ok(json::whole_or_part(text, notes).unwrap_or_else(|_| Value::String(text.to_owned())))
        }
    }
}

fn bad(reason: String, text: &str) -> BadPayload {
    BadPayload { reason, start: text.chars().take(200).collect() }
}

/// The lines that are not blank, blanks at their ends kept.
fn lines(text: &str) -> Value {
    let kept = text.lines().filter(|line| !line.trim().is_empty());
    Value::Array(kept.map(|line| Value::String(line.to_owned())).collect())
}
