//! A server's message as it is read: the result of a call as plain JSON, of which no type of the protocol drops anything,
//! and an answer that cannot be read as an error that says so.

use std::sync::Arc;

use rmcp::model::{
    ClientRequest, CustomResult, ErrorCode, ErrorData, JsonRpcMessage, JsonRpcResponse, ListToolsResult,
    RequestId, ServerJsonRpcMessage, ServerResult, Tool,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{carry, lenient};

/// How the answer to a request is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// As the protocol's types have it.
    Typed,
    /// As it came.
    Plain,
    /// As it came, tool by tool.
    List,
}

impl Reading {
    /// Calls and lists of tools are read here; what agrees on an era is the protocol's matter.
    pub(super) fn of(request: &ClientRequest) -> Reading {
        match request {
            ClientRequest::CallToolRequest(_) => Reading::Plain,
            ClientRequest::ListToolsRequest(_) => Reading::List,
            _ => Reading::Typed,
        }
    }
}

/// An answer, as far as it tells what it is.
#[derive(Deserialize)]
struct Answer<'a> {
    jsonrpc: &'a str,
    id: RequestId,
    #[serde(borrow)]
    result: &'a RawValue,
    method: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// What is wrong with an answer, under a key that tells it from a server's own errors.
const UNREADABLE: &str = "kontext/unreadable";

/// Reads a message; who expects answers says how the one with an id is read. An expected answer that cannot be read is an
/// error that says so: nobody waits in vain for it.
pub(super) fn read(
    text: &[u8],
    reading: impl Fn(&RequestId) -> Option<Reading>,
) -> Option<ServerJsonRpcMessage> {
    if let Some(message) = plain(text, &reading).or_else(|| serde_json::from_slice(text).ok()) {
        return Some(message);
    }
    let mended = lenient::mended(text);
    let again = plain(mended.as_bytes(), &reading).or_else(|| serde_json::from_str(&mended).ok());
    again.or_else(|| {
        let id = lenient::answered(&mended).filter(|id| reading(id).is_some())?;
        Some(listed(&mended, &id, &reading).unwrap_or_else(|| unreadable(mended.as_bytes(), id)))
    })
}

fn plain(text: &[u8], reading: &impl Fn(&RequestId) -> Option<Reading>) -> Option<ServerJsonRpcMessage> {
    let answer: Answer = serde_json::from_slice(text).ok()?;
    let is_answer = answer.jsonrpc == "2.0" && answer.method.is_none() && answer.error.is_none();
    if !is_answer || reading(&answer.id)? == Reading::Typed {
        return None;
    }
    let result = serde_json::from_str(answer.result.get()).ok()?;
    Some(response(answer.id, result))
}

fn response(id: RequestId, result: Value) -> ServerJsonRpcMessage {
    let result = ServerResult::CustomResult(CustomResult(result));
    JsonRpcMessage::Response(JsonRpcResponse { jsonrpc: Default::default(), id, result })
}

/// The message, with its result carried by a type of the protocol: what that type learns of tools is learnt from it.
pub(super) fn carried(message: ServerJsonRpcMessage) -> ServerJsonRpcMessage {
    let JsonRpcMessage::Response(mut response) = message else { return message };
    if let ServerResult::CustomResult(CustomResult(result)) = response.result {
        response.result = match result.get("tools").and_then(Value::as_array) {
            Some(tools) => {
                let mut list = ListToolsResult::with_all_items(tools.iter().map(carrier).collect());
                list.next_cursor = result.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
                ServerResult::ListToolsResult(list)
            }
            None => ServerResult::CustomResult(CustomResult(json!({ carry::KEY: result }))),
        };
    }
    JsonRpcMessage::Response(response)
}

fn carrier(entry: &Value) -> Tool {
    let name = entry.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let schema = entry.get("inputSchema").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut tool = Tool::new(name, "", Arc::new(schema));
    tool.meta = Some(carry::meta(entry.clone()));
    tool
}

/// A result without what carried it.
pub(super) fn came(carrier: Value) -> Value {
    match carrier {
        Value::Object(mut members) if members.len() == 1 && members.contains_key(carry::KEY) => {
            members.shift_remove(carry::KEY).unwrap_or_default()
        }
        result => result,
    }
}

/// The same for an entry of a list.
pub(super) fn entry_came(mut carrier: Value) -> Value {
    carry::taken(&mut carrier).unwrap_or(carrier)
}

/// A page of a list whose entries are read one by one.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(rename = "nextCursor")]
    next: Option<Value>,
}

