//! Any bytes as a whole configuration; or as several layers; or as the text of any slot of one.
//!
//! The first bytes say which: `t` and bytes are one layer, `l`, a profile and texts with NUL between are several
//! layers, `s`, two bytes, a style and bytes are a slot's text, `n`, a profile and texts with NUL between are the hot
//! document, the path map, the alias map and a layer.

#![no_main]

use std::sync::LazyLock;

use kontext_compiler::world::MapWorld;
use kontext_fuzz::slots::{self, STYLES, Slot};
use kontext_fuzz::{budget, grammar, oracle};
use kontext_plan::Profile;

/// The inputs that texts with NUL between become, in order.
const INPUTS: [&str; 5] =
    ["clone:config.toml", "repo:.kontext.toml", "user:config.toml", "repo:.ai/kontext.toml", "explicit"];

/// The same for notes.
const NOTES: [&str; 4] = [
    "repo:.ai/agent-notes.md",
    "repo:.ai/knowledge/work/local/workspace-scope-map-v1.md",
    "repo:.ai/knowledge/work/local/scope-alias-map-v1.md",
    "clone:config.toml",
];

static SLOTS: LazyLock<Vec<Slot>> = LazyLock::new(slots::all);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data {
        [b'l', profile, texts @ ..] => examine(&layers(&INPUTS, texts), self::profile(*profile)),
        [b'n', profile, texts @ ..] => examine(&layers(&NOTES, texts), self::profile(*profile)),
        [b's', high, low, style, text @ ..] => {
            let slot = &SLOTS[usize::from(u16::from_be_bytes([*high, *low])) % SLOTS.len()];
            let style = STYLES[usize::from(*style) % STYLES.len()];
            in_slot(slot, style, &grammar::text(text));
        }
        [b't', text @ ..] | text => {
            examine(&clone_layer(text), Profile::Local);
            budget::linear(&grammar::text(text), |text| {
                examine(&clone_layer(text.as_bytes()), Profile::Local)
            });
        }
    }
});

fn in_slot(slot: &Slot, style: slots::Style, text: &str) {
    let run = |text: &str| examine(&clone_layer(slot.config(text, style).as_bytes()), Profile::Local);
    run(text);
    budget::linear(text, run);
}

fn clone_layer(bytes: &[u8]) -> MapWorld {
    MapWorld::default().with("clone:config.toml", bytes)
}

fn layers(inputs: &[&str], texts: &[u8]) -> MapWorld {
    let texts = texts.split(|byte| *byte == 0);
    inputs.iter().zip(texts).fold(MapWorld::default(), |world, (input, text)| world.with(input, text))
}

fn profile(byte: u8) -> Profile {
    [Profile::Local, Profile::Shared, Profile::Public][usize::from(byte) % 3]
}

fn examine(world: &MapWorld, profile: Profile) {
    if let Err(why) = oracle::examine(world, profile) {
        panic!("{why}");
    }
}
