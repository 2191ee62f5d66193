//! A repository and a home of their own for tests that start the kontext program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary home with a git repository in it.
pub struct Sandbox {
    directory: TempDir,
}

impl Sandbox {
    /// An empty repository with a remote.
    pub fn new() -> Sandbox {
        let sandbox = Sandbox { directory: tempfile::tempdir().unwrap() };
        sandbox.write("repo/.git/HEAD", "ref: refs/heads/main\n");
        sandbox.write("repo/.git/config", "[remote \"origin\"]\n\turl = git@git.example:team/planner.git\n");
        sandbox.write("repo/.git/objects/.keep", "");
        sandbox.write("repo/.git/refs/heads/.keep", "");
        sandbox
    }

    /// The repository's root.
    pub fn repo(&self) -> PathBuf {
        self.directory.path().join("repo")
    }

    /// Writes a file below the home.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A kontext process in the repository whose environment holds nothing of the user's.
    pub fn command(&self) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.repo()).env_clear().env("HOME", self.directory.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).stdin(Stdio::null());
        command
    }

    /// Runs kontext with these words.
    pub fn run(&self, words: &[&str]) -> Run {
        Run::from(self.command().args(words).output().unwrap())
    }
}

/// The program under test.
pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_kontext"))
}

/// What a process left.
#[derive(Debug)]
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
