//! The connection of a client that started kontext: messages on standard input and output until the input ends.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_directly};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, Notify};
use tokio::time::{sleep, timeout};

use super::batch::{Answer, Batches};
use super::era::Era;
use super::lines::{self, Line, Lines};
use super::{Ending, Server, passed};

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
            output: Arc::new(Mutex::new(output)),
            server: server.clone(),
            era: Era::default(),
            batches: Batches::default(),
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

/// The messages of one client: every request is answered for itself, in the era that it is of.
struct Pipe<R, W> {
    lines: Lines<R>,
    output: Arc<Mutex<W>>,
    server: Server,
    era: Era,
    batches: Batches,
    /// Told when the client takes no more answers.
    deaf: Arc<Notify>,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Pipe<R, W> {
    /// Writes a line.
    fn write(&self, message: &impl Serialize) -> BoxFuture<'static, std::io::Result<()>> {
        let line = serde_json::to_vec(message).map(|mut line| {
            line.push(b'\n');
            line
        });
        let (output, deaf) = (Arc::clone(&self.output), Arc::clone(&self.deaf));
        Box::pin(async move {
            let line = line?;
            let mut output = output.lock().await;
            let written = async {
                output.write_all(&line).await?;
                output.flush().await
            };
            written.await.inspect_err(|_| deaf.notify_one())
        })
    }

    /// Sends an answer. Reading may be given up at any time: the answer goes out by itself.
    fn answer(&self, answer: &impl Serialize) {
        let sent = self.write(answer);
        self.server.spawn(async move {
            // That the client takes none was told.
            let _ = sent.await;
        });
    }

    /// A message on its way to who answers it.
    fn passed(&mut self, message: RxJsonRpcMessage<RoleServer>) -> RxJsonRpcMessage<RoleServer> {
        if let Some(answers) = self.batches.cancelled(&message) {
            self.answer(&answers);
        }
        message
    }

    /// What a line asks for here; a batch is taken apart first.
    fn looked_at(&mut self, line: Line) -> Option<RxJsonRpcMessage<RoleServer>> {
        match line {
            Line::Message(message) => match self.era.admit(&message) {
                Ok(true) => return Some(*message),
                Ok(false) => {}
                Err(refused) => self.answer(&refused),
            },
            Line::Refused(answer) => self.answer(&answer),
            Line::Batch(items) if self.era.has_batches() => {
                let answers = self.batches.take(&items, &mut self.era);
                if !answers.is_empty() {
                    self.answer(&answers);
                }
            }
            Line::Batch(_) => self.answer(&lines::no_batch()),
        }
        None
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
        match self.batches.answered(passed::unpacked(item)) {
            Answer::Alone(message) => self.write(&message),
            Answer::Together(answers) => self.write(&answers),
            Answer::Held => Box::pin(ready(Ok(()))),
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.batches.next() {
                return Some(self.passed(message));
            }
            let line = tokio::select! {
                line = self.lines.next() => line,
                () = self.deaf.notified() => {
                    self.server.end(Ending::Now);
                    return None;
                }
            };
            let Some(line) = line else {
                self.ended();
                return None;
            };
            if let Some(message) = self.looked_at(line) {
                return Some(self.passed(message));
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}
