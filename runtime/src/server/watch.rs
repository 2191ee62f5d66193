//! Watching for a new plan. Its directory need not be there yet: then the nearest one above is watched.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::{Inner, Server};

/// How long a writer may take between two steps that belong together.
const SETTLE: Duration = Duration::from_millis(30);
/// How often the file is looked at where its directory is watched: not every file system tells.
const LOOK: Duration = Duration::from_secs(15);
/// How often where it cannot be watched.
const LOOK_UNWATCHED: Duration = Duration::from_secs(1);

/// What tells a file from another at the same place, and from itself after it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
}

impl Fingerprint {
    /// That of a file; none when there is none.
    pub(super) fn of(path: &Path) -> Option<Fingerprint> {
        let found = fs_err::metadata(path).ok()?;
        Some(Fingerprint {
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
        })
    }
}

/// Has the server look at its plan after every change near it, as long as the server is there.
pub(super) async fn watch(inner: Weak<Inner>) {
    let Some(plan) = inner.upgrade().and_then(|inner| inner.source.plan.clone()) else { return };
    let changed = Arc::new(Notify::new());
    let mut watcher = watcher(&changed);
    let mut watched: Option<Watched> = None;
    loop {
        let nearest = nearest(&plan);
        if watched != nearest {
            watched = watcher.as_mut().and_then(|watcher| rewatch(watcher, watched.take(), nearest));
        }
        // After the watch stands: what came before it is seen here.
        let Some(inner) = inner.upgrade() else { return };
        Server::of(inner).look();
        let pause = if watched.is_some() { LOOK } else { LOOK_UNWATCHED };
        if timeout(pause, changed.notified()).await.is_ok() {
            sleep(SETTLE).await;
        }
    }
}

fn watcher(changed: &Arc<Notify>) -> Option<RecommendedWatcher> {
    let changed = Arc::clone(changed);
    let tell = move |_: notify::Result<notify::Event>| changed.notify_one();
    notify::recommended_watcher(tell).ok()
}

fn rewatch(
    watcher: &mut RecommendedWatcher,
    before: Option<Watched>,
    directory: Option<Watched>,
) -> Option<Watched> {
    if let Some(before) = before {
        // It may be gone already.
        let _ = watcher.unwatch(&before.path);
    }
    let directory = directory?;
    watcher.watch(&directory.path, RecursiveMode::NonRecursive).ok()?;
    Some(directory)
}

/// A directory, told from another that came to its place.
#[derive(Debug, PartialEq, Eq)]
struct Watched {
    path: PathBuf,
    device: u64,
    inode: u64,
}

/// The nearest directory above a file that is there.
fn nearest(file: &Path) -> Option<Watched> {
    file.ancestors().skip(1).find_map(|directory| {
        let found = fs_err::metadata(directory).ok().filter(std::fs::Metadata::is_dir)?;
        Some(Watched { path: directory.to_owned(), device: found.dev(), inode: found.ino() })
    })
}
