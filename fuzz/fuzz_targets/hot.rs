//! Any text as the hot document, whole and up to its cut.

#![no_main]

use kontext_fuzz::{budget, grammar, notes};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = grammar::text(data);
    notes::document(&text);
    budget::linear(&text, notes::document);
});
