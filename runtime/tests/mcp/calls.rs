//! What a call gives.

use serde_json::json;

use crate::plans::{calling, once};

pub async fn a_structured_result() {
    let said = once(&["modern"], calling("echo", json!({ "q": "{{query}}", "n": 5 }))).await;
    assert_eq!(said.unwrap(), r#"{"q":"words","n":5}"#);
}
