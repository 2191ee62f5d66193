//! The text of a payload.

use kontext_plan::path::Path;
use serde_json::Value;

use super::select;
use crate::value::as_text;

/// Members of an object that usually hold the text.
const USUAL: [&str; 8] = ["text", "content", "result", "response", "output", "markdown", "message", "answer"];

/// Every value the path selects, joined with line breaks; without a path the payload's text by the usual names,
/// else pretty JSON. Null is the empty text.
#[must_use]
pub fn text(payload: &Value, path: Option<&Path>) -> String {
    if let Some(path) = path {
        let selected = select::all(payload, path);
        return selected.into_iter().map(as_text).collect::<Vec<_>>().join("\n");
    }
    match payload {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => match USUAL.iter().find_map(|name| other.get(*name).and_then(Value::as_str)) {
            Some(text) => text.to_owned(),
            None => format!("{other:#}"),
        },
    }
}
