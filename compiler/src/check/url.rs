//! Where a URL's own text ends the host: everything behind it is encoded, nothing before it.

use kontext_plan::template::Filter;

use super::typed::{Piece, Typed};
use crate::config::Op;
use crate::diagnostic::{Diagnostics, ops, templates};
use crate::source::FileSpan;

/// A URL in two parts.
#[derive(Debug)]
pub struct Split {
    /// Scheme and host (or all of it).
    pub prefix: Vec<Piece>,
    /// What follows, from its first `/` or `?`.
    pub tail: Vec<Piece>,
}

/// Splits an absolute URL behind its host: at the first `/` or `?` of the text behind `://`, or, when the URL begins
/// with an expression, at the first of the text behind it.
#[must_use]
pub fn split(url: &Typed) -> Split {
    let mut split = Split { prefix: Vec::new(), tail: Vec::new() };
    for piece in &url.pieces {
        let Piece::Text { text, span } = piece else {
            let part = if split.tail.is_empty() { &mut split.prefix } else { &mut split.tail };
            part.push(piece.clone());
            continue;
        };
        if !split.tail.is_empty() {
            split.tail.push(piece.clone());
            continue;
        }
        let host = text.find("://").map_or(0, |at| at + "://".len());
        let end = text.get(host..).and_then(|rest| rest.find(['/', '?'])).map_or(text.len(), |at| host + at);
        let (before, after) = text.split_at_checked(end).unwrap_or((text, ""));
        push(&mut split.prefix, before, *span);
        push(&mut split.tail, after, *span);
    }
    split
}

fn push(part: &mut Vec<Piece>, text: &str, span: FileSpan) {
    if !text.is_empty() {
        part.push(Piece::Text { text: text.to_owned(), span });
    }
}

/// Reports `raw` before the host's end and `#` behind it.
pub fn check(op: &Op<Typed>, diagnostics: &mut Diagnostics) {
    if let Some(url) = &op.reach.url {
        let split = split(url);
        for piece in &split.prefix {
            if let Piece::Expr(expr) = piece
                && expr.filters.last() == Some(&Filter::Raw)
            {
                let reason = "has no meaning before the end of the host: nothing is encoded there";
                diagnostics.push(templates::report_misplaced_raw(expr.span, reason));
            }
        }
        fragments(&split.tail, diagnostics);
    }
    if let Some(path) = &op.path {
        fragments(&path.pieces, diagnostics);
        leaves_base(path, diagnostics);
    }
}

/// A path whose own text climbs above the base: every call would be refused.
fn leaves_base(path: &Typed, diagnostics: &mut Diagnostics) {
    let text: String = path
        .pieces
        .iter()
        .map(|piece| if let Piece::Text { text, .. } = piece { text } else { "x" })
        .collect();
    let text = text.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase().replace("%2e", ".");
    let mut depth = 0_i64;
    for segment in text.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
        depth += if segment == ".." { -1 } else { 1 };
        if depth < 0 {
            diagnostics.push(ops::report_leaves_base(path.span));
            return;
        }
    }
}

fn fragments(tail: &[Piece], diagnostics: &mut Diagnostics) {
    for piece in tail {
        if let Piece::Text { text, span } = piece
            && text.contains('#')
        {
            diagnostics.push(ops::report_fragment(*span));
        }
    }
}
