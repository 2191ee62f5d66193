//! Which of a file's syntax errors are causes, and which only follow from another.

use toml_parser::ParseError;

use super::parse::TOO_DEEP;

/// Syntax errors shown of one file; a file with more is not TOML at all.
const MAX_SHOWN: usize = 100;

/// An error that is no consequence of another.
pub(super) struct Cause {
    pub(super) at: usize,
    pub(super) error: ParseError,
    /// For a bracket that is never closed: where something follows that can no longer be inside it.
    pub(super) swallowed: Option<usize>,
}

/// The first error of each line; after a bracket that is never closed, nothing. The rest are consequences.
pub(super) fn causes(text: &str, errors: Vec<ParseError>) -> (Vec<Cause>, usize) {
    let mut sorted: Vec<Cause> = errors
        .into_iter()
        .map(|error| {
            let place = if unclosed(&error) { error.context() } else { error.unexpected() };
            let at = place.or(error.context()).map_or(0, |span| span.start());
            Cause { at, error, swallowed: None }
        })
        .collect();
    sorted.sort_by_key(|cause| (cause.at, !unclosed(&cause.error)));
    if let Some(open) = sorted.iter().position(|cause| unclosed(&cause.error)) {
        let line_end = end_of_line(text, sorted.get(open).map_or(0, |cause| cause.at));
        let swallowed = sorted.iter().skip(open + 1).map(|cause| cause.at).find(|at| *at > line_end);
        sorted.truncate(open + 1);
        if let Some(cause) = sorted.last_mut() {
            cause.swallowed = swallowed;
        }
    }
    let (mut kept, mut hidden, mut line_end, mut deep) = (Vec::new(), 0, None, false);
    for cause in sorted {
        if line_end.is_some_and(|end| cause.at <= end) || (deep && too_deep(&cause.error)) {
            continue;
        }
        deep |= too_deep(&cause.error);
        line_end = Some(end_of_line(text, cause.at));
        if kept.len() < MAX_SHOWN {
            kept.push(cause);
        } else {
            hidden += 1;
        }
    }
    (kept, hidden)
}

fn unclosed(error: &ParseError) -> bool {
    matches!(error.description(), "unclosed array" | "unclosed inline table")
}

fn too_deep(error: &ParseError) -> bool {
    error.description() == TOO_DEEP || error.description().starts_with("cannot recurse")
}

pub(super) fn end_of_line(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| at + length)
}
