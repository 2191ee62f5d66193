//! Evaluates expressions and text slots.

use kontext_plan::path::Step;
use kontext_plan::template::{Expr, Piece, Source, Template};
use serde_json::Value;

use super::error::{EvalError, EvalErrorKind, LIMIT};
use super::filters;
use super::scope::{Evaluated, Missing, Scope};
use super::text::append;
use crate::mapping::select;

/// How deep variables may stand on one another.
const VAR_DEPTH: u32 = 256;

/// The value of a slot: exactly one expression keeps its type, anything else is text.
///
/// # Errors
/// When a needed variable is missing, a filter refuses its value or a text grows too large.
pub fn template(scope: &Scope<'_>, template: &Template) -> Result<Evaluated, EvalError> {
    let found = evaluate(scope, template, Bound::none())?;
    match &found.missing {
        Some(missing) if found.value.is_null() && missing.name.starts_with("env.") => {
            let error = EvalError::missing(&missing.name, missing.empty);
            Err(match template {
                Template::Expr(expr) => error.or_at(expr.at),
                Template::Text(_) | Template::Concat(_) => error,
            })
        }
        _ => Ok(found),
    }
}

/// The text of a text slot; none when exactly one expression gave null.
///
/// # Errors
/// As [`template`], and when the value is a list or an object.
pub fn text(scope: &Scope<'_>, slot: &Template) -> Result<Option<String>, EvalError> {
    let found = template(scope, slot)?;
    match found.value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        value => {
            let mut text = String::new();
            append(&mut text, &value).map_err(|error| located(error, slot))?;
            Ok(Some(text))
        }
    }
}

/// Names the place of the expression a slot consists of.
pub(super) fn located(error: EvalError, slot: &Template) -> EvalError {
    match slot {
        Template::Expr(expr) => error.or_at(expr.at),
        Template::Text(_) | Template::Concat(_) => error,
    }
}

/// Which variables may be used: a variable uses only those before it.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    below: Option<u32>,
    depth: u32,
}

impl Bound {
    pub(super) fn none() -> Bound {
        Bound { below: None, depth: 0 }
    }
}

fn evaluate(scope: &Scope<'_>, template: &Template, bound: Bound) -> Result<Evaluated, EvalError> {
    match template {
        Template::Text(text) => Ok(Evaluated::plain(Value::String(text.clone()))),
        Template::Expr(expr) => expression(scope, expr, bound),
        Template::Concat(pieces) => concat(scope, pieces, bound),
    }
}

/// Text and expressions. Null of an item makes the whole null, null of a fact is a hole, any other null is nothing.
fn concat(scope: &Scope<'_>, pieces: &[Piece], bound: Bound) -> Result<Evaluated, EvalError> {
    let mut whole = String::new();
    let mut secret = false;
    for piece in pieces {
        match piece {
            Piece::Text(text) => whole.push_str(text),
            Piece::Expr(expr) => {
                let found = expression(scope, expr, bound)?;
                if found.value.is_null() && matches!(expr.from, Source::Item(_)) {
                    return Ok(Evaluated::plain(Value::Null));
                }
                secret |= found.secret;
                write(&mut whole, &found, expr)?;
            }
        }
        if whole.len() > LIMIT {
            return Err(EvalError::too_large());
        }
    }
    Ok(Evaluated { value: Value::String(whole), missing: None, secret })
}

/// Appends an expression's value as a part of a longer text.
pub(super) fn write(whole: &mut String, found: &Evaluated, expr: &Expr) -> Result<(), EvalError> {
    match &found.missing {
        Some(missing) if found.value.is_null() => {
            Err(EvalError::missing(&missing.name, missing.empty).or_at(expr.at))
        }
        _ => append(whole, &found.value).map_err(|error| error.or_at(expr.at)),
    }
}

