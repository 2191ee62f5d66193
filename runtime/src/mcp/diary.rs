//! What is remembered of a server for the message that says why it failed: bounded, whatever it writes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much of standard error is kept, in bytes.
const STDERR_KEPT: usize = 8 * 1024;
/// How many lines of standard output that are no messages are kept.
const NOISE_LINES: usize = 5;
/// How much of such a line is kept, in characters: more than is shown, so that secrets are masked before they are cut.
const NOISE_LENGTH: usize = 2_000;

/// The end of what a server wrote that was no message.
#[derive(Debug, Default)]
pub(super) struct Diary {
    pages: Mutex<Pages>,
}

#[derive(Debug, Default)]
struct Pages {
    stderr: Vec<u8>,
    /// Its beginning is lost.
    cut: bool,
    noise: VecDeque<String>,
    too_long: bool,
}

impl Diary {
    /// Takes in bytes of standard error.
    pub(super) fn stderr(&self, bytes: &[u8]) {
        let mut pages = self.pages();
        pages.stderr.extend_from_slice(bytes);
        let surplus = pages.stderr.len().saturating_sub(STDERR_KEPT);
        pages.stderr.drain(..surplus);
        pages.cut |= surplus > 0;
    }

    /// Takes in a line of standard output that is no message, or an answer to nothing that was asked.
    pub(super) fn noise(&self, line: &[u8]) {
        let start = line.get(..line.len().min(NOISE_LENGTH * 4)).unwrap_or_default();
        let text = String::from_utf8_lossy(start);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = text.chars().take(NOISE_LENGTH).collect();
        if text.is_empty() {
            return;
        }
        let mut pages = self.pages();
        if pages.noise.len() == NOISE_LINES {
            pages.noise.pop_front();
        }
        pages.noise.push_back(text);
    }

    /// A line grew beyond every limit.
    pub(super) fn line_too_long(&self) {
        self.pages().too_long = true;
    }

    /// Whether one did.
    pub(super) fn is_too_long(&self) -> bool {
        self.pages().too_long
    }

    /// The end of standard error, as text; mask it before it is shown. Where its beginning is lost it starts with a
    /// whole line, which no half of a secret stands before.
    pub(super) fn stderr_text(&self) -> String {
        let pages = self.pages();
        let text = String::from_utf8_lossy(&pages.stderr).into_owned();
        match text.split_once('\n') {
            Some((_, rest)) if pages.cut => rest.to_owned(),
            _ => text,
        }
    }

    /// Forgets everything: the server is started once more.
    pub(super) fn clear(&self) {
        *self.pages() = Pages::default();
    }

    /// The last lines of standard output that were no messages; mask them before they are shown.
    pub(super) fn noise_lines(&self) -> Vec<String> {
        self.pages().noise.iter().cloned().collect()
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
