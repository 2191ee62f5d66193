//! Every bad input: which finding, and exactly which text it underlines.

use std::fmt::Write as _;

use kontext_plan::{ABSENT, LayerName, Profile};
use proptest::prelude::*;

use super::{Loaded, load};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Sources;
use crate::tree::{Node, Table, Value};
use crate::world::{MapWorld, ReadError};

fn loaded(world: &MapWorld, profile: Profile) -> (Loaded, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let loaded = load(world, profile, &mut diagnostics);
    let sorted = diagnostics.into_sorted(&loaded.sources);
    (loaded, sorted)
}

fn of(bytes: impl Into<Vec<u8>>) -> (Loaded, Vec<Diagnostic>) {
    loaded(&MapWorld::default().with("repo:.kontext.toml", bytes), Profile::Local)
}

/// `id|underlined|message|help` of each finding.
fn said(bytes: impl Into<Vec<u8>>) -> String {
    let (loaded, found) = of(bytes);
    let mut text = String::new();
    for finding in &found {
        let underlined = loaded.sources.text(finding.primary);
        let help = finding.help.join("; ");
        writeln!(text, "{}|{underlined}|{}|{help}", finding.lint.id, finding.message).unwrap();
        for label in &finding.labels {
            writeln!(text, "  {}|{}", loaded.sources.text(label.span).trim(), label.message).unwrap();
        }
    }
    text
}

/// One finding of `invalid-toml` with this text underlined, whose words hold all of `words`.
#[track_caller]
fn one(bytes: impl Into<Vec<u8>>, underlined: &str, words: &[&str]) {
    let bytes = bytes.into();
    let all = said(bytes);
    let start = format!("invalid-toml|{underlined}|");
    assert!(all.starts_with(&start), "wanted `{start}` in\n{all}");
    assert_eq!(all.lines().filter(|line| line.starts_with("invalid-toml|")).count(), 1, "{all}");
    for word in words {
        assert!(all.contains(word), "wanted `{word}` in\n{all}");
    }
}

