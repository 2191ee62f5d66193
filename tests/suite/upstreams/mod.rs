//! On real input: kontext in front of programs that nobody here wrote, which `.ci/run` installs.
//!
//! ripgrep and git are found on `PATH`; packages from npm and PyPI below the folder that
//! `KONTEXT_UPSTREAMS` names.

mod clients;
mod conformance;
mod git;
mod growing;
mod json_server;
mod mcp;
mod ripgrep;
mod server;
mod serving;
mod streamable;
mod together;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::sandbox::{Run, program};

/// The layer of the clone, below the folder of a [`Place`].
const CLONE: &str = "repo/.git/kontext/config.toml";
/// The layer of the user, below the folder of a [`Place`].
const USER: &str = "config/config.toml";

/// A fresh folder with a real git repository and a home of its own.
struct Place {
    directory: TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Place {
    /// An empty repository on the branch `main`.
    fn new() -> Place {
        let place = Place { directory: tempfile::tempdir().unwrap(), variables: Vec::new() };
        for folder in ["home", "config", "state", "repo"] {
            std::fs::create_dir(place.path().join(folder)).unwrap();
        }
        place.git(&["init", "-q", "-b", "main", "."]);
        place
    }

    /// The same with a variable that every kontext started from now on sees.
    fn with(mut self, name: &'static str, value: String) -> Place {
        self.variables.push((name, value));
        self
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn repo(&self) -> PathBuf {
        self.path().join("repo")
    }

    /// Writes a file below the folder.
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
    }

    /// A process in the repository with nothing of the user's around it.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.repo()).stdin(Stdio::null()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LC_ALL", "C.UTF-8");
        command
            .env("HOME", self.path().join("home"))
            .env("XDG_CONFIG_HOME", self.path().join("home/.config"));
        command.env("XDG_STATE_HOME", self.path().join("state"));
        command.env("KONTEXT_CONFIG_DIR", self.path().join("config"));
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What git prints; it must succeed.
    fn git(&self, words: &[&str]) -> String {
        printed(self.command("git").args(words).output().unwrap())
    }

    /// A commit of everything, with an author and a day.
    fn commit(&self, author: &str, day: &str, message: &str) {
        self.git(&["add", "."]);
        let mut command = self.command("git");
        command.args(["commit", "-q", "-m", message]);
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), author)
                .env(format!("GIT_{role}_EMAIL"), "crew@example.org");
            command.env(format!("GIT_{role}_DATE"), format!("{day}T12:00:00+00:00"));
        }
        printed(command.output().unwrap());
    }

    /// Runs kontext with these words.
    fn run(&self, words: &[&str]) -> Run {
        Run::from(self.command(program()).args(words).output().unwrap())
    }

    /// `kontext check` without a finding, then `kontext build`.
    #[track_caller]
    fn build(&self) {
        let check = self.run(&["check", "--deny-warnings"]);
        assert!(check.status == 0 && check.out.is_empty(), "{check:?}");
        let build = self.run(&["build"]);
        assert_eq!(build.status, 0, "{build:?}");
    }

    /// The JSON that a successful kontext prints; it has nothing to remark.
    #[track_caller]
    fn json(&self, words: &[&str]) -> Value {
        let run = self.run(words);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{words:?}: {run:?}");
        serde_json::from_str(&run.out).unwrap()
    }

    /// The hits of a successful `run op`, and no notes.
    #[track_caller]
    fn hits(&self, op: &str, inputs: &[&str]) -> Vec<Value> {
        let mut words = vec!["run", "op", op];
        words.extend(inputs.iter().flat_map(|input| ["--input", input]));
        let answer = self.json(&words);
        assert_eq!(answer["notes"], Value::Array(Vec::new()), "{words:?}");
        answer["hits"].as_array().unwrap().clone()
    }

    /// The message of a `run` that fails with this id: no data, and the place of the configuration is named.
    #[track_caller]
    fn failure(&self, id: &str, words: &[&str]) -> String {
        let run = self.run(&[words, &["--format", "json"]].concat());
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{words:?}: {run:?}");
        let error: Value = serde_json::from_str(&run.err).unwrap();
        assert_eq!(error["id"], id, "{error}");
        assert!(error["line"].is_u64() && error["file"].is_string(), "{error}");
        error["message"].as_str().unwrap().to_owned()
    }
}

/// The folder of the packages.
fn upstreams() -> PathBuf {
    let folder = std::env::var_os("KONTEXT_UPSTREAMS");
    PathBuf::from(folder.expect("KONTEXT_UPSTREAMS must name the folder of the packages (see .ci/run)"))
}

/// Standard output of a program that must succeed.
#[track_caller]
fn printed(output: Output) -> String {
    let run = Run::from(output);
    assert_eq!(run.status, 0, "{run:?}");
    run.out
}

/// One field of every hit as text; a missing one is empty.
fn column<'a>(hits: &'a [Value], field: &str) -> Vec<&'a str> {
    hits.iter().map(|hit| hit[field].as_str().unwrap_or_default()).collect()
}