/// A list of tools, of which a tool that cannot be read is only a name and what is wrong with it.
fn listed(
    text: &str,
    id: &RequestId,
    reading: &impl Fn(&RequestId) -> Option<Reading>,
) -> Option<ServerJsonRpcMessage> {
    if reading(id)? != Reading::List {
        return None;
    }
    let answer: Answer = serde_json::from_str(text).ok()?;
    let page: Page = serde_json::from_str(answer.result.get()).ok()?;
    let entry = |raw: &RawValue| match serde_json::from_str::<Value>(raw.get()) {
        Ok(entry) => entry,
        Err(error) => {
            #[derive(Deserialize)]
            struct Named {
                name: Option<String>,
            }
            let named = serde_json::from_str::<Named>(raw.get()).ok().and_then(|named| named.name);
            json!({ "name": named, UNREADABLE: words(&error) })
        }
    };
    let tools: Vec<Value> = page.tools.into_iter().map(entry).collect();
    Some(response(answer.id, json!({ "tools": tools, "nextCursor": page.next })))
}

/// Why an entry of a list could not be read.
pub(super) fn why_unreadable(entry: &Map<String, Value>) -> Option<&str> {
    entry.get(UNREADABLE)?.as_str()
}

/// The error in place of an answer.
pub(super) fn unreadable(text: &[u8], id: RequestId) -> ServerJsonRpcMessage {
    let words = match serde_json::from_slice::<Value>(text) {
        _ if text.trim_ascii().is_empty() => "it is empty".to_owned(),
        Err(error) => words(&error),
        Ok(_) => "it is no answer of JSON-RPC 2.0 to this request".to_owned(),
    };
    because(words, id)
}

/// The same for one that is larger than this.
pub(super) fn too_large(limit: usize, id: RequestId) -> ServerJsonRpcMessage {
    because(format!("it is larger than {} MiB", limit >> 20), id)
}

fn because(words: String, id: RequestId) -> ServerJsonRpcMessage {
    let error = ErrorData::new(ErrorCode::PARSE_ERROR, words, Some(json!({ UNREADABLE: true })));
    ServerJsonRpcMessage::error(error, Some(id))
}

fn words(error: &serde_json::Error) -> String {
    // This is how the parser speaks of depth.
    if error.to_string().starts_with("recursion limit") {
        return "it is nested more than 120 levels deep".to_owned();
    }
    format!("it is broken at byte {}", error.column())
}

/// Whether an error stands in place of an answer that could not be read.
pub(super) fn is_unreadable(error: &ErrorData) -> bool {
    error.data.as_ref().is_some_and(|data| data.get(UNREADABLE).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str, reading: Reading) -> Option<Value> {
        let message = read(text.as_bytes(), |id| (*id == RequestId::Number(5)).then_some(reading))?;
        Some(serde_json::to_value(message).unwrap())
    }

    fn deep(levels: usize) -> String {
        format!("{}{}", r#"{"a":"#.repeat(levels) + "1", "}".repeat(levels))
    }

    #[test]
    fn what_cannot_be_read_says_so_to_who_waits_for_it() {
        for (result, words) in [
            (deep(200), "nested more than 120 levels deep"),
            ("{\"content\":[}".to_owned(), "broken at byte"),
            ("{\"content\":[".to_owned(), "broken at byte"),
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":5,"result":{result}}}"#);
            for reading in [Reading::Plain, Reading::List, Reading::Typed] {
                let error = read_as(&text, reading).unwrap();
                assert!(error["error"]["message"].as_str().unwrap().contains(words), "{error}");
            }
            let other = text.replace(":5,", ":6,");
            assert_eq!(read_as(&other, Reading::Plain), None, "nobody waits for it");
        }
        assert_eq!(read_as("[db] connected", Reading::Plain), None);
        assert_eq!(read_as(r#"{"level":"info","id":"#, Reading::Plain), None);
    }

    #[test]
    fn what_can_be_read_is() {
        let text = r#"{"jsonrpc":"2.0","id":5,"result":{"a":"x\ud83d","b":NaN,"content":[7]}}"#;
        assert_eq!(
            read_as(text, Reading::Plain).unwrap()["result"],
            json!({ "a": "x\u{fffd}", "b": null, "content": [7] })
        );
    }

    #[test]
    fn a_tool_that_cannot_be_read_costs_only_itself() {
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":5,"result":{{"tools":[{{"name":"a"}},{{"name":"b","inputSchema":{}}}],"nextCursor":"2"}}}}"#,
            deep(200)
        );
        let page = read_as(&text, Reading::List).unwrap()["result"].take();
        assert_eq!((&page["tools"][0], &page["nextCursor"]), (&json!({ "name": "a" }), &json!("2")));
        let bad = page["tools"][1].as_object().unwrap();
        assert_eq!((&bad["name"], why_unreadable(bad).is_some()), (&json!("b"), true));
    }
}
