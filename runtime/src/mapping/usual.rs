//! The names under which systems usually keep what a hit needs.

use kontext_plan::result::HitField;
use serde_json::Value;

use super::field::{COUNT, Found, place};
use super::item::Item;

/// The usual names of a field, first wins.
fn names(field: HitField) -> &'static [&'static str] {
    match field {
        HitField::Title => &["title", "name", "subject", "heading", "uri", "path", "id"],
        HitField::Snippet => {
            &["snippet", "abstract", "summary", "content", "text", "description", "body", "overview"]
        }
        HitField::Uri => &["uri", "url", "path", "file", "id"],
        HitField::Score => &["score", "relevance", "similarity", "rank"],
        HitField::Kind => &["kind", "type", "context_type", "category"],
        HitField::Date => &["date", "created_at", "updated_at", "time", "timestamp"],
    }
}

const FIELDS: [HitField; COUNT] =
    [HitField::Title, HitField::Snippet, HitField::Uri, HitField::Score, HitField::Kind, HitField::Date];

/// Every field under the first of its names that is there and not empty.
pub(super) fn fields<'i>(item: &'i Item<'_>) -> [Option<Found<'i>>; COUNT] {
    let mut found = [const { None }; COUNT];
    match item {
        Item::Text(piece) => {
            let [title, snippet, ..] = &mut found;
            *title = Some(piece.title).filter(|text| !text.is_empty()).map(Found::Text);
            *snippet = Some(piece.text).filter(|text| !text.is_empty()).map(Found::Text);
        }
        Item::Value(Value::Object(members)) => {
            let mut ranks = [usize::MAX; COUNT];
            for (key, value) in members {
                for field in candidates(key) {
                    consider(*field, key, value, &mut found, &mut ranks);
                }
            }
        }
        Item::Value(_) => {}
    }
    found
}

/// Takes the value when its name comes before the one found so far.
fn consider<'i>(
    field: HitField,
    key: &str,
    value: &'i Value,
    found: &mut [Option<Found<'i>>; COUNT],
    ranks: &mut [usize; COUNT],
) {
    let Some(rank) = names(field).iter().position(|name| *name == key) else { return };
    if let (Some(slot), Some(best)) = (found.get_mut(place(field)), ranks.get_mut(place(field))) {
        if rank < *best && !is_empty(value) {
            *best = rank;
            *slot = Some(Found::Value(value));
        }
    }
}

/// The fields that may take a name; a quick look that spares most keys the comparison with every name.
fn candidates(key: &str) -> &'static [HitField] {
    let usual =
        (2..=12).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if usual { &FIELDS } else { &[] }
}

/// Null, empty text, and a list or object without members.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
