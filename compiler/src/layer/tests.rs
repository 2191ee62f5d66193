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
    one("[adapters.my notes]\n", "[adapters.my notes]", &["needs quotes"]);
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

#[test]
fn all_errors_of_a_file_and_the_other_layers() {
    let world = MapWorld::default()
        .with("user:config.toml", "a = \n")
        .with("repo:.kontext.toml", "b = mcp\nok = 1\nc = True\n")
        .with("clone:config.toml", "d = 1\n");
    let (loaded, found) = loaded(&world, Profile::Local);
    let ids: Vec<&str> = found.iter().map(|finding| loaded.sources.text(finding.primary)).collect();
    assert_eq!(ids, ["mcp", "True", "="]);
    assert!(loaded.broken);
    let names: Vec<LayerName> = loaded.layers.iter().map(|layer| layer.name).collect();
    assert_eq!(names, [LayerName::User, LayerName::Shared, LayerName::Clone]);
    assert_eq!(loaded.layers[1].root.get("ok").and_then(Node::as_integer), Some(1));
    let many = "x y\n".repeat(500);
    assert!(said(many).contains("400 more lines"));
}

#[test]
fn unreadable_layers() {
    let reason = ReadError { reason: "it is a directory".to_owned(), help: None };
    let mut world = MapWorld { explicit: true, ..MapWorld::default() };
    world.unreadable.insert("user:config.toml".to_owned(), reason);
    let (loaded, found) = loaded(&world, Profile::Local);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`explicit` does not exist", "`user/config.toml` cannot be read: it is a directory"]
    );
    assert!(found.iter().all(|finding| finding.lint.id == "unreadable-layer"));
    assert!(loaded.broken);
    assert!(said(vec![b'#'; 16 * 1024 * 1024 + 1]).contains("larger than 16 MiB"));
}

#[test]
fn profiles_and_inputs() {
    let world =
        MapWorld::default().with("repo:.ai/kontext.toml", "a = 1\n").with("user:config.toml", "b = 1\n");
    let names = |profile| -> Vec<String> {
        loaded(&world, profile).0.inputs.into_iter().map(|input| input.name).collect()
    };
    assert_eq!(names(Profile::Shared), ["repo:.ai/kontext.toml", "repo:.kontext.toml"]);
    assert_eq!(
        names(Profile::Local),
        [
            "clone:config.toml",
            "repo:.ai/kontext.toml",
            "repo:.kontext.toml",
            "user:config.toml",
            "user:repos/example.test-ann-notes.toml"
        ]
    );
    let (loaded, _) = loaded(&world, Profile::Public);
    assert_eq!(loaded.layers.len(), 1);
    assert_eq!(loaded.inputs[1].digest, ABSENT);
    let outside = MapWorld { in_repository: false, ..MapWorld::default() };
    assert_eq!(self::loaded(&outside, Profile::Local).0.inputs.len(), 3);
}

#[test]
fn the_store_directory() {
    let dir = |text: &str| MapWorld::default().with("user:config.toml", format!("store.dir = {text}\n"));
    let (found, _) =
        loaded(&dir("'./notes//x/'").with("repo:notes/x/kontext.toml", "a = 1\n"), Profile::Local);
    assert_eq!((found.store_dir.as_str(), found.layers.len()), ("notes/x", 2));
    let higher = dir("'u'").with("repo:.kontext.toml", "[store]\ndir = 's'\n");
    assert_eq!(loaded(&higher, Profile::Local).0.store_dir, "s");
    assert_eq!(loaded(&higher, Profile::Shared).0.store_dir, "s");
    for bad in ["'/abs'", "'../x'", "'a/../..'", "''", "'~/x'", "'C:\\x'", "'a\\b'"] {
        let (found, list) = loaded(&dir(bad), Profile::Local);
        assert_eq!(found.store_dir, ".ai");
        assert_eq!((list[0].lint.id, found.sources.text(list[0].primary)), ("invalid-value", bad));
    }
    let inside = MapWorld::default().with("repo:.ai/kontext.toml", "[store]\ndir = 'x'\n");
    let (found, list) = loaded(&inside, Profile::Local);
    assert_eq!(
        (list.len(), list[0].lint.id, found.sources.text(list[0].primary)),
        (1, "invalid-value", "dir")
    );
    let two =
        MapWorld::default().with("repo:.ai/kontext.toml", "a = 1\n").with("repo:.kontext.toml", "b = 1\n");
    let (found, list) = loaded(&two, Profile::Local);
    assert_eq!((list[0].lint.id, list[0].labels.len(), found.broken), ("two-shared-files", 1, true));
}

