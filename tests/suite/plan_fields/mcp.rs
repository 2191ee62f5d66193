//! What the recording server says as an MCP server of the older era, whose tools say how they were called.

use serde_json::{Value, json};

/// Status and body of the answer to a request.
pub fn answer(asked: &Value) -> (&'static str, String) {
    let (id, params) = (&asked["body"]["id"], &asked["body"]["params"]);
    let result = match asked["body"]["method"].as_str() {
        Some("initialize") => json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "recorder", "version": "1" } }),
        Some("tools/list") => json!({ "tools": [tool("find"), tool("other")] }),
        Some("tools/call") => {
            let said = format!("{} {}", params["name"].as_str().unwrap_or_default(), params["arguments"]);
            json!({ "content": [{ "type": "text", "text": json!([{ "title": said }]).to_string() }] })
        }
        Some(method) if method.starts_with("notifications/") => return ("202 Accepted", String::new()),
        Some(_) => {
            let unknown = json!({ "code": -32601, "message": "unknown" });
            return ("200 OK", json!({ "jsonrpc": "2.0", "id": id, "error": unknown }).to_string());
        }
        None => return ("405 Method Not Allowed", String::new()),
    };
    ("200 OK", json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string())
}

/// A tool with a parameter for every role.
fn tool(name: &str) -> Value {
    let names = ["query", "target", "uri", "content", "title", "tags", "project", "prompt"];
    let mut properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    properties.insert("limit".to_owned(), json!({ "type": "integer" }));
    json!({ "name": name, "description": "Says how it was called",
        "inputSchema": { "type": "object", "properties": properties } })
}
