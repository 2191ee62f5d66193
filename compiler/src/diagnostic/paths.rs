//! The words of the *paths and maps* group.

use std::ops::Range;

use kontext_grammar::SyntaxError;

use super::{Diagnostic, Severity, lint};
use crate::source::FileSpan;

/// The fields of a hit.
pub const HIT_FIELDS: [&str; 6] = ["title", "snippet", "uri", "score", "kind", "date"];

/// A path that cannot be read.
pub fn report_path_syntax(place: FileSpan, error: &SyntaxError) -> Diagnostic {
    let diagnostic = Diagnostic::new(&lint::PATH_SYNTAX, place, error.message.clone());
    match &error.help {
        Some(help) => diagnostic.help(help.clone()),
        None => diagnostic,
    }
}

/// A field no hit has.
pub fn report_unknown_map_field(place: FileSpan, written: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lint::UNKNOWN_MAP_FIELD, place, format!("a hit has no field `{written}`"));
    let known = match written {
        "name" | "heading" | "subject" => Some("title"),
        "text" | "summary" | "content" | "description" | "body" => Some("snippet"),
        "url" | "path" | "link" | "href" | "id" => Some("uri"),
        "relevance" | "rank" | "similarity" => Some("score"),
        "type" | "category" => Some("kind"),
        "time" | "created_at" | "updated_at" | "timestamp" => Some("date"),
        _ => crate::suggest::nearest(written, HIT_FIELDS),
    };
    match known {
        Some(known) => diagnostic.help(format!("did you mean `{known}`?")).fix(
            format!("write `{known}`"),
            false,
            place,
            known,
        ),
        None => diagnostic.help("fields are `title`, `snippet`, `uri`, `score`, `kind` and `date`"),
    }
}

/// What is wrong with a regular expression, and where in it.
#[derive(Debug)]
pub struct RegexProblem {
    /// First byte of the wrong part.
    pub start: usize,
    /// Byte behind it.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub help: String,
}

/// What is wrong with a pattern that the engine refused.
#[must_use]
pub fn regex_problem(pattern: &str, error: &regex::Error) -> RegexProblem {
    let problem = |range: Range<usize>, message: String, help: &str| RegexProblem {
        start: range.start,
        end: range.end,
        message,
        help: help.to_owned(),
    };
    if let regex::Error::CompiledTooBig(limit) = error {
        let message = format!("the regular expression is larger than {limit} bytes when compiled");
        return problem(0..pattern.len(), message, "use smaller repetition counts");
    }
    match syntax_error(pattern) {
        Some((range, None)) => problem(
            range,
            "look-around is not supported in regular expressions".to_owned(),
            "match the surrounding text too and put what you want into a capture group: `before(wanted)after`",
        ),
        Some((range, Some(reason))) => problem(
            range,
            format!("the regular expression cannot be read: {reason}"),
            "a literal `( ) [ ] { } . * + ? ^ $ | \\` is written with a backslash before it; in TOML use single quotes: '…'",
        ),
        None => problem(
            0..pattern.len(),
            "the regular expression does not compile".to_owned(),
            "write it simpler",
        ),
    }
}

/// The engine's own place and reason; no reason for look-around.
fn syntax_error(pattern: &str) -> Option<(Range<usize>, Option<String>)> {
    let (span, reason) = match regex_syntax::Parser::new().parse(pattern).err()? {
        regex_syntax::Error::Parse(error) => {
            let look = matches!(error.kind(), regex_syntax::ast::ErrorKind::UnsupportedLookAround);
            (*error.span(), (!look).then(|| error.kind().to_string()))
        }
        regex_syntax::Error::Translate(error) => (*error.span(), Some(error.kind().to_string())),
        _ => return None,
    };
    Some((span.start.offset..span.end.offset, reason))
}

/// A regular expression that does not compile.
pub fn report_invalid_regex(place: FileSpan, problem: &RegexProblem) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_REGEX, place, problem.message.clone()).help(problem.help.clone())
}

/// `a // b`, as jq writes it.
pub fn report_other_alternative(place: FileSpan, path: &str) -> Diagnostic {
    let alternatives: Vec<&str> =
        path.split(" // ").map(|part| part.trim().trim_start_matches('.').trim_matches('"')).collect();
    Diagnostic::new(&lint::PATH_SYNTAX, place, "`//` is part of the key here: no alternative begins with it")
        .severity(Severity::Warning)
        .help(format!("write `{}`, or the key in quotes if it has such a name", alternatives.join("|")))
}
