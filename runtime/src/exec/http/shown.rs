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
    if !in_path && !template_is_secret(task, &call.url.prefix) {
        return without_secrets(url);
    }
    if !in_path && url.path() == "/" { without_secrets(url) } else { origin_only(url) }
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
