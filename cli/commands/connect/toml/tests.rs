//! The bytes outside the entry.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn entry() -> Map<String, Value> {
    json!({ "command": "/bin/kontext", "args": ["-C", "/r", "run"] }).as_object().unwrap().clone()
}

fn merge_it(text: &str) -> Result<Merged, Refusal> {
    merge(text, "mcp_servers", "kontext", &entry())
}

fn merged(text: &str) -> String {
    let merged = merge_it(text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    let again = merge_it(&merged.text).unwrap();
    assert_eq!((again.change, &again.text), (Change::Same, &merged.text), "the second time: {text}");
    merged.text
}

const BLOCK: &str = "[mcp_servers.kontext]\ncommand = \"/bin/kontext\"\nargs = [\"-C\", \"/r\", \"run\"]\n";

#[test]
fn a_new_entry_stands_at_the_end() {
    for old in [
        "",
        "model = \"x\" # mine\n\n",
        "[mcp_servers.a] # one\ncommand = 'a'\n\n",
        "mcp_servers.a.command = \"a\"\n\n",
    ] {
        assert_eq!(merged(old), format!("{old}{BLOCK}"), "{old}");
    }
    assert_eq!(merged("# only"), format!("# only\n\n{BLOCK}"));
    let crlf = "a = 1\r\n[mcp_servers]\r\n";
    assert_eq!(merged(crlf), format!("{crlf}\r\n{}", BLOCK.replace('\n', "\r\n")));
    assert_eq!(merged("\u{feff}a = 1\n"), format!("\u{feff}a = 1\n\n{BLOCK}"));
    let inline = "mcp_servers = { a = { command = \"a\" } } # one\n";
    let kontext = "kontext = { command = \"/bin/kontext\", args = [\"-C\", \"/r\", \"run\"] }";
    assert_eq!(merged(inline), format!("mcp_servers = {{ a = {{ command = \"a\" }}, {kontext} }} # one\n"));
    assert_eq!(merged("mcp_servers = {}\n"), format!("mcp_servers = {{ {kontext} }}\n"));
}

#[test]
fn a_new_entry_of_an_inline_table_stands_behind_the_others() {
    let cases = [
        ("{a={command=\"a\"}}", "{a={command=\"a\"}, NEW}"),
        (
            "{ a.url = \"a\", b.url = \"b\", a.enabled = true } # }",
            "{ a.url = \"a\", b.url = \"b\", a.enabled = true, NEW } # }",
        ),
        ("{ a.url = \"a#,\", }", "{ a.url = \"a#,\", NEW, }"),
        ("{ a = { url = \"}\" } # one, two\n}", "{ a = { url = \"}\" }, NEW # one, two\n}"),
        ("{\n\ta.url = 'a' # one, two\n}", "{\n\ta.url = 'a', # one, two\n\tNEW\n}"),
        (
            "{\r\n  a.url = 'a'\r\n  , # one\r\n  # more\r\n}",
            "{\r\n  a.url = 'a'\r\n  , # one\r\n  NEW,\r\n  # more\r\n}",
        ),
        ("{ # first\n  a.url = 'a',\n}", "{ # first\n  a.url = 'a', NEW,\n}"),
        ("{ # first\n}", "{ NEW  # first\n}"),
    ];
    let kontext = "kontext = { command = \"/bin/kontext\", args = [\"-C\", \"/r\", \"run\"] }";
    for (old, new) in cases {
        let whole = |table: &str| format!("x = 1\nmcp_servers = {table}\n[y]\n");
        assert_eq!(merged(&whole(old)), whole(&new.replace("NEW", kontext)));
    }
}

#[test]
fn only_what_differs_is_changed() {
    let old = "[ mcp_servers . \"kontext\" ] # mine\r\nenabled = true\r\ncommand = '/old' # was\r\n[mcp_servers.kontext.env]\r\nA = \"b\"\r\n";
    let new = old
        .replace("'/old'", "\"/bin/kontext\"")
        .replace("# mine\r\n", "# mine\r\nargs = [\"-C\", \"/r\", \"run\"]\r\n");
    assert_eq!(merged(old), new);
    assert_eq!(merge_it(old).unwrap().change, Change::Keys(vec!["command".to_owned(), "args".to_owned()]));
    let dotted = "a = 1\n  mcp_servers.kontext.command = \"/old\"\n[b]\n";
    let new = "a = 1\n  mcp_servers.kontext.args = [\"-C\", \"/r\", \"run\"]\n  mcp_servers.kontext.command = \"/bin/kontext\"\n[b]\n";
    assert_eq!(merged(dotted), new);
    let inline =
        "[mcp_servers]\nkontext = { command = \"/bin/kontext\", startup_timeout_sec = 5 } # x\nz = 1\n";
    let new = inline.replace("{ command", "{ args = [\"-C\", \"/r\", \"run\"], command");
    assert_eq!(merged(inline), new);
    let implied = "[mcp_servers.kontext.env]\nA = \"b\"\n";
    assert_eq!(merged(implied), format!("{implied}\n{BLOCK}"));
    assert_eq!(merged("[mcp_servers.kontext]"), BLOCK);
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    let cases = [
        ("a = \n", Some(4)),
        ("a = 1\na = 2\n", Some(6)),
        ("a = 1\nmcp_servers = 1\n", Some(6)),
        ("[[mcp_servers]]\n", Some(2)),
        ("[mcp_servers]\nkontext = []\n", Some(14)),
        ("[mcp_servers.kontext]\nurl = \"https://x\"\n", Some(22)),
        ("[mcp_servers.kontext]\n[mcp_servers.kontext.command]\n", None),
    ];
    for (text, at) in cases {
        let refusal = merge_it(text).unwrap_err();
        assert_eq!(refusal.at, at, "{text}: {}", refusal.message);
        assert!(!refusal.message.is_empty() && !refusal.message.contains('\n'));
    }
}

/// Lines and tables of a file that is not ours.
const PIECES: [&str; 12] = [
    "# note",
    "",
    "[table]",
    "[[list]]",
    "[mcp_servers.other]",
    "\"b c\" = [1,\n 2, # two\n]",
    "x = '''\n[mcp_servers.kontext]\n'''",
    "[mcp_servers.other.env]",
    "d = 1979-05-27 07:32:00",
    "f = { y = 1, z = [ ] } # f",
    "[mcp_servers]",
    "  [t.u] # t",
];

fn file() -> impl Strategy<Value = String> {
    let pieces = proptest::sample::subsequence(PIECES.to_vec(), 0..=PIECES.len()).prop_shuffle();
    (pieces, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(pieces, wide, crlf, cut)| {
        let end = if wide { "\n\n" } else { "\n" };
        let text: String = pieces.iter().map(|piece| format!("{piece}{end}")).collect();
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        if cut { text.trim_end().to_owned() } else { text }
    })
}

proptest! {
    #[test]
    fn bytes_outside_the_entry_are_unchanged(text in file()) {
        let new = merge_it(&text).unwrap().text;
        let tail = new.strip_prefix(text.as_str()).unwrap_or_else(|| panic!("{text}\n---\n{new}"));
        let tail = tail.replace('\r', "");
        prop_assert_eq!(tail.trim_start(), BLOCK);
        let changed = new.replace("/bin/kontext", "/old").replace(", \"run\"]", "]");
        prop_assert_eq!(merge_it(&changed).unwrap().text, new);
    }

    #[test]
    fn any_text_is_merged_or_refused(text in "[\\[\\]{}=.\"'# a1\n,]{0,12}(mcp_servers|kontext)?[\\[\\]{}=.\"'# a1\n,]{0,12}") {
        let _ = merge_it(&text);
    }
}

#[test]
fn strings_are_toml() {
    for text in ["/a b/\"c\"", "C:\\x", "/é'\n"] {
        let line = format!("a = {}", written(&Value::from(text)));
        let document = Document::parse(line.as_str()).unwrap();
        assert_eq!(document.get("a").and_then(Item::as_str), Some(text), "{line}");
    }
}
