//! From text to a map: takes the lines apart, each for itself, in one pass.

use pest::Parser;
use pest::iterators::Pair;

use super::ast::{Map, MapKind};
use super::judge::{Judge, Side};
use crate::Span;
use crate::error::rest;

/// Reads a map. Never fails: a line that is wrong becomes a problem, and the others are read.
pub fn parse(text: &str, kind: MapKind) -> Map {
    let mut map = Map::default();
    let Ok(pairs) = Grammar::parse(Rule::file, text) else { return map };
    let mut line = 1;
    let mut counted = 0;
    for pair in pairs.flat_map(Pair::into_inner) {
        if pair.as_rule() != Rule::entry {
            continue;
        }
        let span = Span::from(pair.as_span());
        let between = Span::new(counted, span.start);
        line += between.of(text).bytes().filter(|&byte| byte == b'\n').count();
        counted = span.start;
        let arrows = pair.into_inner().filter(|piece| piece.as_rule() == Rule::arrow);
        let arrows: Vec<Span> = arrows.map(|arrow| arrow.as_span().into()).collect();
        let mut judge = Judge { text, kind, line, map: &mut map };
        match arrows.as_slice() {
            [] => {
                if let Some((key, separator, scope)) = older(text, span) {
                    judge.older(&key, separator, &scope);
                }
            }
            [arrow] => {
                let key = Side::of(text, Span::new(span.start, arrow.start));
                judge.arrow(&key, *arrow, &Side::of(text, Span::new(arrow.end, span.end)));
            }
            [_, second, ..] => judge.two_arrows(*second),
        }
    }
    map
}

/// Why this stands apart: pest's generated code and its rules stay inside this module.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../scope_map.pest"]
    pub(super) struct Grammar;
}
use grammar::{Grammar, Rule};

/// The sides of `key: scope` or `key = scope`, and what stands between them.
fn older<'a>(text: &'a str, span: Span) -> Option<(Side<'a>, Span, Side<'a>)> {
    let line = span.of(text);
    if !line.contains([':', '=']) {
        return None;
    }
    let mut pairs = Grammar::parse(Rule::older, line).ok()?.next()?.into_inner();
    let key = Span::from(pairs.next()?.as_span()).shifted(span.start);
    let separator = Span::from(pairs.next()?.as_span()).shifted(span.start);
    Some((Side::of(text, key), separator, Side::of(text, Span::new(separator.end, span.end))))
}

/// Whether `text` is a word: a scope, or an alias.
pub(super) fn is_word(text: &str) -> bool {
    Grammar::parse(Rule::word, text).is_ok()
}

/// Whether `text` is a path that a map takes.
pub(super) fn is_path_key(text: &str) -> bool {
    Grammar::parse(Rule::path_key, text).is_ok()
}

/// The first variable of `text`, as far as it is one: `$N`, `${N` or `%NAME%`.
pub(super) fn variable(text: &str) -> Option<Span> {
    let mut pairs = Grammar::parse(Rule::before_variable, text).ok()?.next()?.into_inner();
    let found = Span::from(pairs.next()?.as_span());
    let more = match found.of(text).as_bytes() {
        [b'$', ..] => {
            let tail = rest(text, found.end);
            let name = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
            let closed = found.of(text).starts_with("${") && rest(tail, name).starts_with('}');
            name + usize::from(closed)
        }
        _ => 0,
    };
    Some(Span::new(found.start, found.end + more))
}
