//! What a client of the older era says.

use serde_json::{Value, json};

/// A request.
pub fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The first request.
pub fn hello() -> Value {
    let about = json!({ "name": "bench", "version": "1" });
    request(
        0,
        "initialize",
        &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about }),
    )
}

/// What follows the answer to it.
pub fn ready() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
}

/// Names of the tools in an answer to `tools/list`.
pub fn names(answer: &Value) -> Vec<String> {
    let tools = answer["result"]["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}
