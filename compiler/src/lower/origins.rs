//! The origin table: each place once.

use indexmap::IndexSet;
use kontext_plan::{Origin, OriginId};

use crate::source::{FileSpan, Sources};

/// Places in the order they were first named.
#[derive(Debug, Default)]
pub struct Origins {
    places: IndexSet<Origin>,
}

impl Origins {
    /// The position of a span's start.
    pub fn id(&mut self, sources: &Sources, span: FileSpan) -> OriginId {
        let (at, _) = self.places.insert_full(place(sources, span));
        OriginId(small(at))
    }

    /// The table.
    pub fn into_table(self) -> Vec<Origin> {
        self.places.into_iter().collect()
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
