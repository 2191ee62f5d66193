//! Several messages in one list, as revision 2025-03-26 has them: each is answered as if it had come alone, and the answers go
//! out together.

use std::collections::VecDeque;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::RxJsonRpcMessage;
use serde_json::value::RawValue;

use super::era::Era;
use super::flight::{self, Flight};
use super::lines::{self, Line};

/// The batches of one connection that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct Batches {
    open: Vec<Batch>,
    /// Messages that nobody looked at yet.
    queue: VecDeque<RxJsonRpcMessage<RoleServer>>,
}

#[derive(Debug, Default)]
struct Batch {
    /// Requests that have no answer yet.
    waits: Vec<RequestId>,
    answers: Vec<ServerJsonRpcMessage>,
}

/// How an answer goes out.
pub(super) enum Answer {
    Alone(Box<ServerJsonRpcMessage>),
    /// Later, with others of its batch.
    Held,
    /// The last of its batch, with all others.
    Together(Vec<ServerJsonRpcMessage>),
}

/// What the messages of a batch are; those that may not be in one are refused.
pub(super) fn read(items: &[Box<RawValue>]) -> Vec<Line> {
    let mut ids = Vec::new();
    let one = |item: &RawValue| match lines::read(item.get().as_bytes())? {
        Line::Batch(_) => Some(lines::not_a_request(None)),
        Line::Message(message) => Some(match refused(&message, &ids) {
            Some(answer) => Line::Refused(answer),
            None => {
                ids.extend(id(&message).cloned());
                Line::Message(message)
            }
        }),
        refused @ Line::Refused(_) => Some(refused),
    };
    items.iter().map(AsRef::as_ref).filter_map(one).collect()
}

/// The answer to a message that may not be in a batch in which requests with these ids come before it.
fn refused(message: &RxJsonRpcMessage<RoleServer>, ids: &[RequestId]) -> Option<Box<ServerJsonRpcMessage>> {
    let ClientJsonRpcMessage::Request(request) = message else { return None };
    if matches!(request.request, ClientRequest::InitializeRequest(_)) {
        let error = ErrorData::invalid_request("`initialize` is no part of a batch", None);
        return Some(Box::new(ServerJsonRpcMessage::error(error, Some(request.id.clone()))));
    }
    ids.contains(&request.id).then(|| Box::new(flight::twice(&request.id)))
}

fn id(message: &RxJsonRpcMessage<RoleServer>) -> Option<&RequestId> {
    let ClientJsonRpcMessage::Request(request) = message else { return None };
    Some(&request.id)
}

impl Batches {
    /// Takes a batch; its messages come one after the other. The answers, when there is nothing to wait for.
    pub(super) fn take(
        &mut self,
        items: &[Box<RawValue>],
        era: &mut Era,
        flight: &Flight,
    ) -> Vec<ServerJsonRpcMessage> {
        let mut batch = Batch::default();
        for line in read(items) {
            match line {
                Line::Message(message) => {
                    let refused = flight.refusal(&message).map(Box::new);
                    match refused.map_or_else(|| era.admit(&message), Err) {
                        Ok(true) => {
                            batch.waits.extend(id(&message).cloned());
                            self.queue.push_back(*message);
                        }
                        Ok(false) => {}
                        Err(answer) => batch.answers.push(*answer),
                    }
                }
                Line::Refused(answer) => batch.answers.push(*answer),
                Line::Batch(_) => {}
            }
        }
        if batch.waits.is_empty() {
            return batch.answers;
        }
        self.open.push(batch);
        Vec::new()
    }

    /// The next message of a batch.
    pub(super) fn next(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.queue.pop_front()
    }

    /// How this answer goes out.
    pub(super) fn answered(&mut self, answer: ServerJsonRpcMessage) -> Answer {
        let id = match &answer {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let Some(place) = id.and_then(|id| self.strike(id)) else { return Answer::Alone(Box::new(answer)) };
        if let Some(batch) = self.open.get_mut(place) {
            batch.answers.push(answer);
        }
        self.whole(place).map_or(Answer::Held, Answer::Together)
    }

    /// The answers of a batch whose last request this message cancels: who cancels gets no answer.
    pub(super) fn cancelled(
        &mut self,
        message: &RxJsonRpcMessage<RoleServer>,
    ) -> Option<Vec<ServerJsonRpcMessage>> {
        let ClientJsonRpcMessage::Notification(told) = message else { return None };
        let ClientNotification::CancelledNotification(cancelled) = &told.notification else { return None };
        let place = self.strike(cancelled.params.request_id.as_ref()?)?;
        self.whole(place).filter(|answers| !answers.is_empty())
    }

    /// Waits for this request no longer; where its batch is.
    fn strike(&mut self, id: &RequestId) -> Option<usize> {
        self.open.iter_mut().position(|batch| {
            let at = batch.waits.iter().position(|waiting| waiting == id);
            at.map(|at| batch.waits.swap_remove(at)).is_some()
        })
    }

    fn whole(&mut self, place: usize) -> Option<Vec<ServerJsonRpcMessage>> {
        let done = self.open.get(place).is_some_and(|batch| batch.waits.is_empty());
        done.then(|| self.open.swap_remove(place).answers)
    }
}
