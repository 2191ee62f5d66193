//! The transport to a server behind an address: by the rules of the http driver, in bounded memory.

use std::collections::HashMap;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::service::ClientInitializeError;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::client::Client;
use super::era::{self, Agreed, Refused};
use super::launch::Target;
use super::post::Post;
use super::report;

/// The largest message that is read: an answer of 8 MiB in its most roundabout spelling.
const MESSAGE_LIMIT: usize = 16 * 1024 * 1024;
/// How much of an answer that is no message is read.
const ERROR_LIMIT: usize = 16 * 1024;
/// Headers that the protocol itself sets.
const OWN: [&str; 4] = ["accept", "content-type", "mcp-session-id", "last-event-id"];

/// Agrees with the server on an era.
pub(super) async fn agree(target: &Target, client: &Client) -> Result<Agreed, Refused> {
    let connect =
        || StreamableHttpClientTransport::with_client(Post(target.endpoint.client.clone()), config(target));
    era::over(connect, client, &target.root, target.protocol, is_final).await
}

fn config(target: &Target) -> StreamableHttpClientTransportConfig {
    let mut headers: HashMap<HeaderName, HeaderValue> = HashMap::new();
    for (name, value) in &target.endpoint.headers {
        if !OWN.contains(&name.as_str()) {
            headers.insert(name.clone(), value.clone());
        }
    }
    StreamableHttpClientTransportConfig::with_uri(target.endpoint.url.as_str())
        .custom_headers(headers)
        .max_sse_event_size(MESSAGE_LIMIT)
        .max_json_response_size(MESSAGE_LIMIT)
        .max_error_response_size(ERROR_LIMIT)
}

/// Whether asking in the older way is of no use: nobody answered, or not to us.
fn is_final(error: &ClientInitializeError) -> bool {
    report::http_error(error).is_some_and(|error| {
        use rmcp::transport::streamable_http_client::StreamableHttpError as Error;
        matches!(error, Error::Client(_) | Error::AuthRequired(_) | Error::InsufficientScope(_))
            || matches!(error, Error::HttpStatus(status) if status.status == 429)
    })
}
