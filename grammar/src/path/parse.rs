//! From text to a path: every alternative is read, and every broken one gets its own error.

use pest::Parser;
use pest::iterators::Pair;

use super::{ast, common, explain};
use crate::error::{is_blank, tick};
use crate::quoted::unquote;
use crate::{Span, SyntaxError};

/// Reads a path.
///
/// # Errors
///
/// One error for each alternative that is wrong, in the order of the text.
pub fn parse(text: &str) -> Result<ast::Path, Vec<SyntaxError>> {
    common::parse(text).map_or_else(|| by_grammar(text), Ok)
}

/// Reads any path.
pub(super) fn by_grammar(text: &str) -> Result<ast::Path, Vec<SyntaxError>> {
    let Ok(pairs) = Grammar::parse(Rule::path, text) else {
        return Err(vec![SyntaxError::unreadable(Span::new(0, text.len()), text)]);
    };
    let mut alternatives = Vec::new();
    let mut errors = Vec::new();
    for pair in pairs.flat_map(Pair::into_inner) {
        match pair.as_rule() {
            Rule::alternative => match alternative(pair) {
                Ok(alternative) => alternatives.push(alternative),
                Err(error) => errors.push(error),
            },
            Rule::broken => {
                let error = explain::broken(text, pair.as_span().into());
                // Nothing on both sides of one `|` is one mistake.
                if errors.last().is_none_or(|last: &SyntaxError| last.span != error.span) {
                    errors.push(error);
                }
            }
            _ => {}
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if alternatives.is_empty() {
        alternatives.push(ast::Alternative { steps: Vec::new(), span: Span::default() });
    }
    Ok(ast::Path { alternatives })
}

/// Reads the paths that stand before a `|` with something else behind it: here nothing is an error.
pub(crate) fn parse_before_pipe(text: &str) -> Result<ast::Path, Vec<SyntaxError>> {
    if text.trim_matches(is_blank).is_empty() {
        return Err(vec![explain::nothing_before(Span::at(text.len(), 1))]);
    }
    parse(text)
}

/// Why this stands apart: pest's generated code and its rules stay inside this module.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../common.pest"]
    #[grammar = "../path.pest"]
    pub(in crate::path) struct Grammar;
}
pub(super) use grammar::{Grammar, Rule};

fn alternative(pair: Pair<'_, Rule>) -> Result<ast::Alternative, SyntaxError> {
    let span = Span::from(pair.as_span());
    let mut steps = Vec::new();
    for child in pair.into_inner() {
        match child.as_rule() {
            Rule::root | Rule::bracket_end => {}
            Rule::member | Rule::subscript => {
                for inner in child.into_inner() {
                    steps.push(step(&inner)?);
                }
            }
            _ => steps.push(step(&child)?),
        }
    }
    Ok(ast::Alternative { steps, span })
}

fn step(pair: &Pair<'_, Rule>) -> Result<ast::Step, SyntaxError> {
    let span = Span::from(pair.as_span());
    let text = pair.as_str();
    let kind = match pair.as_rule() {
        Rule::any => ast::StepKind::Any,
        Rule::each => ast::StepKind::Each,
        Rule::index => ast::StepKind::Index(text.parse().map_err(|_| too_large(span, text))?),
        Rule::quoted => ast::StepKind::Key(unquote(text)),
        _ => ast::StepKind::Key(text.to_owned()),
    };
    Ok(ast::Step { kind, span })
}

fn too_large(span: Span, text: &str) -> SyntaxError {
    SyntaxError::new(
        span,
        format!("the index {} is too large", tick(text)),
        "no list has that many elements; write a smaller index, or a quoted key as in `[\"1\"]`",
    )
}
