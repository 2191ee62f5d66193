//! The words of `invalid-toml` for texts that are another language, and for characters that no TOML may have.

use super::lint::INVALID_TOML;
use super::{Diagnostic, Diagnostics};
use crate::source::FileSpan;

/// A finding of this module.
fn new(at: FileSpan, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&INVALID_TOML, at, message)
}

/// A whole file of JSON.
pub fn report_json(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "this is JSON, and a layer is TOML")
            .help("write `[adapters.notes]` for a table, then lines such as `driver = \"mcp\"`; `kontext init` writes a starter file"),
    );
}

/// YAML where TOML should be.
pub fn report_yaml(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, "this looks like YAML, and a layer is TOML").help(
        "a table begins with a header such as `[adapters.notes]`, a list is `key = [\"a\", \"b\"]`, an entry is `key = value`",
    ));
}

/// Syntax errors beyond those shown.
pub fn report_more_errors(at: FileSpan, hidden: usize, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("{hidden} more lines of this file are not TOML either"))
            .help("is this the right file? `kontext init` writes a starter file"),
    );
}

/// A byte order mark that is not at the start.
pub fn report_byte_order_mark(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "a byte order mark (U+FEFF) stands inside the file")
            .help("delete this invisible character; it may stand once, at the very start")
            .fix("delete the byte order mark", true, at, ""),
    );
}

/// A carriage return without a line feed.
pub fn report_carriage_return(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "a carriage return (CR, U+000D) without a line feed")
            .help("end lines with LF or CRLF: save the file with Unix or Windows line ends"),
    );
}

/// A character that cannot be seen.
pub fn report_invisible(at: FileSpan, character: char, diagnostics: &mut Diagnostics) {
    let code = u32::from(character);
    diagnostics.push(
        new(at, format!("an invisible character (U+{code:04X}) stands here"))
            .help("delete it, or write a plain space in its place"),
    );
}

/// A control character in a string or a comment.
pub fn report_control(at: FileSpan, character: char, diagnostics: &mut Diagnostics) {
    let code = u32::from(character);
    diagnostics.push(
        new(at, format!("a control character (U+{code:04X}) stands here"))
            .help(format!("delete it; in a double-quoted string it can be written `\\u{code:04X}`")),
    );
}
