//! The process group of one started program: what ends everything the program started, whichever way a call ends.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::Child;

/// A process group that is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    id: Option<Pid>,
}

impl Group {
    /// The group that a child started with `process_group(0)` leads.
    pub(crate) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self { id: id.map(Pid::from_raw) }
    }

    /// Asks every member to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::SIGTERM);
    }

    /// Ends every member.
    pub(crate) fn kill(&self) {
        self.signal(Signal::SIGKILL);
    }

    /// Whether any member is left.
    pub(crate) fn exists(&self) -> bool {
        self.id.is_some_and(|id| killpg(id, None).is_ok())
    }

    /// Ends the watch: every member is gone, and the number may soon be another group's.
    pub(crate) fn forget(mut self) {
        self.id = None;
    }

    /// A group that is gone already needs no signal.
    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id {
            let _ = killpg(id, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
