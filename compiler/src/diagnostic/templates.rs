//! The words of the *templates* group.

use kontext_grammar::SyntaxError;

use super::{Diagnostic, Severity, lint};
use crate::source::FileSpan;
use crate::suggest;
use crate::types::Kind;

/// A template that cannot be read.
pub fn report_template_syntax(place: FileSpan, error: &SyntaxError) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lint::TEMPLATE_SYNTAX, place, error.message.clone());
    match &error.help {
        Some(help) => diagnostic.help(help.clone()),
        None => diagnostic,
    }
}

/// A name that nothing in scope has; `nearest` is a name that may be meant, with the members written behind it.
pub fn report_unknown_variable(
    place: FileSpan,
    written: &str,
    nearest: Option<(&str, &str)>,
    in_scope: &[String],
) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lint::UNKNOWN_VARIABLE, place, format!("there is no variable `{written}` here"));
    match nearest {
        Some((nearest, members)) => diagnostic
            .help(format!("did you mean `{{{{{nearest}{members}}}}}`?"))
            .fix(format!("write `{nearest}`"), is_meant(written, nearest, in_scope), place, nearest),
        None if in_scope.is_empty() => diagnostic
            .help("facts are written `repo.…`, `project.…`, `env.NAME`, `now.…`, your own variables `vars.…`; no inputs are passed here"),
        None => diagnostic.help(format!(
            "inputs here: {}; facts are written `repo.…`, `project.…`, `env.NAME`, `now.…`, your own variables `vars.…`",
            ticked(in_scope)
        )),
    }
}

/// A reference to something that has another name here.
pub fn report_foreign_variable(place: FileSpan, written: &str, reference: &str) -> Diagnostic {
    Diagnostic::new(&lint::UNKNOWN_VARIABLE, place, format!("there is no variable `{written}` here"))
        .help(format!("write `{{{{{reference}}}}}`"))
        .fix(format!("write `{reference}`"), false, place, reference)
}

/// Whether a variable is surely meant. One in capitals may be an input as well as the environment's, and a fact of the
/// repository something else of the same name.
fn is_meant(written: &str, near: &str, in_scope: &[String]) -> bool {
    match near.split_once('.') {
        None if near.eq_ignore_ascii_case(written) => true,
        Some(("env", _)) => !in_scope.iter().any(|name| name.eq_ignore_ascii_case(written)),
        Some((first, _)) => first == "vars",
        None => is_bare(near) && suggest::is_certain(written, near, in_scope.iter().map(String::as_str)),
    }
}

/// Whether a template has the name without quotes.
fn is_bare(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A member that a table of facts or an input with known members does not have.
pub fn report_unknown_member(place: FileSpan, of: &str, written: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lint::UNKNOWN_VARIABLE, place, format!("`{of}` has no `{written}`"));
    if let Some(instead) = foreign_member(of, written) {
        return diagnostic.help(format!("write `{{{{{instead}}}}}`"));
    }
    match suggest::nearest(written, known.iter().copied()) {
        Some(nearest) => diagnostic.help(format!("did you mean `{of}.{nearest}`?")).fix(
            format!("write `{nearest}`"),
            is_bare(nearest) && suggest::is_certain(written, nearest, known.iter().copied()),
            place,
            nearest,
        ),
        None if known.is_empty() && of == "vars" => {
            diagnostic.help(format!("define it: `[vars]` with `{written} = \"…\"`"))
        }
        None if known.is_empty() => diagnostic,
        None => diagnostic.help(format!("`{of}` has {}", ticked(known))),
    }
}

/// What a member is that our tables have under another name, or that is made of one.
fn foreign_member(of: &str, written: &str) -> Option<&'static str> {
    Some(match (of, written.to_ascii_lowercase().as_str()) {
        ("repo", "owner" | "org" | "organization") => "repo.id|after:/|before:/",
        ("repo", "host") => "repo.id|before:/",
        ("repo", "path" | "folder" | "directory" | "workspace") => "repo.root",
        ("repo", "url") => "repo.remote",
        ("repo", "full_name" | "fullname") => "repo.id|after:/",
        ("now", "time" | "datetime" | "timestamp" | "utc") => "now.iso",
        ("now", "day" | "today") => "now.date",
        _ => return None,
    })
}

/// A table of facts without a member, or with a member too many.
pub fn report_fact_shape(place: FileSpan, written: &str, write: &str) -> Diagnostic {
    Diagnostic::new(&lint::UNKNOWN_VARIABLE, place, format!("`{written}` is no value by itself"))
        .help(format!("write {write}"))
}

/// A filter nobody knows.
pub fn report_unknown_filter(place: FileSpan, written: &str, known: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lint::UNKNOWN_FILTER, place, format!("there is no filter `{written}`"));
    match suggest::nearest(written, known.iter().copied()).or_else(|| foreign_filter(written)) {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")).fix(
            format!("write `{nearest}`"),
            suggest::is_certain(written, nearest, known.iter().copied()),
            place,
            nearest,
        ),
        None => diagnostic.help(format!("filters are {}", ticked(known))),
    }
}

