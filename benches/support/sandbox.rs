//! A repository and a home of their own for the processes that are measured.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The program that is measured, built in the profile of the benches.
const PROGRAM: &str = env!("CARGO_BIN_EXE_kontext");

/// A temporary home with a git repository in it.
pub struct Sandbox {
    directory: TempDir,
}

impl Sandbox {
    /// With a text as the repository's own layer, and one as the user's.
    pub fn new(repository: &str, user: &str) -> io::Result<Sandbox> {
        let sandbox = Sandbox { directory: tempfile::tempdir()? };
        sandbox.write("repo/.git/HEAD", "ref: refs/heads/main\n")?;
        sandbox.write("repo/.git/config", "[remote \"origin\"]\n\turl = git@git.example:team/notes.git\n")?;
        sandbox.write("repo/.git/objects/.keep", "")?;
        sandbox.write("repo/.git/refs/heads/.keep", "")?;
        sandbox.write("repo/.kontext.toml", repository)?;
        sandbox.write(".config/kontext/config.toml", user)?;
        Ok(sandbox)
    }

    /// The repository's root.
    pub fn repo(&self) -> PathBuf {
        self.directory.path().join("repo")
    }

    /// The home.
    pub fn home(&self) -> &Path {
        self.directory.path()
    }

    /// Runs kontext once, and gives its exit status.
    pub fn kontext(&self, words: &[&str]) -> Option<i32> {
        self.run(&mut self.command(words))
    }

    /// kontext with these words, in the repository and with no environment but its own.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        self.at_home(command.args(words));
        command
    }

    #[allow(dead_code, reason = "not every bench needs it")]
    /// Runs a program once, as bare as a process can be.
    pub fn bare(&self, program: &str) -> Option<i32> {
        self.run(&mut Command::new(program))
    }

    #[allow(dead_code, reason = "not every bench needs it")]
    /// Runs another program once, in the repository.
    pub fn other(&self, program: &Path, words: &[&str]) -> Option<i32> {
        self.run(Command::new(program).args(words))
    }

    fn at_home(&self, command: &mut Command) {
        command.current_dir(self.repo()).env_clear().env("HOME", self.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    }

    fn run(&self, command: &mut Command) -> Option<i32> {
        self.at_home(command);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().ok()?.code()
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.directory.path().join(name);
        fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs_err::write(path, text)
    }
}
