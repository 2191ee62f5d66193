//! What is wrong with an expression that cannot be read, and what to write instead: also for habits from other languages.

use pest::Parser;

use super::after;
use super::parse::{Grammar, Rule};
use crate::error::{char_at, last_before, piece_at, rest, stopped, tick, word_at};
use crate::quoted::{self, open_bracket, quote};
use crate::{Span, SyntaxError};

/// The error of an expression that ends in `}}` but does not read; spans are relative to its `{{`.
pub(super) fn broken(expression: &str) -> SyntaxError {
    let Some((at, expected)) = failure(expression) else {
        return SyntaxError::unreadable(Span::new(0, expression.len()), expression);
    };
    match expected {
        Expected::Value => value(expression, at),
        Expected::Member => member(expression, at),
        Expected::Subscript => subscript(expression, at),
        Expected::BracketEnd => bracket_end(expression, at),
        Expected::Filter => filter(expression, at),
        Expected::End => after::end(expression, at),
        Expected::Quoted(mark) => quoted::explain(expression, at, mark),
    }
}

/// The error of a `{{` without its `}}`.
pub(super) fn unclosed(text: &str, span: Span) -> SyntaxError {
    let message = if span.end == text.len() {
        format!("`{{{{` is never closed: the string ends at character {}", text.chars().count())
    } else {
        "`{{` is not closed before the next `{{`".to_owned()
    };
    let help = if span.of(text).contains('}') {
        "an expression ends with `}}`; here is only a single `}`"
    } else {
        "write `}}` where the expression ends, or `{{'{{'}}` for a literal `{{`"
    };
    SyntaxError::new(Span::at(span.start, 2), message, help)
}

/// What could have stood at the place where reading stopped.
#[derive(Clone, Copy)]
enum Expected {
    Value,
    Member,
    Subscript,
    BracketEnd,
    Filter,
    End,
    Quoted(char),
}

fn failure(expression: &str) -> Option<(usize, Expected)> {
    stopped(Grammar::parse(Rule::expression, expression).err()?, expected)
}

fn expected(rule: Rule) -> Option<Expected> {
    match rule {
        Rule::value | Rule::path_ref | Rule::number | Rule::boolean => Some(Expected::Value),
        Rule::member => Some(Expected::Member),
        Rule::subscript => Some(Expected::Subscript),
        Rule::bracket_end => Some(Expected::BracketEnd),
        Rule::filter | Rule::name => Some(Expected::Filter),
        Rule::pipe | Rule::close => Some(Expected::End),
        Rule::single_end => Some(Expected::Quoted('\'')),
        Rule::double_end => Some(Expected::Quoted('"')),
        _ => None,
    }
}

fn value(expression: &str, at: usize) -> SyntaxError {
    let here = word_at(expression, at);
    let word = here.of(expression);
    let error = |message: &str, help: &str| SyntaxError::new(here, message, help);
    match char_at(expression, at) {
        Some('}') if rest(expression, at).starts_with("}}") => SyntaxError::new(
            Span::new(0, expression.len()),
            "the expression is empty",
            "write a value, as in `{{query}}`, or `{{'{{'}}` for a literal `{{`",
        ),
        Some('|') => {
            error("the value before `|` is missing", "write a value before its filters: `{{query|trim}}`")
        }
        Some('{') => error(
            "three braces do not open an expression",
            "write two braces, as in `{{query}}`; a literal brace beside them is `{{'{'}}`",
        ),
        Some('#' | '/' | '^' | '%' | '>' | '!' | '&' | '=' | '@') => SyntaxError::new(
            here,
            format!("{} begins no expression: templates have no blocks, partials or comments", tick(word)),
            "write a value and its filters, as in `{{title|default:none}}`",
        ),
        Some('$') => {
            error("`$` begins no variable", "write the name alone, as in `{{query}}` or `{{env.HOME}}`")
        }
        Some('.') => SyntaxError::new(
            here,
            "a name is missing before `.`",
            match word_at(expression, at + 1).of(expression) {
                name if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                    && !name.is_empty() =>
                {
                    format!(
                        "write the name without a dot, {}, or the variable first, as in `{{{{repo.name}}}}`",
                        tick(&format!("{{{{{}}}}}", name.to_ascii_lowercase()))
                    )
                }
                _ => "write the variable first, as in `{{repo.name}}`".to_owned(),
            },
        ),
        Some('-') if word == "-" => {
            error("`-` beside the braces does not remove blanks", "write `{{title|trim}}` to remove blanks")
        }
        Some('-' | '~' | '+') => not_a_value(here, word),
        Some('“' | '”' | '‘' | '’' | '`') => {
            SyntaxError::new(here, format!("{} is not a quote", word), "write `'…'` or `\"…\"`")
        }
        _ => not_a_value(here, word),
    }
}

