//! Reading that never fills the memory and writing that never leaves half a file.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::HostError;

/// Reads a whole file of at most `limit` bytes; none when there is no such file. Pipes and devices are read too, so
/// that a shell's `<(…)` works.
///
/// # Errors
/// [`HostError::IsDirectory`], [`HostError::TooLarge`], and [`HostError::Unreadable`] for the rest: no permission, a
/// symbolic link to nothing.
pub fn read_limited(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, HostError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absence(&error) => return absent(path),
        Err(error) => return Err(HostError::unreadable(path, &error)),
    };
    let metadata = file.metadata().map_err(|error| HostError::unreadable(path, &error))?;
    if metadata.is_dir() {
        return Err(HostError::IsDirectory { path: path.to_owned() });
    }
    let too_large = || HostError::TooLarge { path: path.to_owned(), limit };
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| HostError::unreadable(path, &error))?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > limit { Err(too_large()) } else { Ok(Some(bytes)) }
}

/// Writes a file so that a reader sees the old bytes or the new ones, whatever happens in between: a temporary file in
/// the same directory, synchronised, then renamed. Missing parent directories are created. A symbolic link is written
/// through, an existing file keeps its permissions, and a pipe or device is written directly.
///
/// # Errors
/// [`HostError::IsDirectory`], and [`HostError::Unwritable`] for the rest.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), HostError> {
    let fail = |error: io::Error| HostError::unwritable(path, &error);
    let existing = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(fail(error)),
    };
    match existing {
        Some(found) if found.is_dir() => Err(HostError::IsDirectory { path: path.to_owned() }),
        Some(found) if !found.is_file() => {
            fs::OpenOptions::new().write(true).open(path).and_then(|mut f| f.write_all(bytes)).map_err(fail)
        }
        Some(found) => {
            let real = fs::canonicalize(path).map_err(fail)?;
            replace(&real, bytes, Some(found.permissions())).map_err(fail)
        }
        None => replace(path, bytes, None).map_err(fail),
    }
}

fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => return Err(io::Error::new(ErrorKind::InvalidInput, "it has no parent directory")),
    };
    fs::create_dir_all(&directory)?;
    let mut file = tempfile::Builder::new()
        .prefix(".kontext-")
        .permissions(Permissions::from_mode(0o666)) // less the umask
        .tempfile_in(&directory)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The rename has happened; a file system that cannot synchronise a directory is no reason to report a failure.
    let _ = File::open(&directory).and_then(|directory| directory.sync_all());
    Ok(())
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Nothing there is an answer, a link that leads nowhere is a mistake somebody wants to know of.
fn absent(path: &Path) -> Result<Option<Vec<u8>>, HostError> {
    match fs::read_link(path) {
        Ok(target) => Err(HostError::Unreadable {
            path: path.to_owned(),
            reason: format!("it is a symbolic link to `{}`, which does not exist", target.display()),
        }),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn reading_tells_absence_from_failure() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        fs::write(&file, "12345").unwrap();
        assert_eq!(read_limited(&file, 5), Ok(Some(b"12345".to_vec())));
        assert_eq!(read_limited(&file, 4), Err(HostError::TooLarge { path: file.clone(), limit: 4 }));
        assert_eq!(read_limited(&dir.path().join("none"), 5), Ok(None));
        assert_eq!(read_limited(&file.join("below"), 5), Ok(None));
        assert!(matches!(read_limited(dir.path(), 5), Err(HostError::IsDirectory { .. })));
        assert!(matches!(read_limited(Path::new("/dev/zero"), 5), Err(HostError::TooLarge { .. })));
        symlink("nowhere", dir.path().join("l")).unwrap();
        let error = read_limited(&dir.path().join("l"), 5).unwrap_err().to_string();
        assert!(error.ends_with("it is a symbolic link to `nowhere`, which does not exist"), "{error}");
    }

    #[test]
    fn writing_creates_parents_and_replaces() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b/plan.json");
        write_atomically(&file, b"one").unwrap();
        write_atomically(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "no temporary file stays");
        assert!(matches!(write_atomically(dir.path(), b""), Err(HostError::IsDirectory { .. })));
        let error = write_atomically(&file.join("x"), b"").unwrap_err().to_string();
        assert!(error.ends_with("not a directory"), "{error}");
        write_atomically(Path::new("/dev/null"), b"x").unwrap();
    }

    #[test]
    fn writing_keeps_links_and_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
