//! Finding the repository a directory belongs to by reading `.git`, as git does but deaf to `GIT_DIR` and its kin.

use std::fs;
use std::path::{Path, PathBuf};

use super::config::Config;
use crate::{HostError, read_limited};

/// Longest `HEAD`, `commondir` or `.git` file that is read, in bytes.
const LIMIT: u64 = 64 << 10;

/// A worktree and its git directories, all absolute and with links resolved.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) root: PathBuf,
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) config: Config,
}

impl Found {
    /// Whether this worktree was made by `git worktree add`.
    pub(super) fn is_linked(&self) -> bool {
        self.git_dir != self.common_dir
    }
}

/// The worktree that holds `dir` (absolute, links resolved). None outside git, in a bare repository and inside a git
/// directory. A `.git` that is no repository is passed over.
pub(super) fn find(dir: &Path) -> Result<Option<Found>, HostError> {
    for root in dir.ancestors() {
        if let Some((git_dir, common_dir)) = git_dirs_of(root) {
            return found(root, git_dir, common_dir);
        }
        if common_dir_of(root).is_some() {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The text of `HEAD` behind `ref:`, or of the link that very old repositories have in its place.
pub(super) fn head_ref(git_dir: &Path) -> Option<String> {
    let head = git_dir.join("HEAD");
    if let Ok(target) = fs::read_link(&head) {
        return target.to_str().filter(|target| target.starts_with("refs/")).map(str::to_owned);
    }
    let text = small_text(&head)?;
    Some(text.strip_prefix("ref:")?.trim().to_owned())
}

fn found(root: &Path, git_dir: PathBuf, common_dir: PathBuf) -> Result<Option<Found>, HostError> {
    let mut config = Config::default();
    config.read(&common_dir.join("config"))?;
    if config.is_on("extensions.worktreeconfig") {
        config.read(&git_dir.join("config.worktree"))?;
    }
    let found = Found { root: root.to_owned(), git_dir, common_dir, config };
    // Linked worktrees of a bare repository are worktrees all the same.
    let bare = !found.is_linked() && found.config.is_on("core.bare");
    Ok((!bare).then_some(found))
}

/// The git directory that `.git` in this directory is or names, and the common one.
fn git_dirs_of(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let dot_git = root.join(".git");
    let kind = fs::metadata(&dot_git).ok()?;
    let git_dir = if kind.is_dir() {
        dot_git
    } else if !kind.is_file() {
        return None;
    } else {
        let text = small_text(&dot_git)?;
        root.join(text.strip_prefix("gitdir:")?.trim_start_matches(' ').trim_end_matches(['\n', '\r']))
    };
    let git_dir = fs::canonicalize(git_dir).ok()?;
    let common_dir = common_dir_of(&git_dir)?;
    Some((git_dir, common_dir))
}

/// The directory that holds what all worktrees share; none when this is no git directory: it needs a `HEAD` that git
/// would accept, objects and refs.
fn common_dir_of(git_dir: &Path) -> Option<PathBuf> {
    if !has_head(git_dir) {
        return None;
    }
    let common_dir = match small_text(&git_dir.join("commondir")) {
        Some(text) => fs::canonicalize(git_dir.join(text.trim_end_matches(['\n', '\r']))).ok()?,
        None => git_dir.to_owned(),
    };
    (common_dir.join("objects").is_dir() && common_dir.join("refs").is_dir()).then_some(common_dir)
}

fn has_head(git_dir: &Path) -> bool {
    match head_ref(git_dir) {
        Some(reference) => reference.starts_with("refs/"),
        None => small_text(&git_dir.join("HEAD")).is_some_and(|text| {
            let id = text.trim_end();
            id.len() >= 40 && id.chars().all(|c| c.is_ascii_hexdigit())
        }),
    }
}

fn small_text(path: &Path) -> Option<String> {
    let bytes = read_limited(path, LIMIT).ok().flatten()?;
    String::from_utf8(bytes).ok()
}
