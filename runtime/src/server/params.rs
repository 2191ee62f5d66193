//! What requests need: the protocol's types take one that lacks it for a request of another kind.

use rmcp::model::{ErrorCode, ErrorData};

/// What the requests that are answered here need.
const NEEDED: [(&str, &str); 6] = [
    (
        "initialize",
        "`protocolVersion` (text), `capabilities` (an object) and `clientInfo` (`name` and `version`)",
    ),
    ("server/discover", "no `params` but `_meta`"),
    ("ping", "no `params` but `_meta`"),
    ("tools/list", "no `params` but `cursor` (text) and `_meta`"),
    ("tools/call", "`name` (text), and `arguments`, if at all, that are an object"),
    ("subscriptions/listen", "`notifications` (an object)"),
];

/// The error of a request of this method whose parameters could not be read; none when there is no such method here.
pub(super) fn wrong(method: &str) -> Option<ErrorData> {
    let (_, needed) = NEEDED.iter().find(|(name, _)| *name == method)?;
    Some(ErrorData::invalid_params(format!("`{method}` needs {needed}"), None))
}

/// The same, or that there is no such method; the newer era has fewer of them.
pub(super) fn unknown(method: &str, modern: bool) -> ErrorData {
    let gone = modern && matches!(method, "initialize" | "ping");
    wrong(method).filter(|_| !gone).unwrap_or_else(|| absent(method))
}

/// There is no such method.
pub(super) fn absent(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{method}` here"), None)
}
