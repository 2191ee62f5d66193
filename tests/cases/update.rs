//! Rewrites the blocks that hold what kontext prints.

use std::ops::Range;
use std::path::Path;

/// A block's new text.
pub struct Rewrite {
    /// Where the old one stands.
    pub range: Range<usize>,
    /// The new one, with its last line break.
    pub text: String,
}

/// Writes the file again when a block changed.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, old: &str, mut rewrites: Vec<Rewrite>) -> Result<(), String> {
    let mut new = old.to_owned();
    rewrites.sort_by_key(|rewrite| std::cmp::Reverse(rewrite.range.start));
    for rewrite in rewrites {
        new.replace_range(rewrite.range, &rewrite.text);
    }
    if new == old {
        return Ok(());
    }
    std::fs::write(path, new).map_err(|error| format!("{}: {error}", path.display()))
}
