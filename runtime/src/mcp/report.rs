//! Why a server gave no answer, in words: how it ended, and what it wrote last.

use std::error::Error;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use nix::sys::signal::Signal;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::Value;

use super::connection::Connection;
use super::diary::Diary;
use super::guard::{self, Report};
use super::message;
use super::tools::Tools;
use crate::error::Failure;
use crate::exec::http::{self, Proxy};
use crate::exec::{ANSWER_LIMIT, ending, excerpt};
use crate::secret::Mask;
use crate::suggest;

/// How many characters of what a server wrote are shown.
const SHOWN: usize = 1500;
/// How many characters of a line are shown.
const SHOWN_LINE: usize = 200;

/// Who serves, for messages.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    name: String,
    pub(super) diary: Arc<Diary>,
    mask: Arc<Mask>,
    withheld: Vec<String>,
    proxy: Option<Proxy>,
}

impl Served {
    /// A program or an address, as messages show it.
    pub(super) fn new(name: &str, mask: Arc<Mask>, withheld: Vec<String>, proxy: Option<Proxy>) -> Served {
        Served { name: name.to_owned(), diary: Arc::default(), mask, withheld, proxy }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What it wrote last, behind a sentence.
    fn with_tail(&self, mut message: String) -> String {
        let text = self.diary.stderr_text();
        let (stderr, _) = guard::split_report(&text);
        let noise = self.noise();
        message.push_str(&noise);
        let stderr = ending(&self.mask.text(stderr), SHOWN);
        if !stderr.is_empty() {
            message.push_str(if noise.is_empty() { ": " } else { "\nstderr: " });
            message.push_str(&stderr);
        }
        if !self.withheld.is_empty() {
            let names: Vec<String> = self.withheld.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            message.push_str(&format!(
                "\nit did not get {names}, which only other adapters name; `env` can pass them on"
            ));
        }
        message
    }

    /// The last lines that were no messages.
    fn noise(&self) -> String {
        let lines = self.diary.noise_lines();
        let shown = lines.iter().map(|line| format!("\n  {}", excerpt(&self.mask.text(line), SHOWN_LINE)));
        if lines.is_empty() {
            String::new()
        } else {
            shown.fold("; last stdout lines:".to_owned(), |all, line| all + &line)
        }
    }

    /// How it ended, as far as is known.
    fn end(&self) -> Option<Report> {
        guard::split_report(&self.diary.stderr_text()).1
    }
}

/// The handshake took too long.
pub(super) fn no_handshake(served: &Served, time: Duration) -> Failure {
    let silent = if served.diary.noise_lines().is_empty() { "" } else { ": no JSON-RPC reply" };
    let name = &served.name;
    let message = format!("`{name}` did not complete its handshake within {} ms{silent}", time.as_millis());
    Failure::system("timed-out", served.with_tail(message))
}

/// The handshake failed.
pub(super) fn refused(served: &Served, error: &ClientInitializeError) -> Failure {
    let name = &served.name;
    match error {
        ClientInitializeError::JsonRpcError(error) if message::is_unreadable(error) => {
            unreadable(served, "the handshake", error)
        }
        ClientInitializeError::JsonRpcError(error) => {
            let said = said(served, error);
            Failure::call(served.with_tail(format!("`{name}` refused the handshake: {said}")))
        }
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let versions: Vec<String> =
                server_supported.iter().take(10).map(|version| format!("`{version}`")).collect();
            let versions = versions.join(", ");
            Failure::call(format!("`{name}` speaks only the protocol versions {versions}"))
        }
        error => match http_error(error) {
            Some(error) => over_http(served, error),
            None if is_closed(error) => lost(served, "before its handshake was complete"),
            None => Failure::call(
                served.with_tail(format!("`{name}` answered the handshake with something else")),
            ),
        },
    }
}

/// The server closed the connection while it was agreed with.
pub(super) fn is_closed(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::ConnectionClosed(_) => true,
        ClientInitializeError::TransportError { error, .. } => {
            error.error.downcast_ref::<std::io::Error>().is_some()
        }
        _ => false,
    }
}