#[test]
fn windows_paths() {
    one(
        "[adapters.n]\ncommand = [\"C:\\Users\\dev\\bin\\notes.exe\"]\n",
        "\\",
        &[r"`\U` is no escape", r"`'C:\Users\dev\bin\notes.exe'`", r#"`"C:/Users/dev/bin/notes.exe"`"#],
    );
    one("cwd = \"\\\\server\\share\"\n", "\\", &["single quotes"]);
    one("cwd = \"C:\\temp\\\"\n", "\\", &["makes the closing quote part", "single quotes"]);
    one("c = [\"C:\\temp\\\", \"x\"]\n", "x\"", &["`\\` at its end"]);
    one("r = \"\\d+\"\n", "\\", &[r"`\d` is no escape", r"`'\d+'`", r"`\\d`"]);
    one("r = \"\\uD800\"\n", "\\", &[r"`\uD800` is no escape", "four"]);
    one("r = \"\"\"\na\n\\q\n\"\"\"\n", "\\", &[r"`\q` is no escape"]);
}

#[test]
fn values_without_quotes() {
    one("driver = mcp\n", "mcp", &["needs quotes", "write `\"mcp\"`"]);
    one("driver = npx # x\n", "npx", &["needs quotes"]);
    one("u = http://127.0.0.1:9/a\n", "http://127.0.0.1:9/a", &["needs quotes"]);
    one("t = 10s\n", "10s", &["needs quotes"]);
    one("t = test\n", "test", &["needs quotes"]);
    one("p = ~/notes\n", "~/notes", &["needs quotes"]);
    one("v = 1.2.3\n", "1.2.3", &["no number", "`\"1.2.3\"`"]);
    one("v = 9-ball\n", "9-ball", &["no date", "`\"9-ball\"`"]);
    one("a = mcp\"\n", "mcp\"", &["no opening one"]);
    one("a = “mcp”\n", "“mcp”", &["straight quotes", "`\"mcp\"`"]);
    one("“a” = 1\n", "“", &["straight quotes"]);
    one("a = True\n", "True", &["write `true`"]);
    one("a = FALSE\n", "FALSE", &["write `false`"]);
    one("a = None\n", "None", &["leave the key out"]);
    one("a = null\n", "null", &["leave the key out"]);
    one("a = 007\n", "007", &["`7`", "`\"007\"`"]);
    one("a = 99999999999999999999\n", "99999999999999999999", &["too large"]);
    one("a = 2026-13-45\n", "2026-13-45", &["no date"]);
    one("a = [x, \"y\"]\n", "x", &["needs quotes"]);
}

#[test]
fn keys_and_entries() {
    one("driver \"mcp\"\n", "\"mcp\"", &["no `=` between `driver` and `\"mcp\"`"]);
    one("driver\n", "driver", &["has no value", "`driver = …`"]);
    one("driver # c\n", "driver", &["has no value"]);
    one("driver =\nx = 1\n", "=", &["no value after `=`"]);
    one("driver: \"mcp\"\n", ":", &["TOML has `=`"]);
    one("\"driver\": \"mcp\"\n", ":", &["TOML has `=`"]);
    one("a = { b: 1 }\n", ":", &["TOML has `=`"]);
    one("a = { b 1 }\n", "1", &["no `=`"]);
    one("a == 1\n", "=", &["does not belong"]);
    one("a = 1,\n", ",", &["end of the line"]);
    one("a = \"x\";\n", ";", &["begins with `#`"]);
    one("a = 1 b = 2\n", "b", &["has ended"]);
    one("// note\n", "// note", &["begins with `#`"]);
    one("a = 1 // note\n", "//", &["begins with `#`"]);
    one("a = 'it's'\n", "s'", &["double quotes"]);
    one("a = \"say \"hi\"\"\n", "hi\"\"", &["single quotes"]);
    one("a@b = 1\n", "@", &["quote the key: `\"a@b\"`"]);
    one("é = 1\n", "é", &["quote the key"]);
    one("a..b = 1\n", ".", &["key is missing"]);
    one("= 1\n", "=", &["key is missing"]);
    one("\u{a0}a = 1\n", "\u{a0}", &["U+00A0"]);
}

#[test]
fn duplicates_label_the_first() {
    one("a = 1\nb = 2\na = 3\n", "a", &["`a` is defined twice", "  a|first defined here", "keep one"]);
    one("[x]\n[y]\n[x]\nz = 1\n", "x", &["the table `x`", "  x|first defined here"]);
    one("t = { a = 1, a = 2 }\n", "a", &["the key `a`"]);
    one("a.b = 1\n[a]\nc = 1\n", "a", &["the table `a`"]);
    one("a = 1\n[a.b]\n", "a", &["cannot be added to", "  a|complete here"]);
    one("a = {}\n[a.b]\n", "a", &["cannot be added to"]);
    one("a = [{}]\n[[a]]\n", "a", &["defined twice"]);
    one("[a.b.c]\n[a]\nb.c.d = 1\n", "c", &["defined twice"]);
}

#[test]
fn a_blank_that_toml_does_not_have_is_no_place_to_stop() {
    for text in ["a\u{85}: 1\n", "a = { b\u{85}: 1 }\n", "a = { b \u{2028}:// = 1 }\n", "\u{a0}: 1\n"] {
        for at in ["\u{85}", "\u{2028}", "\u{a0}"].iter().filter(|at| text.contains(*at)) {
            one(text, at, &["invisible character"]);
        }
    }
}

#[test]
fn things_never_closed() {
    one("a = \"abc\nb = 1\n", "\"abc", &["never closed"]);
    one("a = 'abc\n", "'abc", &["never closed"]);
    one("a = \"\"\"abc\nb = 1\n", "\"\"\"", &["never closed"]);
    one(
        "a = [\"x\", \"y\"\n[adapters.n]\nd = \"e\"\n",
        "[",
        &["array is never closed", "  [adapters.n]|this is still"],
    );
    one("a = { b = 1\nc = 2\nd = 3\n", "{", &["inline table is never closed", "  c = 2|this is still"]);
    one("[adapters.n\nd = 1\n", "[adapters.n", &["not complete", "`[adapters.n]`"]);
    one("[adapters.my notes]\n", "[adapters.my notes]", &["has no blanks", "`[adapters.my-notes]`"]);
    one("[[a]\n", "[[a]", &["not complete"]);
    one("a = ]\n", "]", &["nothing opened"]);
    one("a = [1 2]\n", "2", &["no `,`"]);
    one("a = [1,,2]\n", ",", &["nothing before"]);
}

#[test]
fn other_languages() {
    one("{\n  \"adapters\": { }\n}\n", "{", &["JSON"]);
    one("\u{feff}  {\"a\": 1}", "{", &["JSON"]);
    one("adapters:\n  notes:\n    driver: mcp\n", ":", &["YAML"]);
    one("---\nadapters:\n", "---", &["YAML"]);
    one("- a\n- b\n", "- a", &["YAML"]);
}

#[test]
fn what_is_accepted() {
    for text in [
        "\u{feff}[vars]\r\na=\"1\"\r\n",
        "a\t=\t1\t# tab\n\tb = 2\n",
        "a = [1, 2,]\n",
        "a = { b = 1, }\n",
        "a = \"\"\"\nx\\\n  y\"\"\"\n",
        "a = 'C:\\x'\n",
        "[a.b.c]\n[a]\nb.d = 1\n",
        "[a]\nb.c = 1\n[a.b.d]\n",
        "[[a]]\n[a.b]\n[[a]]\n[a.b]\n",
        "a = 1979-05-27 07:32:00Z\nb = 0x1F\nc = 1e3\nd = inf\ne = +1_000\n",
        "",
    ] {
        assert_eq!(said(text), "", "{text}");
    }
    let (loaded, _) = of("\u{feff}[vars]\r\na=\"1\"\r\n");
    let vars = loaded.layers[0].root.get("vars").unwrap();
    assert_eq!(loaded.sources.text(vars.span), "[vars]");
    assert_eq!(loaded.sources.start(vars.span).column, 1);
    assert_eq!(vars.as_table().unwrap().get("a").unwrap().as_str(), Some("1"));
}

#[test]
fn byte_order_marks_and_carriage_returns() {
    one("a = 1\n\u{feff}b = 2\n", "\u{feff}", &["U+FEFF"]);
    one("a = 1\n\u{feff}[b]\n", "\u{feff}", &["U+FEFF"]);
    one("\u{feff}\u{feff}a = 1\n", "\u{feff}", &["U+FEFF"]);
    one("a = 1\rb = 2\r", "\r", &["U+000D"]);
    one("# x\ry\n", "\r", &["U+000D"]);
    one("a = \"x\ry\"\n", "\r", &["U+000D"]);
    one("a = \"x\u{1}y\"\n", "\u{1}", &["U+0001"]);
}

fn wide(text: &str, mark: bool, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.then_some(0xfeff).into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn not_utf8() {
    let text = "[vars]\na = \"é\"\n";
    for mark in [true, false] {
        assert!(said(wide(text, mark, u16::to_le_bytes)).starts_with("not-utf8|"));
        assert!(said(wide(text, mark, u16::to_le_bytes)).contains("UTF-16LE|save the file as UTF-8"));
        assert!(said(wide(text, mark, u16::to_be_bytes)).contains("UTF-16BE|"));
    }
    let wider: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    assert!(said(wider).contains("looks like UTF-32|"));
    let latin = said(b"a = \"caf\xe9\"\n".as_slice());
    assert!(latin.starts_with("not-utf8|\u{fffd}|"), "{latin}");
    assert!(latin.contains("Latin-1"), "{latin}");
    assert!(said(b"a = \"\x93x\x94\"\n".as_slice()).contains("Windows-1252"));
    assert!(
        said("a = \"é\"\nb = \"".as_bytes().iter().copied().chain([0xff, b'"']).collect::<Vec<u8>>())
            .contains("damaged")
    );
    assert!(said(b"\x7fELF\x02\x01\x01\0\0\0\0\0\x90\xff".as_slice()).contains("binary data"));
    assert!(said(b"a = 1\n\0\n".as_slice()).starts_with("not-utf8|\0|"));
}

#[test]
fn nesting() {
    let nested = |depth: usize| format!("a = {}{}\n", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(said(nested(90)), "");
    one(nested(200), "[", &["100 deep"]);
    let tables = |depth: usize| format!("a = {}1{}\n", "{b = ".repeat(depth), "}".repeat(depth));
    assert_eq!(said(tables(90)), "");
    assert!(said(tables(200)).contains("100 deep"));
    let dotted = |depth: usize| format!("{} = 1\n[z{}]\n", vec!["k"; depth].join("."), ".k".repeat(depth));
    assert_eq!(said(dotted(90)), "");
    assert!(said(dotted(200)).contains("100 deep"));
    for many in ["a = ".to_owned() + &"[".repeat(100_000), "a = ".to_owned() + &"{a=".repeat(100_000)] {
        assert!(said(many).contains("invalid-toml"));
    }
    assert!(said(dotted(100_000)).contains("100 deep"));
    let both = format!("{}=", vec!["k"; 60].join("."));
    assert!(
        said(format!("a = {}1{}\n", format!("{{{both}").repeat(90), "}".repeat(90))).contains("100 deep")
    );
}

mod any;
mod layers;