#[test]
fn places() {
    let (loaded, found) = of("[a.\"b c\"]\nd = 'x'\ne.f = [1]\n[[g]]\nh = { i = true }\n[[g]]\n");
    assert!(found.is_empty());
    let root = &loaded.layers[0].root;
    let text = |node: &Node| loaded.sources.text(node.span).to_owned();
    let b = root.get("a").unwrap().as_table().unwrap().entry("b c").unwrap();
    assert_eq!((loaded.sources.text(b.key), text(&b.node).as_str()), ("\"b c\"", "[a.\"b c\"]"));
    let b = b.node.as_table().unwrap();
    assert_eq!(text(b.get("d").unwrap()), "'x'");
    let e = b.get("e").unwrap();
    assert_eq!((text(e).as_str(), text(e.as_table().unwrap().get("f").unwrap()).as_str()), ("e", "[1]"));
    let g = root.get("g").unwrap().as_array().unwrap();
    assert_eq!((g.len(), text(&g[1]).as_str()), (2, "[[g]]"));
    assert_eq!(text(g[0].as_table().unwrap().get("h").unwrap()), "{ i = true }");
}

fn check_spans(table: &Table, sources: &Sources) {
    for entry in table.entries.values() {
        check_node(&entry.node, sources);
        assert!(sources.file(entry.key.file).text.get(entry.key.range()).is_some());
    }
}

fn check_node(node: &Node, sources: &Sources) {
    assert!(sources.file(node.span.file).text.get(node.span.range()).is_some());
    match &node.value {
        Value::Table(table) => check_spans(table, sources),
        Value::Array(items) => items.iter().for_each(|item| check_node(item, sources)),
        _ => {}
    }
}

fn check_all(bytes: Vec<u8>) {
    let (loaded, found) = of(bytes);
    loaded.layers.iter().for_each(|layer| check_spans(&layer.root, &loaded.sources));
    assert_eq!(loaded.broken, found.iter().any(|finding| finding.lint.id != "invalid-value"));
    for finding in &found {
        let spans = finding.labels.iter().map(|label| label.span).chain([finding.primary]);
        for span in spans.chain(finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span)) {
            assert!(loaded.sources.file(span.file).text.get(span.range()).is_some(), "{span:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_all(bytes);
    }

    #[test]
    fn anything_like_toml(text in r#"([a-c]|[\[\]{}=.,"'#:\\/é“ ]|\r|\n|\t|\u{feff}|1|0|true|null|"""|'''|\\u00|-){0,60}"#) {
        check_all(text.into_bytes());
    }

    /// The rules about tables are those of the `toml` crate, except that it lets a dotted key reach through an array
    /// of tables, which TOML forbids.
    #[test]
    fn the_same_documents_are_accepted(
        lines in prop::collection::vec(
            r"(\[(a|b|c)(\.(a|b|c)){0,2}\]|\[\[(a|b|c)(\.(a|b|c)){0,2}\]\]|(a|b|c)(\.(a|b|c)){0,2} = (1|\{\}|\[\]|\{a\.b = 1\}|\[\{\}\]|'x'))",
            0..8,
        )
    ) {
        let text = lines.join("\n");
        let theirs = toml::de::DeTable::parse(&text);
        let ours = said(text.as_str());
        let stricter = text.contains("[[") && ours.contains("cannot be added to");
        prop_assert!(theirs.is_ok() == ours.is_empty() || stricter, "{}\n{:?}\n{}", text, theirs.map(|_| ()), ours);
    }
}

/// Ten times the text may take ten times the time, with room for a busy machine; not a hundred times.
#[test]
fn no_walk_is_quadratic() {
    let took = |text: String| {
        let world = MapWorld::default().with("repo:.kontext.toml", text);
        let started = std::time::Instant::now();
        let (found, _) = loaded(&world, Profile::Shared);
        let mut diagnostics = Diagnostics::default();
        crate::merge::merge(found.layers, &found.sources, &mut diagnostics);
        started.elapsed().as_secs_f64()
    };
    let kinds: [fn(usize) -> String; 6] = [
        |count| (0..count).map(|n| format!("[adapters.a{n}]\nx = 'y'\nz.w = {{ a = [1, 2] }}\n")).collect(),
        |count| "[[a]]\nx = 1\n".repeat(count),
        |count| "a b\n".repeat(count),
        |count| format!("a = [{}]\n", "1 2,".repeat(count)),
        |count| format!("a = [{}", "{b\n".repeat(count)),
        |count| format!("[vars]\nunset = [{}]\n", "'a',".repeat(count)),
    ];
    for (number, kind) in kinds.iter().enumerate() {
        let (small, large) = (took(kind(2_000)), took(kind(20_000)));
        assert!(large < small.max(0.002) * 60.0, "{number}: {small} s, then {large} s");
    }
}
