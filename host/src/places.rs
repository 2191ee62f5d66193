//! Where layers, the plan, approvals and deliveries are on this machine: the only map from a plan's logical names to
//! paths.

use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{Env, Repository};

/// Stands for the state directory when neither `XDG_STATE_HOME` nor a home directory is known. Nothing can be written
/// or found there; a place others can write to, such as `/tmp`, would let them supply a plan.
const NOWHERE: &str = "/nonexistent";

/// The places that belong to one repository, one user and one environment. Every path is absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    root: PathBuf,
    git_dir: Option<PathBuf>,
    common_dir: Option<PathBuf>,
    config_dir: Option<PathBuf>,
    state_dir: Option<PathBuf>,
    explicit: Option<PathBuf>,
    home: Option<PathBuf>,
    slug: String,
}

impl Places {
    /// The places of `repo` for the user of `env`. `explicit` is the file of `--config`; without it `KONTEXT_CONFIG`
    /// counts when it is set and not empty. Relative paths in either, and in `KONTEXT_CONFIG_DIR`, stand against the
    /// directory the process was started in; relative XDG variables are ignored, as their specification says.
    #[must_use]
    pub fn new(env: &Env, repo: &Repository, explicit: Option<PathBuf>) -> Places {
        let config_dir = match env.non_empty("KONTEXT_CONFIG_DIR") {
            Some(given) => Some(absolute(Path::new(given))),
            None => xdg(env, "XDG_CONFIG_HOME", ".config").map(|base| base.join("kontext")),
        };
        let explicit = explicit.or_else(|| env.non_empty("KONTEXT_CONFIG").map(PathBuf::from));
        Places {
            root: repo.root().to_owned(),
            git_dir: repo.git_dir().map(Path::to_owned),
            common_dir: repo.common_dir().map(Path::to_owned),
            config_dir,
            state_dir: xdg(env, "XDG_STATE_HOME", ".local/state"),
            explicit: explicit.map(|path| absolute(&path)),
            home: env.home().map(Path::to_owned),
            slug: repo.slug(),
        }
    }

    /// The logical name of the user's layer for this repository, as it is called now; none outside git.
    #[must_use]
    pub fn user_repo(&self) -> Option<String> {
        self.common_dir.as_ref().map(|_| format!("user:repos/{}.toml", self.slug))
    }

    /// `$KONTEXT_CONFIG_DIR`, else `$XDG_CONFIG_HOME/kontext`, else `~/.config/kontext`; none when no home is known.
    #[must_use]
    pub fn config_dir(&self) -> Option<&Path> {
        self.config_dir.as_deref()
    }

    /// `$XDG_STATE_HOME`, else `~/.local/state` (kontext's own things are in `kontext` below it); none when no home is
    /// known.
    #[must_use]
    pub fn state_dir(&self) -> Option<&Path> {
        self.state_dir.as_deref()
    }

    /// The path of an input by its logical name: `user:<relative>`, `repo:<relative>`, `clone:<relative>` or
    /// `explicit`. None where that layer does not exist on this machine (`clone:` and `user:repos/…` outside git,
    /// `user:` without a home, `explicit` when none was given), for another kind of name, and for a relative part
    /// that is empty, absolute or holds `..`.
    #[must_use]
    pub fn input(&self, logical: &str) -> Option<PathBuf> {
        if logical == "explicit" {
            return self.explicit.clone();
        }
        let (layer, rest) = logical.split_once(':')?;
        let relative = inner(rest)?;
        match layer {
            "user" if relative.starts_with("repos") && self.common_dir.is_none() => None,
            "user" => Some(self.config_dir.as_ref()?.join(relative)),
            "repo" => Some(self.root.join(relative)),
            "clone" => Some(self.common_dir.as_ref()?.join("kontext").join(relative)),
            _ => None,
        }
    }

    /// The root of the worktree, or the plain directory.
    #[must_use]
    pub fn worktree(&self) -> &Path {
        &self.root
    }

