//! The compiler's one door to the outside: what files hold, and which repository this is.

use std::collections::BTreeMap;

use kontext_plan::NotesRoot;

/// What the compiler may ask. The command line implements it over the machine, tests over maps.
pub trait World {
    /// The path people know an input by (`.kontext.toml`, `/home/ann/.config/kontext/config.toml`), or `None` when
    /// there can be no such input here: the clone layer outside git, an explicit layer that was not named.
    ///
    /// `input` is a logical name as in the plan: `user:config.toml`, `user:repos/<slug>.toml`, `repo:<path>`,
    /// `clone:config.toml` or `explicit`.
    fn display(&self, input: &str) -> Option<String>;

    /// The bytes of an input; `Ok(None)` when it is absent.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn read(&self, input: &str) -> Result<Option<Vec<u8>>, ReadError>;

    /// The path people know a file of a notes root by; none when there can be no such root here.
    fn display_note(&self, root: &NotesRoot, relative: &str) -> Option<String> {
        Some(root.shown(relative))
    }

    /// The bytes of a file of a notes root; `Ok(None)` when it is absent. `roots` are all there are: links may lead
    /// from one into another that is private.
    ///
    /// # Errors
    /// When it is there and cannot be read, or leads out of the repository and every private root.
    fn read_note(
        &self,
        _roots: &[NotesRoot],
        _root: &NotesRoot,
        _relative: &str,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(None)
    }

    /// What stands where a notes root should be. Where that cannot be told, nothing is amiss.
    fn root_place(&self, _root: &NotesRoot) -> RootPlace {
        RootPlace::Directory
    }

    /// `repo.slug` of this repository.
    fn repo_slug(&self) -> String;

    /// `repo.name` of this repository.
    fn repo_name(&self) -> String;

    /// Whether the directory is in a git repository: outside one the user-repo and clone layers do not exist.
    fn in_repository(&self) -> bool;
}

/// What stands where a notes root should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootPlace {
    /// A directory, as it should.
    Directory,
    /// Something that is no directory.
    NoDirectory,
    /// Nothing.
    Nothing,
}

/// Why a file that is there cannot be read, in words for its reader (`permission denied`, `is a directory`,
/// `is larger than 16 MiB`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The reason.
    pub reason: String,
    /// What to do about it, when that is known.
    pub help: Option<String>,
}

/// Largest layer that is read, in bytes.
pub const MAX_LAYER: u64 = 16 * 1024 * 1024;

/// A world made of maps: for tests, for the demo, and for programs that hold their configuration in memory.
#[derive(Debug, Clone)]
pub struct MapWorld {
    /// The bytes of the inputs that are there, by logical name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The inputs that are there and cannot be read.
    pub unreadable: BTreeMap<String, ReadError>,
    /// What stands at the roots that are no directories, by name.
    pub root_places: BTreeMap<String, RootPlace>,
    /// Whether an explicit layer was named. One in `files` counts as named.
    pub explicit: bool,
    /// `repo.slug`.
    pub repo_slug: String,
    /// `repo.name`.
    pub repo_name: String,
    /// Whether this is a repository.
    pub in_repository: bool,
}

impl Default for MapWorld {
    fn default() -> MapWorld {
        MapWorld {
            files: BTreeMap::new(),
            unreadable: BTreeMap::new(),
            root_places: BTreeMap::new(),
            explicit: false,
            repo_slug: "example.test-ann-notes".to_owned(),
            repo_name: "notes".to_owned(),
            in_repository: true,
        }
    }
}

impl MapWorld {
    /// With one more input.
    #[must_use]
    pub fn with(mut self, input: &str, bytes: impl Into<Vec<u8>>) -> MapWorld {
        self.files.insert(input.to_owned(), bytes.into());
        self
    }
}

impl World for MapWorld {
    fn display(&self, input: &str) -> Option<String> {
        if let Some(path) = input.strip_prefix("repo:") {
            return Some(path.to_owned());
        }
        let there = match input {
            "explicit" => {
                self.explicit || self.files.contains_key(input) || self.unreadable.contains_key(input)
            }
            _ => self.in_repository || input == "user:config.toml",
        };
        there.then(|| input.replacen(':', "/", 1))
    }

    fn read(&self, input: &str) -> Result<Option<Vec<u8>>, ReadError> {
        match self.unreadable.get(input) {
            Some(error) => Err(error.clone()),
            None => Ok(self.files.get(input).cloned()),
        }
    }

    /// A file of a root is there as `root:<name>/<path>`, or as the repository's file.
    fn read_note(
        &self,
        _roots: &[NotesRoot],
        root: &NotesRoot,
        relative: &str,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        let own = format!("root:{}/{relative}", root.name);
        match self.read(&own)? {
            None => self.read(&format!("repo:{}", root.shown(relative))),
            found => Ok(found),
        }
    }

    fn root_place(&self, root: &NotesRoot) -> RootPlace {
        self.root_places.get(&root.name).copied().unwrap_or(RootPlace::Directory)
    }

    fn repo_slug(&self) -> String {
        self.repo_slug.clone()
    }

    fn repo_name(&self) -> String {
        self.repo_name.clone()
    }

    fn in_repository(&self) -> bool {
        self.in_repository
    }
}
