//! Layers: found, read and parsed, each on its own, so that one broken file hides no other's mistakes.

mod build;
mod causes;
mod explain;
mod looks;
mod parse;
mod read;
mod shared;
#[cfg(test)]
mod tests;
mod times;

use kontext_plan::{ABSENT, Input, LayerName, Profile};

use crate::diagnostic::Diagnostics;
use crate::diagnostic::layers::report_two_shared_files;
use crate::source::{FileId, FileSpan, Sources};
use crate::tree::Table;
use crate::world::World;

use read::Found;

pub use parse::parse;
pub use read::not_utf8;
pub use shared::DEFAULT_STORE;

/// Logical name of the layer named by `--config` or `KONTEXT_CONFIG`.
pub const EXPLICIT: &str = "explicit";

/// Logical name of the shared layer's file at the root.
pub const SHARED_ROOT: &str = "repo:.kontext.toml";

/// One file of the configuration.
#[derive(Debug)]
pub struct Layer {
    /// Which layer it is.
    pub name: LayerName,
    /// Its text.
    pub file: FileId,
    /// What it says, as far as it can be read.
    pub root: Table,
}

/// All layers a profile reads.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Their texts.
    pub sources: Sources,
    /// The layers that are there, lowest precedence first.
    pub layers: Vec<Layer>,
    /// Every file that was looked for, sorted by name.
    pub inputs: Vec<Input>,
    /// Whether some layer could not be read or understood as a whole: what is missing in the document may stand
    /// there, so findings about missing things say nothing.
    pub broken: bool,
    /// The store's directory, relative to the repository; `.` is its root.
    pub store_dir: String,
}

/// Reads and parses the layers of a profile.
pub fn load(world: &dyn World, profile: Profile, diagnostics: &mut Diagnostics) -> Loaded {
    let mut loaded = Loaded::default();
    let private = profile == Profile::Local;
    let repository = private && world.in_repository();
    if private {
        loaded.add(world, "user:config.toml", LayerName::User, diagnostics);
    }
    if repository {
        let own = format!("user:repos/{}.toml", world.repo_slug());
        loaded.add(world, &own, LayerName::UserRepo, diagnostics);
    }
    loaded.add(world, SHARED_ROOT, LayerName::Shared, diagnostics);
    if repository {
        loaded.add(world, "clone:config.toml", LayerName::Clone, diagnostics);
    }
    if private {
        loaded.add(world, EXPLICIT, LayerName::Explicit, diagnostics);
    }
    loaded.store_dir = shared::store_dir(&loaded.layers, diagnostics);
    loaded.add_store(world, diagnostics);
    loaded.inputs.sort();
    loaded
}

impl Loaded {
    /// The file in the store's directory, which is the shared layer when there is none at the root.
    fn add_store(&mut self, world: &dyn World, diagnostics: &mut Diagnostics) {
        let input = match self.store_dir.as_str() {
            "." => "repo:kontext.toml".to_owned(),
            dir => format!("repo:{dir}/kontext.toml"),
        };
        let Some(mut layer) = self.read(world, &input, LayerName::Shared, diagnostics) else { return };
        shared::refuse_inside(&mut layer, &self.sources, diagnostics);
        let first = self.sources.files().find(|(_, file)| file.input == SHARED_ROOT).map(|(id, _)| id);
        if let Some(first) = first {
            let at = |file| FileSpan::new(file, 0..0);
            let name = |file| self.sources.file(file).display.as_str();
            report_two_shared_files(at(layer.file), name(layer.file), at(first), name(first), diagnostics);
            self.broken = true;
            return;
        }
        let place = self.layers.partition_point(|other| other.name <= LayerName::Shared);
        self.layers.insert(place, layer);
    }

    fn add(&mut self, world: &dyn World, input: &str, name: LayerName, diagnostics: &mut Diagnostics) {
        let layer = self.read(world, input, name, diagnostics);
        self.layers.extend(layer);
    }

    /// The layers whose text was read, with the logical names of their files, in the order they were.
    pub fn layers_read(&self) -> impl Iterator<Item = (LayerName, &str)> {
        self.sources.files().map(|(_, file)| (file.layer, file.input.as_str()))
    }

    /// Reads a text that is no layer, and remembers that it was looked for. None when it is not there or no text,
    /// which was reported; whether it is there.
    pub fn text(
        &mut self,
        world: &dyn World,
        input: &str,
        name: LayerName,
        diagnostics: &mut Diagnostics,
    ) -> (Option<FileId>, bool) {
        let (file, digest) = match read::read(world, input, name, &mut self.sources, diagnostics) {
            Found::Nowhere => return (None, false),
            Found::Absent => (None, Some(ABSENT.to_owned())),
            Found::Broken(digest) => {
                self.inputs.extend(digest.map(|digest| Input { name: input.to_owned(), digest }));
                return (None, true);
            }
            Found::Text(file, digest) => (Some(file), Some(digest)),
        };
        self.inputs.extend(digest.map(|digest| Input { name: input.to_owned(), digest }));
        self.inputs.sort();
        (file, file.is_some())
    }

    /// Reads and parses one input, and remembers that it was looked for.
    fn read(
        &mut self,
        world: &dyn World,
        input: &str,
        name: LayerName,
        diagnostics: &mut Diagnostics,
    ) -> Option<Layer> {
        let (layer, digest) = match read::read(world, input, name, &mut self.sources, diagnostics) {
            Found::Nowhere => return None,
            Found::Absent => (None, Some(ABSENT.to_owned())),
            Found::Broken(digest) => {
                self.broken = true;
                (None, digest)
            }
            Found::Text(file, digest) => {
                let (root, whole) = parse(&self.sources.file(file).text, file, diagnostics);
                self.broken |= !whole;
                (Some(Layer { name, file, root }), Some(digest))
            }
        };
        self.inputs.extend(digest.map(|digest| Input { name: input.to_owned(), digest }));
        layer
    }
}
