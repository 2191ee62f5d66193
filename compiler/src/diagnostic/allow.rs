//! The words of `unused-allow`: comments that silence nothing.

use super::{Diagnostic, lint};
use crate::source::FileSpan;

fn new(at: FileSpan, message: String) -> Diagnostic {
    Diagnostic::new(&lint::UNUSED_ALLOW, at, message)
}

/// An id that is not reported where the comment stands.
pub fn report_silences_nothing(at: FileSpan, id: &str) -> Diagnostic {
    new(at, format!("`{id}` is not reported here: this silences nothing"))
        .help("take it out; a comment is about its own line, one that stands alone about the line below")
}

/// An id there is not.
pub fn report_unknown_id(at: FileSpan, id: &str, nearest: Option<&str>) -> Diagnostic {
    let finding = new(at, format!("there is no diagnostic `{id}`: this silences nothing"));
    match nearest {
        Some(near) => {
            finding.help(format!("did you mean `{near}`?")).fix(format!("write `{near}`"), false, at, near)
        }
        None => finding.help("`kontext explain` lists every id"),
    }
}

/// An id that is an error where the comment stands.
pub fn report_error(at: FileSpan, id: &str) -> Diagnostic {
    new(at, format!("`{id}` is an error here, and errors cannot be silenced"))
        .help(format!("mend it: `kontext explain {id}` says how"))
}

/// `allow` without an id.
pub fn report_no_id(at: FileSpan) -> Diagnostic {
    new(at, "this names no id".to_owned())
        .help("write the id that stands in the brackets of the finding: `# kontext: allow(unused-op)`")
}

/// Another word than `allow`.
pub fn report_other_word(at: FileSpan, word: &str) -> Diagnostic {
    new(at, format!("`{word}` is no word of such a comment")).help("write `# kontext: allow(unused-op)`").fix(
        "write `allow`",
        false,
        at,
        "allow",
    )
}
