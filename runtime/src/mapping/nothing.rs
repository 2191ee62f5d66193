//! Why a path selected nothing: the keys at the deepest level it reached.

use std::fmt::Write;

use kontext_plan::path::{Path, Step};
use serde_json::Value;

use super::select;

/// Most keys that a note names.
const MOST: usize = 20;

/// A note for a path that selects nothing from a payload that is not empty; none when it does, or when it ends at
/// a list or object without members.
#[must_use]
pub fn why_nothing(payload: &Value, path: &Path) -> Option<String> {
    if !select::all(payload, path).is_empty() {
        return None;
    }
    let longest = path.alternatives.first().map(Vec::as_slice).unwrap_or_default();
    note(payload, path, &format!("`{}`", shown(longest)))
}

/// The note, when one is due; `what` names the path.
pub(super) fn note(payload: &Value, path: &Path, what: &str) -> Option<String> {
    if is_empty(payload) {
        return None;
    }
    let reached = path.alternatives.iter().map(|steps| deepest(payload, steps));
    let (steps, value) =
        reached.reduce(|best, next| if next.0.len() > best.0.len() { next } else { best })?;
    if is_empty(value) && !value.is_null() {
        return None;
    }
    Some(format!("{what} selected nothing; {}", level(steps, value)))
}

/// The longest part of the steps that selects something, and the first value there.
fn deepest<'v, 's>(payload: &'v Value, steps: &'s [Step]) -> (&'s [Step], &'v Value) {
    let mut reached = (steps.get(..0).unwrap_or_default(), payload);
    let mut level = vec![payload];
    for length in 1..=steps.len() {
        let Some((upto, last)) = steps.get(..length).and_then(|upto| Some((upto, upto.last()?))) else {
            break;
        };
        let next: Vec<&Value> =
            level.iter().flat_map(|value| select::each(value, std::slice::from_ref(last))).collect();
        match next.first() {
            Some(value) => reached = (upto, *value),
            None => {
                let empty = level.iter().copied().find(|value| !is_empty(value));
                reached.1 = empty.unwrap_or(reached.1);
                break;
            }
        }
        level = next;
    }
    reached
}

fn level(steps: &[Step], value: &Value) -> String {
    let place = if steps.is_empty() { "the payload".to_owned() } else { format!("`{}`", shown(steps)) };
    let Value::Object(members) = value else {
        return format!("{place} is {}", kind(value));
    };
    let named: Vec<String> = members.keys().take(MOST).map(|key| format!("`{}`", plain(key))).collect();
    let more =
        if members.len() > MOST { format!(" and {} more", members.len() - MOST) } else { String::new() };
    let place = if steps.is_empty() { "the root".to_owned() } else { place };
    format!("keys at {place}: {}{more}", named.join(", "))
}

/// A key of the payload without what would break the line, and not too long.
fn plain(key: &str) -> String {
    key.chars().map(|c| if c.is_control() { ' ' } else { c }).take(80).collect()
}

/// What a value is, as notes say it.
pub(super) fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(_) => "text".to_owned(),
        Value::Array(elements) => format!("a list of {}", elements.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Steps as a path is written.
fn shown(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Key(key) if key.contains(['.', '[', ']', '|', '"', '\'']) => write!(path, "[{key:?}]"),
            Step::Key(key) if path.is_empty() => write!(path, "{key}"),
            Step::Key(key) => write!(path, ".{key}"),
            Step::Index(place) => write!(path, "[{place}]"),
            Step::Each => write!(path, "[*]"),
            Step::Any if path.is_empty() => write!(path, "*"),
            Step::Any => write!(path, ".*"),
        };
    }
    if path.is_empty() { "$".to_owned() } else { path }
}

/// Null, empty text, and a list or object without members.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