    /// The directory of a notes root as configured: absolute, `~/…`, or relative to the worktree. None for `~`
    /// without a home.
    #[must_use]
    pub fn root_directory(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(tail) if tail.starts_with('/') => {
                Some(self.home.as_ref()?.join(tail.trim_start_matches('/')))
            }
            _ => Some(self.root.join(path)),
        }
    }

    /// The plan's default place: `<git dir>/kontext/plan.json`, so one per worktree; outside git
    /// `<state dir>/kontext/plans/<first 16 hex digits of the SHA-256 of the root>.json`. When [`Places::state_dir`]
    /// is none this is a path at which no file can be.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        match &self.git_dir {
            Some(git_dir) => git_dir.join("kontext/plan.json"),
            None => self.own_state().join("plans").join(format!("{}.json", self.root_digest())),
        }
    }

    /// The record of approvals, `<config dir>/trust.json`; none when no home is known.
    #[must_use]
    pub fn trust(&self) -> Option<PathBuf> {
        Some(self.config_dir.as_ref()?.join("trust.json"))
    }

    /// The directory of event deliveries: `<git common dir>/kontext/outbox`, shared by all worktrees so that removing
    /// one loses nothing; outside git `<state dir>/kontext/outbox/<first 16 hex digits of the SHA-256 of the root>`.
    #[must_use]
    pub fn outbox(&self) -> PathBuf {
        match &self.common_dir {
            Some(common_dir) => common_dir.join("kontext/outbox"),
            None => self.own_state().join("outbox").join(self.root_digest()),
        }
    }

    /// The path as people read it: relative to the repository root with `/` when it is inside, else absolute. The
    /// comparison is of names; links are not followed.
    #[must_use]
    pub fn display(&self, path: &Path) -> String {
        let path = without_climbs(absolute(path));
        match path.strip_prefix(&self.root) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => path.to_string_lossy().into_owned(),
        }
    }

    /// An input as people read it: its path by [`Places::display`], or the logical name where it has none.
    #[must_use]
    pub fn display_logical(&self, logical: &str) -> String {
        self.input(logical).map_or_else(|| logical.to_owned(), |path| self.display(&path))
    }

    fn own_state(&self) -> PathBuf {
        self.state_dir.as_deref().unwrap_or(Path::new(NOWHERE)).join("kontext")
    }

    fn root_digest(&self) -> String {
        let digest = Sha256::digest(self.root.as_os_str().as_bytes());
        digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

fn xdg(env: &Env, variable: &str, below_home: &str) -> Option<PathBuf> {
    let given = env.non_empty(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    given.or_else(|| Some(env.home()?.join(below_home)))
}

/// Absolute without following links; fails only for the empty path or a vanished current directory.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The same path without `..`: what it leads to, or, where nothing is, by its names.
fn without_climbs(path: PathBuf) -> PathBuf {
    if !path.components().any(|part| part == Component::ParentDir) {
        return path;
    }
    if let Ok(resolved) = path.canonicalize() {
        return resolved;
    }
    let mut named = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            named.pop();
        } else {
            named.push(part);
        }
    }
    named
}

