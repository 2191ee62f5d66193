//! The origin table: each place once.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use kontext_plan::{Origin, OriginId};

use crate::source::{FileId, FileSpan, Sources};

/// Places in the order they were first named.
#[derive(Debug, Default)]
pub struct Origins {
    table: Vec<Origin>,
    /// Only looked up, never walked.
    ids: HashMap<(FileId, usize), OriginId, RandomState>,
}

impl Origins {
    /// The position of a span's start.
    pub fn id(&mut self, sources: &Sources, span: FileSpan) -> OriginId {
        *self.ids.entry((span.file, span.start)).or_insert_with(|| {
            self.table.push(place(sources, span));
            OriginId(small(self.table.len() - 1))
        })
    }

    /// The table.
    pub fn into_table(self) -> Vec<Origin> {
        self.table
    }
}

/// The place a span starts at, by the input's logical name.
pub fn place(sources: &Sources, span: FileSpan) -> Origin {
    let start = sources.start(span);
    let file = sources.file(span.file).input.clone();
    Origin { file, line: small(start.line), column: small(start.column) }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
