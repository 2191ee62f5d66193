//! From text to a map value: decides the language, and hands the rest to that language.

use pest::Parser;
use pest::iterators::Pair;

use super::ast::{Literal, MapValue};
use crate::template::ast as tpl;
use crate::{Span, SyntaxError, path, template};

/// Reads a map value.
///
/// # Errors
///
/// Those of the path or template it holds; their spans are relative to the whole map value.
pub fn parse(text: &str) -> Result<MapValue, Vec<SyntaxError>> {
    // Without these marks a map value is a path, whatever stands in it.
    if !(text.contains('=') || text.starts_with("re:") || text.starts_with("tpl:")) {
        return path::parse(text)
            .map(|path| MapValue::Path { alternatives: path.alternatives, literal: None });
    }
    by_grammar(text)
}

/// Reads any map value.
pub(super) fn by_grammar(text: &str) -> Result<MapValue, Vec<SyntaxError>> {
    let unreadable = || vec![SyntaxError::unreadable(Span::new(0, text.len()), text)];
    let pairs = Grammar::parse(Rule::map_value, text).map_err(|_| unreadable())?;
    let mut paths = None;
    let mut literal = None;
    for pair in pairs.flat_map(Pair::into_inner) {
        match pair.as_rule() {
            Rule::alternatives => paths = Some(pair.as_str()),
            Rule::literal => {
                literal = content(pair).map(|(text, span)| Literal { text: text.to_owned(), span });
            }
            Rule::regex => {
                let (text, span) = content(pair).ok_or_else(unreadable)?;
                return Ok(MapValue::Regex { text: text.to_owned(), span });
            }
            Rule::template => {
                let (text, span) = content(pair).ok_or_else(unreadable)?;
                return in_template(text, span);
            }
            _ => {}
        }
    }
    let alternatives = match paths {
        Some(paths) if literal.is_some() => path::parse_before_pipe(paths)?.alternatives,
        Some(paths) => path::parse(paths)?.alternatives,
        None => Vec::new(),
    };
    Ok(MapValue::Path { alternatives, literal })
}

/// Why this stands apart: pest's generated code and its rules stay inside this module.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../common.pest"]
    #[grammar = "../map_value.pest"]
    pub(super) struct Grammar;
}
use grammar::{Grammar, Rule};

fn content(pair: Pair<'_, Rule>) -> Option<(&str, Span)> {
    let rest = pair.into_inner().next()?;
    Some((rest.as_str(), rest.as_span().into()))
}

fn in_template(text: &str, span: Span) -> Result<MapValue, Vec<SyntaxError>> {
    let by = span.start;
    match template::parse(text) {
        Ok(mut template) => {
            template.parts.iter_mut().for_each(|part| shift_part(part, by));
            Ok(MapValue::Template { template, span })
        }
        Err(errors) => Err(errors.into_iter().map(|error| error.shifted(by)).collect()),
    }
}

fn shift_part(part: &mut tpl::Part, by: usize) {
    match part {
        tpl::Part::Text(text) => shift(&mut text.span, by),
        tpl::Part::Expr(expr) => {
            shift(&mut expr.span, by);
            shift(&mut expr.value.span, by);
            if let tpl::ValueKind::Path(path) = &mut expr.value.kind {
                shift(&mut path.name.span, by);
                path.steps.iter_mut().for_each(|step| shift(&mut step.span, by));
            }
            expr.filters.iter_mut().for_each(|filter| shift_filter(filter, by));
        }
    }
}

fn shift_filter(filter: &mut tpl::Filter, by: usize) {
    shift(&mut filter.span, by);
    shift(&mut filter.name.span, by);
    if let Some(argument) = &mut filter.argument {
        shift(&mut argument.span, by);
    }
}

fn shift(span: &mut Span, by: usize) {
    *span = span.shifted(by);
}
