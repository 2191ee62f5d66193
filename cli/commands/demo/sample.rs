//! The demo's repository: a git repository as git would have made it, without git.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::commands::Failure;

/// Where the demo's adapters are, relative to the repository.
pub const CONFIG: &str = ".git/kontext/config.toml";
/// The adapters with mistakes.
pub const BROKEN: &str = include_str!("../../../fixtures/demo/broken.toml");
/// The adapters without.
pub const FIXED: &str = include_str!("../../../fixtures/demo/fixed.toml");

const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        ".git/config",
        "[core]\n\trepositoryformatversion = 0\n[remote \"origin\"]\n\turl = https://git.example/harbour/planner.git\n",
    ),
    (".git/refs/heads/.keep", ""),
    (".git/objects/.keep", ""),
    ("docs/releasing.md", include_str!("../../../fixtures/demo/docs/releasing.md")),
    ("docs/on-call.md", include_str!("../../../fixtures/demo/docs/on-call.md")),
    (".ai/agent-notes.md", include_str!("../../../fixtures/demo/ai/agent-notes.md")),
    (
        ".ai/knowledge/work/local/workspace-scope-map-v1.md",
        include_str!("../../../fixtures/demo/ai/paths.md"),
    ),
    (".ai/knowledge/work/local/scope-alias-map-v1.md", include_str!("../../../fixtures/demo/ai/aliases.md")),
];
/// Stands for the repository's root in the path map.
const ROOT: &str = "REPOSITORY";

/// The repository; removed when dropped.
pub struct Sample {
    directory: TempDir,
}

impl Sample {
    /// Writes it into a new temporary directory.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn create() -> Result<Sample, Failure> {
        let directory = tempfile::Builder::new().prefix("kontext-demo-").tempdir();
        let directory =
            directory.map_err(|error| Failure::refused(format!("no temporary directory: {error}")))?;
        let sample = Sample { directory };
        let root = sample.repository().display().to_string();
        for (name, text) in FILES {
            sample.write(name, &text.replace(ROOT, &root))?;
        }
        Ok(sample)
    }

    /// The root of the repository.
    pub fn repository(&self) -> &Path {
        self.directory.path()
    }

    /// A configuration directory in which no layer is.
    pub fn config_dir(&self) -> PathBuf {
        self.directory.path().join(".git/nobody")
    }

    /// Writes the layer of the clone.
    ///
    /// # Errors
    /// When that cannot be done.
    pub fn configure(&self, text: &str) -> Result<(), Failure> {
        self.write(CONFIG, text)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        kontext_host::write_atomically(&self.directory.path().join(name), text.as_bytes())
            .map_err(|error| Failure::refused(error.to_string()))
    }
}
