//! The JSON schema against what `check` takes, and the generated pages against their tables.

use serde_json::{Value, json};

use crate::schema::{config_schema, fields_markdown};

fn valid(layer: &Value) -> bool {
    let schema = config_schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.is_valid(layer)
}

#[test]
fn it_is_a_schema() {
    assert!(jsonschema::draft202012::meta::is_valid(&config_schema()));
}

#[test]
fn good_layers_are_valid() {
    for layer in [
        json!({}),
        json!({ "version": 1, "vars": { "x": "{{repo.id}}", "unset": ["y"] } }),
        json!({ "adapters": { "notes": { "timeout_ms": 5, "unset": ["command"] } } }),
        json!({ "adapters": { "notes": {
            "driver": "http",
            "base_url": "https://a.test",
            "headers": { "X-Trace": "1" },
            "ops": { "search": { "path": "/s", "query": { "q": "{{query}}" }, "items": "a[*]", "where": { "a": { "b": "c" } } } },
            "on": [{ "event": "sync", "op": "search" }],
            "tools": [{ "name": "x", "description": "y", "op": { "path": "/x" } }],
        } } }),
        json!({ "adapters": { "m": { "driver": "mcp", "command": ["x"], "expose": ["a"], "ops": { "search": { "tool": "t", "args": {} } } } } }),
        json!({ "knowledge": { "roots": { "a": "b" }, "read_only": [{ "id": "x", "path": "y" }] }, "workspace": { "hot_sections": [] } }),
    ] {
        assert!(valid(&layer), "{layer}");
    }
}

#[test]
fn bad_layers_are_not() {
    for layer in [
        json!({ "adapter": {} }),
        json!({ "version": 2 }),
        json!({ "adapters": { "Notes": {} } }),
        json!({ "adapters": { "notes": { "comand": ["x"] } } }),
        json!({ "adapters": { "notes": { "command": "x" } } }),
        json!({ "adapters": { "notes": { "driver": "http", "command": ["x"] } } }),
        json!({ "adapters": { "notes": { "driver": "http", "ops": { "search": { "tool": "x" } } } } }),
        json!({ "adapters": { "notes": { "driver": "mcp", "tools": [{ "name": "x", "description": "y", "op": { "path": "/x" } }] } } }),
        json!({ "adapters": { "notes": { "on": [{ "event": "sync" }] } } }),
        json!({ "adapters": { "notes": { "weight": 0 } } }),
        json!({ "adapters": { "notes": { "ops": { "search": { "map": { "titel": "x" } } } } } }),
    ] {
        assert!(!valid(&layer), "{layer}");
    }
}

#[test]
fn it_is_the_same_every_time() {
    assert_eq!(config_schema().to_string(), config_schema().to_string());
    assert_eq!(fields_markdown(), fields_markdown());
}
