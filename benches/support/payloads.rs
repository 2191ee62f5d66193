//! Answers of a mebibyte as systems give them, and the maps that read them.

use kontext_plan::Adapter;
use kontext_plan::result::HitsMap;
use serde_json::{Value, json};

/// A megabyte of search results whose items are mostly text.
pub fn documents() -> Vec<u8> {
    let item = |number: usize| {
        json!({
            "id": number,
            "title": format!("Retry policy, part {number}"),
            "content": "How often a request is sent again, and when it is given up. ".repeat(9),
            "uri": format!("notes://team/retries/{number}"),
            "score": 0.5,
            "type": "note",
            "created_at": "2026-11-01T08:00:00Z",
            "meta": {"tags": ["http", "retry"], "pinned": false, "author": {"name": "Ann", "id": 7}},
        })
    };
    bytes(&json!({"took_ms": 3, "results": (0..1250).map(item).collect::<Vec<_>>()}))
}

/// A megabyte of results whose items are small: most of the work is the hits themselves.
pub fn names() -> Vec<u8> {
    let item = |number: usize| json!({"name": format!("item {number}"), "path": "a/b/c.md", "text": "short"});
    bytes(&Value::Array((0..17_000).map(item).collect()))
}

/// The map an op without `map` has.
pub fn automatic() -> Result<HitsMap, serde_json::Error> {
    serde_json::from_value(json!({"items": "auto"}))
}

/// Paths and a template.
pub fn written() -> Result<HitsMap, serde_json::Error> {
    let path = |alternatives: Value| json!({"at": 0, "rule": {"path": {"alternatives": alternatives}}});
    serde_json::from_value(json!({
        "items": "auto",
        "map": {
            "title": path(json!([[{"key": "title"}], [{"key": "name"}]])),
            "date": path(json!([[{"key": "meta"}, {"key": "changed"}], [{"key": "created_at"}]])),
            "uri": {"at": 0, "rule": {"template": {"concat": [
                {"text": "notes://"}, {"expr": {"from": {"item": [{"key": "title"}]}, "at": 0}}
            ]}}},
        }
    }))
}

/// A regular expression, which is searched in each item as JSON.
pub fn searched() -> Result<HitsMap, serde_json::Error> {
    let rule = json!({"at": 0, "rule": {"regex": "part (\\d+)|item (\\d+)"}});
    serde_json::from_value(json!({"items": "auto", "map": {"kind": rule}}))
}

/// An adapter for the scope of a map's templates.
pub fn adapter() -> Result<Adapter, serde_json::Error> {
    serde_json::from_value(json!({
        "driver": "http", "enabled": true, "layers": [], "at": 0, "timeout_ms": 1000, "weight": 1.0, "ops": {}
    }))
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}
