//! Headers that cannot be sent, or would say their name twice.

use crate::diagnostic::lint::{CONFLICTING_KEYS, INVALID_VALUE};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::FileSpan;

/// A name no header has.
#[must_use]
pub fn report_header_name(at: FileSpan, name: &str) -> Diagnostic {
    let mended: String =
        name.trim().chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let finding = Diagnostic::new(&INVALID_VALUE, at, format!("`{name}` is no name of a header"))
        .note("letters, digits and `-`");
    let mended = mended.trim_matches('-');
    if mended.is_empty() {
        finding.help("write a name such as `X-Trace`")
    } else {
        finding.help(format!("write `{mended}`"))
    }
}

/// A header kontext sets itself.
#[must_use]
pub fn report_own_header(at: FileSpan, name: &str) -> Diagnostic {
    let finding =
        Diagnostic::new(&INVALID_VALUE, at, format!("`{name}` is set by kontext and cannot be configured"));
    if name.eq_ignore_ascii_case("host") {
        finding.help("remove it, and write the host into the URL")
    } else {
        finding.help("remove it")
    }
}

/// The same header under two spellings.
#[must_use]
pub fn report_same_header(at: FileSpan, name: &str, first: FileSpan, other: &str) -> Diagnostic {
    Diagnostic::new(&CONFLICTING_KEYS, at, format!("`{name}` and `{other}` are the same header"))
        .label(first, format!("`{other}` is set here"))
        .help(format!("keep one of them; to override a lower layer's, write `{other}`"))
}

/// A header value that begins with the header's name.
#[must_use]
pub fn report_repeated_name(at: FileSpan, exact: bool, name: &str, rest: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("the value of `{name}` begins with the header's own name"),
    )
    .severity(Severity::Warning)
    .note("this would be sent twice");
    let scheme = rest.split([' ', '{']).next().unwrap_or("");
    let finding = finding.help(format!("write only what stands behind the colon: `{name} = \"{scheme} …\"`"));
    if exact { finding.fix("remove the name", true, at, "") } else { finding }
}
