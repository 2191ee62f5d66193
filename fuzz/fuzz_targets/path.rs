//! Any text as a path.

#![no_main]

use kontext_fuzz::{budget, grammar};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = grammar::text(data);
    grammar::path(&text);
    budget::linear(&text, grammar::path);
});