/// A request to a server that did agree failed.
pub(crate) fn failed(served: &Served, error: &ServiceError, what: &str) -> Failure {
    let name = &served.name;
    match error {
        ServiceError::McpError(error) if message::is_unreadable(error) => unreadable(served, what, error),
        ServiceError::McpError(error) => {
            let said = said(served, error);
            let failure = format!("`{name}` refused {what}: {said}");
            // A wrong argument is no sign of a sick server.
            let asked_wrongly = matches!(
                error.code,
                ErrorCode::INVALID_PARAMS | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
            );
            if asked_wrongly { Failure::unsent("call-failed", failure) } else { Failure::call(failure) }
        }
        ServiceError::TransportSend(error) => match http_in(error.error.as_ref()) {
            Some(error) => over_http(served, error),
            None => lost(served, &format!("during {what}")),
        },
        ServiceError::TransportClosed => lost(served, &format!("during {what}")),
        _ => Failure::call(format!("`{name}` answered {what} with something else")),
    }
}

/// The same; a server that is gone gets the time to say why.
pub(crate) async fn failure(connection: &Connection, error: &ServiceError, what: &str) -> Failure {
    if matches!(error, ServiceError::TransportClosed | ServiceError::TransportSend(_)) {
        connection.settle().await;
    }
    failed(&connection.served, error, what)
}

/// The tools that the server reports.
pub(crate) async fn listed(connection: &Connection) -> Result<Arc<Tools>, Failure> {
    match connection.tools().await {
        Ok(tools) => Ok(tools),
        Err(error) => Err(failure(connection, &error, "the question for its tools").await),
    }
}

/// The server is gone.
fn lost(served: &Served, when: &str) -> Failure {
    let name = &served.name;
    if served.diary.is_too_long() {
        let message =
            format!("`{name}` wrote a line of more than 16 MiB to standard output {when} and was stopped");
        return Failure::system("too-large", message);
    }
    let message = match served.end() {
        Some(Report::NotStarted(error)) => {
            let error = std::io::Error::from_raw_os_error(error);
            format!("`{name}` could not be started: {error}")
        }
        Some(Report::Ended(status)) => format!("`{name}` ended with {} {when}", words(status)),
        None => format!("`{name}` closed the connection {when}"),
    };
    Failure::call(served.with_tail(message))
}

fn words(status: ExitStatus) -> String {
    match (status.code(), status.signal().and_then(|signal| Signal::try_from(signal).ok())) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {}", signal.as_str()),
        (None, None) => "no exit status".to_owned(),
    }
}

fn said(served: &Served, error: &ErrorData) -> String {
    let text = excerpt(&served.mask.text(&error.message), SHOWN);
    format!("{text} (error {}){}", error.code.0, lacking(error))
}

/// The answer came, and could not be read.
fn unreadable(served: &Served, what: &str, error: &ErrorData) -> Failure {
    let (name, why) = (&served.name, &error.message);
    Failure::unsent(
        "bad-payload",
        format!("`{name}` answered {what} with what cannot be read as JSON: {why}"),
    )
}

/// The same failure; what was written instead of an answer may tell why there is none.
pub(crate) fn silent(served: &Served, mut failure: Failure) -> Failure {
    failure.message.push_str(&served.noise());
    failure
}

