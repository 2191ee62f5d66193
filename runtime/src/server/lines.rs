//! The messages of a client, a line each: it is a message, or is answered with what is wrong with it. Nobody waits in vain for the
//! answer to a request that could not be read.

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line, in bytes.
const LIMIT: usize = 16 << 20;

/// The most messages of a batch.
const BATCH: usize = 1000;

/// What a line is.
pub(super) enum Line {
    /// Several messages in a list, which are not looked at yet.
    Batch(Vec<Box<RawValue>>),
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// No message, and the answer to it.
    Refused(Box<ServerJsonRpcMessage>),
}

/// Lines of an input. A reading that is given up loses nothing.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The line was too long: what is left of it is passed over.
    skips: bool,
}

/// What is known of a message that is none.
#[derive(Deserialize)]
struct Envelope {
    /// `null` is one, too.
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<IgnoredAny>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::new(input), line: Vec::new(), skips: false }
    }

    /// The next line that is not empty; none at the end of the input.
    pub(super) async fn next(&mut self) -> Option<Line> {
        loop {
            // An input that fails ends, too.
            let part = self.input.fill_buf().await.unwrap_or_default();
            let ended = part.is_empty();
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(part.len(), |end| end + 1);
            let fits = self.line.len() + taken <= LIMIT;
            if fits && !self.skips {
                self.line.extend_from_slice(part.get(..taken).unwrap_or_default());
            }
            self.input.consume(taken);
            if !fits && !self.skips {
                self.line = Vec::new();
                self.skips = end.is_none();
                return Some(refused(ErrorCode::INVALID_REQUEST, &too_long(), None));
            }
            if end.is_none() && !ended {
                continue;
            }
            self.skips = false;
            // The last line may lack its end.
            let line = read(&self.line);
            self.line.clear();
            if line.is_some() || ended {
                return line;
            }
        }
    }
}

fn too_long() -> String {
    format!("the message is longer than {} MiB, and was not read", LIMIT >> 20)
}

fn refused(code: ErrorCode, words: &str, id: Option<RequestId>) -> Line {
    Line::Refused(Box::new(ServerJsonRpcMessage::error(ErrorData::new(code, words.to_owned(), None), id)))
}

/// A line that is not empty; notifications and answers that cannot be read are passed over, as nobody waits for a word.
pub(super) fn read(line: &[u8]) -> Option<Line> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Some(Line::Message(Box::new(message))),
        Err(error) => error,
    };
    if let Some(batch) = batch(line) {
        return Some(batch);
    }
    // Nothing of what is passed over here is looked into: it may be what could not be read.
    let envelope = line.starts_with(b"{").then(|| serde_json::from_slice::<Envelope>(line));
    match envelope.and_then(Result::ok) {
        Some(Envelope { id: None, method: Some(_), .. }) => None,
        Some(Envelope { method: None, result, error, .. }) if result.is_some() || error.is_some() => None,
        Some(envelope) => {
            let id = envelope.id.and_then(|id| serde_json::from_value(id).ok());
            Some(if error.is_data() { not_a_request(id) } else { not_json(&error, id) })
        }
        None if error.is_data() || serde_json::from_slice::<IgnoredAny>(line).is_ok() => {
            Some(not_a_request(None))
        }
        None => Some(not_json(&error, None)),
    }
}

/// A list with something in it.
fn batch(line: &[u8]) -> Option<Line> {
    let items = line.starts_with(b"[").then(|| serde_json::from_slice::<Vec<Box<RawValue>>>(line).ok())??;
    match items.len() {
        0 => None,
        1..=BATCH => Some(Line::Batch(items)),
        _ => {
            let words = format!("a batch may hold {BATCH} messages");
            Some(refused(ErrorCode::INVALID_REQUEST, &words, None))
        }
    }
}

/// The answer to a batch where there is none.
pub(super) fn no_batch() -> ServerJsonRpcMessage {
    let words = "several messages in one list are a batch, which only revision 2025-03-26 has, after an `initialize` that \
                 agrees on it; send each message by itself";
    ServerJsonRpcMessage::error(ErrorData::invalid_request(words, None), None)
}

/// The answer to what is no request.
pub(super) fn not_a_request(id: Option<RequestId>) -> Line {
    let words = "this is no request of JSON-RPC 2.0: one has `jsonrpc` \"2.0\", an `id` that is text or an integer, a \
                 `method`, and `params` that are an object";
    refused(ErrorCode::INVALID_REQUEST, words, id)
}

fn not_json(error: &serde_json::Error, id: Option<RequestId>) -> Line {
    let words = format!(
        "the message cannot be read as JSON at byte {}: it is broken there, holds half of a surrogate pair, or is \
         nested too deep",
        error.column()
    );
    refused(ErrorCode::PARSE_ERROR, &words, id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to lines; what is a message, as its JSON.
    async fn answers(input: &[u8]) -> Vec<Value> {
        let mut lines = Lines::new(input);
        let mut answers = Vec::new();
        while let Some(line) = lines.next().await {
            answers.push(match line {
                Line::Message(message) => serde_json::to_value(message).unwrap(),
                Line::Refused(answer) => serde_json::to_value(answer).unwrap(),
                Line::Batch(items) => serde_json::to_value(items).unwrap(),
            });
        }
        answers
    }

    async fn codes(input: &[u8]) -> Vec<(Value, i64)> {
        let of = |answer: &Value| (answer["id"].clone(), answer["error"]["code"].as_i64().unwrap_or(0));
        answers(input).await.iter().map(of).collect()
    }

    #[tokio::test]
    async fn messages_come_as_they_are() {
        let input = b"\n  \r\n\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\
            {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}";
        let answers = answers(input).await;
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&Value::from(1), &Value::from("a")));
    }

    #[tokio::test]
    async fn every_request_that_cannot_be_read_is_answered_by_its_id() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"#;
        for (line, code) in [
            (format!("{call}[1]}}"), -32600),
            (format!("{call}5}}"), -32600),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#.to_owned(), -32600),
            (r#"{"id":7,"method":"ping"}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":7,"method":5}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":7}"#.to_owned(), -32600),
            (format!(r#"{call}{{"name":"a","arguments":{{"x":"\ud800"}}}}}}"#), -32700),
            (format!(r#"{call}{{"name":"a","arguments":{{"x":{deep}}}}}}}"#), -32700),
        ] {
            let shown: String = line.chars().take(80).collect();
            assert_eq!(codes(line.as_bytes()).await, [(Value::from(7), code)], "{shown}");
        }
    }

    #[tokio::test]
    async fn what_has_no_id_is_answered_without_one_and_what_wants_no_answer_not_at_all() {
        for line in ["{", "hello", "[1", "\u{fffd}"] {
            assert_eq!(codes(line.as_bytes()).await, [(Value::Null, -32700)], "{line}");
        }
        for line in
            ["{}", "[]", "5", "null", &format!("[{}0]", "0,".repeat(BATCH)), r#"{"id":null,"method":"a"}"#]
        {
            assert_eq!(codes(line.as_bytes()).await, [(Value::Null, -32600)], "{line}");
        }
        for line in [
            r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
            r#"{"jsonrpc":"2.0","id":{},"result":[]}"#,
        ] {
            assert_eq!(codes(line.as_bytes()).await, [], "{line}");
        }
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_told_once_and_the_next_one_is_read() {
        let mut input = vec![b'x'; LIMIT + 100];
        input.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        assert_eq!(codes(&input).await, [(Value::Null, -32600), (Value::from(1), 0)]);
    }
}
