//! Whether a file path stays inside a directory, symbolic links followed.

use std::path::{Component, Path, PathBuf};

/// Why a path is not taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outside {
    /// It resolves to a place outside.
    Elsewhere,
    /// A symbolic link on the way cannot be followed.
    Unresolved,
    /// It holds a NUL character.
    Nul,
}

/// Checks that `path` resolves to a place inside `directory`; relative ones stand against `root`.
pub(super) fn check(root: &Path, directory: &str, path: &str) -> Result<(), Outside> {
    if path.contains('\0') || directory.contains('\0') {
        return Err(Outside::Nul);
    }
    let fence = resolve(&root.join(directory))?;
    let place = resolve(&root.join(path))?;
    if place.starts_with(&fence) { Ok(()) } else { Err(Outside::Elsewhere) }
}

/// The real place of a path of which only a prefix need exist. `..` goes up from where a link points to, as the
/// system does it.
fn resolve(path: &Path) -> Result<PathBuf, Outside> {
    let mut place = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => place.push(prefix.as_os_str()),
            Component::RootDir => place.push("/"),
            Component::CurDir => {}
            Component::ParentDir => {
                place.pop();
            }
            Component::Normal(name) => {
                place.push(name);
                if std::fs::symlink_metadata(&place).is_ok_and(|found| found.is_symlink()) {
                    place = std::fs::canonicalize(&place).map_err(|_| Outside::Unresolved)?;
                }
            }
        }
    }
    Ok(place)
}
