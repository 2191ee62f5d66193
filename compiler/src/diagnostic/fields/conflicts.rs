//! Keys that cannot stand together.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::CONFLICTING_KEYS;
use crate::source::FileSpan;

/// Two keys of which only one may stand; reported at the one written later.
#[must_use]
pub fn report_conflicting_keys(
    a: (&str, FileSpan),
    b: (&str, FileSpan),
    why: &str,
    mend: &str,
) -> Diagnostic {
    let (first, second) = if a.1.file == b.1.file && b.1.start < a.1.start { (b, a) } else { (a, b) };
    let message = format!("`{}` and `{}` cannot stand together", second.0, first.0);
    Diagnostic::new(&CONFLICTING_KEYS, second.1, message)
        .note(why)
        .label(first.1, format!("`{}` is set here", first.0))
        .help(mend)
}
