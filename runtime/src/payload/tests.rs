use proptest::prelude::*;
use serde_json::json;

use super::*;

fn auto(text: &str) -> (Value, Vec<String>) {
    let payload = read(text.as_bytes(), Format::Auto).unwrap();
    (payload.value, payload.notes)
}

#[test]
fn auto_finds_json_where_it_can() {
    let table = [
        (r#"{"a":1}"#, json!({"a":1}), 0),
        ("\u{feff}{\"a\":1}", json!({"a":1}), 0),
        ("42", json!(42), 0),
        ("\"text\"", json!("text"), 0),
        (" {\"a\":1}\n{\"a\":2}\n", json!([{"a":1},{"a":2}]), 0),
        ("log\n{\"a\":1}\nmore\n[2]\r\n", json!([{"a":1},[2]]), 1),
        ("[info] 3 {hits}\n{\"items\":[{\"t\":\"a\"}]}\ndone", json!({"items":[{"t":"a"}]}), 1),
        ("[info] x\n  {\n  \"a\": [\n1]} trailing\nend", json!({"a":[1]}), 1),
        ("text {\"a\":1}", json!("text {\"a\":1}"), 0),
        ("NaN", json!("NaN"), 0),
        ("{\"a\":NaN}", json!("{\"a\":NaN}"), 0),
        ("{\"a\":1,\"a\":2}", json!({"a":2}), 0),
        ("", Value::Null, 0),
        (" \n\t\n", Value::Null, 0),
        ("\u{feff}", Value::Null, 0),
        ("plain\ntext\n", json!("plain\ntext\n"), 0),
    ];
    for (text, wanted, notes) in table {
        let (value, said) = auto(text);
        assert_eq!(value, wanted, "{text:?}");
        assert_eq!(said.len(), notes, "{text:?}: {said:?}");
    }
}

#[test]
fn what_was_skipped_is_counted() {
    let (_, notes) = auto("[info] x\n\n{\"a\":1} tail\nend");
    assert_eq!(notes, ["3 lines around the JSON were skipped"]);
    let payload = read(b"{\"a\":1}\n\nnoise\n2\n", Format::Jsonl).unwrap();
    assert_eq!(payload.value, json!([{"a":1}, 2]));
    assert_eq!(payload.notes, ["1 line that is not JSON was skipped"]);
}

#[test]
fn json_is_strict_about_there_being_some() {
    let value = |text: &str| read(text.as_bytes(), Format::Json);
    assert_eq!(value("noise\n{\"a\":1}").unwrap().value, json!({"a":1}));
    assert_eq!(value("{\"a\":1}\n{\"a\":2}").unwrap().value, json!([{"a":1},{"a":2}]));
    assert_eq!(value("").unwrap().value, Value::Null);
    assert_eq!(value(" \r\n").unwrap().value, Value::Null);
    let bad = value("é\"a\": x}").unwrap_err();
    assert_eq!(bad.reason, "line 1, column 1: expected value");
    assert_eq!(bad.start, "é\"a\": x}");
    let bad = value("{\n \"ä\": x}").unwrap_err();
    assert_eq!(bad.reason, "line 2, column 7: expected value");
    assert_eq!(value(&"ä".repeat(500)).unwrap_err().start.chars().count(), 200);
}

#[test]
fn lines_and_text() {
    let read = |text: &str, format| read(text.as_bytes(), format).unwrap().value;
    assert_eq!(read(" a \r\n\r\n\t\nb", Format::Lines), json!([" a ", "b"]));
    assert_eq!(read(" \n ", Format::Lines), Value::Null);
    assert_eq!(read(" \n ", Format::Jsonl), Value::Null);
    assert_eq!(read(" \n ", Format::Text), json!(" \n "));
    assert_eq!(read("", Format::Text), Value::Null);
    assert_eq!(read("{\"a\":1}", Format::Text), json!("{\"a\":1}"));
}

#[test]
fn marks_and_broken_bytes() {
    let payload = read(b"\xef\xbb\xbf{\"a\":1}\n{\"a\":2}", Format::Jsonl).unwrap();
    assert_eq!(payload.value, json!([{"a":1},{"a":2}]));
    let payload = read(b"a\xffb", Format::Text).unwrap();
    assert_eq!(payload.value, json!("a\u{fffd}b"));
    assert_eq!(payload.notes, ["bytes that are not UTF-8 were replaced"]);
}

#[test]
fn numbers_keep_their_digits_and_surrogates_stand() {
    let (value, _) = auto("[12345678901234567890123, 1.50, 1e400]");
    assert_eq!(value.to_string(), "[12345678901234567890123,1.50,1e+400]");
    let (value, notes) = auto(r#"{"a":"x\ud800y \ud83d\ude00 \\ud800 \udc00"}"#);
    assert_eq!(value, json!({"a":"x\u{fffd}y 😀 \\ud800 \u{fffd}"}));
    assert_eq!(notes.len(), 1);
}

#[test]
fn hostile_input_ends_soon() {
    for text in ["[\n".repeat(20_000), "{\"a\":\n".repeat(20_000), "[1,\n".repeat(20_000)] {
        let start = std::time::Instant::now();
        let (value, _) = auto(&text);
        assert!(value.is_string());
        assert!(start.elapsed().as_secs() < 5);
    }
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in [Format::Auto, Format::Json, Format::Jsonl, Format::Lines, Format::Text] {
            let _ = read(&bytes, format);
        }
    }

    #[test]
    fn anything_like_json_can_be_read(text in "[\\[\\]{}\",:0-9a-fu\\\\\nd é]{0,120}") {
        for format in [Format::Auto, Format::Json, Format::Jsonl] {
            let _ = read(text.as_bytes(), format);
        }
    }
}