/// What a server wants its client to offer and kontext does not.
fn lacking(error: &ErrorData) -> String {
    let required = error.data.as_ref().and_then(|data| data.get("requiredCapabilities"));
    let required = required.and_then(Value::as_object).filter(|required| !required.is_empty());
    match required {
        Some(required) if error.code == ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY => {
            let names = required.keys().take(10).map(|name| format!("`{}`", excerpt(name, SHOWN_LINE)));
            format!(": kontext does not offer {}", names.collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    }
}

/// The failure of a result that is larger than an answer may be.
pub(crate) fn too_large(tool: &str) -> Failure {
    let limit = ANSWER_LIMIT / 1024 / 1024;
    Failure::system("too-large", format!("the tool `{tool}` gave more than {limit} MiB"))
}

/// Words for a tool that a server does not have.
pub(crate) fn no_such_tool(connection: &Connection, tools: &Tools, wanted: &str) -> String {
    let hint = suggest::among(wanted, &tools.names(), "tools");
    format!("`{}` has no tool `{wanted}`; {hint}", connection.served.name())
}

/// What went wrong between here and an address.
type HttpError = StreamableHttpError<reqwest::Error>;

/// The HTTP error behind a failed handshake.
pub(super) fn http_error(error: &ClientInitializeError) -> Option<&HttpError> {
    match error {
        ClientInitializeError::TransportError { error, .. } => http_in(error.error.as_ref()),
        _ => None,
    }
}

fn http_in<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a HttpError> {
    std::iter::successors(Some(error), |error| (*error).source()).find_map(|error| error.downcast_ref())
}

/// An answer that is none, in words: which status it has, or how it begins.
fn unexpected(text: &str) -> String {
    if let Some(status) = text.strip_prefix("HTTP ") {
        let (status, body) = status.split_once(": ").unwrap_or((status, ""));
        let shown = if body.trim().is_empty() { String::new() } else { format!(": {body}") };
        return format!("answered status {status}{shown}");
    }
    // The transport says where its parser stopped and then how the body begins.
    let body =
        text.strip_prefix("could not parse JSON response").and_then(|rest| rest.split_once(" column "));
    match body.and_then(|(_, rest)| rest.split_once(": ")) {
        Some((_, "<empty>")) => "answered with nothing, which is no MCP message".to_owned(),
        Some((_, body)) => format!("answered with what is no MCP message; it begins: {body}"),
        None => format!("answered with what was not expected: {text}"),
    }
}

fn over_http(served: &Served, error: &HttpError) -> Failure {
    let name = &served.name;
    match error {
        StreamableHttpError::Client(error) => http::no_answer(error, name, served.proxy.as_ref()),
        StreamableHttpError::HttpStatus(status) => {
            let wait = status.retry_after.as_deref().map_or_else(String::new, |wait| {
                format!(" and asks to retry after {}", excerpt(&served.mask.text(wait), SHOWN_LINE))
            });
            Failure::call(format!("`{name}` answered status {}{wait}", status.status))
        }
        StreamableHttpError::AuthRequired(_) => {
            Failure::call(format!("`{name}` answered status 401: it wants to know who asks, see `headers`"))
        }
        StreamableHttpError::InsufficientScope(_) => {
            Failure::call(format!("`{name}` answered status 403: this is not allowed to who asks"))
        }
        StreamableHttpError::ResponseBodyTooLarge { .. } => {
            Failure::system("too-large", format!("`{name}` answered with more than 16 MiB"))
        }
        StreamableHttpError::UnexpectedContentType(kind) => {
            let kind = kind.as_deref().map_or_else(
                || "no content type".to_owned(),
                |kind| format!("content type `{}`", excerpt(&served.mask.text(kind), SHOWN_LINE)),
            );
            Failure::call(format!("`{name}` answered with {kind}, which is no MCP message"))
        }
        StreamableHttpError::SessionExpired => {
            Failure::call(format!("`{name}` answered status 404: it does not know the session any more"))
        }
        StreamableHttpError::UnexpectedEndOfStream
        | StreamableHttpError::Sse(_)
        | StreamableHttpError::TransportChannelClosed => {
            Failure::call(format!("`{name}` ended its answer before it was whole"))
        }
        StreamableHttpError::Deserialize(_) => {
            Failure::call(format!("`{name}` answered with what is no MCP message"))
        }
        StreamableHttpError::UnexpectedServerResponse(text) => {
            let said = unexpected(text);
            Failure::call(format!("`{name}` {}", excerpt(&served.mask.text(&said), SHOWN)))
        }
        other => {
            let text = excerpt(&served.mask.text(&other.to_string()), SHOWN);
            Failure::call(format!("`{name}` failed: {text}"))
        }
    }
}
