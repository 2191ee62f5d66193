//! The lock files: found, read and understood, each once.

use std::collections::{BTreeMap, BTreeSet};

use kontext_plan::LayerName;
use kontext_plan::lock::{self, Read};

use super::Pins;
use crate::diagnostic::{Diagnostics, lock as report};
use crate::layer::Loaded;
use crate::source::{FileId, FileSpan};
use crate::world::World;

/// One lock file.
pub(super) struct File {
    /// The path people know it by.
    pub(super) display: String,
    /// Whether there can be such a file here: outside git there is no clone.
    pub(super) possible: bool,
    /// Its text, when there is one.
    pub(super) id: Option<FileId>,
    /// What stands in it.
    pub(super) content: Content,
}

/// What stands in a lock file.
#[derive(PartialEq)]
pub(super) enum Content {
    /// It is not there.
    Absent,
    /// It is there and cannot be used: that was reported.
    Broken,
    /// What it says.
    Read(Read),
}

impl File {
    /// Where an adapter's entry begins.
    pub(super) fn place(&self, adapter: &str) -> Option<FileSpan> {
        let Content::Read(read) = &self.content else { return None };
        Some(FileSpan::new(self.id?, read.places.get(adapter)?.clone()))
    }
}

/// Every file that some adapter's entry belongs to, by logical name.
pub(super) fn files(
    pins: &Pins,
    loaded: &mut Loaded,
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<String, File> {
    let names: BTreeSet<&String> = pins.places.values().map(|place| &place.file).collect();
    names.into_iter().map(|name| (name.clone(), file(name, loaded, world, diagnostics))).collect()
}

fn file(name: &str, loaded: &mut Loaded, world: &dyn World, diagnostics: &mut Diagnostics) -> File {
    let layer = if name.starts_with("repo:") { LayerName::Shared } else { LayerName::Clone };
    let display = world.display(name);
    let (id, there) = loaded.text(world, name, layer, diagnostics);
    let content = match id {
        Some(id) => understood(id, loaded, diagnostics),
        None if there => Content::Broken,
        None => Content::Absent,
    };
    File { possible: display.is_some(), display: display.unwrap_or_else(|| name.to_owned()), id, content }
}

fn understood(id: FileId, loaded: &Loaded, diagnostics: &mut Diagnostics) -> Content {
    let source = loaded.sources.file(id);
    let mark = '\u{feff}';
    let text = source.text.strip_prefix(mark).unwrap_or(&source.text);
    let skipped = source.text.len() - text.len();
    match lock::parse(text) {
        Ok(mut read) => {
            for place in read.places.values_mut() {
                *place = place.start + skipped..place.end + skipped;
            }
            Content::Read(read)
        }
        Err(error) => {
            let at = FileSpan::new(id, error.at.start + skipped..error.at.end + skipped);
            diagnostics.push(report::report_broken(at, &source.display, &error.reason));
            Content::Broken
        }
    }
}
