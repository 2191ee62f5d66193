//! URLs to a prefix and encoded segments.

use kontext_plan::template::{Filter, Template};
use kontext_plan::url::{UrlPiece, UrlTemplate};

use super::adapter::InAdapter;
use crate::check::Typed;
use crate::check::typed::Piece;
use crate::check::url::split;
use crate::config::Op;

/// Segments and query while a tail is read.
#[derive(Default)]
struct Tail {
    segments: Vec<Vec<UrlPiece>>,
    query: Option<Vec<UrlPiece>>,
}

impl InAdapter<'_, '_> {
    /// Where an http op goes.
    pub(super) fn url(&mut self, op: &Op<Typed>) -> UrlTemplate {
        if let Some(url) = &op.reach.url {
            let parts = split(url);
            let shown = Typed { span: url.span, pieces: parts.prefix.clone() };
            self.host(&shown, url.span);
            let prefix = self.pieces(&parts.prefix, "url");
            return self.url_template(prefix, &parts.tail, url.span, "url");
        }
        let prefix = match &op.base {
            Some(base) => {
                self.host(base, base.span);
                self.template(base, "base_url")
            }
            None => Template::Text(String::new()),
        };
        let at = op.path.as_ref().map_or(op.key, |path| path.span);
        let tail = op.path.as_ref().map_or(&[][..], |path| path.pieces.as_slice());
        self.url_template(prefix, tail, at, "path")
    }

    fn url_template(
        &mut self,
        prefix: Template,
        tail: &[Piece],
        at: crate::source::FileSpan,
        slot: &str,
    ) -> UrlTemplate {
        let mut read = Tail::default();
        for (position, piece) in tail.iter().enumerate() {
            match piece {
                Piece::Text { text, .. } => read.text(
                    if position == 0 { text.strip_prefix('/').unwrap_or(text) } else { text },
                    position == 0 && text.starts_with('/'),
                ),
                Piece::Expr(expr) => {
                    let keeps = matches!(expr.filters.last(), Some(Filter::Raw | Filter::Urlencode));
                    let expr = self.expr(expr, slot);
                    read.push(if keeps { UrlPiece::Raw(expr) } else { UrlPiece::Encoded(expr) });
                }
            }
        }
        UrlTemplate { prefix, segments: read.segments, query: read.query, at: self.lowering.at(at) }
    }
}

impl Tail {
    /// Own text: `/` ends a segment, the first `?` begins the query. `rooted` opens the first segment even when no
    /// text follows it (`/` alone).
    fn text(&mut self, text: &str, rooted: bool) {
        if self.query.is_some() {
            self.push_text(text);
            return;
        }
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        if rooted && query.is_none() || !path.is_empty() {
            for (at, segment) in path.split('/').enumerate() {
                if at > 0 || self.segments.is_empty() {
                    self.segments.push(Vec::new());
                }
                self.push_text(segment);
            }
        }
        if let Some(query) = query {
            self.query = Some(Vec::new());
            self.push_text(query);
        }
    }

    fn push_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.push(UrlPiece::Text(text.to_owned()));
        }
    }

    fn push(&mut self, piece: UrlPiece) {
        if let Some(query) = &mut self.query {
            query.push(piece);
            return;
        }
        match self.segments.last_mut() {
            Some(segment) => segment.push(piece),
            None => self.segments.push(vec![piece]),
        }
    }
}
