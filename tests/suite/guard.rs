//! Generated files: rewritten under `UPDATE=1` by the test that otherwise guards them.

use crate::root;

/// Fails when the file is not what would be generated; writes it under `UPDATE=1`.
#[track_caller]
pub fn generated(name: &str, text: &str) {
    let path = root().join(name);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if old == text {
        return;
    }
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let line = 1 + old.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
    panic!(
        "{name} is out of date from line {line} on: run `UPDATE=1 cargo test --test suite` and read the change"
    );
}
