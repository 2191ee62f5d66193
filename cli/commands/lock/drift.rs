//! What became of one adapter's entry.

use kontext_plan::Pin;
use kontext_plan::lock::{Diff, LockedAdapter, LockedServer, diff};

use crate::commands::Failure;

/// In one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The entry is what it was.
    Unchanged,
    /// The first entry of this adapter.
    Added,
    /// The entry differs.
    Changed,
    /// The adapter is gone, or is no longer locked.
    Dropped,
    /// The server was not asked; the entry is what it was.
    Kept,
    /// The server gave no answer; the entry is what it was.
    Failed,
}

/// One adapter.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The file of its entry, as people read it.
    pub file: String,
    /// What became of the entry.
    pub status: Status,
    /// The tools, as far as they changed.
    pub diff: Diff,
    /// How many tools there are now.
    pub tools: usize,
    /// The configuration names another server than before.
    pub connection: bool,
    /// The pin that was, and the one that is, when they differ.
    pub pin: Option<(Pin, Pin)>,
    /// What the server called itself and what it does now, when that differs.
    pub server: Option<(Option<LockedServer>, Option<LockedServer>)>,
    /// Why the entry was kept.
    pub reason: Option<String>,
    /// What is odd about the tools.
    pub notes: Vec<String>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

impl Row {
    fn new(name: &str, file: String, status: Status) -> Row {
        let (name, diff) = (name.to_owned(), Diff::default());
        Row {
            name,
            file,
            status,
            diff,
            tools: 0,
            connection: false,
            pin: None,
            server: None,
            reason: None,
            notes: Vec::new(),
            failure: None,
        }
    }

    /// A server that was not asked.
    pub fn kept(name: &str, file: String, reason: String) -> Row {
        Row { reason: Some(reason), ..Row::new(name, file, Status::Kept) }
    }

    /// The same for one that should have been.
    pub fn failed(self, failure: Option<Failure>) -> Row {
        Row { status: Status::Failed, failure, ..self }
    }

    /// An adapter that is gone.
    pub fn dropped(name: &str, file: String) -> Row {
        Row::new(name, file, Status::Dropped)
    }

    /// A server that answered.
    pub fn compared(
        name: &str,
        file: &str,
        older: Option<&LockedAdapter>,
        newer: &LockedAdapter,
        notes: Vec<String>,
    ) -> Row {
        let mut row = Row::new(name, file.to_owned(), Status::Unchanged);
        row.tools = newer.tools.len();
        row.notes = notes;
        let Some(older) = older else {
            row.status = Status::Added;
            row.diff.added = newer.tools.iter().map(|tool| tool.name.clone()).collect();
            return row;
        };
        row.diff = diff(older, newer, newer.pin);
        row.connection = older.connection != newer.connection;
        row.pin = (older.pin != newer.pin).then_some((older.pin, newer.pin));
        row.server = (older.server != newer.server).then(|| (older.server.clone(), newer.server.clone()));
        if older != newer {
            row.status = Status::Changed;
        }
        row
    }

    /// Whether what was reviewed is not what there is. A server's name for itself and its version are not reviewed.
    pub fn is_drift(&self) -> bool {
        match self.status {
            Status::Added | Status::Dropped => true,
            Status::Changed => !self.diff.is_empty() || self.connection || self.pin.is_some(),
            Status::Unchanged | Status::Kept | Status::Failed => false,
        }
    }
}
