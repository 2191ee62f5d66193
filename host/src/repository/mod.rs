//! The repository facts, read from `.git` by hand: starting git costs milliseconds, and its environment variables,
//! set inside every hook, would mislead it.

mod config;
mod discover;
mod remote;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use discover::Found;
pub use remote::repo_id_from_url;

use crate::HostError;

/// The repository a directory belongs to, as it was when it was discovered; or a plain directory outside git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
    git: Option<GitDirs>,
    dir: String,
    remote: Option<String>,
    branch: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct GitDirs {
    git_dir: PathBuf,
    common_dir: PathBuf,
}

impl Repository {
    /// Finds the repository of an existing directory. No process is started and no environment variable is read.
    ///
    /// Symbolic links are resolved first, as git does: two ways to one directory give the same repository and so the
    /// same plan. Outside git, in a bare repository and inside a git directory, the root is `dir` itself.
    /// `core.worktree` does not move the root, and a repository that stores its refs as reftable has no branch.
    ///
    /// # Errors
    /// [`HostError::NoSuchDirectory`], [`HostError::NotADirectory`], and [`HostError::Unreadable`] for the directory
    /// or the repository's configuration.
    pub fn discover(dir: &Path) -> Result<Repository, HostError> {
        let resolved = fs::canonicalize(dir).map_err(|error| match error.kind() {
            ErrorKind::NotFound => HostError::NoSuchDirectory { path: dir.to_owned() },
            ErrorKind::NotADirectory => HostError::NotADirectory { path: dir.to_owned() },
            _ => HostError::unreadable(dir, &error),
        })?;
        if !resolved.is_dir() {
            return Err(HostError::NotADirectory { path: dir.to_owned() });
        }
        Ok(discover::find(&resolved)?.map_or_else(|| outside(resolved), inside))
    }

    /// The current worktree, or the directory itself outside git. Absolute, links resolved.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The git directory of this worktree; none outside git.
    #[must_use]
    pub fn git_dir(&self) -> Option<&Path> {
        self.git.as_ref().map(|git| git.git_dir.as_path())
    }

    /// The git directory that all worktrees of this clone share; none outside git.
    #[must_use]
    pub fn common_dir(&self) -> Option<&Path> {
        self.git.as_ref().map(|git| git.common_dir.as_path())
    }

    /// `repo.id`: `host/owner/name` of the remote `origin`, or `local/<repo.dir>` without one that names a host.
    #[must_use]
    pub fn id(&self) -> String {
        let id = self.remote.as_deref().and_then(repo_id_from_url);
        id.unwrap_or_else(|| format!("local/{}", self.dir))
    }

    /// `repo.slug`: the id with every character outside `[A-Za-z0-9._-]` replaced by `-`.
    #[must_use]
    pub fn slug(&self) -> String {
        let keeps = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        self.id().chars().map(|c| if keeps(c) { c } else { '-' }).collect()
    }

    /// `repo.name`: the last segment of the id.
    #[must_use]
    pub fn name(&self) -> String {
        let id = self.id();
        id.rsplit_once('/').map_or(id.as_str(), |(_, name)| name).to_owned()
    }

    /// `repo.dir`: the directory name of the main worktree, whichever worktree this is.
    #[must_use]
    pub fn dir(&self) -> String {
        self.dir.clone()
    }

    /// `repo.remote`: the first URL of `origin` as the clone's configuration has it, without user and password.
    #[must_use]
    pub fn remote(&self) -> Option<String> {
        self.remote.clone()
    }

    /// `repo.branch`: the branch checked out, born or not; none when detached or outside git.
    #[must_use]
    pub fn branch(&self) -> Option<String> {
        self.branch.clone()
    }

    /// `repo.branch` as it is at this moment, for a process that outlives a checkout.
    #[must_use]
    pub fn branch_now(&self) -> Option<String> {
        discover::head_ref(self.git_dir()?).as_deref().and_then(branch_of)
    }

    /// `repo.worktree`: the directory name of the current worktree.
    #[must_use]
    pub fn worktree(&self) -> String {
        directory_name(&self.root)
    }
}

fn outside(root: PathBuf) -> Repository {
    Repository { dir: directory_name(&root), root, git: None, remote: None, branch: None }
}

fn inside(found: Found) -> Repository {
    let remote = found.config.first("remote.origin.url").filter(|url| !url.trim().is_empty());
    Repository {
        dir: main_directory_name(&found),
        remote: remote.map(remote::without_user),
        branch: discover::head_ref(&found.git_dir).as_deref().and_then(branch_of),
        root: found.root,
        git: Some(GitDirs { git_dir: found.git_dir, common_dir: found.common_dir }),
    }
}

fn branch_of(reference: &str) -> Option<String> {
    // `.invalid` is what a reftable repository has in `HEAD`.
    reference.strip_prefix("refs/heads/").filter(|branch| *branch != ".invalid").map(str::to_owned)
}

/// A linked worktree knows the shared git directory only. That is `<main>/.git` as a rule; a submodule's says where
/// its worktree is; the rest are bare, `name.git` or hidden inside the directory that names the project.
fn main_directory_name(found: &Found) -> String {
    if !found.is_linked() {
        return directory_name(&found.root);
    }
    let common = &found.common_dir;
    if let Some(main) =
        found.config.last("core.worktree").and_then(|path| fs::canonicalize(common.join(path)).ok())
    {
        return directory_name(&main);
    }
    let name = directory_name(common);
    if name.starts_with('.') {
        return common.parent().map_or(name, directory_name);
    }
    name.strip_suffix(".git").unwrap_or(&name).to_owned()
}

/// The last name of a path; the top of the file system has none and is called `root`.
fn directory_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}
