//! JSON as it came, in the `_meta` of a type of the protocol that would drop some of it: where only such types pass.

use rmcp::model::MetaObject;
use serde_json::{Map, Value};

/// The key under which it travels.
pub(crate) const KEY: &str = "kontext/as-it-came";

/// The `_meta` that carries a value.
pub(crate) fn meta(value: Value) -> MetaObject {
    MetaObject(Map::from_iter([(KEY.to_owned(), value)]))
}

/// What travels in an object; its `_meta` goes when nothing else is in it.
pub(crate) fn taken(carrier: &mut Value) -> Option<Value> {
    let meta = carrier.get_mut("_meta")?.as_object_mut()?;
    let came = meta.shift_remove(KEY)?;
    if meta.is_empty() {
        carrier.as_object_mut()?.shift_remove("_meta");
    }
    Some(came)
}
