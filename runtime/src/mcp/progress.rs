//! How far a call is, in its server's words, for whoever asked to hear of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use tokio::sync::mpsc;

use crate::secret::Mask;

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// So much is done.
    pub done: f64,
    /// Of so much, when that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Who hears of progress. What it has no room for is left out.
#[derive(Debug, Clone)]
pub struct ProgressSink {
    words: mpsc::Sender<Progress>,
    mask: Arc<Mask>,
}

impl ProgressSink {
    /// Progress goes here.
    #[must_use]
    pub fn new(words: mpsc::Sender<Progress>) -> ProgressSink {
        ProgressSink { words, mask: Arc::default() }
    }

    /// The same, and secrets are kept out of what it hears.
    #[must_use]
    pub(crate) fn masked(self, mask: Arc<Mask>) -> ProgressSink {
        ProgressSink { mask, ..self }
    }

    fn tell(&self, mut progress: Progress) {
        progress.message = progress.message.map(|message| self.mask.string(message));
        // What there is no room for is old by the time there is.
        let _ = self.words.try_send(progress);
    }
}

/// Who hears of the progress of which request.
#[derive(Debug, Clone, Default)]
pub(super) struct Listeners(Arc<Mutex<HashMap<ProgressToken, ProgressSink>>>);

impl Listeners {
    /// From now on the sink hears of the progress of a request.
    pub(super) fn listen(&self, token: ProgressToken, sink: ProgressSink) -> Listening {
        self.lock().insert(token.clone(), sink);
        Listening { listeners: self.clone(), token }
    }

    /// Tells whoever listens.
    pub(super) fn tell(&self, said: ProgressNotificationParam) {
        let sink = self.lock().get(&said.progress_token).cloned();
        if let Some(sink) = sink {
            let progress = Progress { done: said.progress, total: said.total, message: said.message };
            sink.tell(progress);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ProgressToken, ProgressSink>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the listening when the request is over.
pub(super) struct Listening {
    listeners: Listeners,
    token: ProgressToken,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.listeners.lock().remove(&self.token);
    }
}
