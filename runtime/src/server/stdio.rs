//! The connection of a client that started kontext: messages on standard input and output until the input ends.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, GetMeta, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, ServiceExt, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite, Empty, empty};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::lines::{Line, Lines};
use super::{Ending, Server, params};

/// How long calls may go on after the input ended.
const AFTER_INPUT: Duration = Duration::from_secs(2);
/// How long the last answers may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Server {
    /// Serves one client over these streams until its input ends, or until it is told to end.
    pub async fn serve_client(
        &self,
        (input, output): (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static),
        until: impl Future<Output = ()>,
    ) {
        let server = self.connection();
        let transport = Patient {
            lines: Lines::new(input),
            output: AsyncRwTransport::new_server(empty(), output),
            server: server.clone(),
            opened: false,
            deaf: Arc::default(),
        };
        tokio::pin!(until);
        // Without a first request there is nobody to serve.
        let opened = tokio::select! {
            opened = ServiceExt::serve(server.clone(), transport) => opened.ok(),
            () = &mut until => None,
        };
        if let Some(service) = opened {
            let stop = service.cancellation_token();
            let waiting = service.waiting();
            tokio::pin!(waiting);
            tokio::select! {
                _ = &mut waiting => {}
                () = &mut until => {
                    server.end(Ending::Now);
                    stop.cancel();
                    let _ = timeout(LAST_WORDS, waiting).await;
                }
            }
        }
    }

    /// Serves one client over standard input and output, and ends everything with it.
    pub async fn serve_stdio(&self, until: impl Future<Output = ()>) {
        self.serve_client(rmcp::transport::stdio_pipes(), until).await;
        self.close().await;
    }
}

/// A transport that lets nothing but requests open a connection: a client that says something else first is not sent
/// away for it.
struct Patient<R, W: AsyncWrite> {
    lines: Lines<R>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    server: Server,
    opened: bool,
    /// Told when the client takes no more answers.
    deaf: Arc<Notify>,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Patient<R, W> {
    /// The message, when the connection can begin with it.
    fn first(&mut self, message: RxJsonRpcMessage<RoleServer>) -> Option<RxJsonRpcMessage<RoleServer>> {
        let ClientJsonRpcMessage::Request(request) = &message else { return None };
        let initialize = matches!(request.request, ClientRequest::InitializeRequest(_));
        let modern =
            request.request.get_meta().protocol_version().is_some_and(|version| !version.has_initialize());
        if modern && request.request.method() == "initialize" {
            let unknown = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "initialize", None);
            self.refuse(unknown, request.id.clone());
            return None;
        }
        if let ClientRequest::CustomRequest(custom) = &request.request
            && !modern
            && let Some(wrong) = params::wrong(&custom.method)
        {
            self.refuse(wrong, request.id.clone());
            return None;
        }
        self.opened = initialize || !matches!(request.request, ClientRequest::DiscoverRequest(_));
        Some(message)
    }

    fn refuse(&mut self, error: ErrorData, id: RequestId) {
        self.answer(ServerJsonRpcMessage::error(error, Some(id)));
    }

    /// Sends an answer. Reading may be given up at any time: the answer goes out by itself.
    fn answer(&mut self, answer: ServerJsonRpcMessage) {
        let sent = self.send(answer);
        self.server.spawn(async move {
            // That the client takes none was told.
            let _ = sent.await;
        });
    }

    /// The input ended: calls that run may go on for a moment.
    fn ended(&self) {
        let server = self.server.clone();
        server.end(Ending::Soon);
        self.server.spawn(async move {
            sleep(AFTER_INPUT).await;
            server.end(Ending::Now);
        });
    }
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer>
    for Patient<R, W>
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let (sent, deaf) = (self.output.send(item), Arc::clone(&self.deaf));
        async move { sent.await.inspect_err(|_| deaf.notify_one()) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.deaf.notified() => {
                    self.server.end(Ending::Now);
                    return None;
                }
            };
            let message = match line {
                None => {
                    self.ended();
                    return None;
                }
                Some(Line::Refused(answer)) => {
                    self.answer(*answer);
                    continue;
                }
                Some(Line::Message(message)) => *message,
            };
            if self.opened {
                return Some(message);
            }
            if let Some(message) = self.first(message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.output.close().await
    }
}
