//! The connection of a client that started kontext: messages on standard input and output until the input ends.

use std::future::ready;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_directly};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::batch::{Answer, Batches};
use super::era::Era;
use super::flight::Flight;
use super::lines::{self, Line, Lines};
use super::output::Output;
use super::{Ending, Server, passed};

/// How long calls may go on after the input ended.
const AFTER_INPUT: Duration = Duration::from_secs(2);
/// How long a client that closed the input may read nothing while much waits for it.
const UNHEARD: Duration = Duration::from_secs(10);
/// How long the last answers may take to be written, while the client takes nothing of them.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Server {
    /// Serves one client over these streams until its input ends, or until it is told to end.
    pub async fn serve_client(
        &self,
        (input, output): (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static),
        until: impl Future<Output = ()>,
    ) {
        self.serve_pipe((input, output), || false, until).await;
    }

    /// The same; `hung_up` says whether the client closed the input, of which not everything was read yet.
    async fn serve_pipe(
        &self,
        (input, output): (impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static),
        hung_up: fn() -> bool,
        until: impl Future<Output = ()>,
    ) {
        let server = self.connection();
        let output = Output::new(output);
        let transport = Pipe {
            lines: Lines::new(input),
            output: Arc::clone(&output),
            server: server.clone(),
            era: Era::default(),
            batches: Batches::default(),
            flight: Flight::default(),
            deaf: Arc::default(),
            hung_up,
            ended: None,
        };
        let service = serve_directly(server.clone(), transport, None);
        let stop = service.cancellation_token();
        let waiting = service.waiting();
        let unheard = async {
            server.calls_end().await;
            output.stalls(LAST_WORDS).await;
        };
        tokio::pin!(until, waiting);
        tokio::select! {
            _ = &mut waiting => {}
            // The client does not read what is left to be said.
            () = unheard => stop.cancel(),
            () = &mut until => {
                server.end(Ending::Now);
                stop.cancel();
                let _ = timeout(LAST_WORDS, waiting).await;
            }
        }
    }

    /// Serves one client over standard input and output, and ends everything with it.
    pub async fn serve_stdio(&self, until: impl Future<Output = ()>) {
        self.serve_pipe(rmcp::transport::stdio_pipes(), hung_up, until).await;
        self.close().await;
    }
}

/// Whether the other end of standard input is closed.
fn hung_up() -> bool {
    let stdin = std::io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    let looked = poll(&mut watched, PollTimeout::ZERO);
    looked.is_ok() && watched.iter().any(|end| end.any() == Some(true))
}

/// The messages of one client: every request is answered for itself, in the era that it is of.
struct Pipe<R, W> {
    lines: Lines<R>,
    output: Arc<Output<W>>,
    server: Server,
    era: Era,
    batches: Batches,
    flight: Flight,
    /// Told when the client takes no more answers.
    deaf: Arc<Notify>,
    hung_up: fn() -> bool,
    /// When the input ended.
    ended: Option<Instant>,
}

/// What there is to be done with the input.
enum Next {
    Line(Option<Line>),
    Deaf,
    /// The client reads nothing, and closed the input.
    Gone,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Pipe<R, W> {
    /// Writes a line.
    fn write(&self, message: &impl Serialize) -> BoxFuture<'static, std::io::Result<()>> {
        let line = serde_json::to_vec(message).map(|mut line| {
            line.push(b'\n');
            line
        });
        let line = line.map(|line| self.output.line(line));
        let deaf = Arc::clone(&self.deaf);
        Box::pin(async move { line?.await.inspect_err(|_| deaf.notify_one()) })
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
        self.flight.taken(&message);
        message
    }

    /// What a line asks for here; a batch is taken apart first.
    fn looked_at(&mut self, line: Line) -> Option<RxJsonRpcMessage<RoleServer>> {
        match line {
            Line::Message(message) => {
                let refused = self.flight.refusal(&message).map(Box::new);
                match refused.map_or_else(|| self.era.admit(&message), Err) {
                    Ok(true) => return Some(*message),
                    Ok(false) => {}
                    Err(refused) => self.answer(&refused),
                }
            }
            Line::Refused(answer) => self.answer(&answer),
            Line::Batch(items) if self.era.has_batches() => {
                let answers = self.batches.take(&items, &mut self.era, &self.flight);
                if !answers.is_empty() {
                    self.answer(&answers);
                }
            }
            Line::Batch(_) => self.answer(&lines::no_batch()),
        }
        None
    }

    /// The next line, once the client took enough of the answers to those before it.
    async fn next(&mut self) -> Next {
        let Pipe { lines, output, deaf, flight, hung_up, .. } = self;
        let line = async {
            if flight.is_full() {
                // It is looked at again after the next answer.
                std::future::pending::<()>().await;
            }
            output.has_room().await;
            lines.next().await
        };
        let gone = async {
            loop {
                output.stalls(UNHEARD).await;
                if output.is_full() && hung_up() {
                    return;
                }
            }
        };
        tokio::select! {
            line = line => Next::Line(line),
            () = deaf.notified() => Next::Deaf,
            () = gone => Next::Gone,
        }
    }

    /// The input ended: calls that run may go on for a moment.
    fn end(&mut self) {
        self.ended = Some(Instant::now());
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
        self.flight.answered(&item);
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
            if let Some(ended) = self.ended {
                // Until the last answer is on its way, what servers say of their progress passes as before.
                if !self.flight.is_empty() {
                    sleep_until(ended + AFTER_INPUT + LAST_WORDS).await;
                }
                return None;
            }
            match self.next().await {
                Next::Deaf => {
                    self.server.end(Ending::Now);
                    return None;
                }
                Next::Line(None) | Next::Gone => self.end(),
                Next::Line(Some(line)) => {
                    if let Some(message) = self.looked_at(line) {
                        return Some(self.passed(message));
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.output.close(LAST_WORDS).await
    }
}
