//! The bytes outside the entry.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const PATH: [&str; 2] = ["mcpServers", "kontext"];

fn entry() -> Map<String, Value> {
    let entry = json!({ "type": "stdio", "command": "/bin/kontext", "args": ["-C", "/r", "run"] });
    entry.as_object().unwrap().clone()
}

fn merged(text: &str) -> String {
    let merged = merge(text, &PATH, &entry()).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    let again = merge(&merged.text, &PATH, &entry()).unwrap();
    assert_eq!((again.change, &again.text), (Change::Same, &merged.text), "the second time: {text}");
    merged.text
}

#[test]
fn a_new_file_is_laid_out_for_people() {
    let text = "{\n  \"mcpServers\": {\n    \"kontext\": {\n      \"type\": \"stdio\",\n      \"command\": \"/bin/kontext\",\n      \"args\": [\"-C\", \"/r\", \"run\"]\n    }\n  }\n}";
    assert_eq!(merged(""), format!("{text}\n"));
    assert_eq!(merged("{}\n"), format!("{text}\n"));
    assert_eq!(merged("// mine"), format!("// mine\n{text}\n"));
}

#[test]
fn the_entry_stands_behind_the_others_in_their_layout() {
    let kontext = "\"kontext\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/bin/kontext\",\n\t\t\t\"args\": [\"-C\", \"/r\", \"run\"]\n\t\t}";
    let cases = [
        (
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // one\n\t}\n}\n",
            format!("{{\n\t\"mcpServers\": {{\n\t\t\"a\": {{}}, // one\n\t\t{kontext}\n\t}}\n}}\n"),
        ),
        (
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // one\n\t\t// more\n\t},\n}",
            format!(
                "{{\n\t\"mcpServers\": {{\n\t\t\"a\": {{}}, // one\n\t\t{kontext},\n\t\t// more\n\t}},\n}}"
            ),
        ),
        (
            "{\n\t\"mcpServers\": { /* none */ }\n}",
            format!("{{\n\t\"mcpServers\": {{\n\t\t{kontext}\n\t /* none */ }}\n}}"),
        ),
        ("{\n\t\"a\": 1\n}", format!("{{\n\t\"a\": 1,\n\t\"mcpServers\": {{\n\t\t{kontext}\n\t}}\n}}")),
    ];
    for (old, new) in cases {
        assert_eq!(merged(old), new, "{old}");
        let crlf = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(merged(&crlf(old)), crlf(&new), "{old}");
        assert_eq!(merged(&format!("\u{feff}{old}")), format!("\u{feff}{new}"), "{old}");
    }
}

