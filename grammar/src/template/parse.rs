//! From text to a template: every part is read, and every broken expression gets its own error.

use pest::Parser;
use pest::iterators::Pair;

use super::{ast, build, common, explain};
use crate::error::{before, rest};
use crate::{Span, SyntaxError};

/// Reads a template.
///
/// # Errors
///
/// One error for each expression that is wrong, in the order of the text.
pub fn parse(text: &str) -> Result<ast::Template, Vec<SyntaxError>> {
    if !has_expression(text) {
        return Ok(plain(text));
    }
    common::parse(text).map_or_else(|| by_grammar(text), Ok)
}

/// Reads any template.
pub(super) fn by_grammar(text: &str) -> Result<ast::Template, Vec<SyntaxError>> {
    let mut reading = Reading::new(text);
    let (tail, end) = (unclosable(text), readable(text));
    reading.parts(before(text, tail.min(end)));
    if end == text.len() {
        reading.tail(rest(text, tail), tail);
    } else {
        reading.forget_the_last();
    }
    if reading.errors.is_empty() { Ok(ast::Template { parts: reading.parts }) } else { Err(reading.errors) }
}

/// Whether a text holds `{{`, and so is more than plain text.
pub fn has_expression(text: &str) -> bool {
    opening(text).is_some()
}

/// Where the first `{{` of a text stands. A search for one byte needs no preparation, and most texts are short.
pub fn opening(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = rest(text, from).find('{') {
        from += found + 1;
        if rest(text, from).starts_with('{') {
            return Some(from - 1);
        }
    }
    None
}

/// Why this stands apart: pest's generated code and its rules stay inside this module.
pub(super) mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../common.pest"]
    #[grammar = "../template.pest"]
    pub(in crate::template) struct Grammar;
}
pub(super) use grammar::{Grammar, Rule};

fn plain(text: &str) -> ast::Template {
    let span = Span::new(0, text.len());
    let part = ast::Part::Text(ast::Text { text: text.to_owned(), span });
    ast::Template { parts: if text.is_empty() { Vec::new() } else { vec![part] } }
}

/// Where the first `{{` stands that no `}}` can close; the end of the text when there is none.
///
/// Cutting there keeps the time linear: a raw argument would otherwise look for its end from every `{{`.
fn unclosable(text: &str) -> usize {
    let closed = text.rfind("}}").map_or(0, |at| at + 2);
    rest(text, closed).find("{{").map_or(text.len(), |at| closed + at)
}

/// Where to stop reading a text full of mistakes: recovery may look through the rest from each of them.
///
/// Behind the first mistake it is the start of the [`MOST`]th expression, otherwise the end of the text.
fn readable(text: &str) -> usize {
    if text.match_indices("{{").nth(MOST).is_none() {
        return text.len();
    }
    let valid = Grammar::parse(Rule::valid, text).ok().and_then(|mut pairs| pairs.next());
    let valid = valid.map_or(0, |pair| pair.as_span().end());
    rest(text, valid).match_indices("{{").nth(MOST).map_or(text.len(), |(at, _)| valid + at)
}

/// Expressions read behind the first mistake.
const MOST: usize = 20;

struct Reading<'t> {
    text: &'t str,
    parts: Vec<ast::Part>,
    errors: Vec<SyntaxError>,
}

impl<'t> Reading<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, parts: Vec::new(), errors: Vec::new() }
    }

    fn parts(&mut self, head: &'t str) {
        match Grammar::parse(Rule::template, head) {
            Ok(pairs) => pairs.flat_map(Pair::into_inner).for_each(|pair| self.part(&pair)),
            Err(_) => self.errors.push(SyntaxError::unreadable(Span::new(0, head.len()), head)),
        }
    }

    fn part(&mut self, pair: &Pair<'t, Rule>) {
        let span = Span::from(pair.as_span());
        match pair.as_rule() {
            Rule::text => {
                self.parts.push(ast::Part::Text(ast::Text { text: pair.as_str().to_owned(), span }));
            }
            Rule::expression => match build::expr(pair.clone()) {
                Ok(expr) => self.parts.push(ast::Part::Expr(expr)),
                Err(error) => self.errors.push(error),
            },
            Rule::broken => self.errors.push(explain::broken(pair.as_str()).shifted(span.start)),
            Rule::unclosed => self.errors.push(explain::unclosed(self.text, span)),
            _ => {}
        }
    }

    /// Where a text was cut, the cut itself may have broken the last expression; one mistake there is in any case.
    fn forget_the_last(&mut self) {
        match self.errors.len() {
            0 => self.errors.push(SyntaxError::unreadable(Span::new(0, self.text.len()), self.text)),
            1 => {}
            _ => drop(self.errors.pop()),
        }
    }

    fn tail(&mut self, tail: &'t str, offset: usize) {
        if tail.is_empty() {
            return;
        }
        let Ok(pairs) = Grammar::parse(Rule::tail, tail) else { return };
        for pair in pairs.flat_map(Pair::into_inner).filter(|pair| pair.as_rule() == Rule::unclosed) {
            let span = Span::from(pair.as_span()).shifted(offset);
            self.errors.push(explain::unclosed(self.text, span));
        }
    }
}
