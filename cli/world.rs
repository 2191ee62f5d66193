//! The compiler's door to this machine.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kontext_compiler::world::{MAX_LAYER, ReadError, RootPlace, World};
use kontext_host::{HostError, Places, Repository, Roots, read_limited};
use kontext_plan::NotesRoot;

/// The layers of one repository and one user; nothing is read before it is asked for.
#[derive(Debug)]
pub struct MachineWorld<'a> {
    repository: &'a Repository,
    places: &'a Places,
    unsaved: Option<(PathBuf, Vec<u8>)>,
}

impl<'a> MachineWorld<'a> {
    /// The world of a repository.
    pub fn new(repository: &'a Repository, places: &'a Places) -> MachineWorld<'a> {
        MachineWorld { repository, places, unsaved: None }
    }

    /// The same, in which a file holds other bytes than on disk, or is there at all.
    pub fn with_unsaved(mut self, path: PathBuf, bytes: Vec<u8>) -> MachineWorld<'a> {
        self.unsaved = Some((resolved(path), bytes));
        self
    }
}

impl MachineWorld<'_> {
    fn unsaved(&self, path: &Path) -> Option<Vec<u8>> {
        let (unsaved, bytes) = self.unsaved.as_ref()?;
        (resolved(path.to_owned()) == *unsaved).then(|| bytes.clone())
    }
}

fn roots(places: &Places, roots: &[NotesRoot]) -> Roots {
    Roots::new(places, roots.iter().map(|root| (root.name.as_str(), root.path.as_str(), root.private)))
}

impl World for MachineWorld<'_> {
    fn display(&self, input: &str) -> Option<String> {
        self.places.input(input).map(|path| self.places.display(&path))
    }

    fn read(&self, input: &str) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(path) = self.places.input(input) else { return Ok(None) };
        match self.unsaved(&path) {
            Some(bytes) => Ok(Some(bytes)),
            None => read_limited(&path, MAX_LAYER).map_err(|error| read_error(&error)),
        }
    }

    fn display_note(&self, root: &NotesRoot, relative: &str) -> Option<String> {
        let path = roots(self.places, std::slice::from_ref(root)).path(&root.name, relative)?;
        Some(self.places.display(&path))
    }

    fn read_note(
        &self,
        all: &[NotesRoot],
        root: &NotesRoot,
        relative: &str,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        let roots = roots(self.places, all);
        let unsaved = roots.path(&root.name, relative).and_then(|path| self.unsaved(&path));
        match unsaved {
            Some(bytes) => Ok(Some(bytes)),
            None => roots.read(&root.name, relative, MAX_LAYER).map_err(|error| read_error(&error)),
        }
    }

    fn root_place(&self, root: &NotesRoot) -> RootPlace {
        let roots = roots(self.places, std::slice::from_ref(root));
        match roots.directory(&root.name).map(fs_err::metadata) {
            Some(Ok(found)) if !found.is_dir() => RootPlace::NoDirectory,
            Some(Err(error)) if error.kind() == ErrorKind::NotADirectory => RootPlace::NoDirectory,
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => RootPlace::Nothing,
            _ => RootPlace::Directory,
        }
    }

    fn repo_slug(&self) -> String {
        self.repository.slug()
    }

    fn repo_name(&self) -> String {
        self.repository.name()
    }

    fn in_repository(&self) -> bool {
        self.repository.common_dir().is_some()
    }
}

/// One name for one file: links followed where they can be, also for a file that is not there yet.
fn resolved(path: PathBuf) -> PathBuf {
    let path = std::path::absolute(&path).unwrap_or(path);
    if let Ok(real) = fs_err::canonicalize(&path) {
        return real;
    }
    match (path.parent().map(fs_err::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => path,
    }
}

fn read_error(error: &HostError) -> ReadError {
    let (reason, help) = match error {
        HostError::IsDirectory { .. } => {
            ("it is a directory", Some("put a file there, or move the directory away"))
        }
        HostError::TooLarge { .. } => {
            ("it is larger than 16 MiB", Some("is this the right file? a layer is a few kilobytes"))
        }
        HostError::Unreadable { reason, .. } => (reason.as_str(), None),
        other => return ReadError { reason: other.to_string(), help: None },
    };
    ReadError { reason: reason.to_owned(), help: help.map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kontext_host::Env;

    #[test]
    fn unsaved_text_stands_in_for_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::from_pairs([("KONTEXT_CONFIG_DIR", "/nonexistent")]);
        let repository = Repository::discover(dir.path()).unwrap();
        let places = Places::new(&env, &repository, None);
        let world = MachineWorld::new(&repository, &places)
            .with_unsaved(dir.path().join("./.kontext.toml"), b"a = 1".to_vec());
        assert_eq!(world.read("repo:.kontext.toml"), Ok(Some(b"a = 1".to_vec())));
        assert_eq!(world.read("user:config.toml"), Ok(None));
        assert_eq!(world.display("repo:.kontext.toml").as_deref(), Some(".kontext.toml"));
        assert_eq!(world.display("clone:config.toml"), None);
        fs_err::create_dir(dir.path().join(".ai")).unwrap();
        fs_err::create_dir(dir.path().join(".ai/kontext.toml")).unwrap();
        assert_eq!(world.read("repo:.ai/kontext.toml").unwrap_err().reason, "it is a directory");
    }
}