#[test]
fn a_file_on_one_line_stays_on_one() {
    let tight = r#""kontext":{"type":"stdio","command":"/bin/kontext","args":["-C","/r","run"]}"#;
    assert_eq!(merged(r#"{"mcpServers":{"a":{}}}"#), format!(r#"{{"mcpServers":{{"a":{{}},{tight}}}}}"#));
    assert_eq!(merged(r#"{"a":[],}"#), format!(r#"{{"a":[],"mcpServers":{{{tight}}},}}"#));
    let loose = r#""kontext": { "type": "stdio", "command": "/bin/kontext", "args": ["-C", "/r", "run"] }"#;
    let old = "{\n  \"mcpServers\": { \"a\": {} } // none\n}\n";
    let new = format!("{{\n  \"mcpServers\": {{ \"a\": {{}}, {loose} }} // none\n}}\n");
    assert_eq!(merged(old), new);
    let old = "{\"a\": 1 // a\n}";
    assert_eq!(merged(old), format!("{{\"a\": 1, \"mcpServers\": {{ {loose} }} // a\n}}"));
}

#[test]
fn only_what_differs_is_changed() {
    let old = "{ \"mcpServers\": {\n  \"kontext\": {\n    // mine\n    \"command\": /* old */ \"/old\",\n    \"args\": [\n      \"run\"\n    ],\n    \"env\": { \"A\": \"b\" },\n  }, \"z\": 1.50 } }";
    let new = "{ \"mcpServers\": {\n  \"kontext\": {\n    // mine\n    \"command\": /* old */ \"/bin/kontext\",\n    \"args\": [\"-C\", \"/r\", \"run\"],\n    \"env\": { \"A\": \"b\" },\n    \"type\": \"stdio\",\n  }, \"z\": 1.50 } }";
    assert_eq!(merged(old), new);
    let found = merge(old, &PATH, &entry()).unwrap();
    assert_eq!(found.change, Change::Keys(["type", "command", "args"].map(str::to_owned).to_vec()));
    let remote =
        "{\"mcpServers\": {\"kontext\": {\"url\": \"http://localhost\", \"headers\": {}}, \"z\": 0}}";
    let found = merge(remote, &PATH, &entry()).unwrap();
    assert_eq!(found.change, Change::Replaced);
    assert!(!found.text.contains("url") && found.text.ends_with(", \"z\": 0}}"), "{}", found.text);
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    let cases = [
        ("{\"a\": }", 6),
        ("{'a': 1}", 1),
        ("{\"a\": 1 \"b\": 2}", 7),
        ("{\"a\": 1", 0),
        ("[1]", 0),
        ("{\"mcpServers\": []}", 15),
        ("{\"mcpServers\": {\"kontext\": 1}, \"mcpServers\": {}}", 31),
        ("{} {}", 3),
        (deep.as_str(), 512),
        ("/* ", 0),
    ];
    for (text, at) in cases {
        let refusal = merge(text, &PATH, &entry()).unwrap_err();
        assert_eq!(refusal.at, Some(at), "{text:.40}: {}", refusal.message);
        assert!(!refusal.message.is_empty());
    }
}

/// White space and comments between two tokens.
fn trivia() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(String::new()), 3 => Just(" ".to_owned()), 2 => Just("\n".to_owned()), 1 => Just("\r\n\t".to_owned()),
        1 => "// [a-z\"{},:/]{0,6}\n", 1 => "/\\*[a-z\"{},:\n ]{0,6}\\*/",
    ];
    proptest::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

/// A list of parts with trivia and commas between them, perhaps one behind the last.
fn listed(
    open: char,
    close: char,
    parts: Vec<(String, String, String)>,
    inner: String,
    trailing: bool,
) -> String {
    let count = parts.len();
    let mut text = format!("{open}{inner}");
    for (number, (before, part, after)) in parts.into_iter().enumerate() {
        let comma = if number + 1 < count || trailing { "," } else { "" };
        text.push_str(&format!("{before}{part}{after}{comma}"));
    }
    format!("{text}{inner}{close}")
}

fn object(
    names: Vec<&'static str>,
    value: impl Strategy<Value = String> + Clone,
) -> impl Strategy<Value = String> {
    let names = proptest::sample::subsequence(names.clone(), 0..=names.len()).prop_shuffle();
    (names, trivia(), any::<bool>()).prop_flat_map(move |(names, inner, trailing)| {
        let parts: Vec<_> = names
            .into_iter()
            .map(|name| {
                (trivia(), trivia(), trivia(), value.clone()).prop_map(
                    move |(before, colon, after, value)| {
                        (before, format!("\"{name}\"{colon}:{colon}{value}"), after)
                    },
                )
            })
            .collect();
        (parts, Just(inner), Just(trailing))
            .prop_map(|(parts, inner, trailing)| listed('{', '}', parts, inner, trailing))
    })
}

fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("-1.50e3".to_owned()),
        Just("12345678901234567890123".to_owned()),
        "\"([a-z ,:{}/]|\\\\\"|\\\\u00e9|é){0,6}\"",
    ];
    let value = leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            object(vec!["a", "b\\n", "kontext"], inner.clone()).boxed(),
            (proptest::collection::vec((trivia(), inner, trivia()), 0..3), trivia())
                .prop_map(|(parts, inner)| listed('[', ']', parts, inner, false)),
        ]
        .boxed()
    });
    let servers = object(vec!["a", "z", "kontext"], value.clone());
    let root = (object(vec!["a", "b", "x"], value.clone()).boxed(), trivia(), trivia());
    let with = (servers, value, trivia(), trivia(), trivia(), any::<bool>());
    prop_oneof![
        root.prop_map(|(object, before, after)| format!("{before}{object}{after}")),
        with.prop_map(|(servers, value, one, two, three, comma)| {
            let comma = if comma { "," } else { "" };
            format!("{one}{{{two}\"x\": {value},{three}\"mcpServers\"{one}:{two}{servers}{three}{comma}{two}}}{one}")
        }),
    ]
}

