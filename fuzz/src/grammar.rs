//! Laws of the small languages: the same tree twice, every place in the text, every error with words.

use std::fmt::Debug;

use kontext_grammar::template::ast::{Expr, Part, Template, ValueKind};
use kontext_grammar::{Span, SyntaxError, map_value, path, template};

/// The text of an input; what is no UTF-8 becomes replacement characters.
pub fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// A template.
pub fn template(text: &str) {
    let read = twice(text, template::parse);
    match read {
        Ok(read) => {
            let covered = of_template(&read, text);
            assert_eq!(covered, text.len(), "the parts do not cover the text");
            assert!(template::has_expression(text) || read.parts.len() <= 1, "parts without an expression");
        }
        Err(errors) => of_errors(&errors, text),
    }
}

/// A path.
pub fn path(text: &str) {
    match twice(text, path::parse) {
        Ok(read) => {
            assert!(!read.alternatives.is_empty(), "a path without alternatives");
            read.alternatives.iter().for_each(|one| of_alternative(one, text));
        }
        Err(errors) => of_errors(&errors, text),
    }
}

/// A map value.
pub fn map_value(text: &str) {
    use map_value::ast::MapValue;
    match twice(text, map_value::parse) {
        Ok(MapValue::Path { alternatives, literal }) => {
            alternatives.iter().for_each(|one| of_alternative(one, text));
            literal.iter().for_each(|literal| assert_eq!(literal.span.of(text), literal.text));
            literal.iter().for_each(|literal| sound(literal.span, text));
        }
        Ok(MapValue::Regex { text: regex, span }) => assert_eq!(span.of(text), regex),
        Ok(MapValue::Template { template, span }) => {
            sound(span, text);
            of_template(&template, text);
        }
        Err(errors) => of_errors(&errors, text),
    }
}

fn twice<T: PartialEq + Debug>(text: &str, read: impl Fn(&str) -> T) -> T {
    let first = read(text);
    assert_eq!(first, read(text), "read twice, it differs");
    first
}

fn sound(span: Span, text: &str) {
    assert!(
        span.start <= span.end && text.get(span.start..span.end).is_some(),
        "{span:?} is no place in a text of {} bytes",
        text.len()
    );
}

fn of_errors(errors: &[SyntaxError], text: &str) {
    assert!(!errors.is_empty(), "wrong without an error");
    for error in errors {
        sound(error.span, text);
        assert!(!error.message.trim().is_empty(), "an error without words");
    }
    let starts: Vec<usize> = errors.iter().map(|error| error.span.start).collect();
    assert!(starts.is_sorted(), "errors out of order: {starts:?}");
}

fn of_alternative(alternative: &path::ast::Alternative, text: &str) {
    sound(alternative.span, text);
    for step in &alternative.steps {
        sound(step.span, text);
        let outside = step.span.start < alternative.span.start || step.span.end > alternative.span.end;
        assert!(!outside, "a step outside its alternative");
    }
}

/// Where the last part ends; parts follow each other without gaps.
fn of_template(template: &Template, text: &str) -> usize {
    let mut end = None;
    for part in &template.parts {
        let span = match part {
            Part::Text(part) => {
                assert_eq!(part.span.of(text), part.text);
                part.span
            }
            Part::Expr(expr) => {
                of_expr(expr, text);
                expr.span
            }
        };
        sound(span, text);
        assert!(end.is_none_or(|end| end == span.start), "a gap between parts");
        end = Some(span.end);
    }
    end.unwrap_or(0)
}

fn of_expr(expr: &Expr, text: &str) {
    sound(expr.value.span, text);
    if let ValueKind::Path(path) = &expr.value.kind {
        assert_eq!(path.name.span.of(text), path.name.text);
        path.steps.iter().for_each(|step| sound(step.span, text));
    }
    for filter in &expr.filters {
        sound(filter.span, text);
        assert_eq!(filter.name.span.of(text), filter.name.text);
        filter.argument.iter().for_each(|argument| sound(argument.span, text));
    }
}
