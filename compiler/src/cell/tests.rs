//! Every substring of a string in any form maps to the source that decodes to it, and to nothing more.

use kontext_grammar::Span;
use proptest::prelude::*;
use toml_parser::decoder::Encoding;

use super::CellMap;

fn decode(raw: &str) -> String {
    let table = toml::de::DeTable::parse(&format!("a = {raw}")).map(|table| match table.get_ref().get("a") {
        Some(value) => value.get_ref().as_str().unwrap().to_owned(),
        None => panic!("no value"),
    });
    table.unwrap_or_else(|error| panic!("{raw:?}: {error}"))
}

/// The source text of the only `part` in the decoded text of `raw`.
fn source<'r>(raw: &'r str, part: &str) -> &'r str {
    let start = decode(raw).find(part).unwrap();
    let range = CellMap::new(raw, 100).range(Span::new(start, start + part.len()));
    raw.get(range.start - 100..range.end - 100).unwrap()
}

#[test]
fn each_form_maps_to_its_source() {
    let table = [
        (r#""a{{b}}""#, "b", "b"),
        (r"'a\{{b}}'", "b", "b"),
        ("'''\r\na'b'''", "b", "b"),
        ("\"\"\"\na\"b\"\"\"", "b", "b"),
        (r#""\u00e9\"b""#, "b", "b"),
        (r#""\u00e9\"b""#, "é\"", r#"\u00e9\""#),
        (r#""x\e\x41\U0001F600y""#, "A😀", r"\x41\U0001F600"),
        ("\"\"\"\\\n   a\\\r\n\r\n  b\\\n\"\"\"", "a", "a"),
        ("\"\"\"\\\n   a\\\r\n\r\n  b\\\n\"\"\"", "b", "b"),
        ("\"\"\"\\\n   a\\\r\n\r\n  b\\\n\"\"\"", "ab", "a\\\r\n\r\n  b"),
        ("\"\"\"a\r\nb\\tc\"\"\"", "\r\nb\t", "\r\nb\\t"),
    ];
    for (raw, part, expected) in table {
        assert_eq!(source(raw, part), expected, "{raw}");
    }
}

#[test]
fn empty_spans_stand_where_their_text_would() {
    let at = |raw: &str, offset: usize| CellMap::new(raw, 10).range(Span::new(offset, offset));
    assert_eq!(at("\"\"", 0), 11..11);
    assert_eq!(at("''''''", 0), 13..13);
    assert_eq!(at("\"\"\"\n\"\"\"", 0), 14..14);
    assert_eq!(at("\"\"\"\\\n  \"\"\"", 0), 17..17);
    assert_eq!(at(r#""a\nb""#, 1), 12..12);
    assert_eq!(at(r#""a\nb""#, 2), 14..14);
    assert_eq!(at(r#""a\nb""#, 3), 15..15);
    assert_eq!(at("bare", 4), 14..14);
}

/// One character of a string and how it is written in each form.
#[derive(Clone, Debug)]
enum Atom {
    Char(char),
    Escape(char, u8),
    LineBreak { crlf: bool },
    Continuation { crlf: bool, blank: &'static str },
}

fn atom() -> impl Strategy<Value = Atom> {
    let char = prop_oneof![
        prop::char::range(' ', '~'),
        any::<char>().prop_filter("control", |c| !c.is_control()),
        Just('{'),
        Just('\t'),
    ];
    let escaped =
        prop_oneof![any::<char>(), prop::sample::select(vec!['\\', '"', '\n', '\r', '\u{1b}', 'A', 'é'])];
    prop_oneof![
        4 => char.prop_map(Atom::Char),
        2 => (escaped, any::<u8>()).prop_map(|(c, choice)| Atom::Escape(c, choice)),
        1 => any::<bool>().prop_map(|crlf| Atom::LineBreak { crlf }),
        1 => (any::<bool>(), prop::sample::select(vec!["", "  ", "\n\t \r\n"]))
            .prop_map(|(crlf, blank)| Atom::Continuation { crlf, blank }),
    ]
}

fn escape(c: char, choice: u8) -> String {
    let short = match c {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        '\u{1b}' => Some("\\e"),
        '\u{8}' => Some("\\b"),
        '\u{c}' => Some("\\f"),
        _ => None,
    };
    let code = u32::from(c);
    match choice % 4 {
        0 if short.is_some() => short.unwrap().to_owned(),
        1 if code < 0x100 => format!("\\x{code:02X}"),
        2 if code < 0x1_0000 => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08X}"),
    }
}

fn line(crlf: bool) -> &'static str {
    if crlf { "\r\n" } else { "\n" }
}

/// A string in a form, and the text it stands for.
fn write(atoms: &[Atom], encoding: Encoding) -> (String, String) {
    let many_lines = matches!(encoding, Encoding::MlBasicString | Encoding::MlLiteralString);
    let basic = matches!(encoding, Encoding::BasicString | Encoding::MlBasicString);
    let (mut raw, mut text) = (String::new(), String::new());
    let mut continued = false;
    for atom in atoms {
        if continued && matches!(atom, Atom::Char(' ' | '\t') | Atom::LineBreak { .. }) {
            continue;
        }
        match *atom {
            Atom::Char(c) if basic && matches!(c, '"' | '\\') => raw.push_str(&escape(c, 0)),
            Atom::Char('\'') if !basic => continue,
            Atom::Char(c) => raw.push(c),
            Atom::Escape(c, choice) if basic => raw.push_str(&escape(c, choice)),
            Atom::LineBreak { crlf } if many_lines => raw.push_str(line(crlf)),
            Atom::Continuation { crlf, blank } if encoding == Encoding::MlBasicString => {
                raw.push('\\');
                raw.push_str(line(crlf));
                raw.push_str(blank);
            }
            _ => continue,
        }
        match *atom {
            Atom::Char(c) | Atom::Escape(c, _) => text.push(c),
            Atom::LineBreak { crlf } => text.push_str(line(crlf)),
            Atom::Continuation { .. } => {}
        }
        continued = matches!(atom, Atom::Continuation { .. });
    }
    (raw, text)
}

const FORMS: [(Encoding, &str); 4] = [
    (Encoding::BasicString, "\""),
    (Encoding::LiteralString, "'"),
    (Encoding::MlBasicString, "\"\"\""),
    (Encoding::MlLiteralString, "'''"),
];

fn check_every_substring(raw: &str, text: &str, quotes: &str) {
    const BASE: usize = 7;
    let map = CellMap::new(raw, BASE);
    let mut bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    bounds.push(text.len());
    for (index, &start) in bounds.iter().enumerate() {
        for &end in &bounds[index..] {
            let range = map.range(Span::new(start, end));
            let part = text.get(start..end).unwrap();
            let source = raw.get(range.start - BASE..range.end - BASE).unwrap();
            assert!(range.start - BASE >= quotes.len() && range.end - BASE <= raw.len() - quotes.len());
            assert_eq!(source.is_empty(), part.is_empty());
            check_part(source, part, quotes);
        }
    }
}

fn check_part(source: &str, part: &str, quotes: &str) {
    let splits_line_break = source.ends_with('\r');
    if splits_line_break {
        assert!(part.ends_with('\r'));
        return;
    }
    let continues = quotes == "\"\"\"" && (source.starts_with("\\\n") || source.starts_with("\\\r"));
    assert!(!continues, "a continuation is not the text's");
    let first_line = if quotes.len() == 3 { "\n" } else { "" };
    assert_eq!(decode(&format!("{quotes}{first_line}{source}{quotes}")), part);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_substring_maps_to_its_own_source(atoms in prop::collection::vec(atom(), 0..14), leading in 0..3_usize) {
        for (encoding, quotes) in FORMS {
            let (body, text) = write(&atoms, encoding);
            let needs_line = quotes.len() == 3 && (leading == 0 || body.starts_with(['\r', '\n']));
            let first_line = if needs_line || (quotes.len() == 3 && leading == 1) { line(leading == 1) } else { "" };
            let raw = format!("{quotes}{first_line}{body}{quotes}");
            prop_assert_eq!(decode(&raw), text.clone());
            check_every_substring(&raw, &text, quotes);
        }
    }

    #[test]
    fn no_source_text_panics(raw in "(\"|'|\"\"\"|''')?(\\\\[a-zA-Z\"\\\\]?|\\\\u00|[\"']|\\PC|\r?\n){0,10}", at in 0..20_usize, len in 0..5_usize) {
        let range = CellMap::new(&raw, 3).range(Span::new(at, at + len));
        prop_assert!(range.start <= range.end);
    }
}
