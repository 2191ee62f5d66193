//! Redirects, followed by hand: only to the same origin, so that no header or body goes anywhere the plan does not
//! name.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::{Action, Attempt};
use reqwest::{Method, StatusCode};
use url::Url;

use super::send::Request;
use super::shown::{origin_only, without_secrets};
use crate::error::Failure;

/// How many redirects are followed.
pub(crate) const LIMIT: usize = 5;

/// The request that a redirect asks for; none when the answer is no redirect.
pub(crate) fn next(
    request: &Request,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Request>, Failure> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(target) = headers.get(LOCATION) else {
        return Err(Failure::call(format!("`{}` answered {status} without saying where to", request.shown)));
    };
    let target = target.to_str().ok().and_then(|target| request.url.join(target).ok());
    let Some(target) = target else {
        return Err(Failure::call(format!("`{}` redirects to an address that is no URL", request.shown)));
    };
    if target.origin() != request.url.origin() {
        let place = shown(request, &target);
        return Err(Failure::call(format!(
            "`{}` redirects to another origin, `{place}`; nothing was sent there: if it is right, name it in the configuration",
            request.shown
        )));
    }
    follow(request, status, target).map(Some)
}

/// For clients that follow by themselves: to the same origin, keeping method and body, or not at all.
pub(crate) fn same_origin(attempt: Attempt<'_>) -> Action {
    let keeps_all = matches!(attempt.status().as_u16(), 307 | 308);
    let asked = attempt.previous().first();
    let stays = asked.is_some_and(|asked| asked.origin() == attempt.url().origin());
    if keeps_all && stays && attempt.previous().len() <= LIMIT {
        return attempt.follow();
    }
    let place = origin_only(attempt.url());
    let status = attempt.status();
    attempt.error(format!(
        "answered {status}, a redirect to `{place}` that is not followed; if it is right, name it in the configuration"
    ))
}

fn follow(request: &Request, status: StatusCode, target: Url) -> Result<Request, Failure> {
    let keeps_all = matches!(status.as_u16(), 307 | 308);
    if !keeps_all && request.body.is_some() {
        return Err(Failure::call(format!(
            "`{}` answered {status}, a redirect that would lose the request's body; name `{}` in the configuration if it is right",
            request.shown,
            shown(request, &target)
        )));
    }
    let becomes_get = !keeps_all && (status == StatusCode::SEE_OTHER || request.method == Method::POST);
    let method =
        if becomes_get && request.method != Method::HEAD { Method::GET } else { request.method.clone() };
    Ok(Request { method, shown: shown(request, &target), url: target, ..request.clone() })
}

/// The target as messages show it: when the request's path is hidden, so is this one.
fn shown(request: &Request, target: &Url) -> String {
    if request.shown.ends_with("/***") { origin_only(target) } else { without_secrets(target) }
}
