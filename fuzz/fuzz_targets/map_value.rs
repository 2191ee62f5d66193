//! Any text as a map value.

#![no_main]

use kontext_fuzz::{budget, grammar};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = grammar::text(data);
    grammar::map_value(&text);
    budget::linear(&text, grammar::map_value);
});
