//! The words of findings about whole files and about what layers do to each other.

use kontext_plan::LayerName;

use super::lint::{INVALID_VALUE, NOT_UTF8, TWO_SHARED_FILES, TYPE_CONFLICT, UNREADABLE_LAYER};
use super::{Diagnostic, Diagnostics, Severity};
use crate::source::FileSpan;
use crate::suggest::nearest;

/// A layer that is there and cannot be read, or was named and is not there.
pub fn report_unreadable(
    at: FileSpan,
    display: &str,
    reason: &str,
    help: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("`{display}` cannot be read: {reason}");
    let help = help.unwrap_or("make it readable, or move it away: a layer may be absent");
    diagnostics.push(Diagnostic::new(&UNREADABLE_LAYER, at, message).help(help));
}

/// A file named by `--config` or `KONTEXT_CONFIG` that is not there.
pub fn report_missing_explicit(at: FileSpan, display: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{display}` does not exist");
    diagnostics.push(
        Diagnostic::new(&UNREADABLE_LAYER, at, message)
            .help("it was named with `--config` or `KONTEXT_CONFIG`: mend the path, or leave it out"),
    );
}

/// What bytes that are not UTF-8 look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// UTF-32 of either order.
    Utf32,
    /// Latin-1.
    Latin1,
    /// Windows-1252.
    Windows1252,
    /// UTF-8 in which some bytes are damaged.
    DamagedUtf8,
    /// No text.
    Binary,
}

impl Encoding {
    /// Its name in sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Utf32 => "UTF-32",
            Encoding::Latin1 => "Latin-1",
            Encoding::Windows1252 => "Windows-1252",
            Encoding::DamagedUtf8 => "UTF-8 with damaged bytes",
            Encoding::Binary => "binary data",
        }
    }
}

/// A layer that is not UTF-8.
pub fn report_not_utf8(
    at: FileSpan,
    display: &str,
    looks_like: Encoding,
    byte: u8,
    diagnostics: &mut Diagnostics,
) {
    let name = looks_like.name();
    let message = format!("`{display}` is not UTF-8; it looks like {name}");
    let help = match looks_like {
        Encoding::Binary => "put a TOML text there, saved as UTF-8",
        Encoding::DamagedUtf8 => "write the damaged character again and save the file as UTF-8",
        _ => "save the file as UTF-8",
    };
    let note = format!("the first wrong byte, 0x{byte:02X}");
    diagnostics.push(Diagnostic::new(&NOT_UTF8, at, message).note(note).help(help));
}

/// Both places of the shared layer hold a file.
pub fn report_two_shared_files(
    second: FileSpan,
    second_name: &str,
    first: FileSpan,
    first_name: &str,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("the shared layer stands twice: in `{first_name}` and in `{second_name}`");
    diagnostics.push(
        Diagnostic::new(&TWO_SHARED_FILES, second, message)
            .label(first, "this one is used until one of them is gone")
            .help(format!(
                "move what `{second_name}` says into `{first_name}`, or the reverse, and delete the other"
            )),
    );
}

/// A value of another kind than the lower layer's: a table over a string, an array over a table.
pub fn report_type_conflict(
    path: &str,
    higher: (FileSpan, &str, LayerName),
    lower: (FileSpan, &str, LayerName),
    unset: Option<&str>,
    diagnostics: &mut Diagnostics,
) {
    let (at, kind, layer) = higher;
    let (lower_at, lower_kind, lower_layer) = lower;
    let message = format!(
        "`{path}` is {kind} in the {} layer and {lower_kind} in the {} layer",
        layer.as_str(),
        lower_layer.as_str()
    );
    let help = match unset {
        Some(key) => {
            format!("write {lower_kind} here too, or remove the lower one first with `unset = [\"{key}\"]`")
        }
        None => format!("write {lower_kind} here too, or change the lower layer"),
    };
    diagnostics.push(
        Diagnostic::new(&TYPE_CONFLICT, at, message).label(lower_at, format!("{lower_kind} here")).help(help),
    );
}

/// A `store.dir` that leaves the repository.
pub fn report_store_dir(at: FileSpan, written: &str, why: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`store.dir` {why}: `{written}`");
    diagnostics.push(
        Diagnostic::new(&INVALID_VALUE, at, message)
            .help("write a directory inside the repository, relative to its root, such as `\".ai\"`"),
    );
}

/// `store.dir` in the very file it would have to be known for.
pub fn report_store_dir_inside(at: FileSpan, display: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`store.dir` cannot be set in `{display}`, which is found through it");
    diagnostics.push(
        Diagnostic::new(&INVALID_VALUE, at, message).help(
            "set it in `.kontext.toml` or in a private layer, or move this whole file to `.kontext.toml`",
        ),
    );
}

/// An `unset` that is not an array of key names.
pub fn report_unset_type(at: FileSpan, kind: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`unset` lists key names, and this is {kind}");
    diagnostics.push(
        Diagnostic::new(&super::lint::WRONG_TYPE, at, message)
            .help("write an array of strings, such as `unset = [\"command\"]`"),
    );
}

/// An `unset` key that no lower layer has.
pub fn report_unset_unknown(at: FileSpan, key: &str, inherited: &[&str], diagnostics: &mut Diagnostics) {
    let message = format!("there is no inherited key `{key}` to unset");
    let help = match (nearest(key, inherited.iter().copied()), inherited.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => "no lower layer has this table: delete the entry".to_owned(),
        (None, false) => format!("inherited here: `{}`", inherited.join("`, `")),
    };
    diagnostics.push(Diagnostic::new(&INVALID_VALUE, at, message).severity(Severity::Warning).help(help));
}
