//! Links the program for a fixed address on Linux.
//!
//! A program that may be loaded anywhere is relocated at every start: some 200 pages written before `main`, a quarter
//! of what `check` of a small file takes. Go links its programs in the same way. Libraries, stack and heap are still
//! placed at random.

use std::env::var;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
