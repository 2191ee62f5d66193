//! Addresses as messages show them: without user, query and fragment, and without a path that holds a secret.

use kontext_plan::HttpCall;
use kontext_plan::template::{Expr, Piece, Source, Template};
use kontext_plan::url::UrlPiece;
use url::Url;

use crate::exec::Task;

/// The address of a call. What a secret takes part in, however short, is not shown.
pub(crate) fn of_call(task: &Task<'_>, call: &HttpCall, url: &Url) -> String {
    let mut pieces = call.url.segments.iter().flatten();
    let in_path = pieces.any(|piece| match piece {
        UrlPiece::Text(_) => false,
        UrlPiece::Encoded(expr) | UrlPiece::Raw(expr) => expr_is_secret(task, expr),
    });
    let base = skeleton(task, &call.url.prefix);
    let (host, path) = base.split_once('/').unwrap_or((&base, ""));
    match (host.contains(SECRET), in_path || path.contains(SECRET)) {
        (true, _) => format!("{}://***/***", url.scheme()),
        (false, true) => origin_only(url),
        (false, false) => without_secrets(url),
    }
}

/// Stands for an expression with a secret in it.
const SECRET: char = '\0';

/// Host and path of a base address, every secret expression as [`SECRET`] and every other left out. The scheme and
/// the user are not in it: they are not shown.
fn skeleton(task: &Task<'_>, base: &Template) -> String {
    let whole: String = match base {
        Template::Text(text) => text.clone(),
        Template::Expr(expr) if expr_is_secret(task, expr) => SECRET.to_string(),
        Template::Expr(_) => String::new(),
        Template::Concat(pieces) => {
            let text = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Expr(expr) if expr_is_secret(task, expr) => SECRET.to_string(),
                Piece::Expr(_) => String::new(),
            };
            pieces.iter().map(text).collect()
        }
    };
    let rest = whole.split_once("://").map_or(whole.as_str(), |(_, rest)| rest);
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{host}/{path}")
}

/// Scheme, host and port, and that there is more.
pub(crate) fn origin_only(url: &Url) -> String {
    format!("{}/***", url.origin().ascii_serialization())
}

/// Scheme, host, port and path.
pub(crate) fn without_secrets(url: &Url) -> String {
    let mut url = url.clone();
    // An address that takes no user has none to remove.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// Whether the value comes from a secret variable, be it through the adapter's variables.
pub(crate) fn expr_is_secret(task: &Task<'_>, expr: &Expr) -> bool {
    match &expr.from {
        Source::Fact(name) => task.scope.facts.get(name).is_some_and(|fact| fact.secret),
        Source::Var(index) => {
            let var = usize::try_from(*index).ok().and_then(|index| task.adapter.vars.get(index));
            var.is_some_and(|var| template_is_secret(task, &var.value))
        }
        Source::Literal(_) | Source::Input(_) | Source::Item(_) | Source::OutputFile => false,
    }
}

fn template_is_secret(task: &Task<'_>, template: &Template) -> bool {
    match template {
        Template::Text(_) => false,
        Template::Expr(expr) => expr_is_secret(task, expr),
        Template::Concat(pieces) => {
            pieces.iter().any(|piece| matches!(piece, Piece::Expr(expr) if expr_is_secret(task, expr)))
        }
    }
}
