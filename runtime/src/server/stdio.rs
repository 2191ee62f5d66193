//! The connection of a client that started kontext: messages on standard input and output until the input ends.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ServerJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_directly};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite, Empty, empty};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::era::Era;
use super::lines::{Line, Lines};
use super::{Ending, Server};

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
        let transport = Pipe {
            lines: Lines::new(input),
            output: AsyncRwTransport::new_server(empty(), output),
            server: server.clone(),
            era: Era::default(),
            deaf: Arc::default(),
        };
        let service = serve_directly(server.clone(), transport, None);
        let stop = service.cancellation_token();
        let waiting = service.waiting();
        tokio::pin!(until, waiting);
        tokio::select! {
            _ = &mut waiting => {}
            () = &mut until => {
                server.end(Ending::Now);
                stop.cancel();
                let _ = timeout(LAST_WORDS, waiting).await;
            }
        }
    }

    /// Serves one client over standard input and output, and ends everything with it.
    pub async fn serve_stdio(&self, until: impl Future<Output = ()>) {
        self.serve_client(rmcp::transport::stdio_pipes(), until).await;
        self.close().await;
    }
}

/// The messages of one client, and what its connection needs of each of them: every request is answered for itself, in the
/// era that it is of.
struct Pipe<R, W: AsyncWrite> {
    lines: Lines<R>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    server: Server,
    era: Era,
    /// Told when the client takes no more answers.
    deaf: Arc<Notify>,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Pipe<R, W> {
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
    for Pipe<R, W>
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
            match self.era.admit(&message) {
                Ok(true) => return Some(message),
                Ok(false) => {}
                Err(refused) => self.answer(*refused),
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.output.close().await
    }
}
