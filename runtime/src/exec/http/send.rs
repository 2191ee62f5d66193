//! One request from the first byte sent to the last byte read, redirects included.

use kontext_host::Env;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use url::Url;

use super::client::{Clients, Redirects};
use super::{failure, proxy, redirect};
use crate::error::Failure;
use crate::exec::{ANSWER_LIMIT, Answer, excerpt};
use crate::secret::Mask;

/// How many characters of a failed answer's body are shown.
const SHOWN_BODY: usize = 400;
/// How many bytes of a failed answer's body are read.
const READ_BODY: usize = 64 * 1024;

/// A request with every template evaluated.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
    /// The address as messages show it.
    pub(crate) shown: String,
}

/// Sends a request, follows redirects to the same origin, and reads the answer.
pub(crate) async fn send(
    clients: &Clients,
    env: &Env,
    mut request: Request,
    mask: &Mask,
) -> Result<Answer, Failure> {
    for _ in 0..=redirect::LIMIT {
        let response = once(clients, env, &request).await?;
        match redirect::next(&request, response.status(), response.headers())? {
            Some(next) => request = next,
            None => return read(response, &request, mask).await,
        }
    }
    Err(Failure::call(format!("`{}` redirects more than {} times", request.shown, redirect::LIMIT)))
}

async fn once(clients: &Clients, env: &Env, request: &Request) -> Result<Response, Failure> {
    let proxy = proxy::choose(env, &request.url);
    let client = clients.get(env, request.url.scheme() == "https", Redirects::Caller, proxy.as_ref())?;
    let mut builder =
        client.request(request.method.clone(), request.url.clone()).headers(request.headers.clone());
    if let Some(body) = &request.body {
        builder = builder.body(body.clone());
    }
    builder.send().await.map_err(|error| failure::no_answer(&error, &request.shown, proxy.as_ref()))
}

async fn read(response: Response, request: &Request, mask: &Mask) -> Result<Answer, Failure> {
    let status = response.status();
    if !status.is_success() {
        return Err(refused(response, request, mask).await);
    }
    let kind = content_type(&response);
    if kind.to_ascii_lowercase().starts_with("text/event-stream") {
        return Err(Failure::system(
            "bad-payload",
            format!(
                "`{}` answered with an event stream (`{kind}`), which the http driver does not read",
                request.shown
            ),
        ));
    }
    let bytes = body(response, request, ANSWER_LIMIT).await?;
    if bytes.len() > ANSWER_LIMIT {
        return Err(Failure::system(
            "too-large",
            format!("`{}` answered with more than {} MiB", request.shown, ANSWER_LIMIT / 1024 / 1024),
        ));
    }
    let described = format!(
        "`{}` answered status {}, content type `{}`",
        request.shown,
        status.as_u16(),
        mask.text(&kind)
    );
    Ok(Answer { bytes, described })
}

fn content_type(response: &Response) -> String {
    let value = response
        .headers()
        .get(CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    value.unwrap_or_else(|| "none".to_owned())
}

/// The body up to just over a limit: what is longer than the limit is cut, not complete.
async fn body(mut response: Response, request: &Request, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| failure::broken_answer(&error, &request.shown))?
    {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > limit {
            break;
        }
    }
    Ok(bytes)
}

/// What an answer with a status other than 2xx says. The body is shown with every secret masked, whoever wrote it.
async fn refused(response: Response, request: &Request, mask: &Mask) -> Failure {
    let status = response.status();
    let wait = retry_after(status, response.headers());
    let mut message = format!("`{}` answered status {status}", request.shown);
    if let Some(wait) = wait {
        message.push_str(&format!(" and asks to retry after {wait}"));
    }
    let bytes = body(response, request, READ_BODY).await.unwrap_or_default();
    let text = excerpt(&mask.text(&String::from_utf8_lossy(&bytes)), SHOWN_BODY);
    if !text.is_empty() {
        message.push_str(": ");
        message.push_str(&text);
    }
    Failure::call(message)
}

/// What `Retry-After` asks for, when it is seconds or a date; anything else is not repeated.
fn retry_after(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    if status.is_success() {
        return None;
    }
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(format!("{seconds} s"));
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_timestamp(value).ok()?;
    Some(date.to_string())
}
