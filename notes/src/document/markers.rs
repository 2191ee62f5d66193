//! The markers of a document: HTML comments that stand neither in a fence nor in back-ticks.

use super::CUT;
use crate::Span;
use crate::lines::{Line, is_blank, lines};

/// What a marker says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Cut,
}

/// One marker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker<'a> {
    pub(super) kind: Kind,
    /// The section; empty for a cut.
    pub(super) id: &'a str,
    /// The comment; for a cut its whole line.
    pub(super) span: Span,
    pub(super) line: usize,
}

/// The markers of `text` in their order; `start` is the length of its byte order mark.
pub(super) fn markers(text: &str, start: usize) -> Vec<Marker<'_>> {
    let mut found = Vec::new();
    for line in lines(text.get(start..).unwrap_or_default()) {
        let line = Line { start: line.start + start, ..line };
        if line.fenced || !line.text.contains("<!--") {
            continue;
        }
        if is_cut(line.text) {
            let span = Span::new(line.start, line.start + line.text.len());
            found.push(Marker { kind: Kind::Cut, id: "", span, line: line.number });
        } else {
            in_line(line, &mut found);
        }
    }
    found
}

/// Whether the cut stands on this line, alone.
fn is_cut(line: &str) -> bool {
    let inner = line.trim_matches(is_blank).strip_prefix("<!--").and_then(|text| text.strip_suffix("-->"));
    inner.is_some_and(|text| text.trim_matches(is_blank) == CUT)
}

fn in_line<'a>(line: Line<'a>, found: &mut Vec<Marker<'a>>) {
    let mut rest = line.text;
    while let Some(at) = rest.find(['\\', '`', '<']) {
        let here = rest.get(at..).unwrap_or_default();
        let passed = match here.as_bytes() {
            [b'\\', b'\\' | b'`', ..] => 2,
            [b'`', ..] => code_span(here),
            _ => match section_marker(here) {
                Some((kind, id, length)) => {
                    let start = line.start + line.text.len() - here.len();
                    let span = Span::new(start, start + length);
                    found.push(Marker { kind, id, span, line: line.number });
                    length
                }
                None => 1,
            },
        };
        rest = here.get(passed..).unwrap_or_default();
    }
}

/// The length of the code that begins `text`: up to as many back-ticks as it opens with, else all of the line.
fn code_span(text: &str) -> usize {
    let opening = text.len() - text.trim_start_matches('`').len();
    let mut at = opening;
    while let Some(found) = text.get(at..).and_then(|tail| tail.find('`')) {
        let start = at + found;
        let run = text.get(start..).unwrap_or_default();
        let length = run.len() - run.trim_start_matches('`').len();
        at = start + length;
        if length == opening {
            return at;
        }
    }
    text.len()
}

/// `<!-- section:ID -->` or `<!-- /section:ID -->` at the start of `text`, and its length.
fn section_marker(text: &str) -> Option<(Kind, &str, usize)> {
    let inner = text.strip_prefix("<!--")?.trim_start_matches(is_blank);
    let (kind, inner) = match inner.strip_prefix('/') {
        Some(inner) => (Kind::Close, inner),
        None => (Kind::Open, inner),
    };
    let inner = inner.strip_prefix("section:")?;
    let length = inner.find(|c: char| !is_id(c)).unwrap_or(inner.len());
    let (mut id, mut tail) = inner.split_at_checked(length)?;
    if tail.starts_with('>') {
        // The dashes of `-->` stand directly behind the id, and an id may hold dashes.
        id = id.strip_suffix("--")?;
    } else {
        tail = tail.trim_start_matches(is_blank).strip_prefix("--")?;
    }
    let behind = tail.strip_prefix('>')?;
    (!id.is_empty()).then_some((kind, id, text.len() - behind.len()))
}

fn is_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}
