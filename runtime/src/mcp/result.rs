//! What a tool gave, as the value that result maps work on.

use std::collections::BTreeMap;

use kontext_plan::Format;
use serde_json::{Map, Value};

use super::question;
use crate::exec::ANSWER_LIMIT;
use crate::payload::{self, BadPayload, Payload};

/// Why a result is no payload.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The tool says that it failed, in these words.
    Complaint(String),
    /// Its text is not what the op's format says.
    Bad(BadPayload, String),
    /// It is larger than an answer may be.
    TooLarge,
    /// The tool wants something first, in these words.
    Asks(String),
    /// It is no result of a tool, in words.
    Other(&'static str),
}

/// Reads the result of a call: what is structured, else its text as JSON, else its text.
pub(crate) fn read(result: Value, format: Format) -> Result<Payload, Unread> {
    let Value::Object(mut result) = result else { return Err(Unread::Other("gave no object")) };
    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
        return Err(Unread::Asks(question::all(result.get("inputRequests"))));
    }
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    let structured = result.remove("structuredContent").filter(|value| !value.is_null());
    let parts = match result.remove("content") {
        Some(Value::Array(parts)) => parts,
        None | Some(Value::Null) if structured.is_some() || failed || is_bare(&result) => Vec::new(),
        _ => return Err(Unread::Other("gave something that is no result of a tool")),
    };
    let Parts { texts, others } = sorted(parts);
    if failed {
        return Err(Unread::Complaint(complaint(&texts, structured.as_ref())));
    }
    if texts.iter().map(String::len).sum::<usize>() > ANSWER_LIMIT {
        return Err(Unread::TooLarge);
    }
    let mut payload = match structured {
        Some(value) => Payload { value, notes: Vec::new() },
        None => of_texts(texts, format)?,
    };
    payload.notes.extend(others);
    Ok(payload)
}

/// A result that says nothing, as opposed to something else than a result.
fn is_bare(result: &Map<String, Value>) -> bool {
    result.keys().all(|key| matches!(key.as_str(), "_meta" | "resultType" | "isError"))
}

struct Parts {
    texts: Vec<String>,
    /// A remark on the parts that are no text.
    others: Option<String>,
}

fn sorted(parts: Vec<Value>) -> Parts {
    let mut texts = Vec::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for mut part in parts {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("unknown").to_owned();
        match (kind.as_str(), part.get_mut("text").map(Value::take)) {
            ("text", Some(Value::String(text))) => texts.push(text),
            _ => {
                let form = part.get("mimeType").and_then(Value::as_str);
                let name = form.map_or(kind.clone(), |form| format!("{kind} ({form})"));
                let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
                if others.len() < 20 || others.contains_key(&name) {
                    *others.entry(name).or_default() += 1;
                }
            }
        }
    }
    let named: Vec<String> = others.iter().map(|(name, count)| format!("{count} × {name}")).collect();
    let others =
        (!named.is_empty()).then(|| format!("parts that are no text were left out: {}", named.join(", ")));
    Parts { texts, others }
}

/// The words of a tool that says it failed.
pub(crate) fn complaint(texts: &[String], structured: Option<&Value>) -> String {
    let text = texts.join("\n");
    match structured {
        _ if !text.trim().is_empty() => text,
        Some(value) => value.to_string(),
        None => "it does not say why".to_owned(),
    }
}

/// Text as the format says; without one, JSON when the whole is, or when each of several parts is.
fn of_texts(texts: Vec<String>, format: Format) -> Result<Payload, Unread> {
    let text = texts.join("\n");
    if format != Format::Auto {
        return payload::read(text.as_bytes(), format).map_err(|bad| Unread::Bad(bad, text));
    }
    let value = if text.trim().is_empty() {
        Value::Null
    } else if let Ok(value) = serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        value
    } else {
        each(&texts).unwrap_or(Value::String(text))
    };
    Ok(Payload { value, notes: Vec::new() })
}

/// Several parts, each an object or a list: how some servers give a list of results.
fn each(texts: &[String]) -> Option<Value> {
    if texts.len() < 2 {
        return None;
    }
    let parse =
        |text: &String| serde_json::from_str::<Value>(text).ok().filter(|v| v.is_object() || v.is_array());
    texts.iter().map(parse).collect::<Option<Vec<Value>>>().map(Value::Array)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(result: Value) -> Value {
        read(result, Format::Auto).unwrap().value
    }

    #[test]
    fn what_is_structured_counts_once() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let both = json!({ "content": [text(r#"{"hits":[1]}"#)], "structuredContent": { "hits": [2] } });
        assert_eq!(value(both), json!({ "hits": [2] }));
        assert_eq!(value(json!({ "content": [text(r#"{"hits":[1]}"#)] })), json!({ "hits": [1] }));
        assert_eq!(
            value(json!({ "content": [text("{\"a\":1}"), text("{\"a\":2}")] })),
            json!([{ "a": 1 }, { "a": 2 }])
        );
        assert_eq!(value(json!({ "content": [text("a {"), text("b")] })), json!("a {\nb"));
        for empty in [json!({ "content": [] }), json!({}), json!({ "resultType": "complete" })] {
            assert_eq!(value(empty), Value::Null);
        }
        let digits = value(json!({ "content": [text("12345678901234567890123.10")] }));
        assert_eq!(digits.to_string(), "12345678901234567890123.10");
    }

    #[test]
    fn a_complaint_wins_over_what_is_structured() {
        let result = json!({ "isError": true, "content": [{ "type": "text", "text": "denied" }],
            "structuredContent": { "error": { "code": 1 } } });
        assert!(matches!(read(result, Format::Auto), Err(Unread::Complaint(text)) if text == "denied"));
        let result = json!({ "isError": true, "structuredContent": { "code": 1 } });
        assert!(matches!(read(result, Format::Auto), Err(Unread::Complaint(text)) if text == "{\"code\":1}"));
    }

    #[test]
    fn other_parts_are_named() {
        let result = json!({ "content": [{ "type": "image", "mimeType": "image/png", "data": "" },
            { "type": "text", "text": "seen" }, { "type": "hologram" }, { "type": "hologram" }] });
        let payload = read(result, Format::Auto).unwrap();
        assert_eq!(payload.value, json!("seen"));
        assert_eq!(
            payload.notes,
            ["parts that are no text were left out: 2 × hologram, 1 × image (image/png)"]
        );
    }

    #[test]
    fn what_is_no_result_is_never_an_empty_one() {
        for odd in [json!([]), json!({ "content": "x" }), json!({ "tools": [] })] {
            assert!(matches!(read(odd, Format::Auto), Err(Unread::Other(_))));
        }
        let text = json!({ "content": [{ "type": "text", "text": "plain" }] });
        assert!(matches!(read(text, Format::Json), Err(Unread::Bad(..))));
    }
}
