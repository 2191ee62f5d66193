//! Plain values out of the document; what has another type is left out, `validate` reported it.

use crate::config::Spanned;
use crate::tree::{Node, Value};

/// The strings of an array.
pub fn texts(node: Option<&Node>) -> Vec<String> {
    let items = node.and_then(Node::as_array).unwrap_or_default();
    items.iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

/// The strings of an array with their places.
pub fn spanned_texts(node: Option<&Node>) -> Vec<Spanned<String>> {
    let items = node.and_then(Node::as_array).unwrap_or_default();
    let text = |item: &Node| item.as_str().map(|text| Spanned { value: text.to_owned(), span: item.span });
    items.iter().filter_map(text).collect()
}

/// A string with its place.
pub fn spanned(node: Option<&Node>) -> Option<Spanned<String>> {
    let node = node?;
    Some(Spanned { value: node.as_str()?.to_owned(), span: node.span })
}

/// A number of milliseconds.
pub fn millis(node: Option<&Node>) -> Option<u64> {
    node.and_then(Node::as_integer).and_then(|value| u64::try_from(value).ok())
}

/// A number, written as an integer or a float.
pub fn number(node: Option<&Node>) -> Option<f64> {
    match &node?.value {
        Value::Float(value) => Some(*value),
        #[expect(clippy::cast_precision_loss, reason = "weights are small")]
        Value::Integer(value) => Some(*value as f64),
        _ => None,
    }
}

/// One of the words of a plan type.
pub fn choice<T: serde::de::DeserializeOwned>(node: Option<&Node>) -> Option<T> {
    let text = node.and_then(Node::as_str)?;
    serde_json::from_value(serde_json::Value::String(text.to_owned())).ok()
}
