//! URLs that are none, and bases that hold too much.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::INVALID_VALUE;
use crate::source::FileSpan;

/// A text that is no URL kontext can call.
#[must_use]
pub fn report_no_url(at: FileSpan, key: &str, text: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{key}` is `{text}`, and must begin with `http://` or `https://` and a host"),
    );
    let local = text.starts_with("localhost") || text.starts_with("127.") || text.starts_with("[::1]");
    match text.split_once("://") {
        Some((scheme, _)) if !scheme.is_empty() => {
            finding.help(format!("`{scheme}` is no scheme kontext calls; write `https://…`"))
        }
        _ if key == "url" && text.starts_with('/') => {
            finding.help(format!("write `path = \"{text}\"` for a path under the base"))
        }
        _ => finding.help(format!(
            "write `{}{}`",
            if local { "http://" } else { "https://" },
            text.trim_start_matches('/')
        )),
    }
}

/// A host and port that cannot be contacted.
#[must_use]
pub fn report_bad_authority(at: FileSpan, key: &str, authority: &str, reason: &str) -> Diagnostic {
    let host = if authority.is_empty() { "no host".to_owned() } else { format!("`{authority}`") };
    Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` names {host}: {reason}"))
        .help("write `https://host/…` or `https://host:port/…`, a port from 1 to 65535")
}

/// A base with a query or a fragment.
#[must_use]
pub fn report_base_with(at: FileSpan, key: &str, mark: char) -> Diagnostic {
    let (what, mend) = match mark {
        '?' => ("a query", "write the parameters as `query = { … }` of each op"),
        _ => ("a fragment", "remove it: a fragment is never sent"),
    };
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{key}` holds {what}, and the ops' `path` is appended behind it"),
    )
    .note(format!("{what} begins here"))
    .help(mend)
}

/// An `owns` entry that is no beginning of a URI.
#[must_use]
pub fn report_owns(at: FileSpan, text: &str) -> Diagnostic {
    let name: String =
        text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let such_as = if name.is_empty() || text.contains(':') { "notes" } else { name };
    Diagnostic::new(&INVALID_VALUE, at, format!("`{text}` is no prefix of a URI"))
        .help(format!("write the scheme and what follows it, such as `\"{such_as}://\"`"))
}

/// A whole address where a path under the base belongs.
#[must_use]
pub fn report_whole_url(at: FileSpan, key: &str, text: &str) -> Diagnostic {
    let url = crate::diagnostic::fields::written::string(text);
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{key}` is appended to the base, and this is a whole address"),
    )
    .help(format!("write `url = {url}`, or the path alone"))
}
