//! Adapters that failed a moment ago and are left alone for a while, so that one broken source does not cost every
//! question its whole timeout.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Failure;

/// How long an adapter rests after a failed call.
const PAUSE: Duration = Duration::from_secs(30);

/// Which adapters rest, since when, and why.
#[derive(Debug, Default)]
pub(crate) struct Resting {
    since: Mutex<HashMap<String, (Instant, String)>>,
}

impl Resting {
    /// How much longer the adapter rests, and how it failed; none when it may be called.
    pub(crate) fn left(&self, adapter: &str) -> Option<(Duration, String)> {
        let resting = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, why) = resting.get(adapter)?;
        Some((PAUSE.checked_sub(since.elapsed())?, why.clone()))
    }

    /// Notes how a call ended.
    pub(crate) fn note<T>(&self, adapter: &str, answer: &Result<T, Failure>) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(_) => {
                since.remove(adapter);
            }
            Err(failure) if failure.rests => {
                since.insert(adapter.to_owned(), (Instant::now(), failure.message.clone()));
            }
            Err(_) => {}
        }
    }
}
