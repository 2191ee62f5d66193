//! Any text as a template.

#![no_main]

use kontext_fuzz::{budget, grammar};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = grammar::text(data);
    grammar::template(&text);
    budget::linear(&text, grammar::template);
});
