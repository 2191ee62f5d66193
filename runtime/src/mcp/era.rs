//! Agreeing with a server on an era: the newer one knows `server/discover`, the older one wants `initialize`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kontext_plan::Protocol;
use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::Transport;
use tokio::time::timeout;

use super::client::{Client, Service};
use super::stdio::Wire;

/// How long a server may be silent about `server/discover`, from its start, before it counts as one that does not know
/// it. Nearly all that do not know it say so; a newer one on a slow machine takes seconds to start.
const PROBE_TIME: Duration = Duration::from_secs(4);
/// The part of the whole time that the probe may take, as a divisor.
const PROBE_PART: u32 = 3;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// After `initialize`.
    Legacy,
    /// Every request for itself.
    Modern,
}

/// What both sides agreed on.
pub(super) type Agreed = (Service, Era);

/// Why they did not.
pub(super) type Refused = Box<ClientInitializeError>;

/// Agrees with a server on pipes, which was just started and may take so long in all.
pub(super) async fn over_pipes(
    wire: &Arc<Wire>,
    client: &Client,
    root: &Path,
    protocol: Protocol,
    time: Duration,
) -> Result<Agreed, Refused> {
    match protocol {
        Protocol::Initialize => initialize(client.with_root(root), wire.handshake()).await,
        Protocol::Stateless => discover(client.clone(), wire.probe()).await,
        Protocol::Auto => {
            let limit = PROBE_TIME.min(time / PROBE_PART);
            match timeout(limit, discover(client.clone(), wire.probe())).await {
                Ok(Ok(agreed)) => return Ok(agreed),
                Ok(Err(error)) if !may_be_older(&error) => return Err(error),
                Ok(Err(_)) | Err(_) => {}
            }
            match initialize(client.with_root(root), wire.handshake()).await {
                // It was only slow to start, and is too new for a handshake.
                Err(error) if wire.was_discovered_late() && is_answer(&error) => {
                    discover(client.clone(), wire.probe()).await
                }
                agreed => agreed,
            }
        }
    }
}

/// Agrees with a server over transports that are made anew for each attempt.
pub(super) async fn over<T>(
    connect: impl Fn() -> T,
    client: &Client,
    root: &Path,
    protocol: Protocol,
    is_final: impl Fn(&ClientInitializeError) -> bool,
) -> Result<Agreed, Refused>
where
    T: Transport<RoleClient> + Send + 'static,
    T::Error: Send + Sync + 'static,
{
    if protocol != Protocol::Initialize {
        match discover(client.clone(), connect()).await {
            Err(error) if protocol == Protocol::Auto && !is_final(&error) && may_be_older(&error) => {}
            agreed => return agreed,
        }
    }
    initialize(client.with_root(root), connect()).await
}

async fn discover<T>(client: Client, transport: T) -> Result<Agreed, Refused>
where
    T: Transport<RoleClient> + Send + 'static,
    T::Error: Send + Sync + 'static,
{
    let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::NO_INITIALIZE] };
    let service = client.serve_with_lifecycle(transport, mode).await?;
    Ok((service, Era::Modern))
}

async fn initialize<T>(client: Client, transport: T) -> Result<Agreed, Refused>
where
    T: Transport<RoleClient> + Send + 'static,
    T::Error: Send + Sync + 'static,
{
    let service = client.serve_with_lifecycle(transport, ClientLifecycleMode::Initialize).await?;
    Ok((service, Era::Legacy))
}

/// Whether a server that refused the probe like this may know `initialize`.
fn may_be_older(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            server_supported.iter().any(ProtocolVersion::has_initialize)
        }
        ClientInitializeError::JsonRpcError(error) => {
            !matches!(error.code, ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY | ErrorCode::HEADER_MISMATCH)
        }
        ClientInitializeError::ConnectionClosed(_) => false,
        _ => true,
    }
}

/// The server did answer, with an error.
fn is_answer(error: &ClientInitializeError) -> bool {
    matches!(error, ClientInitializeError::JsonRpcError(_) | ClientInitializeError::ExpectedInitResult(_))
}
