//! JSON schemas of objects.

use std::sync::Arc;

use serde_json::{Map, Value, json};

/// A JSON schema of an object, shared: a server keeps every one of them twice, as its plan has it and as it is listed.
pub type ObjectSchema = Arc<Map<String, Value>>;

/// A schema as that of an object; what is none allows any.
#[must_use]
pub fn object_schema(schema: Value) -> ObjectSchema {
    match (schema, json!({ "type": "object" })) {
        (Value::Object(members), _) | (_, Value::Object(members)) => Arc::new(members),
        _ => Arc::default(),
    }
}