pub(crate) fn inner(relative: &str) -> Option<&Path> {
    let path = Path::new(relative);
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (stays && path.components().next().is_some()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(env: &[(&str, &str)], git: bool) -> Places {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::from_pairs(env.iter().copied());
        let mut places = Places::new(&env, &Repository::discover(dir.path()).unwrap(), None);
        places.root = PathBuf::from("/w/main");
        if git {
            places.git_dir = Some(PathBuf::from("/w/.git/worktrees/main"));
            places.common_dir = Some(PathBuf::from("/w/.git"));
        }
        places
    }

    fn input(places: &Places, logical: &str) -> Option<String> {
        places.input(logical).map(|path| path.display().to_string())
    }

    #[test]
    fn inputs_in_git() {
        let places = places(&[("HOME", "/h"), ("KONTEXT_CONFIG", "/x/extra.toml")], true);
        for (logical, path) in [
            ("user:config.toml", "/h/.config/kontext/config.toml"),
            ("user:repos/a-b.toml", "/h/.config/kontext/repos/a-b.toml"),
            ("repo:.kontext.toml", "/w/main/.kontext.toml"),
            ("repo:.ai/kontext.toml", "/w/main/.ai/kontext.toml"),
            ("clone:config.toml", "/w/.git/kontext/config.toml"),
            ("clone:kontext.lock", "/w/.git/kontext/kontext.lock"),
            ("explicit", "/x/extra.toml"),
        ] {
            assert_eq!(input(&places, logical).as_deref(), Some(path));
        }
        for logical in
            ["repo:../x", "repo:a/../../x", "repo:/etc/passwd", "repo:", "user:..", "root:x/y", "config"]
        {
            assert_eq!(input(&places, logical), None, "{logical}");
        }
        assert_eq!(places.plan(), Path::new("/w/.git/worktrees/main/kontext/plan.json"));
        assert_eq!(places.outbox(), Path::new("/w/.git/kontext/outbox"));
        assert_eq!(places.trust().unwrap(), Path::new("/h/.config/kontext/trust.json"));
    }

    #[test]
    fn inputs_outside_git() {
        let places = places(&[("HOME", "/h")], false);
        assert_eq!(input(&places, "clone:config.toml"), None);
        assert_eq!(input(&places, "user:repos/a.toml"), None);
        assert_eq!(input(&places, "explicit"), None);
        assert!(input(&places, "user:config.toml").is_some());
        // printf /w/main | sha256sum | cut -c1-16
        assert_eq!(places.plan(), Path::new("/h/.local/state/kontext/plans/16dbfc613db73c70.json"));
        assert_eq!(places.outbox(), Path::new("/h/.local/state/kontext/outbox/16dbfc613db73c70"));
    }

    #[test]
    fn directories_by_variable() {
        let given = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")];
        let by_xdg = places(&given, false);
        assert_eq!(by_xdg.config_dir(), Some(Path::new("/c/kontext")));
        assert_eq!(by_xdg.state_dir(), Some(Path::new("/s")));
        let own = places(&[("XDG_CONFIG_HOME", "/c"), ("KONTEXT_CONFIG_DIR", "/k")], false);
        assert_eq!(own.config_dir(), Some(Path::new("/k")));
        let unusable =
            places(&[("XDG_CONFIG_HOME", "rel"), ("XDG_STATE_HOME", ""), ("KONTEXT_CONFIG_DIR", "")], false);
        assert_eq!((unusable.config_dir(), unusable.state_dir(), unusable.trust()), (None, None, None));
        assert!(unusable.plan().starts_with(NOWHERE));
        assert_eq!(input(&unusable, "user:config.toml"), None);
    }

    #[test]
    fn display_is_relative_inside_the_repository() {
        let places = places(&[("HOME", "/h")], true);
        assert_eq!(places.display(Path::new("/w/main/.ai/kontext.toml")), ".ai/kontext.toml");
        assert_eq!(places.display(Path::new("/w/main")), ".");
        assert_eq!(places.display(Path::new("/w/main2/x")), "/w/main2/x");
        assert_eq!(places.display(Path::new("/w/main/../x.toml")), "/w/x.toml");
        assert_eq!(places.display(Path::new("/w/main/a/../x.toml")), "x.toml");
        assert_eq!(places.display(Path::new("/w/main/../main/x.toml")), "x.toml");
        assert_eq!(places.display_logical("repo:.kontext.toml"), ".kontext.toml");
        assert_eq!(places.display_logical("user:config.toml"), "/h/.config/kontext/config.toml");
        assert_eq!(places.display_logical("explicit"), "explicit");
    }
}
