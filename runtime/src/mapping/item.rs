//! Finds the items of a payload and what each of them is.

use std::borrow::Cow;

use kontext_plan::result::{Equals, Items};
use serde_json::{Map, Value};

use super::{nothing, select};
use crate::value::scalar;

/// Members of an object that usually hold the results.
const USUAL: [&str; 8] = ["results", "items", "hits", "data", "matches", "entries", "memories", "documents"];

/// One item.
#[derive(Debug)]
pub(super) enum Item<'p> {
    /// A value of the payload.
    Value(&'p Value),
    /// A text, or a piece of one.
    Text(Piece<'p>),
}

/// A text as the three fields it has as an item.
#[derive(Debug)]
pub(super) struct Piece<'p> {
    pub title: &'p str,
    pub text: &'p str,
    pub raw: &'p str,
}

impl<'p> Item<'p> {
    fn of(value: &'p Value) -> Item<'p> {
        match value {
            Value::String(text) => Item::Text(headed(text)),
            other => Item::Value(other),
        }
    }

    /// The item as a value that paths and templates can be evaluated on.
    pub(super) fn value(&self) -> Cow<'p, Value> {
        match self {
            Item::Value(value) => Cow::Borrowed(value),
            Item::Text(piece) => {
                let mut members = Map::new();
                for (name, text) in [("title", piece.title), ("text", piece.text), ("raw", piece.raw)] {
                    members.insert(name.to_owned(), Value::String(text.to_owned()));
                }
                Cow::Owned(Value::Object(members))
            }
        }
    }

    /// The text that regular expressions are searched in: `raw`, else `text`, else the item as JSON.
    pub(super) fn text(&self) -> Cow<'p, str> {
        match self {
            Item::Text(piece) => Cow::Borrowed(piece.raw),
            Item::Value(value) => {
                let member = |name: &str| value.get(name).and_then(Value::as_str);
                match member("raw").or_else(|| member("text")) {
                    Some(text) => Cow::Borrowed(text),
                    None => Cow::Owned(value.to_string()),
                }
            }
        }
    }

    /// Whether some selected value equals the text; null and missing ones never do.
    pub(super) fn meets(&self, condition: &Equals) -> bool {
        let value = self.value();
        let selected = select::all(&value, &condition.path);
        selected.into_iter().any(|value| match value {
            Value::Null => false,
            Value::String(text) => *text == condition.equals,
            other => scalar(other).is_some_and(|text| text == condition.equals),
        })
    }
}

/// The items of a payload; why there are none is noted where that may be a mistake.
pub(super) fn items<'p>(payload: &'p Value, items: &Items, notes: &mut Vec<String>) -> Vec<Item<'p>> {
    match items {
        Items::Auto => usual(payload).map(Item::of).collect(),
        Items::Path { path, text } => {
            let selected = select::all(payload, path);
            if selected.is_empty() {
                notes.extend(nothing::note(payload, path, &format!("`items` path `{text}`")));
            }
            match selected.as_slice() {
                [Value::Array(elements)] => elements.iter().map(Item::of).collect(),
                values => values.iter().copied().map(Item::of).collect(),
            }
        }
        Items::Split(prefix) => split(payload, prefix, notes),
    }
}

/// The payload's elements, else those of the first usual member that is a list, else the payload itself.
fn usual(payload: &Value) -> std::slice::Iter<'_, Value> {
    match payload {
        Value::Array(elements) => elements.iter(),
        Value::Null => [].iter(),
        Value::String(text) if text.is_empty() => [].iter(),
        other => match USUAL.iter().find_map(|name| other.get(*name).and_then(Value::as_array)) {
            Some(elements) => elements.iter(),
            None => std::slice::from_ref(other).iter(),
        },
    }
}

/// The title of a text is its first line that is not blank, without leading `#` and blanks.
fn headed(raw: &str) -> Piece<'_> {
    let start = raw.trim_start();
    let (line, text) = start.split_once('\n').unwrap_or((start, ""));
    let title = line.trim_start_matches(|c: char| c == '#' || c.is_whitespace()).trim_end();
    Piece { title, text, raw }
}

/// Cuts a text at the lines that start with the prefix; what stands before the first is dropped.
fn split<'p>(payload: &'p Value, prefix: &str, notes: &mut Vec<String>) -> Vec<Item<'p>> {
    let text = match payload {
        Value::String(text) => text.as_str(),
        Value::Null => return Vec::new(),
        other => {
            notes.push(format!("`split` cuts a text, the payload is {}", nothing::kind(other)));
            return Vec::new();
        }
    };
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(prefix) {
            starts.push(at);
        }
        at += line.len();
    }
    if starts.is_empty() && !text.is_empty() {
        notes.push(format!("no line of the payload starts with `{prefix}`"));
    }
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let pieces = starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end));
    pieces.map(|raw| Item::Text(piece(raw, prefix))).collect()
}

fn piece<'p>(raw: &'p str, prefix: &str) -> Piece<'p> {
    let raw = raw.trim_end_matches(['\n', '\r']);
    let (line, text) = raw.split_once('\n').unwrap_or((raw, ""));
    let title = line.strip_prefix(prefix).unwrap_or(line);
    Piece { title: title.strip_suffix('\r').unwrap_or(title), text, raw }
}
