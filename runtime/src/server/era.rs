//! Which era a message over standard input is of. Clients of both may share one connection: a request says itself that it is
//! of the newer era, any other is of the older one, whose connections begin with `initialize`.

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetMeta, ProtocolVersion,
    ServerJsonRpcMessage,
};
use rmcp::service::RxJsonRpcMessage;

/// How far the older era has begun in a connection.
#[derive(Debug, Default)]
pub(super) struct Era {
    initialized: bool,
    /// The client said that it takes notifications.
    told: bool,
    /// The last `initialize` agreed on the revision that has batches.
    batches: bool,
}

/// Whether this is an `initialize` that agrees on the revision that has batches; none when it is another request.
pub(super) fn begins_batches(request: &ClientRequest) -> Option<bool> {
    let ClientRequest::InitializeRequest(hello) = request else { return None };
    let newer = request.get_meta().protocol_version().is_some_and(|version| !version.has_initialize());
    (!newer).then(|| hello.params.protocol_version == ProtocolVersion::V_2025_03_26)
}

impl Era {
    /// Whether a message is to be looked at.
    ///
    /// # Errors
    /// The answer to a request that is of neither era.
    pub(super) fn admit(
        &mut self,
        message: &RxJsonRpcMessage<RoleServer>,
    ) -> Result<bool, Box<ServerJsonRpcMessage>> {
        match message {
            ClientJsonRpcMessage::Request(request) => {
                let refused = |error| Box::new(ServerJsonRpcMessage::error(error, Some(request.id.clone())));
                self.request(&request.request).map(|()| true).map_err(refused)
            }
            // Said once, it is heard for the whole connection.
            ClientJsonRpcMessage::Notification(told)
                if matches!(told.notification, ClientNotification::InitializedNotification(_)) =>
            {
                Ok(self.initialized && !std::mem::replace(&mut self.told, true))
            }
            _ => Ok(true),
        }
    }

    /// Whether messages may come in batches.
    pub(super) fn has_batches(&self) -> bool {
        self.batches
    }

    fn request(&mut self, request: &ClientRequest) -> Result<(), ErrorData> {
        let meta = request.get_meta();
        match request {
            ClientRequest::InitializeRequest(_) => {
                if let Some(batches) = begins_batches(request) {
                    self.initialized = true;
                    self.batches = batches;
                }
            }
            // What these lack is told by who answers them.
            ClientRequest::PingRequest(_)
            | ClientRequest::DiscoverRequest(_)
            | ClientRequest::CustomRequest(_) => {}
            _ if self.initialized => {}
            _ => {
                let missing = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28);
                if !missing.is_empty() {
                    let words = format!(
                        "`{}` came before `initialize`; without it, `params._meta` needs `{}`",
                        request.method(),
                        missing.join("` and `")
                    );
                    return Err(ErrorData::invalid_params(words, None));
                }
            }
        }
        Ok(())
    }
}
