//! The http driver: requests that go nowhere but where the plan says, and answers in bounds.

mod body;
mod client;
mod failure;
mod header;
mod proxy;
mod redirect;
mod send;
mod shown;

use kontext_plan::template::Template;
use kontext_plan::url::UrlTemplate;
use kontext_plan::{Format, HttpCall, Method, NamedTemplate};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use url::Url;

pub(crate) use self::client::Clients;
use self::client::Redirects;
pub(crate) use self::failure::no_answer;
pub(crate) use self::proxy::Proxy;
use self::send::Request;
use super::{Answer, Task, evaluation};
use crate::error::Failure;
use crate::value;

/// Where another protocol over HTTP goes, and how, by the rules of this driver.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) client: reqwest::Client,
    /// The address as messages show it.
    pub(crate) shown: String,
    /// What stands between, for messages.
    pub(crate) proxy: Option<Proxy>,
}

/// The endpoint that an address and headers stand for.
pub(crate) fn endpoint(
    task: &Task<'_>,
    url: &Template,
    headers: &[NamedTemplate],
) -> Result<Endpoint, Failure> {
    let at = task.adapter.at;
    let url = UrlTemplate { prefix: url.clone(), segments: Vec::new(), query: None, at };
    let headers = headers.to_vec();
    let call = HttpCall { method: Method::Post, url, query: Vec::new(), headers, body: None };
    let Request { url, headers, shown, .. } = request(task, &call)?;
    let proxy = proxy::choose(task.env, &url);
    let encrypted = url.scheme() == "https";
    let client = task.clients.get(task.env, encrypted, Redirects::Client, proxy.as_ref())?;
    Ok(Endpoint { url, headers, client, shown, proxy })
}

/// Makes the request; the time is for all of it, redirects and body included.
pub(crate) async fn call(task: &Task<'_>, call: &HttpCall) -> Result<Answer, Failure> {
    let request = request(task, call)?;
    let shown = request.shown.clone();
    let mask = task.scope.facts.mask();
    let sending = send::send(task.clients, task.env, request, &mask);
    match tokio::time::timeout(task.time, sending).await {
        Ok(answer) => answer,
        Err(_) => Err(Failure::timed_out(&format!("`{shown}`"), task.time)),
    }
}

/// The request with every template evaluated.
fn request(task: &Task<'_>, call: &HttpCall) -> Result<Request, Failure> {
    let mut url = value::url_segments(task.scope, &call.url).map_err(evaluation)?;
    let query = value::query(task.scope, &call.query).map_err(evaluation)?;
    value::add_query(&mut url, &query);
    let shown = task.masked(&shown::of_call(task, call, &url));
    let mut headers = header::evaluate(task, &call.headers)?;
    authorize(&mut url, &mut headers);
    let body = match &call.body {
        Some(body) => body::evaluate(task, body, &mut headers)?,
        None => None,
    };
    if !headers.contains_key(ACCEPT) {
        headers.insert(ACCEPT, accepted(task.op.format));
    }
    Ok(Request { method: method(call.method), url, headers, body, shown })
}

/// User and password of the address become a header, so that redirects and messages never hold them. A header that
/// the configuration sets counts more.
fn authorize(url: &mut Url, headers: &mut HeaderMap) {
    if url.username().is_empty() && url.password().is_none() {
        return;
    }
    let pair = [decoded(url.username()), decoded(url.password().unwrap_or(""))].join(&b':');
    let value = format!("Basic {}", base64::Engine::encode(&base64::engine::general_purpose::STANDARD, pair));
    if let (false, Ok(mut value)) = (headers.contains_key(AUTHORIZATION), HeaderValue::try_from(value)) {
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    // An http address takes a user, so it has one to remove.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

/// Percent escapes as the bytes they stand for: a form field decodes the same way, but for `+`.
fn decoded(text: &str) -> Vec<u8> {
    let escaped = text.replace('+', "%2B");
    let pair = url::form_urlencoded::parse(escaped.as_bytes()).next();
    pair.map(|(name, value)| if value.is_empty() { name } else { format!("{name}={value}").into() })
        .map(|text| text.as_bytes().to_vec())
        .unwrap_or_default()
}

fn accepted(format: Format) -> HeaderValue {
    HeaderValue::from_static(match format {
        Format::Auto | Format::Json => "application/json, text/plain;q=0.9, */*;q=0.8",
        Format::Jsonl => "application/x-ndjson, application/jsonl, application/json;q=0.9, */*;q=0.8",
        Format::Lines | Format::Text => "text/plain, */*;q=0.8",
    })
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
        Method::Head => reqwest::Method::HEAD,
    }
}

/// Whether a header says that the body is JSON.
fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}
