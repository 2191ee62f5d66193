//! Request headers: a value that would break the request is refused before anything is sent, and never shown.

use kontext_plan::NamedTemplate;
use kontext_plan::template::{Expr, Piece, Source, Template};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::error::Failure;
use crate::exec::http::shown::expr_is_secret;
use crate::exec::{Task, evaluation};
use crate::value;

/// The headers with a value; of two names that differ only in case the later counts.
pub(crate) fn evaluate(task: &Task<'_>, headers: &[NamedTemplate]) -> Result<HeaderMap, Failure> {
    let mut map = HeaderMap::with_capacity(headers.len());
    for header in headers {
        let value =
            value::text(task.scope, &header.value).map_err(|error| evaluation(error.or_at(header.at)))?;
        let Some(value) = value else { continue };
        if let Some(problem) = problem(task, header, &value) {
            return Err(refused(task, header, &problem));
        }
        let name =
            HeaderName::try_from(&header.name).map_err(|_| refused(task, header, "its name is not valid"))?;
        let mut value =
            HeaderValue::try_from(value).map_err(|_| refused(task, header, "its value cannot be sent"))?;
        value.set_sensitive(true);
        map.insert(name, value);
    }
    Ok(map)
}

fn refused(task: &Task<'_>, header: &NamedTemplate, problem: &str) -> Failure {
    let adapter = task.scope.adapter_name;
    Failure::unsent(
        "call-failed",
        format!("nothing was sent: header `{}` of adapter `{adapter}`: {problem}", header.name),
    )
    .at(header.at)
}

/// What is wrong with the value: said of the expression that brought it where there is one, so that the position
/// counts in what the user can look at.
fn problem(task: &Task<'_>, header: &NamedTemplate, value: &str) -> Option<String> {
    for expr in expressions(&header.value) {
        let part = value::text(task.scope, &Template::Expr(expr.clone())).ok().flatten().unwrap_or_default();
        let edges = expr_is_secret(task, expr);
        if let Some((position, what)) = fault(&part, edges) {
            return Some(words(position, what, &format!("`{}`", source(task, expr))));
        }
    }
    fault(value, true).map(|(position, what)| words(position, what, "its value"))
}

fn words(position: usize, what: &str, of: &str) -> String {
    let hint = if what.starts_with("is not ASCII") {
        ""
    } else {
        "; `|trim` drops blanks and line breaks at the ends"
    };
    format!("character {position} of {of} {what}{hint}")
}

/// The first character that cannot be sent, from 1; with `edges` a blank at an end too, which HTTP drops silently.
fn fault(text: &str, edges: bool) -> Option<(usize, &'static str)> {
    let inside = text.chars().zip(1..).find_map(|(character, position)| Some((position, name(character)?)));
    if inside.is_some() || !edges {
        return inside;
    }
    let blank = |character: Option<char>| matches!(character, Some(' ' | '\t'));
    if blank(text.chars().next()) {
        return Some((1, "is a blank"));
    }
    blank(text.chars().last()).then(|| (text.chars().count(), "is a blank"))
}

fn name(character: char) -> Option<&'static str> {
    match character {
        '\t' => None,
        '\n' => Some("is a line feed"),
        '\r' => Some("is a carriage return"),
        _ if character.is_control() => Some("is a control character"),
        _ if !character.is_ascii() => Some("is not ASCII, which a header cannot hold"),
        _ => None,
    }
}

fn expressions(template: &Template) -> Vec<&Expr> {
    match template {
        Template::Text(_) => Vec::new(),
        Template::Expr(expr) => vec![expr],
        Template::Concat(pieces) => pieces
            .iter()
            .filter_map(|piece| if let Piece::Expr(expr) = piece { Some(expr) } else { None })
            .collect(),
    }
}

/// The variable as the configuration writes it.
fn source(task: &Task<'_>, expr: &Expr) -> String {
    match &expr.from {
        Source::Fact(name) => name.clone(),
        Source::Var(index) => {
            let var = usize::try_from(*index).ok().and_then(|index| task.adapter.vars.get(index));
            var.map_or_else(|| "vars".to_owned(), |var| format!("vars.{}", var.name))
        }
        Source::Input(steps) => match steps.first() {
            Some(kontext_plan::path::Step::Key(name)) => name.clone(),
            _ => "the input".to_owned(),
        },
        Source::Literal(_) | Source::Item(_) | Source::OutputFile => "the expression".to_owned(),
    }
}
