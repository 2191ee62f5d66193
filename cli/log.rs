//! What happens, line by line on standard error: on when `-v` or `--log-format` asks for it.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::commands::Context;

/// How many lines may wait for a reader.
const WAITING: usize = 1024;
/// How long the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_millis(200);

/// How the lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

/// A log that is written; the last lines are written when it is dropped.
#[derive(Debug)]
pub struct Log {
    lines: Option<Lines>,
    writer: Option<JoinHandle<()>>,
}

/// Begins a log when it is asked for. What other crates have to say is left out: it may hold what was sent.
pub fn start(context: &Context, format: Option<LogFormat>) -> Option<Log> {
    let format = format.or(context.globals.verbose.then_some(LogFormat::Text))?;
    let (sender, receiver) = sync_channel(WAITING);
    let writer = thread::Builder::new().name("log".to_owned()).spawn(move || write(&receiver)).ok()?;
    let lines = Lines(sender);
    let own = Targets::new()
        .with_default(LevelFilter::OFF)
        .with_target("kontext", LevelFilter::DEBUG)
        .with_target("kontext_runtime", LevelFilter::DEBUG);
    let layer = fmt::layer().with_writer(lines.clone()).with_target(false).with_ansi(context.colour());
    let layer: Box<dyn Layer<Registry> + Send + Sync> = match format {
        LogFormat::Text => layer.with_filter(own).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).with_span_list(false).with_filter(own).boxed(),
    };
    // There is one log a process.
    tracing::subscriber::set_global_default(Registry::default().with(layer)).ok()?;
    Some(Log { lines: Some(lines), writer: Some(writer) })
}

/// Where lines go. A reader that does not read loses lines and holds nobody up.
#[derive(Debug, Clone)]
struct Lines(SyncSender<Option<Vec<u8>>>);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line { lines: self, text: Vec::new() }
    }
}

/// A line that is put together.
struct Line<'a> {
    lines: &'a Lines,
    text: Vec<u8>,
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        // Lost when too many wait.
        let _ = self.lines.0.try_send(Some(std::mem::take(&mut self.text)));
    }
}

/// Writes lines until it is told to end.
fn write(lines: &Receiver<Option<Vec<u8>>>) {
    while let Ok(Some(line)) = lines.recv() {
        // Nobody is told that nobody reads.
        let _ = io::stderr().lock().write_all(&line);
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let (Some(lines), Some(writer)) = (self.lines.take(), self.writer.take()) else { return };
        let begin = Instant::now();
        while begin.elapsed() < LAST_LINES {
            match lines.0.try_send(None) {
                Err(TrySendError::Full(_)) => thread::sleep(Duration::from_millis(5)),
                _ => break,
            }
        }
        while begin.elapsed() < LAST_LINES && !writer.is_finished() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
