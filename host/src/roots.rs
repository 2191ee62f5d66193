//! Roots of notes, and the one rule of reading in them: a file is opened only where it is in the end, symbolic links
//! followed, inside the worktree or inside a root that its user configured. Looked at every time.

use std::fs;
use std::path::{Path, PathBuf};

use crate::places::inner;
use crate::{HostError, Places, read_limited};

/// One root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// Its user configured it, not the repository.
    pub private: bool,
}

/// The roots that notes are read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    worktree: PathBuf,
    roots: Vec<Root>,
}

impl Roots {
    /// The roots by name, path as configured, and whether a private layer did.
    #[must_use]
    pub fn new<'a>(places: &Places, roots: impl IntoIterator<Item = (&'a str, &'a str, bool)>) -> Roots {
        let root = |(name, path, private): (&str, &str, bool)| {
            let directory = places.root_directory(path)?;
            Some(Root { name: name.to_owned(), directory, private })
        };
        Roots { worktree: places.worktree().to_owned(), roots: roots.into_iter().filter_map(root).collect() }
    }

    /// The path of a file of a root; none without such a root, and for a path that is empty, absolute or holds `..`.
    #[must_use]
    pub fn path(&self, root: &str, relative: &str) -> Option<PathBuf> {
        Some(self.directory(root)?.join(inner(relative)?))
    }

    /// Where a root is.
    #[must_use]
    pub fn directory(&self, root: &str) -> Option<&Path> {
        self.roots.iter().find(|known| known.name == root).map(|known| known.directory.as_path())
    }

    /// Reads a file of a root; none when there is none.
    ///
    /// # Errors
    /// [`HostError::Outside`] when its links lead out, and those of [`read_limited`].
    pub fn read(&self, root: &str, relative: &str, limit: u64) -> Result<Option<Vec<u8>>, HostError> {
        let Some(path) = self.path(root, relative) else { return Ok(None) };
        let Ok(real) = fs::canonicalize(&path) else {
            // Not there, or a link to nothing, which is told apart there.
            return read_limited(&path, limit);
        };
        let private = self.roots.iter().filter(|root| root.private).map(|root| root.directory.as_path());
        let mut allowed = std::iter::once(self.worktree.as_path()).chain(private);
        if !allowed.any(|directory| is_below(&real, directory)) {
            return Err(HostError::Outside { path, target: real });
        }
        match fs::metadata(&real) {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                Err(HostError::Unreadable { path, reason: "it is no regular file".to_owned() })
            }
            _ => read_limited(&real, limit),
        }
    }
}

fn is_below(real: &Path, directory: &Path) -> bool {
    fs::canonicalize(directory).is_ok_and(|directory| real.starts_with(directory))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::{Env, Repository};

    #[test]
    fn links_stay_where_they_may_lead() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["repo/.ai", "own", "secret"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("repo/.ai/real.md"), "r").unwrap();
        fs::write(at("own/x.md"), "o").unwrap();
        fs::write(at("secret/x.md"), "s").unwrap();
        for (link, target) in
            [("inside", "repo/.ai/real.md"), ("own", "own/x.md"), ("out", "secret/x.md"), ("gone", "nothing")]
        {
            symlink(at(target), at(&format!("repo/.ai/{link}.md"))).unwrap();
        }
        symlink(at("secret"), at("repo/linked")).unwrap();
        let env = Env::from_pairs([("HOME", dir.path().to_str().unwrap())]);
        let places = Places::new(&env, &Repository::discover(&at("repo")).unwrap(), None);
        let roots = |private| {
            Roots::new(&places, [("store", ".ai", false), ("own", "~/own", private), ("l", "linked", false)])
        };
        let read = |root: &str, file: &str, private| roots(private).read(root, file, 9);
        assert_eq!(read("store", "real.md", false), Ok(Some(b"r".to_vec())));
        assert_eq!(read("store", "inside.md", false), Ok(Some(b"r".to_vec())));
        assert_eq!(read("own", "x.md", true), Ok(Some(b"o".to_vec())));
        assert_eq!(read("store", "own.md", true), Ok(Some(b"o".to_vec())));
        for (root, file, private) in [
            ("store", "own.md", false),
            ("own", "x.md", false),
            ("store", "out.md", true),
            ("l", "x.md", true),
        ] {
            assert!(matches!(read(root, file, private), Err(HostError::Outside { .. })), "{root} {file}");
        }
        assert_eq!(read("store", "none.md", true), Ok(None));
        assert_eq!(read("store", "../own/x.md", true), Ok(None));
        assert_eq!(read("nobody", "x.md", true), Ok(None));
        assert!(matches!(read("store", "gone.md", true), Err(HostError::Unreadable { .. })));
    }
}
