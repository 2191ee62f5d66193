//! The mcp driver against real processes. The executable is also the guard and every server: it starts itself with
//! other arguments, so it brings its own harness.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "these are tests"
)]

mod calls;
mod eras;
mod fake;
mod harness;
mod plans;
#[path = "../suite/support/mod.rs"]
#[allow(dead_code, reason = "the other suite needs the rest")]
mod support;

use harness::test;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("guard") => {
            let words: Vec<std::ffi::OsString> = std::env::args_os().skip(3).collect();
            let status = kontext_runtime::guard(&words[0], &words[1..]);
            std::process::exit(status.into());
        }
        Some("fake") => fake::serve(&words[1..]),
        _ => harness::run(&words, TESTS),
    }
}

const TESTS: &[harness::Test] = &[test!(calls::a_structured_result), test!(eras::each_is_agreed_on)];
