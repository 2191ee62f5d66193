//! What is wrong when something follows a value, a filter or an argument that is complete.

use pest::Parser;

use super::explain::not_a_value;
use super::parse::{Grammar, Rule};
use super::{ast, build};
use crate::error::{before, char_at, is_word, piece_at, rest, tick, word_at};
use crate::{Span, SyntaxError};

/// The error of what stands at `at`, where only `|` or `}}` may.
pub(super) fn end(expression: &str, at: usize) -> SyntaxError {
    let done = Grammar::parse(Rule::prefix, before(expression, at))
        .ok()
        .and_then(|mut pairs| pairs.next())
        .and_then(|pair| build::expr(pair).ok());
    match done {
        Some(expr) => match expr.filters.last() {
            Some(last) => after_filter(expression, at, last),
            None => after_value(expression, at, &expr.value),
        },
        None => unexpected(expression, at),
    }
}

fn after_filter(expression: &str, at: usize, last: &ast::Filter) -> SyntaxError {
    let here = word_at(expression, at);
    let word = here.of(expression);
    let name = &last.name.text;
    if last.argument.is_some() {
        return SyntaxError::new(
            here,
            format!("{} follows a quoted argument", tick(word)),
            "quote the whole argument, as in `default:'it\\'s'`, or write `|` before the next filter",
        );
    }
    match char_at(expression, at) {
        Some('(') => SyntaxError::new(
            here,
            "`(` does not begin an argument",
            match called_with(expression, at) {
                Some("") => format!("write the name alone: `{name}`"),
                Some(argument) => {
                    format!("write the argument behind a colon: {}", tick(&format!("{name}:{argument}")))
                }
                None => format!("write the argument behind a colon: `{name}:'…'`"),
            },
        ),
        Some('\'' | '"' | '0'..='9') => SyntaxError::new(
            here,
            format!("{} follows the filter `{name}` without `:`", tick(word)),
            format!("write the argument behind a colon: {}", tick(&format!("{name}:{word}"))),
        ),
        _ => unexpected(expression, at),
    }
}

/// What stands between the brackets of a call, when it is one quoted text or number, or nothing.
fn called_with(expression: &str, at: usize) -> Option<&str> {
    const LONGEST: usize = 80;
    let inner = rest(expression, at).strip_prefix('(')?;
    let inner = inner.get(..inner.find(')').filter(|end| *end <= LONGEST)?)?.trim();
    let quoted = ['\'', '"'].iter().any(|quote| {
        let inside = inner.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote));
        inside.is_some_and(|text| !text.contains([*quote, '\\']))
    });
    let number = inner.bytes().all(|byte| byte.is_ascii_digit());
    (quoted || number).then_some(inner)
}

fn after_value(expression: &str, at: usize, value: &ast::Value) -> SyntaxError {
    let next = char_at(expression, at).unwrap_or('}');
    match &value.kind {
        ast::ValueKind::Number(_) if value.span.end == at && (next == '.' || is_word(next)) => {
            let behind = piece_at(expression, at, &['|', '}', '[', ':', '(']);
            let whole = Span::new(value.span.start, behind.end);
            not_a_value(whole, whole.of(expression))
        }
        ast::ValueKind::Path(path) => after_path(expression, at, path),
        _ if matches!(next, '.' | '[') => SyntaxError::new(
            piece_at(expression, at, &['|', '}']),
            format!("{} is a literal: it has no members", tick(value.span.of(expression))),
            "write a variable before `.` and `[`; a variable cannot be called `true` or `false`",
        ),
        _ => follows(expression, at),
    }
}

fn after_path(expression: &str, at: usize, path: &ast::PathRef) -> SyntaxError {
    let here = word_at(expression, at);
    let (message, help) = match char_at(expression, at) {
        Some('(') => ("a value cannot be called", "write a filter behind the value, as in `{{query|trim}}`"),
        Some(_) if path.steps.is_empty() && is_block(&path.name.text) => return block(&path.name),
        Some(':') if path.steps.is_empty() && path.name.text == "env" => {
            let name = piece_at(expression, at + 1, &['|', '}', ' ']);
            return SyntaxError::new(
                here,
                "`:` follows a value, and only a filter has an argument",
                format!("write {}", tick(&format!("{{{{env.{}}}}}", name.of(expression)))),
            );
        }
        Some(':') => (
            "`:` follows a value, and only a filter has an argument",
            "write `.` between names, as in `{{env.HOME}}`, and `|` before a filter",
        ),
        Some('[') => {
            ("a blank cannot stand before `[`", "write the index directly behind the name: `tags[0]`")
        }
        Some('.') => {
            ("a blank cannot stand before `.`", "write the names directly behind each other: `repo.name`")
        }
        _ => return follows(expression, at),
    };
    SyntaxError::new(here, message, help)
}

fn follows(expression: &str, at: usize) -> SyntaxError {
    let here = word_at(expression, at);
    if let Some(instead) = stand_in(expression, at) {
        return SyntaxError::new(
            here,
            format!("{} stands between no two values: templates do not compute", tick(here.of(expression))),
            format!("what stands in for a missing value is written {}", tick(&instead)),
        );
    }
    match char_at(expression, at) {
        Some(c) if c != '-' && (is_word(c) || matches!(c, '\'' | '"')) => SyntaxError::new(
            here,
            format!("{} follows the value without `|`", tick(here.of(expression))),
            "write `|` before a filter, as in `{{query|trim}}`; two values are two expressions: `{{a}} {{b}}`",
        ),
        _ => unexpected(expression, at),
    }
}

/// `or 'x'`, `?? 'x'`: the filter that does it here.
fn stand_in(expression: &str, at: usize) -> Option<String> {
    let behind = rest(expression, at);
    let (_, value) =
        ["or ", "?? ", "?: ", "else "].iter().find_map(|word| Some((word, behind.strip_prefix(word)?)))?;
    let end = value.find(['}', '|']).unwrap_or(value.len());
    let value = value.get(..end)?.trim();
    let short = !value.is_empty() && value.len() <= 60;
    short.then(|| format!("|default:{value}"))
}

fn block(name: &ast::Name) -> SyntaxError {
    SyntaxError::new(
        name.span,
        format!("`{}` begins no block: templates have no conditions or loops", name.text),
        "write a value and its filters, as in `{{title|default:none}}` or `{{tags|join:,}}`",
    )
}

fn is_block(name: &str) -> bool {
    matches!(name, "if" | "else" | "elif" | "for" | "each" | "range" | "with" | "unless" | "include" | "end")
}

fn unexpected(expression: &str, at: usize) -> SyntaxError {
    let here = word_at(expression, at);
    let word = here.of(expression);
    let help = match char_at(expression, at) {
        Some('}') => "an expression ends with `}}`, written together",
        Some('-' | '~') if rest(expression, here.end).starts_with("}}") => {
            "write `{{title|trim}}` to remove blanks"
        }
        Some('+' | '-' | '*' | '/' | '%' | '=' | '<' | '>' | '!' | '?' | '&') => {
            "templates do not compute: write a value and its filters, as in `{{title|default:none}}`"
        }
        _ => "an expression is a value and its filters: `{{title|default:none|lower}}`",
    };
    SyntaxError::new(here, format!("{} cannot stand here", tick(word)), help)
}
