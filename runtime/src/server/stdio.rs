//! The connection of a client that started kontext: messages on standard input and output until the input ends.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, GetMeta, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, ServiceExt, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};

use super::Server;

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
            inner: AsyncRwTransport::new_server(input, output),
            server: server.clone(),
            opened: false,
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
                    server.end_calls();
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
struct Patient<T> {
    inner: T,
    server: Server,
    opened: bool,
}

impl<T: Transport<RoleServer>> Patient<T> {
    /// The message, when the connection can begin with it.
    async fn first(&mut self, message: RxJsonRpcMessage<RoleServer>) -> Option<RxJsonRpcMessage<RoleServer>> {
        let ClientJsonRpcMessage::Request(request) = &message else { return None };
        let initialize = matches!(request.request, ClientRequest::InitializeRequest(_));
        let version = request.request.get_meta().protocol_version();
        if initialize && version.is_some_and(|version| !version.has_initialize()) {
            let unknown = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "initialize", None);
            let refused = ServerJsonRpcMessage::error(unknown, Some(request.id.clone()));
            // A client that is gone is noticed by the next read.
            let _ = self.inner.send(refused).await;
            return None;
        }
        self.opened = initialize || !matches!(request.request, ClientRequest::DiscoverRequest(_));
        Some(message)
    }

    /// The input ended: calls that run may go on for a moment.
    fn ended(&self) {
        let server = self.server.clone();
        self.server.spawn(async move {
            sleep(AFTER_INPUT).await;
            server.end_calls();
        });
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.inner.receive().await else {
                self.ended();
                return None;
            };
            if self.opened {
                return Some(message);
            }
            if let Some(message) = self.first(message).await {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}
