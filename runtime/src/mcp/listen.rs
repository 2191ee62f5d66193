//! Word of servers of the newer era that their tools changed: they tell only those who subscribed, and not all of them do.

use std::time::Duration;

use rmcp::model::SubscriptionFilter;
use rmcp::service::ServiceError;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use super::ask::Peer;
use super::client::Client;

/// How long a server may take to accept a subscription.
const ACCEPT_TIME: Duration = Duration::from_secs(10);
/// How long after the end of one the next is asked for, at first.
const PAUSE: Duration = Duration::from_secs(1);
/// How long at most; meanwhile the list is asked for now and then anyway.
const PAUSE_AT_MOST: Duration = Duration::from_secs(600);

/// A subscription that is kept up; dropped, it ends.
#[derive(Debug)]
pub(super) struct Listening(AbortHandle);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Listening {
    /// Has the client hear of changes of this server's tools; nothing for a server that does not tell.
    pub(super) fn to(peer: &Peer, client: &Client) -> Option<Listening> {
        let tells = |tools: &rmcp::model::ToolsCapability| tools.list_changed == Some(true);
        peer.peer_info()?.capabilities.tools.as_ref().filter(|tools| tells(tools))?;
        Some(Listening(tokio::spawn(keep(peer.clone(), client.clone())).abort_handle()))
    }
}

/// Subscribes as often as it takes, until the connection is over or the server wants none of it.
async fn keep(peer: Peer, client: Client) {
    let mut pause = PAUSE;
    loop {
        let begun = Instant::now();
        if once(&peer, &client).await.is_none() || peer.is_transport_closed() {
            return;
        }
        pause = if begun.elapsed() > pause { PAUSE } else { (pause * 2).min(PAUSE_AT_MOST) };
        sleep(pause).await;
    }
}

/// One subscription, to its end; none when another is of no use.
async fn once(peer: &Peer, client: &Client) -> Option<()> {
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    let mut subscription = match timeout(ACCEPT_TIME, peer.listen(wanted)).await {
        Ok(Ok(subscription)) => subscription,
        Ok(Err(ServiceError::McpError(_) | ServiceError::TransportClosed)) => return None,
        Ok(Err(_)) | Err(_) => return Some(()),
    };
    subscription.acknowledged().tools_list_changed.filter(|accepted| *accepted)?;
    // What was listed before may have changed before this.
    client.tools_changed();
    while let Ok(Some(_)) = subscription.next().await {
        client.tools_changed();
    }
    Some(())
}
