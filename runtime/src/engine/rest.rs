//! Adapters that failed a moment ago and are left alone for a while, so that one broken source does not cost every
//! question its whole timeout.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long an adapter rests after a failed call.
const PAUSE: Duration = Duration::from_secs(30);

/// Which adapters rest, and since when.
#[derive(Debug, Default)]
pub(crate) struct Resting {
    since: Mutex<HashMap<String, Instant>>,
}

impl Resting {
    /// How much longer the adapter rests; none when it may be called.
    pub(crate) fn left(&self, adapter: &str) -> Option<Duration> {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner).get(adapter)?;
        PAUSE.checked_sub(since.elapsed())
    }

    /// Notes how a call ended.
    pub(crate) fn note(&self, adapter: &str, failed: bool) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if failed {
            since.insert(adapter.to_owned(), Instant::now());
        } else {
            since.remove(adapter);
        }
    }
}
