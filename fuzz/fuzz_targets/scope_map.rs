//! Any text as the path map and as the alias map.

#![no_main]

use kontext_fuzz::{budget, grammar, notes};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = grammar::text(data);
    notes::maps(&text);
    budget::linear(&text, notes::maps);
});
