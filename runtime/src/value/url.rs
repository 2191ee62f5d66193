//! Renders URLs so that what a caller passes stays one segment of the path below the base.

use kontext_plan::url::{UrlPiece, UrlTemplate};
use url::Url;

use super::error::{EvalError, EvalErrorKind};
use super::eval::{Bound, expression, text, write};
use super::filters::encode::percent_encode;
use super::scope::Scope;

/// The URL of a request, without the parameters of its query table.
///
/// # Errors
/// As [`super::template`]; when a segment that an expression takes part in is empty, `.` or `..`; when the URL
/// would leave its base; when it is no http URL.
pub fn url_segments(scope: &Scope<'_>, template: &UrlTemplate) -> Result<Url, EvalError> {
    render(scope, template).map_err(|error| error.or_at(template.at))
}

/// Appends query parameters, percent-encoded.
pub fn add_query(url: &mut Url, pairs: &[(String, String)]) {
    if pairs.is_empty() {
        return;
    }
    let mut query = url.query().unwrap_or("").to_owned();
    for (name, value) in pairs {
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(&percent_encode(name));
        query.push('=');
        query.push_str(&percent_encode(value));
    }
    url.set_query(Some(&query));
}

fn render(scope: &Scope<'_>, template: &UrlTemplate) -> Result<Url, EvalError> {
    let prefix = text(scope, &template.prefix)?.unwrap_or_default();
    let base = parse(scope, &prefix)?;
    if template.segments.is_empty() && template.query.is_none() {
        return Ok(base);
    }
    if prefix.contains(['?', '#']) {
        return Err(EvalError::value("the base of a URL cannot hold `?` or `#`"));
    }
    let mut whole = prefix;
    if !template.segments.is_empty() {
        whole.truncate(whole.trim_end_matches('/').len());
    }
    for segment in &template.segments {
        whole.push('/');
        whole.push_str(&path_segment(scope, segment)?);
    }
    if let Some(pieces) = &template.query {
        whole.push('?');
        whole.push_str(&joined(scope, pieces)?);
    }
    let url = parse(scope, &whole)?;
    if stays_below(&base, &url) {
        return Ok(url);
    }
    Err(EvalError::new(EvalErrorKind::LeavesBase, "the URL would leave the path of its base"))
}

/// Parses an http URL; its user-info becomes secret.
fn parse(scope: &Scope<'_>, whole: &str) -> Result<Url, EvalError> {
    let broken = |why: &str| EvalError::value(format!("the URL {why}"));
    if whole.trim().is_empty() {
        return Err(broken("is empty"));
    }
    if whole.contains(|c: char| c.is_control()) {
        return Err(broken("holds a control character"));
    }
    hide_user_info(scope, whole);
    let url = Url::parse(whole).map_err(|error| broken(&format!("is not valid: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(broken("is not one of http or https"));
    }
    Ok(url)
}

/// User and password of a URL are secret wherever they come from.
fn hide_user_info(scope: &Scope<'_>, whole: &str) {
    let Some((_, rest)) = whole.split_once("//") else { return };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or("");
    let Some((info, _)) = authority.rsplit_once('@') else { return };
    let (user, password) = info.split_once(':').unwrap_or((info, ""));
    for part in [info, user, password] {
        scope.facts.add_secret(part);
        scope.facts.add_secret(&String::from_utf8_lossy(&decode(part)));
    }
}

/// The same server, and a path at or below the base's.
fn stays_below(base: &Url, url: &Url) -> bool {
    let fence = base.path().trim_end_matches('/');
    let below = url.path().strip_prefix(fence).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let same = base.scheme() == url.scheme()
        && base.host_str() == url.host_str()
        && base.port() == url.port()
        && base.username() == url.username()
        && base.password() == url.password();
    same && below
}

/// One segment. Where an expression takes part, no part of it may be one that servers treat as a direction.
fn path_segment(scope: &Scope<'_>, pieces: &[UrlPiece]) -> Result<String, EvalError> {
    let segment = joined(scope, pieces)?;
    let at = pieces.iter().find_map(|piece| match piece {
        UrlPiece::Text(_) => None,
        UrlPiece::Encoded(expr) | UrlPiece::Raw(expr) => Some(expr.at),
    });
    let Some(at) = at else { return Ok(segment) };
    let path = segment.split(['?', '#']).next().unwrap_or("");
    if path.split(['/', '\\']).any(str::is_empty) {
        let message = "the path of the URL would contain an empty segment";
        return Err(EvalError::new(EvalErrorKind::EmptySegment, message).or_at(at));
    }
    let decoded = decode(path);
    if decoded.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"." || part == b"..") {
        let message = "the path of the URL would contain a segment `.` or `..`";
        return Err(EvalError::new(EvalErrorKind::DotSegment, message).or_at(at));
    }
    Ok(segment)
}

fn joined(scope: &Scope<'_>, pieces: &[UrlPiece]) -> Result<String, EvalError> {
    let mut whole = String::new();
    for piece in pieces {
        let (expr, encoded) = match piece {
            UrlPiece::Text(text) => {
                whole.push_str(text);
                continue;
            }
            UrlPiece::Encoded(expr) => (expr, true),
            UrlPiece::Raw(expr) => (expr, false),
        };
        let found = expression(scope, expr, Bound::none())?;
        let mut part = String::new();
        write(&mut part, &found, expr)?;
        if encoded {
            part = percent_encode(&part);
        }
        whole.push_str(&part);
        if whole.len() > super::error::LIMIT {
            return Err(EvalError::too_large().or_at(expr.at));
        }
    }
    Ok(whole)
}

/// Percent escapes decoded once.
fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escape = match (first, tail) {
            (b'%', [high, low, after @ ..]) => hex(*high).zip(hex(*low)).map(|(h, l)| (h * 16 + l, after)),
            _ => None,
        };
        let (byte, after) = escape.unwrap_or((first, tail));
        bytes.push(byte);
        rest = after;
    }
    bytes
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
