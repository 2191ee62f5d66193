//! One byte form for one value: sorted keys, no blanks, one line.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Compact JSON with the keys of every object sorted by their bytes.
///
/// # Errors
/// When the value cannot be written as JSON (a map with keys that are not text).
pub fn canonical_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut tree = serde_json::to_value(value)?;
    tree.sort_all_objects();
    serde_json::to_string(&tree)
}

/// `sha256:` and the digest in lower-case hexadecimal.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
