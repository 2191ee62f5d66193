//! The published schemas: generated from the types, guarded, and valid schemas themselves.

use serde_json::Value;

use crate::guard;
use crate::root;

fn pretty(schema: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(schema).unwrap())
}

#[test]
fn the_plan_schema_is_that_of_the_types() {
    let mut schema = serde_json::to_value(schemars::schema_for!(kontext_plan::Plan)).unwrap();
    schema["title"] = Value::from("kontext plan");
    guard::generated("schemas/plan.schema.json", &pretty(&schema));
}

#[test]
fn the_lock_schema_is_that_of_the_types() {
    let mut schema = serde_json::to_value(schemars::schema_for!(kontext_plan::lock::Lock)).unwrap();
    schema["title"] = Value::from("kontext lock");
    guard::generated("schemas/lock.schema.json", &pretty(&schema));
}

#[test]
fn the_config_schema_is_that_of_the_fields() {
    let schema = kontext_compiler::schema::config_schema();
    guard::generated("schemas/config.schema.json", &pretty(&schema));
}

#[test]
fn the_event_schema_is_that_of_the_payload() {
    let schema = kontext_compiler::schema::event_schema();
    guard::generated("schemas/event.schema.json", &pretty(&schema));
}

#[test]
fn every_schema_is_valid_and_closed() {
    for name in [
        "config",
        "plan",
        "lock",
        "diagnostics",
        "build",
        "verify",
        "inspect",
        "test",
        "lock-report",
        "connect",
        "answer",
        "failure",
        "adapters",
        "adapter",
        "tool-result",
        "scope",
        "event",
    ] {
        let text = std::fs::read_to_string(root().join(format!("schemas/{name}.schema.json"))).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{name} is no valid schema");
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(!validator.is_valid(&serde_json::json!({"surely-unknown": 1})), "{name} accepts anything");
    }
}
