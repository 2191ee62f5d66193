//! Request bodies, checked before they are sent: what is declared as JSON must be JSON.

use kontext_plan::Body;
use kontext_plan::template::Template;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::says_json;
use crate::error::Failure;
use crate::exec::{Task, evaluation};
use crate::value;

/// The bytes of a body; none when it is one expression without a value. JSON sets its content type.
pub(crate) fn evaluate(
    task: &Task<'_>,
    body: &Body,
    headers: &mut HeaderMap,
) -> Result<Option<Vec<u8>>, Failure> {
    match body {
        Body::Json(slot) => {
            Ok(value::json(task.scope, slot).map_err(evaluation)?.map(|value| json(&value, headers)))
        }
        Body::Text(Template::Expr(expr)) => {
            let slot = Template::Expr(expr.clone());
            match value::template(task.scope, &slot).map_err(evaluation)?.value {
                Value::Null => Ok(None),
                Value::String(text) => checked(text, headers).map(Some),
                other => Ok(Some(json(&other, headers))),
            }
        }
        Body::Text(slot) => {
            let text = value::text(task.scope, slot).map_err(evaluation)?;
            text.map(|text| checked(text, headers)).transpose()
        }
    }
}

fn json(value: &Value, headers: &mut HeaderMap) -> Vec<u8> {
    if !headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    value.to_string().into_bytes()
}

/// A text that is sent as it is, unless it is declared as JSON and is none.
fn checked(text: String, headers: &HeaderMap) -> Result<Vec<u8>, Failure> {
    if says_json(headers)
        && let Err(error) = serde_json::from_str::<IgnoredAny>(&text)
    {
        return Err(Failure::unsent(
            "call-failed",
            format!(
                "nothing was sent: the body is declared as JSON and is not valid at its line {}, column {}; write the body as a table, or `|json` behind the expression",
                error.line(),
                error.column()
            ),
        ));
    }
    Ok(text.into_bytes())
}
