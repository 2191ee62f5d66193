//! Requests of one connection that are not answered yet.

use std::collections::HashSet;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::RxJsonRpcMessage;

/// How many there may be before nothing more is asked of the client.
const MOST: usize = 256;

/// Their ids.
#[derive(Debug, Default)]
pub(super) struct Flight(HashSet<RequestId>);

impl Flight {
    /// No more are to be taken.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MOST
    }

    /// Every one was answered.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a request of this id is not answered yet.
    pub(super) fn holds(&self, id: &RequestId) -> bool {
        self.0.contains(id)
    }

    /// A message goes to who answers it. One that is cancelled gets no answer.
    pub(super) fn taken(&mut self, message: &RxJsonRpcMessage<RoleServer>) {
        match message {
            ClientJsonRpcMessage::Request(request) => {
                self.0.insert(request.id.clone());
            }
            ClientJsonRpcMessage::Notification(told) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.0.remove(id);
                }
            }
            _ => {}
        }
    }

    /// An answer goes out.
    pub(super) fn answered(&mut self, answer: &ServerJsonRpcMessage) {
        let id = match answer {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            self.0.remove(id);
        }
    }

    /// The answer to a request whose id belongs to another one still: which of two answers is whose, nobody could tell.
    pub(super) fn refusal(&self, message: &RxJsonRpcMessage<RoleServer>) -> Option<ServerJsonRpcMessage> {
        let ClientJsonRpcMessage::Request(request) = message else { return None };
        self.holds(&request.id).then(|| twice(&request.id))
    }
}

/// The answer to the second of two requests with one id.
pub(super) fn twice(id: &RequestId) -> ServerJsonRpcMessage {
    let words = "a request with this `id` is not answered yet";
    ServerJsonRpcMessage::error(ErrorData::invalid_request(words, None), Some(id.clone()))
}
