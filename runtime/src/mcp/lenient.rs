//! What a server wrote that is no JSON, read as well as can be: some programs write halves of surrogate pairs, `NaN` and
//! bare control characters, and answers are not lost for that.

use std::borrow::Cow;

use rmcp::model::RequestId;

/// The text as JSON: half of a surrogate pair is U+FFFD, what is no number is null.
pub(super) fn mended(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut mended = String::with_capacity(text.len());
    let mut rest: &str = &text;
    let mut in_string = false;
    while let Some(first) = rest.chars().next() {
        let (written, length) = if in_string { inside(rest, first) } else { outside(rest, first) };
        in_string ^= first == '"';
        mended.push_str(&written);
        rest = rest.get(length..).unwrap_or_default();
    }
    mended
}

/// What stands at the beginning of the rest of a string, and how long it was.
fn inside(rest: &str, first: char) -> (Cow<'_, str>, usize) {
    let as_it_is = |length: usize| (Cow::Borrowed(rest.get(..length).unwrap_or(rest)), length);
    match first {
        '\\' => match unit(rest) {
            Some(0xd800..0xdc00) => match rest.get(6..).and_then(unit) {
                Some(0xdc00..0xe000) => as_it_is(12),
                _ => (Cow::Borrowed("\u{fffd}"), 6),
            },
            Some(0xdc00..0xe000) => (Cow::Borrowed("\u{fffd}"), 6),
            _ => as_it_is(1 + rest.chars().nth(1).map_or(0, char::len_utf8)),
        },
        '\0'..' ' => (Cow::Owned(format!("\\u{:04x}", u32::from(first))), 1),
        _ => as_it_is(first.len_utf8()),
    }
}

fn outside(rest: &str, first: char) -> (Cow<'_, str>, usize) {
    let odd = ["NaN", "Infinity", "-Infinity"].into_iter().find(|odd| rest.starts_with(odd));
    match odd {
        Some(odd) => (Cow::Borrowed("null"), odd.len()),
        None => (Cow::Borrowed(rest.get(..first.len_utf8()).unwrap_or(rest)), first.len_utf8()),
    }
}

/// The UTF-16 unit of a `\u` escape.
fn unit(rest: &str) -> Option<u32> {
    let digits = rest.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Which request a message answers that cannot be read: its own `id`, as far as it can be found.
pub(super) fn answered(text: &str) -> Option<RequestId> {
    let (mut id, mut depth, mut rest) = (None, 0_usize, text);
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            '"' => {
                let Some(end) = end_of_string(rest) else { break };
                length = end;
                let value = rest.get(end..).and_then(|rest| rest.trim_start().strip_prefix(':'));
                match (depth, rest.get(..end), value) {
                    // What asks is no answer.
                    (1, Some("\"method\""), Some(_)) => return None,
                    (1, Some("\"id\""), Some(value)) => {
                        id =
                            serde_json::Deserializer::from_str(value).into_iter().next().and_then(Result::ok);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    id
}

/// How long the string is that begins here.
fn end_of_string(rest: &str) -> Option<usize> {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_stays_and_what_is_not_becomes_it() {
        for (text, json) in [
            (r#"{"a":"NaN \"NaN\" \\","b":[1.50,-2]}"#, r#"{"a":"NaN \"NaN\" \\","b":[1.50,-2]}"#),
            (r#"["\ud83d\ude00 \u00e9"]"#, r#"["\ud83d\ude00 \u00e9"]"#),
            (
                r#"["\ud83d","\ude00","\ud83d\ud83d\ude00","\\ud83d"]"#,
                "[\"\u{fffd}\",\"\u{fffd}\",\"\u{fffd}\\ud83d\\ude00\",\"\\\\ud83d\"]",
            ),
            (r#"[NaN,Infinity,-Infinity,{"x":NaN}]"#, r#"[null,null,null,{"x":null}]"#),
            ("[\"a\tb\u{1}\"]", r#"["a\u0009b\u0001"]"#),
            (r#"["\u12"#, r#"["\u12"#),
            ("[\"\\", "[\"\\"),
        ] {
            assert_eq!(mended(text.as_bytes()), json);
        }
        assert_eq!(mended(b"[\"\xff\"]"), "[\"\u{fffd}\"]");
    }

    #[test]
    fn the_id_of_an_answer_is_its_own() {
        let number = |id| Some(RequestId::Number(id));
        for (text, id) in [
            (r#"{"jsonrpc":"2.0","id":5,"result":{"id":7,"a":[{"id":8}],"b"#, number(5)),
            (r#"{"result":{"id":7,"x":"}}\"id\":9"},"id" : 6}"#, number(6)),
            (r#"{"id":"a","result":nope}"#, Some(RequestId::String("a".into()))),
            (r#"{"id":5,"method":"ping","params":nope}"#, None),
            (r#"{"result":{"id":7"#, None),
            ("{\"i", None),
            ("hello", None),
        ] {
            assert_eq!(answered(text), id, "{text}");
        }
    }
}
