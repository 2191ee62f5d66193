//! The output of one client: whole lines, one after the other, and how much of them the client has not taken yet.

use std::io::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, watch};
use tokio::time::{sleep, timeout};

/// How many bytes may wait before nothing more is asked of the client.
const MOST: usize = 16 << 20;

/// Lines on their way to a client.
pub(super) struct Output<W> {
    stream: Mutex<W>,
    /// Bytes that wait.
    waiting: watch::Sender<usize>,
    /// How often the client took some.
    taken: AtomicU64,
}

impl<W: AsyncWrite + Send + Unpin> Output<W> {
    pub(super) fn new(stream: W) -> Arc<Output<W>> {
        let (stream, waiting) = (Mutex::new(stream), watch::Sender::new(0));
        Arc::new(Output { stream, waiting, taken: AtomicU64::new(0) })
    }

    /// Writes a line after those that wait; it waits from now on.
    pub(super) fn line(self: &Arc<Self>, line: Vec<u8>) -> impl Future<Output = Result<()>> + use<W> {
        let output = Arc::clone(self);
        let waits = Waits::new(&self.waiting, line.len());
        async move {
            let _waits = waits;
            let mut stream = output.stream.lock().await;
            let mut rest = line.as_slice();
            while !rest.is_empty() {
                let count = stream.write(rest).await?;
                if count == 0 {
                    return Err(Error::from(ErrorKind::WriteZero));
                }
                output.taken.fetch_add(1, Ordering::Relaxed);
                rest = rest.get(count..).unwrap_or_default();
            }
            stream.flush().await
        }
    }

    /// So much waits that nothing more is asked of the client.
    pub(super) fn is_full(&self) -> bool {
        *self.waiting.borrow() > MOST
    }

    /// Waits until the client took enough to be asked for more.
    pub(super) async fn has_room(&self) {
        let mut waiting = self.waiting.subscribe();
        let _ = waiting.wait_for(|waiting| *waiting <= MOST).await;
    }

    /// Waits until the client took nothing for so long.
    pub(super) async fn stalls(&self, time: Duration) {
        loop {
            let before = self.taken.load(Ordering::Relaxed);
            sleep(time).await;
            if self.taken.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }

    /// Closes it, unless a line cannot be written to its end in this time.
    pub(super) async fn close(&self, time: Duration) -> Result<()> {
        let closing = async { self.stream.lock().await.shutdown().await };
        timeout(time, closing).await.unwrap_or(Ok(()))
    }
}

/// Bytes that wait, for as long as this is there.
struct Waits {
    waiting: watch::Sender<usize>,
    bytes: usize,
}

impl Waits {
    fn new(waiting: &watch::Sender<usize>, bytes: usize) -> Waits {
        waiting.send_modify(|waiting| *waiting += bytes);
        Waits { waiting: waiting.clone(), bytes }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.waiting.send_modify(|waiting| *waiting = waiting.saturating_sub(self.bytes));
    }
}
