//! From pest's pairs to the tree: the only place that knows which rule holds which.

use pest::iterators::{Pair, Pairs};

use super::ast;
use super::parse::Rule;
use crate::error::{is_blank, tick};
use crate::quoted::unquote;
use crate::{Span, SyntaxError};

type Result<T> = std::result::Result<T, SyntaxError>;

/// The tree of a pair of rule `expression` or `prefix`.
pub(super) fn expr(pair: Pair<'_, Rule>) -> Result<ast::Expr> {
    let span = Span::from(pair.as_span());
    let mut value_pair = None;
    let mut filters = Vec::new();
    for child in pair.clone().into_inner() {
        match child.as_rule() {
            Rule::value => value_pair = Some(child),
            Rule::filter => filters.push(filter(child)?),
            _ => {}
        }
    }
    let value = value(value_pair.ok_or_else(|| unreadable(&pair))?)?;
    Ok(ast::Expr { value, filters, span })
}

fn value(pair: Pair<'_, Rule>) -> Result<ast::Value> {
    let inner = only(pair)?;
    let span = Span::from(inner.as_span());
    let kind = match inner.as_rule() {
        Rule::quoted => ast::ValueKind::String(unquote(inner.as_str())),
        Rule::number => ast::ValueKind::Number(inner.as_str().to_owned()),
        Rule::boolean => ast::ValueKind::Bool(inner.as_str() == "true"),
        _ => ast::ValueKind::Path(path_ref(inner)?),
    };
    Ok(ast::Value { kind, span })
}

fn path_ref(pair: Pair<'_, Rule>) -> Result<ast::PathRef> {
    let mut children = pair.clone().into_inner();
    let name = name(&children.next().ok_or_else(|| unreadable(&pair))?);
    let steps = children
        .filter(|child| matches!(child.as_rule(), Rule::member | Rule::subscript))
        .map(step)
        .collect::<Result<_>>()?;
    Ok(ast::PathRef { name, steps })
}

fn step(pair: Pair<'_, Rule>) -> Result<ast::Step> {
    let inner = only(pair)?;
    let span = Span::from(inner.as_span());
    let text = inner.as_str();
    let kind = match inner.as_rule() {
        Rule::index => ast::StepKind::Index(text.parse().map_err(|_| too_large(span, text))?),
        Rule::quoted => ast::StepKind::Key(unquote(text)),
        _ => ast::StepKind::Key(text.to_owned()),
    };
    Ok(ast::Step { kind, span })
}

fn filter(pair: Pair<'_, Rule>) -> Result<ast::Filter> {
    let mut children: Pairs<'_, Rule> = pair.clone().into_inner();
    let name = name(&children.next().ok_or_else(|| unreadable(&pair))?);
    let argument = children.next().map(argument).transpose()?;
    let end = argument.as_ref().map_or(name.span.end, |argument| argument.span.end);
    let span = Span::new(name.span.start, end);
    Ok(ast::Filter { name, argument, span })
}

fn argument(pair: Pair<'_, Rule>) -> Result<ast::Argument> {
    let inner = only(pair)?;
    let span = Span::from(inner.as_span());
    let written = inner.as_str();
    if inner.as_rule() == Rule::quoted {
        return Ok(ast::Argument { text: unquote(written), quoted: true, span });
    }
    Ok(raw(written, span.start))
}

/// A raw argument that stands at `start`.
pub(super) fn raw(written: &str, start: usize) -> ast::Argument {
    let trimmed = written.trim_matches(is_blank);
    if trimmed.is_empty() {
        let span = Span::at(start, written.len());
        return ast::Argument { text: written.to_owned(), quoted: false, span };
    }
    let start = start + written.len() - written.trim_start_matches(is_blank).len();
    ast::Argument { text: trimmed.to_owned(), quoted: false, span: Span::at(start, trimmed.len()) }
}

fn name(pair: &Pair<'_, Rule>) -> ast::Name {
    ast::Name { text: pair.as_str().to_owned(), span: pair.as_span().into() }
}

fn only(pair: Pair<'_, Rule>) -> Result<Pair<'_, Rule>> {
    pair.clone().into_inner().next().ok_or_else(|| unreadable(&pair))
}

fn unreadable(pair: &Pair<'_, Rule>) -> SyntaxError {
    SyntaxError::unreadable(pair.as_span().into(), pair.as_str())
}

fn too_large(span: Span, text: &str) -> SyntaxError {
    SyntaxError::new(
        span,
        format!("the index {} is too large", tick(text)),
        "no list has that many elements; write a smaller index, or a quoted key as in `[\"1\"]`",
    )
}