/// The text without what a list or a layout may need.
fn bare(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != ',').collect()
}

/// The range of the value at the path.
fn value_range(text: &str, path: &[&str]) -> Option<std::ops::Range<usize>> {
    let parsed = Parsed::new(text).unwrap();
    let mut node = parsed.root.as_ref()?;
    for key in path {
        node = &property(text, node.as_object()?, key).unwrap()?.value;
    }
    Some(node.range().start..node.range().end)
}

/// The range of the last property on the path that the old text did not have.
fn property_range(old: &str, new: &str, path: &[&str]) -> std::ops::Range<usize> {
    let known = (0..path.len()).take_while(|done| value_range(old, &path[..=*done]).is_some()).count();
    let parsed = Parsed::new(new).unwrap();
    let mut node = parsed.root.as_ref().unwrap();
    for key in &path[..known] {
        node = &property(new, node.as_object().unwrap(), key).unwrap().unwrap().value;
    }
    let range = property(new, node.as_object().unwrap(), path[known]).unwrap().unwrap().range;
    range.start..range.end
}

/// What stands before and behind a range.
fn round<'t>(text: &'t str, range: &std::ops::Range<usize>) -> (&'t str, &'t str) {
    (between(text, 0, range.start), between(text, range.end, text.len()))
}

/// Whether the letters of one text stand in the other in the same order.
fn is_in(old: &str, new: &str) -> bool {
    let mut letters = new.chars();
    old.chars().all(|letter| letters.any(|other| other == letter))
}

proptest! {
    #[test]
    fn bytes_outside_the_entry_are_unchanged(text in document()) {
        let Ok(merged) = merge(&text, &PATH, &entry()) else {
            // An entry of ours that is no object is replaced, all else that was made up here can be merged.
            return Err(TestCaseError::fail(format!("refused: {text}")));
        };
        let new = &merged.text;
        match merged.change {
            Change::Added => {
                prop_assert!(is_in(&text, new), "{text}\n---\n{new}");
                let mut without = new.clone();
                without.replace_range(property_range(&text, new, &PATH), "");
                prop_assert_eq!(bare(&text), bare(&without), "{}", new);
            }
            Change::Replaced => {
                let (old, now) = (value_range(&text, &PATH).unwrap(), value_range(new, &PATH).unwrap());
                prop_assert_eq!(round(&text, &old), round(new, &now));
            }
            Change::Keys(_) => {
                let (old, now) = (value_range(&text, &PATH).unwrap(), value_range(new, &PATH).unwrap());
                prop_assert_eq!(round(&text, &old), round(new, &now));
                prop_assert!(is_in(&text, new), "{text}\n---\n{new}");
            }
            Change::Same => prop_assert_eq!(&text, new),
        }
        let again = merge(new, &PATH, &entry()).unwrap();
        prop_assert_eq!(again.change, Change::Same);
    }

    #[test]
    fn any_text_is_merged_or_refused(text in "[{}\\[\\]\",:/*a1\\\\ \n\r\u{feff}]{0,24}") {
        if let Ok(merged) = merge(&text, &PATH, &entry()) {
            prop_assert!(is_in(&text, &merged.text));
        }
    }
}
