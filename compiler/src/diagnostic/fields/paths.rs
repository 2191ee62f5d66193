//! Paths that stand against nothing, are not expanded, or lead out.

use kontext_plan::LayerName;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::{INVALID_VALUE, RELATIVE_PATH, TILDE_NOT_EXPANDED};
use crate::source::FileSpan;

/// A relative path in a layer that has no directory.
#[must_use]
pub fn report_relative_path(
    at: FileSpan,
    start: FileSpan,
    key: &str,
    text: &str,
    layer: LayerName,
) -> Diagnostic {
    let rest = text.strip_prefix("./").unwrap_or(text);
    let mended = format!("{{{{repo.root}}}}/{rest}");
    let layer = layer.as_str();
    Diagnostic::new(
        &RELATIVE_PATH,
        at,
        format!("`{key}` is relative, and the {layer} layer has no directory it could stand against"),
    )
    .help(format!("write `{mended}` for a path in the repository, or an absolute path or `~/…`"))
    .fix(format!("write `{mended}`"), false, start, "{{repo.root}}/")
}

/// A `~` that nothing expands.
#[must_use]
pub fn report_tilde(at: FileSpan, text: &str) -> Diagnostic {
    let mended = text.replacen('~', "{{env.HOME}}", 1);
    let safe = at.end == at.start + 1;
    let finding = Diagnostic::new(
        &TILDE_NOT_EXPANDED,
        at,
        format!("`{text}` is handed over as it is: no shell expands `~` here"),
    )
    .help(format!("write `{mended}`"));
    if safe { finding.fix(format!("write `{mended}`"), true, at, "{{env.HOME}}") } else { finding }
}

/// An absolute path where one inside the repository belongs.
#[must_use]
pub fn report_absolute(at: FileSpan, key: &str, text: &str) -> Diagnostic {
    let finding =
        Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` is `{text}`, and must be a relative path"));
    match key {
        "file" => finding.help(format!("write `exists = \"{text}\"` for a path outside the repository")),
        _ => finding.help("write a path relative to its root, such as `docs/notes`"),
    }
}

/// A path that climbs out.
#[must_use]
pub fn report_climbs(at: FileSpan, key: &str, text: &str) -> Diagnostic {
    let finding =
        Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` is `{text}`, and `..` leads out of its root"));
    match key {
        "file" => finding
            .help(format!("write `exists = \"{{{{repo.root}}}}/{text}\"` for a path outside the repository")),
        _ => finding.help("write a path without `..`"),
    }
}

/// A wildcard before the last segment.
#[must_use]
pub fn report_wildcard(at: FileSpan, key: &str, text: &str) -> Diagnostic {
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{key}` is `{text}`: `*` and `?` may stand in its last segment only"),
    )
    .help("name the directories, and write the wildcard behind the last `/`")
}