pub(super) fn not_a_value(span: Span, word: &str) -> SyntaxError {
    SyntaxError::new(
        span,
        format!("{} is neither a name nor a number", tick(word)),
        format!(
            "a name begins with an ASCII letter or `_`; text is quoted, as in `{{{{{}}}}}`",
            quote(word, '\'')
        ),
    )
}

fn member(expression: &str, at: usize) -> SyntaxError {
    let dot = last_before(expression, at, '.');
    let here = piece_at(expression, at, &['.', '[', '|', ':', '}']);
    let word = here.of(expression);
    match char_at(expression, at) {
        Some('.') => SyntaxError::new(here, "a name is missing between two dots", "write a single `.`"),
        Some('[') => SyntaxError::new(
            dot,
            "`.` before `[` is one too many",
            "write `[0]` or `[\"key\"]` without a dot",
        ),
        Some(c) if c.is_alphanumeric() || matches!(c, '-' | '_' | '$' | '@') => SyntaxError::new(
            here,
            format!("{} is neither a name nor an index", tick(word)),
            format!("write a key that is no plain name in brackets: `[{}]`", quote(word, '"')),
        ),
        Some(mark @ ('"' | '\'')) => SyntaxError::new(
            here,
            format!("`{mark}` cannot follow a dot"),
            "write a quoted key in brackets without a dot: `[\"key\"]`",
        ),
        Some('*') => no_star(here),
        _ => SyntaxError::new(
            dot,
            "a name or an index is missing after `.`",
            "write what follows, as in `{{repo.name}}`, or remove the `.`",
        ),
    }
}

fn no_star(span: Span) -> SyntaxError {
    SyntaxError::new(
        span,
        "a template cannot select several values with `*`",
        "write an index, as in `[0]`, or pass the list on: `{{tags|join:,}}`",
    )
}

fn subscript(expression: &str, at: usize) -> SyntaxError {
    let open = open_bracket(expression, at);
    let here = word_at(expression, at);
    let word = here.of(expression);
    match char_at(expression, at) {
        Some(']') => SyntaxError::new(
            Span::new(open.start, here.end),
            "the index in `[]` is missing",
            "write an index, as in `[0]`, or a quoted key, as in `[\"key\"]`",
        ),
        Some('*') => no_star(here),
        Some('-') => SyntaxError::new(
            here,
            format!("the index {} is not counted from 0", tick(word)),
            "write the index from the start, as in `[0]`",
        ),
        Some(' ' | '\t' | '\n' | '\r') => {
            SyntaxError::new(here, "a blank cannot follow `[`", "write `[0]` or `[\"key\"]` without blanks")
        }
        Some('}') => never_closed(open),
        Some(c) if c.is_alphanumeric() || c == '_' => SyntaxError::new(
            here,
            format!("{} is neither an index nor a quoted key", tick(word)),
            format!("write `.{word}` or `[{}]`", quote(word, '"')),
        ),
        _ => SyntaxError::new(
            here,
            format!("{} is neither an index nor a quoted key", tick(word)),
            "write an index, as in `[0]`, or a quoted key, as in `[\"key\"]`",
        ),
    }
}

fn never_closed(open: Span) -> SyntaxError {
    SyntaxError::new(open, "`[` is never closed", "write `]` behind the index")
}

fn bracket_end(expression: &str, at: usize) -> SyntaxError {
    let open = open_bracket(expression, at);
    let here = word_at(expression, at);
    match char_at(expression, at) {
        Some('}') => never_closed(open),
        _ => SyntaxError::new(
            here,
            format!("{} stands where `]` is expected", tick(here.of(expression))),
            "write one index or one quoted key between `[` and `]`, without blanks",
        ),
    }
}

fn filter(expression: &str, at: usize) -> SyntaxError {
    let pipe = last_before(expression, at, '|');
    let here = word_at(expression, at);
    let word = here.of(expression);
    match char_at(expression, at) {
        Some('|') => SyntaxError::new(
            here,
            "a filter is missing between two `|`",
            "write one `|` before each filter; a fallback is `{{title|default:none}}`",
        ),
        Some('}') => SyntaxError::new(
            pipe,
            "the filter after `|` is missing",
            "write a filter, as in `{{query|trim}}`, or remove the `|`",
        ),
        Some(':') => SyntaxError::new(
            here,
            "the filter's name before `:` is missing",
            "write the filter and its argument, as in `{{tags|join:,}}`",
        ),
        _ => SyntaxError::new(
            here,
            format!("{} is not a filter's name", tick(word)),
            "write a filter's name behind `|`, as in `{{query|trim}}`; a fallback value is `{{title|default:none}}`",
        ),
    }
}
