//! The words of the *ops, events, tools* group.

use super::{Diagnostic, lint};
use crate::config::DriverKind;
use crate::source::FileSpan;

/// An op that the adapter does not have.
pub fn report_unknown_op(place: FileSpan, adapter: &str, written: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lint::UNKNOWN_OP, place, format!("`{adapter}` has no op `{written}`"));
    match crate::suggest::nearest(written, known.iter().copied()) {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")),
        None => diagnostic.help(format!("write it: `[adapters.{adapter}.ops.{written}]`")),
    }
}

/// A custom op that nothing reaches.
pub fn report_unused_op(place: FileSpan, written: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &lint::UNUSED_OP,
        place,
        format!("no event and no tool uses the op `{written}`: it is reached by `kontext run op` only"),
    );
    match nearest {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")).fix(
            format!("rename to `{nearest}`"),
            false,
            place,
            nearest,
        ),
        None => diagnostic
            .help("give it a tool (`[[adapters.….tools]]`) or an event (`[[adapters.….on]]`), or allow it"),
    }
}

/// A `read` op that no URI reaches.
pub fn report_read_owns_nothing(place: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &lint::UNUSED_OP,
        place,
        "no URI reaches this `read`: it has no `owns`, so that only `kontext run op` calls it".to_owned(),
    )
    .help("say how the URIs that it reads begin: `owns = [\"notes://\"]`")
}

/// A standard op that is the same call whatever is asked.
pub fn report_unused_input(place: FileSpan, op: &str, input: &str, driver: Option<DriverKind>) -> Diagnostic {
    let value = format!("{{{{{input}}}}}");
    let help = match driver {
        Some(DriverKind::Mcp) => {
            format!(
                "write it into `args`, such as `args = {{ {input} = \"{value}\" }}`, or leave `args` out: arguments are then bound by name"
            )
        }
        Some(DriverKind::Command) => {
            format!(
                "write it into `command` behind `\"--\"`, such as `[\"program\", \"--\", \"{value}\"]`, or into `stdin`"
            )
        }
        _ => format!("write it into the request, such as `query = {{ q = \"{value}\" }}`"),
    };
    Diagnostic::new(
        &lint::UNUSED_INPUT,
        place,
        format!("`{op}` never uses `{input}`: whatever is asked, the call is the same"),
    )
    .help(help)
}

/// Two read ops with the same prefix.
pub fn report_overlapping_owns(place: FileSpan, prefix: &str, first: FileSpan, adapter: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::OVERLAPPING_OWNS,
        place,
        format!("`{prefix}` is owned by `{adapter}` too, which comes first by name and is asked"),
    )
    .label(first, "owned here first")
    .help("give each adapter a prefix of its own, or take one of the two away")
}

/// The same prefix twice in one adapter.
pub fn report_owned_twice(place: FileSpan, prefix: &str, first: FileSpan) -> Diagnostic {
    Diagnostic::new(&lint::OVERLAPPING_OWNS, place, format!("`{prefix}` is owned here twice"))
        .label(first, "owned here first")
        .help("take one of the two away")
}

/// A hit URI that no op can read.
pub fn report_unowned_uri(place: FileSpan, scheme: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::UNOWNED_URI,
        place,
        format!("no `read` op owns `{scheme}`: hits with this URI cannot be read"),
    )
    .help(format!("add `owns = [\"{scheme}\"]` to the `read` op that answers for it"))
}

/// A capture subscription that gets private notes too.
pub fn report_private_delivered(place: FileSpan, adapter: &str) -> Diagnostic {
    Diagnostic::new(&lint::PRIVATE_DELIVERED, place, format!("`{adapter}` is sent private notes too"))
        .help("write `visibility = \"team\"` to send only what the team may see")
}

/// A field that has no effect on an op of this kind.
pub fn report_result_field(place: FileSpan, field: &str, op: &str, gives_hits: bool) -> Diagnostic {
    let (gives, write) =
        if gives_hits { ("hits", "`items`, `split`, `where` and `map`") } else { ("text", "`text`") };
    Diagnostic::new(
        &lint::INVALID_VALUE,
        place,
        format!("`{op}` gives {gives}: `{field}` has no meaning for it"),
    )
    .help(format!("say what the answer is with {write}"))
}

/// `owns` on an op that reads nothing.
pub fn report_owns_elsewhere(place: FileSpan, op: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::INVALID_VALUE,
        place,
        format!("`{op}` reads no URIs: `owns` has no meaning for it"),
    )
    .help("`owns` belongs to the op `read`")
}

/// A `#` in a request path.
pub fn report_fragment(place: FileSpan) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, place, "what follows `#` in a URL is never sent".to_owned())
        .help("write `%23` for the character itself, or take it out")
}

/// `output_file` without a program that is told the file's name.
pub fn report_unnamed_output_file(place: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &lint::INVALID_VALUE,
        place,
        "`output_file` reads the answer from a file, and nothing tells the program its name".to_owned(),
    )
    .help("write `{{output_file}}` where the program takes the name: `command = [\"program\", \"-o\", \"{{output_file}}\"]`")
}

/// A path that climbs above the base.
pub fn report_leaves_base(place: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &lint::INVALID_VALUE,
        place,
        "the path leaves the base: every call would be refused".to_owned(),
    )
    .help("write the address as an absolute `url`, or take the `..` out of `path` and the base")
}

/// Both ways of saying what the answer is.
pub fn report_text_and_hits(place: FileSpan, other: FileSpan, field: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::CONFLICTING_KEYS,
        place,
        format!("`text` makes the answer a text, `{field}` makes it hits"),
    )
    .label(other, "also given here")
    .help("keep one of the two")
}
