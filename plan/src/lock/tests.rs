use serde_json::{Value, json};

use super::*;

fn tool(entry: Value) -> LockedTool {
    LockedTool::of_entry(entry.as_object().unwrap(), Pin::Full).unwrap()
}

fn adapter(tools: Vec<LockedTool>) -> LockedAdapter {
    LockedAdapter { connection: "sha256:c".to_owned(), pin: Pin::Full, server: None, tools }
}

fn find() -> Value {
    json!({
        "name": "find", "title": "Find", "description": "It is noon in Brno", "inputSchema": {
            "type": "object", "title": "findArguments", "required": ["title"], "properties": {
                "title": { "type": "string", "description": "words" },
                "limit": { "anyOf": [{ "type": "integer", "maximum": 50.0, "title": "Limit" }, { "type": "null" }] },
            },
        },
        "annotations": { "title": "Finder", "readOnlyHint": true }, "_meta": { "x": 1 }, "icons": [],
    })
}

fn lock(tools: Vec<LockedTool>) -> Lock {
    Lock { adapters: BTreeMap::from([("docs".to_owned(), adapter(tools))]), ..Lock::default() }
}

#[test]
fn a_lock_is_read_as_it_was_written() {
    let lock = lock(vec![tool(json!({ "name": "bare" })), tool(find())]);
    let text = render(&lock);
    let read = parse(&text).unwrap();
    assert_eq!(read.lock, lock);
    assert_eq!(text.get(read.places["docs"].clone()), Some("\"docs\""));
    assert_eq!(render(&read.lock), text);
    assert!(text.lines().any(|line| line == "          \"name\": \"bare\""), "{text}");
    assert!(text.lines().all(|line| line.len() < 130), "{text}");
}

#[test]
fn the_digest_is_that_of_the_canonical_form() {
    let plain = tool(json!({ "name": "t", "inputSchema": { "b": 1.0, "a": [1e2, 1e-7, "\u{20ac}\n"] } }));
    // printf '%s' '{"inputSchema":{"a":[100,1e-7,"€\n"],"b":1},"name":"t"}' | sha256sum
    let canonical = "{\"inputSchema\":{\"a\":[100,1e-7,\"\u{20ac}\\n\"],\"b\":1},\"name\":\"t\"}";
    assert_eq!(plain.digest, crate::sha256_hex(canonical.as_bytes()));
    let other = tool(
        json!({ "inputSchema": { "a": [100, 0.0000001, "\u{20ac}\n"], "b": 1 }, "name": "t", "title": null }),
    );
    assert_eq!(plain.digest, other.digest);
    let huge: Value =
        serde_json::from_str(r#"{ "name": "t", "inputSchema": { "maximum": 1e400 } }"#).unwrap();
    assert_eq!(LockedTool::of_entry(huge.as_object().unwrap(), Pin::Full), Err(Unpinnable::Number));
    let deep = (0..70).fold(json!({}), |inner, _| json!({ "items": inner }));
    let deep = json!({ "name": "t", "inputSchema": deep });
    assert_eq!(LockedTool::of_entry(deep.as_object().unwrap(), Pin::Full), Err(Unpinnable::Deep));
    let large = json!({ "name": "t", "description": "x".repeat(600 * 1024) });
    assert_eq!(LockedTool::of_entry(large.as_object().unwrap(), Pin::Full), Err(Unpinnable::Large));
}

#[test]
fn the_schema_pin_is_blind_to_words_and_to_nothing_else() {
    let one = tool(find());
    let content = one.content(Pin::Schema);
    assert_eq!(
        content["inputSchema"],
        json!({
            "type": "object", "required": ["title"], "properties": {
                "title": { "type": "string" },
                "limit": { "anyOf": [{ "type": "integer", "maximum": 50.0 }, { "type": "null" }] },
            },
        })
    );
    assert_eq!(content["annotations"], json!({ "readOnlyHint": true }));
    let mut later = find();
    later["description"] = json!("It is one in Brno");
    later["inputSchema"]["properties"]["title"]["description"] = json!("other words");
    let later = tool(later);
    assert_eq!(one.digest(Pin::Schema), later.digest(Pin::Schema));
    assert_ne!(one.digest, later.digest);
    let kept = adapter(vec![LockedTool { digest: "d".to_owned(), ..one.clone() }]);
    let seen = adapter(vec![LockedTool { digest: "d".to_owned(), ..later }]);
    assert_eq!(seen.settled(&kept), kept);
}

#[test]
fn a_difference_is_told_by_pointer() {
    let mut newer = find();
    newer["inputSchema"]["properties"]["limit"]["anyOf"][0]["maximum"] = json!(100);
    newer["inputSchema"]["properties"]["a/b"] = json!({});
    newer["description"] = json!("other");
    let old = adapter(vec![tool(find()), tool(json!({ "name": "gone" }))]);
    let new = adapter(vec![tool(newer), tool(json!({ "name": "come" }))]);
    let found = diff(&old, &new, Pin::Full);
    assert_eq!((found.added, found.removed), (vec!["come".to_owned()], vec!["gone".to_owned()]));
    let paths: Vec<&str> = found.changed[0].changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(
        paths,
        ["/description", "/inputSchema/properties/a~1b", "/inputSchema/properties/limit/anyOf/0/maximum"]
    );
    assert!(diff(&old, &old, Pin::Full).is_empty());
    assert_eq!(diff(&old, &new, Pin::Schema).changed[0].changes.len(), 2);
}

#[test]
fn what_is_wrong_with_a_lock_has_a_place() {
    let good = render(&lock(vec![tool(find())]));
    let digest = tool(find()).digest;
    let at = |text: &str, part: &str| text.find(part).unwrap();
    for (text, part, words) in [
        (String::new(), "", "eof while parsing a value"),
        ("[]".to_owned(), "", "expected"),
        (r#"{"version":2,"adapters":0}"#.to_owned(), "", "it has version 2"),
        (good.replace("\"tools\"", "\"tolls\""), ":", "unknown field `tolls`"),
        (good.replace("Brno", "Praha"), &digest, "the digest of the tool `find`"),
        (good.replace("\"docs\"", "\"docs\": {}, \"docs\""), "", "missing field `connection`"),
        (format!("{{\n<<<<<<< HEAD\n{good}"), "<<<<<<< HEAD", "git could not merge"),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.reason.contains(words), "{error:?}");
        assert!(text.get(error.at.clone()).is_some());
        if !part.is_empty() && part != ":" {
            assert_eq!(error.at, at(&text, part)..at(&text, part) + part.len());
        }
    }
}
