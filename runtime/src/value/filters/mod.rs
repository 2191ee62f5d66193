//! What filters do to a value: one file per kind.

mod default;
pub(super) mod encode;
mod list;
mod number;
mod text;

use kontext_plan::template::Filter;
use serde_json::Value;

use super::error::{EvalError, EvalErrorKind, LIMIT};
use super::scope::Evaluated;
use super::text::{kind_of, scalar};
use super::{Facts, within};

/// Applies one filter. Null goes through all but `default`; what is made of a secret is secret.
pub(super) fn apply(filter: &Filter, input: Evaluated, facts: &Facts) -> Result<Evaluated, EvalError> {
    if let Filter::Default(literal) = filter {
        return Ok(default::apply(input, literal));
    }
    if input.value.is_null() || matches!(filter, Filter::Raw) {
        return Ok(input);
    }
    let value = changed(filter, input.value, facts)?;
    if value.as_str().is_some_and(|text| text.len() > LIMIT) {
        return Err(EvalError::too_large());
    }
    if input.secret
        && let Some(text) = scalar(&value)
    {
        facts.add_secret(&text);
    }
    Ok(Evaluated { value, ..input })
}

fn changed(filter: &Filter, value: Value, facts: &Facts) -> Result<Value, EvalError> {
    let text = match filter {
        Filter::Urlencode => encode::percent_encode(&any_scalar("urlencode", &value)?),
        Filter::Json => value.to_string(),
        Filter::Lower => any_scalar("lower", &value)?.to_lowercase(),
        Filter::Upper => any_scalar("upper", &value)?.to_uppercase(),
        Filter::Trim => any_scalar("trim", &value)?.trim().to_owned(),
        Filter::Slug => text::slug(&any_scalar("slug", &value)?),
        Filter::Truncate(limit) => text::truncate(&any_scalar("truncate", &value)?, *limit),
        Filter::FirstLine => text::first_line(only_text("first_line", &value)?).to_owned(),
        Filter::After(separator) => text::after(only_text("after", &value)?, separator).to_owned(),
        Filter::Before(separator) => text::before(only_text("before", &value)?, separator).to_owned(),
        Filter::Join(separator) => list::join(&value, separator)?,
        Filter::Int => return number::int(&value),
        Filter::Within(directory) => {
            inside(facts, directory, only_text("within", &value)?)?;
            return Ok(value);
        }
        Filter::Raw | Filter::Default(_) => return Ok(value),
    };
    Ok(Value::String(text))
}

fn inside(facts: &Facts, directory: &str, path: &str) -> Result<(), EvalError> {
    let why = match within::check(facts.root(), directory, path) {
        Ok(()) => return Ok(()),
        Err(within::Outside::Elsewhere) => {
            format!("`within` takes a path inside `{directory}`, this one is not")
        }
        Err(within::Outside::Unresolved) => "`within` cannot follow a symbolic link of the path".to_owned(),
        Err(within::Outside::Nul) => "`within` takes no NUL character".to_owned(),
    };
    Err(EvalError::new(EvalErrorKind::Filter { name: "within" }, why))
}

fn any_scalar(name: &'static str, value: &Value) -> Result<String, EvalError> {
    scalar(value).ok_or_else(|| refused(name, "text", value))
}

fn only_text<'v>(name: &'static str, value: &'v Value) -> Result<&'v str, EvalError> {
    value.as_str().ok_or_else(|| refused(name, "text", value))
}

/// A filter that does not take the type of its value.
fn refused(name: &'static str, takes: &str, value: &Value) -> EvalError {
    let message = format!("`{name}` takes {takes}, the value is {}", kind_of(value));
    EvalError::new(EvalErrorKind::Filter { name }, message)
}
