//! A server's message as it is read: the result of a call as plain JSON, of which no type of the protocol drops anything.

use rmcp::model::{
    ClientRequest, CustomResult, JsonRpcMessage, JsonRpcResponse, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// How the answer to a request is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// As the protocol's types have it.
    Typed,
    /// As it came.
    Plain,
}

impl Reading {
    /// Calls and lists of tools are read here; what agrees on an era is the protocol's matter.
    pub(super) fn of(request: &ClientRequest) -> Reading {
        match request {
            ClientRequest::CallToolRequest(_) | ClientRequest::ListToolsRequest(_) => Reading::Plain,
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

/// Reads a message; who expects answers says how the one with an id is read.
pub(super) fn read(
    text: &[u8],
    reading: impl Fn(&RequestId) -> Option<Reading>,
) -> Option<ServerJsonRpcMessage> {
    plain(text, reading).or_else(|| serde_json::from_slice(text).ok())
}

fn plain(text: &[u8], reading: impl Fn(&RequestId) -> Option<Reading>) -> Option<ServerJsonRpcMessage> {
    let answer: Answer = serde_json::from_slice(text).ok()?;
    let is_answer = answer.jsonrpc == "2.0" && answer.method.is_none() && answer.error.is_none();
    if !is_answer || reading(&answer.id)? != Reading::Plain {
        return None;
    }
    let result: Value = serde_json::from_str(answer.result.get()).ok()?;
    Some(JsonRpcMessage::Response(JsonRpcResponse {
        jsonrpc: Default::default(),
        id: answer.id,
        result: ServerResult::CustomResult(CustomResult(result)),
    }))
}