/// A value and its filters.
pub(super) fn expression(scope: &Scope<'_>, expr: &Expr, bound: Bound) -> Result<Evaluated, EvalError> {
    let mut found = source(scope, &expr.from, bound).map_err(|error| error.or_at(expr.at))?;
    for filter in &expr.filters {
        found = filters::apply(filter, found, scope.facts).map_err(|error| error.or_at(expr.at))?;
    }
    Ok(found)
}

fn source(scope: &Scope<'_>, from: &Source, bound: Bound) -> Result<Evaluated, EvalError> {
    match from {
        Source::Literal(value) => Ok(Evaluated::plain(value.clone())),
        Source::Fact(name) => match name.strip_prefix("scope.") {
            Some(member) => of_start(scope, member),
            None => Ok(fact(scope, name)),
        },
        Source::Var(index) => variable(scope, *index, bound),
        Source::Input(steps) => Ok(Evaluated::plain(input(scope, steps))),
        Source::Item(steps) => {
            let item = scope.item.and_then(|item| select::first(item, steps));
            Ok(Evaluated::plain(item.cloned().unwrap_or(Value::Null)))
        }
        Source::OutputFile => match scope.output_file {
            Some(path) => Ok(Evaluated::plain(Value::String(path.to_owned()))),
            None => Err(EvalError::new(EvalErrorKind::Plan, "`output_file` is used by a call that has none")),
        },
    }
}

/// A fact about the scope of the start, which may be out of reach.
fn of_start(scope: &Scope<'_>, member: &str) -> Result<Evaluated, EvalError> {
    let unknown = |why: &str| EvalError::value(format!("`scope.{member}` is not known: {why}"));
    match (scope.facts.scope(), member) {
        (Some(Ok(start)), "id") => Ok(Evaluated::plain(Value::from(start.id.as_str()))),
        (Some(Ok(start)), "step") => Ok(Evaluated::plain(Value::from(start.step))),
        (Some(Err(why)), _) => Err(unknown(why)),
        _ => Err(EvalError::new(
            EvalErrorKind::Plan,
            format!("the plan does not list the fact `scope.{member}`"),
        )),
    }
}

fn fact(scope: &Scope<'_>, name: &str) -> Evaluated {
    let (text, secret, empty) = match scope.facts.get(name) {
        Some(fact) => (fact.text.clone(), fact.secret, fact.empty),
        None if name == "adapter.name" => (Some(scope.adapter_name.to_owned()), false, false),
        None => (None, false, false),
    };
    match text {
        Some(text) => Evaluated { value: Value::String(text), missing: None, secret },
        None => {
            let missing = Some(Missing { name: name.to_owned(), empty });
            Evaluated { value: Value::Null, missing, secret: false }
        }
    }
}

/// A member of the inputs; the first step is the input's name.
fn input(scope: &Scope<'_>, steps: &[Step]) -> Value {
    let Some((Step::Key(name), rest)) = steps.split_first() else {
        return Value::Null;
    };
    let found = scope.inputs.get(name).and_then(|value| select::first(value, rest));
    found.cloned().unwrap_or(Value::Null)
}

fn variable(scope: &Scope<'_>, index: u32, bound: Bound) -> Result<Evaluated, EvalError> {
    if bound.below.is_some_and(|below| index >= below) || bound.depth >= VAR_DEPTH {
        return Err(EvalError::new(
            EvalErrorKind::Plan,
            "a variable of the plan uses one that is not before it",
        ));
    }
    if let Some(known) = scope.known_var(index) {
        return Ok(known);
    }
    let var = usize::try_from(index).ok().and_then(|position| scope.adapter.vars.get(position));
    let Some(var) = var else {
        return Err(EvalError::new(EvalErrorKind::Plan, "the plan has no such variable"));
    };
    let inner = Bound { below: Some(index), depth: bound.depth + 1 };
    let found = evaluate(scope, &var.value, inner).map_err(|error| error.or_at(var.at))?;
    scope.keep_var(index, &found);
    Ok(found)
}
