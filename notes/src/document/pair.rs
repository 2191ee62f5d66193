//! Which markers belong together: every open marker to the next close of its id.

use std::collections::HashMap;

use super::markers::{Kind, Marker};
use super::{Problem, ProblemKind, Section};
use crate::Span;

/// Sections that do not overlap, in the order of the text, and what is wrong.
pub(super) fn pair<'a>(text: &'a str, markers: &[Marker<'a>]) -> (Vec<Section<'a>>, Vec<Problem>) {
    let closes = closes(markers);
    let mut pairing =
        Pairing { text, sections: Vec::new(), latest: HashMap::new(), first_cut: None, problems: Vec::new() };
    let mut claimed = vec![false; markers.len()];
    let mut outer: Option<(usize, &Marker)> = None;
    for (at, marker) in markers.iter().enumerate() {
        outer = outer.filter(|&(end, _)| at <= end);
        let close = closes.get(at).copied().flatten();
        if let Some(claim) = close.and_then(|close| claimed.get_mut(close)) {
            *claim = true;
        }
        match (marker.kind, close.and_then(|close| Some((close, markers.get(close)?)))) {
            (Kind::Open, None) => pairing.report(marker, marker.id, ProblemKind::Unclosed),
            (Kind::Open, Some((end, close))) => match outer {
                Some((_, open)) => {
                    let kind = ProblemKind::Nested { outer: open.id.to_owned(), outer_line: open.line };
                    pairing.report(marker, marker.id, kind);
                }
                None => {
                    pairing.section(marker, close);
                    outer = Some((end, marker));
                }
            },
            (Kind::Close, _) if !claimed.get(at).copied().unwrap_or_default() => {
                pairing.report(marker, marker.id, ProblemKind::Orphan);
            }
            (Kind::Close, _) => {}
            (Kind::Cut, _) => pairing.cut(marker, outer.map(|(_, open)| open)),
        }
    }
    (pairing.sections, pairing.problems)
}

/// For every open marker the next close of its id.
fn closes(markers: &[Marker]) -> Vec<Option<usize>> {
    let mut next: HashMap<&str, usize> = HashMap::new();
    let mut closes = vec![None; markers.len()];
    for (at, (marker, close)) in markers.iter().zip(&mut closes).enumerate().rev() {
        match marker.kind {
            Kind::Open => *close = next.get(marker.id).copied(),
            Kind::Close => drop(next.insert(marker.id, at)),
            Kind::Cut => {}
        }
    }
    closes
}

struct Pairing<'a> {
    text: &'a str,
    sections: Vec<Section<'a>>,
    /// Position of the last section of each id.
    latest: HashMap<&'a str, usize>,
    /// The line of the first cut.
    first_cut: Option<usize>,
    problems: Vec<Problem>,
}

impl<'a> Pairing<'a> {
    fn section(&mut self, open: &Marker<'a>, close: &Marker<'a>) {
        if let Some(earlier) = self.latest.insert(open.id, self.sections.len()) {
            let earlier = self.sections.get_mut(earlier);
            let earlier_line = earlier.map_or(0, |section| {
                section.superseded = true;
                section.line
            });
            self.report(open, open.id, ProblemKind::Duplicate { earlier_line });
        }
        let between = Span::new(open.span.end, close.span.start).of(self.text);
        let body = between.trim_start();
        let start = open.span.end + between.len() - body.len();
        let skipped = Span::new(open.span.end, start).of(self.text);
        self.sections.push(Section {
            id: open.id,
            open: open.span,
            close: close.span,
            line: open.line,
            content: Span::new(start, start + body.trim_end().len()),
            content_line: open.line + skipped.matches('\n').count(),
            superseded: false,
            text: self.text,
        });
    }

    fn cut(&mut self, cut: &Marker, outer: Option<&Marker>) {
        if let Some(open) = outer {
            self.report(cut, open.id, ProblemKind::CutInside { outer_line: open.line });
        }
        if let Some(first_line) = self.first_cut {
            self.report(cut, "", ProblemKind::CutDuplicate { first_line });
        }
        self.first_cut = self.first_cut.or(Some(cut.line));
    }

    fn report(&mut self, marker: &Marker, section: &str, kind: ProblemKind) {
        let (span, line) = (marker.span, marker.line);
        self.problems.push(Problem { kind, section: section.to_owned(), span, line });
    }
}
