//! One look-up of programs, so that what `when.command` finds is what is started.

use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

/// Where programs are looked for when `PATH` is not set at all, as a shell does.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The program a name means on this machine: the absolute path of a regular file this user may execute.
///
/// A bare name is looked up in the directories of `path_env` (the value of `PATH`). Its empty and relative entries
/// mean "the current directory" to a shell and are skipped: a repository must not get to supply a program by being
/// the place where kontext was started. A name with a separator is taken as it is when absolute, else against `root`;
/// a leading `~` is the caller's to expand.
#[must_use]
pub fn find_program(program: &str, path_env: Option<&str>, root: &Path) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    if program.contains('/') {
        return Some(root.join(program)).filter(|path| is_program(path));
    }
    std::env::split_paths(path_env.unwrap_or(DEFAULT_PATH))
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(program))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn file(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn bare_names_come_from_path() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        file(&at("one/tool"), 0o644);
        file(&at("two/tool"), 0o755);
        file(&at("three/tool"), 0o755);
        fs::create_dir_all(at("two/folder")).unwrap();
        let path = format!("{0}/none:{0}/one:{0}/two:{0}/three", dir.path().display());
        let find = |name| find_program(name, Some(&path), dir.path());
        assert_eq!(find("tool"), Some(at("two/tool")));
        assert_eq!((find("folder"), find("absent"), find("")), (None, None, None));
    }

    #[test]
    fn the_current_directory_is_never_searched() {
        let root = Path::new("/");
        assert_eq!(find_program("Cargo.toml", Some(":."), root), None);
        assert_eq!(find_program("sh", Some("bin:"), root), None);
        assert_eq!(find_program("sh", Some(""), root), None);
        assert!(find_program("sh", None, root).is_some());
    }

    #[test]
    fn separators_mean_a_path() {
        let dir = tempfile::tempdir().unwrap();
        file(&dir.path().join("bin/x"), 0o755);
        file(&dir.path().join("bin/y"), 0o644);
        let find = |name: &str| find_program(name, Some(""), dir.path());
        assert_eq!(find("bin/x"), Some(dir.path().join("bin/x")));
        assert_eq!(find("./bin/x"), Some(dir.path().join("./bin/x")));
        assert_eq!(find("bin/y"), None);
        assert_eq!(find("/bin/sh"), Some(PathBuf::from("/bin/sh")));
    }
}