/// What other template languages call a filter of ours.
fn foreign_filter(written: &str) -> Option<&'static str> {
    match written.to_lowercase().as_str() {
        "url" | "url_encode" | "quote_plus" | "uri" | "encodeuricomponent" | "escape" => Some("urlencode"),
        "tojson" | "to_json" | "dump" | "@json" | "jsonify" => Some("json"),
        "lowercase" | "downcase" => Some("lower"),
        "uppercase" | "upcase" => Some("upper"),
        "strip" => Some("trim"),
        "or" | "d" | "fallback" => Some("default"),
        "safe" | "noescape" => Some("raw"),
        "slugify" | "kebabcase" => Some("slug"),
        "integer" | "number" | "tonumber" | "to_int" => Some("int"),
        "slice" | "limit" | "head" => Some("truncate"),
        "firstline" => Some("first_line"),
        _ => None,
    }
}

/// An argument a filter does not take, lacks, or cannot read.
pub fn report_filter_argument(place: FileSpan, message: String, help: String) -> Diagnostic {
    Diagnostic::new(&lint::FILTER_ARGUMENT, place, message).help(help)
}

/// A filter on a value it does not take.
pub fn report_filter_type(place: FileSpan, filter: &str, takes: &str, found: &Kind) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lint::TYPE_MISMATCH, place, format!("`{filter}` takes {takes}, this is {found}"));
    match found {
        Kind::List(_) => diagnostic.help("make it text first: `|join:,` or `|json`"),
        Kind::Object(_) => diagnostic.help("make it text first with `|json`, or name a member"),
        _ => diagnostic,
    }
}

/// `raw` where nothing is encoded, or before other filters.
pub fn report_misplaced_raw(place: FileSpan, reason: &str) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, place, format!("`raw` {reason}")).help(
        "`raw` stands last in an expression of `path`, or of `url` behind the host: there it keeps the value from being percent-encoded",
    )
}

/// A member of a value that has none.
pub fn report_no_member(place: FileSpan, of: &str, kind: &Kind, step: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lint::TYPE_MISMATCH, place, format!("`{of}` is {kind}: it has no {step}"));
    match kind {
        Kind::List(_) => diagnostic.help(format!("write an index, `{of}[0]`, or `{of}|join:,`")),
        _ => diagnostic,
    }
}

/// A list or object in a longer text.
pub fn report_not_text(place: FileSpan, shown: &str, kind: &Kind) -> Diagnostic {
    let join = if matches!(kind, Kind::List(_)) { "`|join:,` or `|json`" } else { "`|json`" };
    Diagnostic::new(&lint::TYPE_MISMATCH, place, format!("`{shown}` is {kind} and cannot stand in a text"))
        .help(format!("write {join} behind it"))
}

/// A value of a type that a slot does not take.
pub fn report_slot_type(place: FileSpan, shown: &str, kind: &Kind, slot: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lint::TYPE_MISMATCH, place, format!("{slot} wants text, `{shown}` is {kind}"));
    match kind {
        Kind::List(_) => diagnostic.help("write `|join:,` or `|json` behind it"),
        _ => diagnostic.help("write `|json` behind it, or name a member"),
    }
}

/// An input that one way of reaching the op does not provide.
pub fn report_input_not_available(place: FileSpan, name: &str, way: &str, offers: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &lint::INPUT_NOT_AVAILABLE,
        place,
        format!("`{name}` is not passed when the op is reached by {way}"),
    );
    if offers.is_empty() {
        return diagnostic.help(format!("{way} passes nothing: give that way an op of its own"));
    }
    diagnostic
        .help(format!("{way} passes {}: use one of them, or give that way an op of its own", ticked(offers)))
}

/// Variables that need each other.
pub fn report_vars_cycle(place: FileSpan, cycle: &[String]) -> Diagnostic {
    Diagnostic::new(
        &lint::VARS_CYCLE,
        place,
        format!("`vars.{}` is made of itself", cycle.first().map_or("", String::as_str)),
    )
    .help(format!(
        "the circle is {}: write one of them without the next",
        cycle.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ")
    ))
}

/// Variables in variables, too many of them.
pub fn report_vars_too_deep(place: FileSpan, name: &str, deepest: usize) -> Diagnostic {
    Diagnostic::new(
        &lint::INVALID_VALUE,
        place,
        format!("`vars.{name}` is made of more than {deepest} variables inside one another"),
    )
    .help("write one of those it is made of as text")
}

/// An environment variable without a `default`.
pub fn report_missing_default(
    place: FileSpan,
    name: &str,
    slot: &str,
    definition: Option<FileSpan>,
    adapter: bool,
) -> Diagnostic {
    let (severity, consequence) = if adapter {
        (Severity::Info, "the adapter is inactive")
    } else {
        (Severity::Warning, "calls of this op fail")
    };
    let diagnostic = Diagnostic::new(
        &lint::MISSING_DEFAULT,
        place,
        format!("where `{name}` is not set, {consequence}: `{slot}` needs it and has no default"),
    )
    .severity(severity)
    .help(format!("write `{{{{env.{name}|default:…}}}}`, or say that the adapter wants it: `when = {{ env = \"{name}\" }}`"));
    match definition {
        Some(definition) => diagnostic.label(definition, "named here"),
        None => diagnostic,
    }
}

/// Names in back-ticks with commas between.
fn ticked<T: AsRef<str>>(names: &[T]) -> String {
    const SHOWN: usize = 40;
    let listed: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", name.as_ref())).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", listed.join(", "))
}

/// `within:~/x`: a directory named `~` below the repository, which nobody means.
pub fn report_within_tilde(place: FileSpan, directory: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::TILDE_NOT_EXPANDED,
        place,
        format!("`{directory}` of `within` is a directory of the repository: nothing expands `~` here"),
    )
    .help("write the directory from the root of the file system, `within:/home/ann/notes`, or one of the repository, `within:notes`")
}
