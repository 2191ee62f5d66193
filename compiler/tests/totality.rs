//! Totality: whatever a file holds, `check` answers; it never panics, never points outside the text, never speaks
//! Rust, and says the same thing twice.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics has failed, which is what it is for"
)]

#[path = "totality/oracle.rs"]
mod oracle;
#[path = "totality/render.rs"]
mod render;
#[path = "totality/slots.rs"]
mod slots;

use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile};
use kontext_plan::Profile;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use slots::{STYLES, Slot};

/// Pieces of the small languages, parted by blanks.
const PIECES: &str = r#"
    {{ }} {{query}} {{env.X|default: {{vars.v}} | |json |join:, |default:' query env item . [ ] [*] [0] [-1] ' " \ \u{1}
    = re: tpl: (?i) ( ) * {1,9} $ ${X} $(x) ~/ ../ :// http:// user:pass@ :8080 ? # %2F string! own unset 0 -9 1e400 --
    C:\new ghp_0123456789abcdefghijABCDEFGHIJ012345 é 日本 👩‍👧"#;
/// Characters that are blank, in control, combining, invisible or last.
const ODD: &str = " \t\n\r\0\u{7f}\u{85}\u{a0}\u{301}\u{200d}\u{202e}\u{feff}\u{10ffff}";

/// Bytes of a long text.
const LONG: usize = 24 * 1024;

fn text() -> impl Strategy<Value = String> {
    let pieces: Vec<String> =
        PIECES.split_whitespace().map(str::to_owned).chain(ODD.chars().map(String::from)).collect();
    prop_oneof![
        4 => prop::collection::vec(select(pieces), 0..8).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => "\\PC{0,24}",
    ]
}

/// A right configuration, from which broken ones are made.
const WHOLE: &str = r#"# a comment: é
version = 1
vars = { base = "{{env.URL|default:http://localhost}}", 'odd key' = """
  two \
  lines 日本""" }
[adapters.a]
driver = "http"
base_url = "{{vars.base}}/v1" # behind
[adapters.a.ops.search]
path = "/s/{{query|trim}}"
query.n = "{{limit}}"
items = "a[*].\"b c\"|d"
map = { title = "t|=x", uri = 'tpl:n:{{id}}', date = 're:\d+' }
[[adapters.a.tools]]
name = "t"
description = "d"
params.q = "string!"
op = { path = "/{{q}}" }
"#;

/// Bytes as they come, or a right configuration in which a stretch was replaced.
fn layer() -> impl Strategy<Value = Vec<u8>> {
    let cut = (any::<Index>(), 0..40_usize, prop::collection::vec(any::<u8>(), 0..6));
    let patch = (any::<Index>(), 0..12_usize, text());
    let whole = |at: Index, length: usize, new: &[u8]| {
        let (start, mut bytes) = (at.index(WHOLE.len()), WHOLE.as_bytes().to_vec());
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, new.iter().copied());
        bytes
    };
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..200),
        2 => cut.prop_map(move |(at, length, new)| whole(at, length, &new)),
        2 => patch.prop_map(move |(at, length, new)| whole(at, length, new.as_bytes())),
    ]
}

fn clone_layer(bytes: impl Into<Vec<u8>>) -> MapWorld {
    MapWorld::default().with("clone:config.toml", bytes)
}

fn holds(slot: &Slot, text: &str, style: slots::Style) -> Result<(), String> {
    let config = slot.config(text, style);
    oracle::examine(&clone_layer(config.as_str()), Profile::Local)
        .map(drop)
        .map_err(|why| format!("{why}\n--- {}\n{config}", slot.line))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_layer(bytes in layer()) {
        if let Err(why) = oracle::examine(&clone_layer(bytes), Profile::Local) {
            return Err(TestCaseError::fail(why));
        }
    }

    #[test]
    fn any_layers_merge(user in layer(), shared in layer(), clone in layer(), public in any::<bool>()) {
        let world = clone_layer(clone).with("user:config.toml", user).with("repo:.kontext.toml", shared);
        let profile = if public { Profile::Public } else { Profile::Local };
        if let Err(why) = oracle::examine(&world, profile) {
            return Err(TestCaseError::fail(why));
        }
    }

    #[test]
    fn any_text_may_stand_in_any_slot(at in any::<Index>(), text in text(), style in select(&STYLES[..])) {
        let slots = slots::all();
        if let Err(why) = holds(&slots[at.index(slots.len())], &text, style) {
            return Err(TestCaseError::fail(why));
        }
    }
}

#[test]
fn every_slot_takes_strange_texts() {
    let strange =
        ["", "{{é", "{{query|nope:'}}日", "a[\"", "re:(\u{301}", "tpl:{{", "\u{feff}\n\0", "👩‍👧${X}|json"];
    let mut problems = Vec::new();
    for (at, slot) in slots::all().iter().enumerate() {
        // Neighbouring slots are alike: they share the texts and the styles out among themselves.
        for turn in 0..2 {
            let text = strange[(3 * at + turn) % strange.len()];
            problems.extend(holds(slot, text, STYLES[(at / 2 + turn) % STYLES.len()]).err());
        }
    }
    assert!(problems.is_empty(), "{} breaches:\n{}", problems.len(), problems.join("\n\n"));
}

#[test]
fn slots_are_right_but_for_the_open_place() {
    let slots = slots::all();
    assert!(slots.len() > 300, "{} slots", slots.len());
    // Syntax only: a slot whose line is not TOML would try nothing.
    for slot in &slots {
        let config = slot.config("x", slots::Style::Basic);
        let compilation = oracle::examine(&clone_layer(config.as_str()), Profile::Local).unwrap();
        let broken = compilation
            .diagnostics
            .iter()
            .find(|d| d.lint.id.contains("toml") || d.lint.id == "duplicate-key");
        assert!(broken.is_none(), "{config}: {}", broken.unwrap().message);
    }
}

/// A quadratic phase needs minutes for these texts, a linear one less than a second even without optimisation.
#[test]
fn long_texts_take_linear_time() {
    let slots = slots::all();
    let wanted = [
        ".path = @",
        ".title = @",
        "search.url = @",
        "\"-c\", @",
        ".repo = @",
        "description = @",
        "{ % = @ }",
    ];
    let wanted: Vec<&Slot> =
        wanted.iter().map(|end| slots.iter().find(|slot| slot.line.contains(end)).unwrap()).collect();
    for (at, piece) in PIECES.split_whitespace().chain(["\n", "\u{301}"]).enumerate() {
        let (slot, style) = (wanted[at % wanted.len()], STYLES[at / wanted.len() % STYLES.len()]);
        let config = slot.config(&piece.repeat(LONG / piece.len()), style);
        let done = oracle::output(&compile(&clone_layer(config), &Options::default()));
        assert!(done.is_ok(), "{piece:?} in {}: {}", slot.line, done.unwrap_err());
    }
}
