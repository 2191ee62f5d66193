//! Messages over the pipes of a server: one a line, whatever else it writes between them, in bounded memory.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcError, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    ServerNotification, ServerResult,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};

use super::diary::Diary;
use super::message::{self, Reading};
use super::spawn::Pipes;

/// The longest line that is read: an answer of 8 MiB in its most roundabout spelling.
const LINE_LIMIT: usize = 16 * 1024 * 1024;
/// How many messages may wait to be written before the server's own questions are left unanswered.
const BACKLOG: usize = 64;
/// How much is written at once.
const PIECE: usize = 64 * 1024;
/// Added to the numbers of requests after the probe, so that a late answer to it is known as one.
const SHIFT: i64 = 1_000;

/// A line to write, and whom to tell.
type Frame = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// Both directions of a server, for one lifecycle after the other.
#[derive(Debug)]
pub(super) struct Wire {
    reader: tokio::sync::Mutex<Lines>,
    writer: Mutex<Option<mpsc::Sender<Frame>>>,
    /// Messages handed over and not written yet.
    waiting: Arc<AtomicUsize>,
    /// Pieces of messages written so far.
    progress: Arc<AtomicU64>,
    /// The numbers of requests that wait for an answer, and how each is read.
    expected: Mutex<HashMap<i64, Reading>>,
    probe_is_open: AtomicBool,
    late_discovery: AtomicBool,
    diary: Arc<Diary>,
}

impl Wire {
    /// Over these pipes; odd lines go into the diary.
    pub(super) fn new(pipes: Pipes, diary: Arc<Diary>) -> Arc<Wire> {
        let (sender, frames) = mpsc::channel(BACKLOG);
        let progress: Arc<AtomicU64> = Arc::default();
        tokio::spawn(write(pipes.stdin, frames, Arc::clone(&progress)));
        Arc::new(Wire {
            reader: tokio::sync::Mutex::new(Lines::new(pipes.stdout, Arc::clone(&diary))),
            writer: Mutex::new(Some(sender)),
            waiting: Arc::default(),
            progress,
            expected: Mutex::default(),
            probe_is_open: AtomicBool::new(false),
            late_discovery: AtomicBool::new(false),
            diary,
        })
    }

    /// The transport of the probe, and of everything after one that succeeded.
    pub(super) fn probe(self: &Arc<Self>) -> Pipe {
        Pipe { wire: Arc::clone(self), shift: 0 }
    }

    /// The transport of a handshake after a probe, which must not take that one's answer for its own.
    pub(super) fn handshake(self: &Arc<Self>) -> Pipe {
        self.expected().clear();
        Pipe { wire: Arc::clone(self), shift: SHIFT }
    }

    /// The probe was answered after all.
    pub(super) fn was_discovered_late(&self) -> bool {
        self.late_discovery.load(Ordering::Relaxed)
    }

    /// Whether the server reads nothing of what waits for it, for so long.
    pub(super) async fn is_stuck(&self, time: Duration) -> bool {
        let waits = || self.waiting.load(Ordering::Relaxed) > 0;
        let before = self.progress.load(Ordering::Relaxed);
        if !waits() {
            return false;
        }
        tokio::time::sleep(time).await;
        waits() && self.progress.load(Ordering::Relaxed) == before
    }

    /// Closes the server's standard input.
    pub(super) fn close(&self) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn expected(&self) -> MutexGuard<'_, HashMap<i64, Reading>> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer is for a request that waits for it; any other goes into the diary.
    fn accept(&self, id: &RequestId, shift: i64) -> Option<RequestId> {
        let number = number(id)?;
        if self.expected().remove(&number).is_some() {
            if number < SHIFT {
                self.probe_is_open.store(false, Ordering::Relaxed);
            }
            return Some(RequestId::Number(number - shift));
        }
        None
    }

    /// A line as a message; only objects can be one.
    fn read(&self, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if text.first() != Some(&b'{') {
            return None;
        }
        message::read(text, |id| number(id).and_then(|number| self.expected().get(&number).copied()))
    }

    /// What of the server's words its client hears: answers to what was asked, its questions as long as it takes
    /// answers, that its tools changed and that it took the subscription to that or ends it, and how far a call is.
    fn heard(&self, message: ServerJsonRpcMessage, shift: i64, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        match message {
            JsonRpcMessage::Response(mut response) => match self.accept(&response.id, shift) {
                Some(id) => {
                    response.id = id;
                    Some(JsonRpcMessage::Response(response))
                }
                None => {
                    let discovery = matches!(response.result, ServerResult::DiscoverResult(_));
                    self.late_discovery.fetch_or(discovery, Ordering::Relaxed);
                    self.odd(discovery, line)
                }
            },
            JsonRpcMessage::Error(error) => self.refusal(error, shift, line),
            JsonRpcMessage::Request(_) if self.waiting.load(Ordering::Relaxed) >= BACKLOG => None,
            JsonRpcMessage::Notification(ref notification) => {
                let counts = matches!(
                    notification.notification,
                    ServerNotification::ToolListChangedNotification(_)
                        | ServerNotification::SubscriptionsAcknowledgedNotification(_)
                        | ServerNotification::CancelledNotification(_)
                        | ServerNotification::ProgressNotification(_)
                );
                counts.then_some(message)
            }
            request => Some(request),
        }
    }

