//! What servers said, on its way to a client as it came: the protocol's types drop what they do not know, so such a value
//! travels inside of them under a key of its own, and is taken out where messages are written.

use rmcp::model::{
    CallToolResult, CustomResult, JsonRpcMessage, MetaObject, ServerJsonRpcMessage, ServerResult, Tool,
};
use serde_json::{Map, Value, json};

use crate::mcp::carry;

/// A result of a call that no type holds.
pub(super) fn result(result: Value) -> CallToolResult {
    let mut carrier = CallToolResult::success(Vec::new());
    carrier.is_error = None;
    carrier.meta = Some(carry::meta(result));
    carrier
}

/// Has a tool carry annotations that no type holds.
pub(super) fn annotate(tool: &mut Tool, annotations: Value) {
    tool.meta = Some(carry::meta(annotations));
}

/// The message with everything that travelled in it in its place.
pub(super) fn unpacked(message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
    let JsonRpcMessage::Response(mut response) = message else { return message };
    if carries(&response.result)
        && let Ok(mut value) = serde_json::to_value(&response.result)
    {
        unpack(&mut value);
        response.result = ServerResult::CustomResult(CustomResult(value));
    }
    JsonRpcMessage::Response(response)
}

fn carries(result: &ServerResult) -> bool {
    let has = |meta: &Option<MetaObject>| meta.as_ref().is_some_and(|meta| meta.0.contains_key(carry::KEY));
    match result {
        ServerResult::CallToolResult(result) => has(&result.meta),
        ServerResult::ListToolsResult(list) => list.tools.iter().any(|tool| has(&tool.meta)),
        _ => false,
    }
}

/// The same for the JSON of a result.
pub(super) fn unpack(result: &mut Value) {
    if let Some(came) = carry::taken(result) {
        // By what the protocol's types said to this client, so does what they did not hold.
        let is_modern = result.get("resultType").is_some();
        *result = came;
        if let Value::Object(members) = result {
            if is_modern {
                members.entry("resultType").or_insert_with(|| Value::from("complete"));
            } else {
                members.shift_remove("resultType");
                as_text(members);
            }
        }
        return;
    }
    for tool in result.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        if let (Some(annotations), Value::Object(members)) = (carry::taken(tool), tool) {
            members.insert("annotations".to_owned(), annotations);
        }
    }
}

/// Clients of the older era refuse a result whose data is no object: it goes to them as a text.
fn as_text(members: &mut Map<String, Value>) {
    if members.get("structuredContent").is_none_or(Value::is_object) {
        return;
    }
    let data = members.shift_remove("structuredContent").unwrap_or_default();
    let Some(Value::Array(blocks)) = members.get_mut("content") else { return };
    let first = blocks.first().and_then(|block| block.get("text")).and_then(Value::as_str);
    let is_said =
        first.is_some_and(|text| serde_json::from_str::<Value>(text).is_ok_and(|said| said == data));
    if !is_said {
        blocks.insert(0, json!({ "type": "text", "text": data.to_string() }));
    }
}