    fn refusal(&self, mut error: JsonRpcError, shift: i64, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        if let Some(id) = &error.id {
            let Some(id) = self.accept(id, shift) else { return self.odd(shift != 0, line) };
            error.id = Some(id);
        } else if shift != 0 && self.probe_is_open.swap(false, Ordering::Relaxed) {
            // A server that cannot say which question it means, means the probe while that is open.
            return None;
        }
        Some(JsonRpcMessage::Error(error))
    }

    fn odd(&self, late: bool, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        if !late {
            self.diary.noise(line);
        }
        None
    }
}

/// One lifecycle's use of the wire.
#[derive(Debug)]
pub(super) struct Pipe {
    wire: Arc<Wire>,
    shift: i64,
}

impl Pipe {
    /// The message as it goes out: requests are remembered under the number they are sent with.
    fn numbered(&self, mut message: ClientJsonRpcMessage) -> ClientJsonRpcMessage {
        if let JsonRpcMessage::Request(request) = &mut message
            && let RequestId::Number(number) = &mut request.id
        {
            *number += self.shift;
            self.wire.expected().insert(*number, Reading::of(&request.request));
            if self.shift == 0 && matches!(request.request, ClientRequest::DiscoverRequest(_)) {
                self.wire.probe_is_open.store(true, Ordering::Relaxed);
            }
        }
        if let JsonRpcMessage::Notification(notification) = &mut message
            && let rmcp::model::ClientNotification::CancelledNotification(cancelled) =
                &mut notification.notification
            && let Some(RequestId::Number(number)) = &mut cancelled.params.request_id
        {
            *number += self.shift;
            self.wire.expected().remove(number);
        }
        message
    }
}

impl Transport<RoleClient> for Pipe {
    type Error = io::Error;

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let frame = serde_json::to_vec(&self.numbered(item));
        let writer = self.wire.writer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let waiting = Waiting::new(&self.wire.waiting);
        async move {
            let _waiting = waiting;
            let mut frame = frame.map_err(io::Error::other)?;
            frame.push(b'\n');
            let (told, written) = oneshot::channel();
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let writer = writer.ok_or_else(closed)?;
            writer.send((frame, told)).await.map_err(|_| closed())?;
            drop(writer);
            written.await.map_err(|_| closed())?
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let mut reader = self.wire.reader.lock().await;
        loop {
            let line = reader.next().await?;
            match self.wire.read(&line) {
                Some(message) => {
                    if let Some(message) = self.wire.heard(message, self.shift, &line) {
                        return Some(message);
                    }
                }
                None => self.wire.diary.noise(&line),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.wire.close();
        Ok(())
    }
}

/// Counts a message that is not written yet.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>) -> Waiting {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(Arc::clone(count))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number that an answer is for.
fn number(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Number(number) => Some(*number),
        RequestId::String(text) => text.parse().ok(),
    }
}

/// Writes frames whole, whoever stopped waiting for them, until nobody can send any more.
async fn write(mut stdin: ChildStdin, mut frames: mpsc::Receiver<Frame>, progress: Arc<AtomicU64>) {
    while let Some((frame, told)) = frames.recv().await {
        let written = async {
            for piece in frame.chunks(PIECE) {
                stdin.write_all(piece).await?;
                progress.fetch_add(1, Ordering::Relaxed);
            }
            stdin.flush().await
        };
        let _ = told.send(written.await);
    }
}

/// Lines in bounded memory. A read that is given up loses nothing.
#[derive(Debug)]
struct Lines {
    stdout: BufReader<ChildStdout>,
    partial: Vec<u8>,
    diary: Arc<Diary>,
}

impl Lines {
    fn new(stdout: ChildStdout, diary: Arc<Diary>) -> Lines {
        Lines { stdout: BufReader::with_capacity(64 * 1024, stdout), partial: Vec::new(), diary }
    }

    /// The next line; none at the end, and when a line is too long to be one.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let chunk = self.stdout.fill_buf().await.ok()?;
            if chunk.is_empty() {
                self.diary.noise(&std::mem::take(&mut self.partial));
                return None;
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(chunk.len(), |end| end + 1);
            self.partial.extend_from_slice(chunk.get(..taken).unwrap_or_default());
            self.stdout.consume(taken);
            if self.partial.len() > LINE_LIMIT {
                self.diary.line_too_long();
                return None;
            }
            if end.is_some() {
                return Some(std::mem::take(&mut self.partial));
            }
        }
    }
}
