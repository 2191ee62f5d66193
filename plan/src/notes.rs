//! Scope and notes: where notes are, and the compiled tables that pick an agent's slice of them.

use kontext_notes::{Document, Scopes};
use serde::{Deserialize, Serialize};

use crate::{ABSENT, sha256_hex};

/// The hot document's name in its root.
pub const HOT_DOCUMENT: &str = "agent-notes.md";
/// The folder of a root whose files can be read.
pub const KNOWLEDGE: &str = "knowledge";
/// Name of the root that is there without configuration.
pub const STORE_ROOT: &str = "store";
/// Directory of that root when no layer names another.
pub const STORE_DIR: &str = ".ai";

/// What a plan knows of scopes and notes. A plan without it means [`Notes::default`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// Name of the root that holds the hot document.
    pub primary: String,
    /// The roots, sorted by name.
    pub roots: Vec<NotesRoot>,
    /// Only what stands before the public cut of the hot document is read, and no file beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public: bool,
    /// The tables of the chain.
    pub scopes: Scopes,
}

/// A directory that holds notes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NotesRoot {
    /// Its name in `notes:<name>/…` and `root:<name>/…`.
    pub name: String,
    /// As configured: absolute, `~/…`, or relative to the worktree.
    pub path: String,
    /// A private layer configured it, so that it may be outside the worktree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl NotesRoot {
    /// A file of this root as people read it, the same on every machine.
    #[must_use]
    pub fn shown(&self, relative: &str) -> String {
        match self.path.trim_end_matches('/') {
            "." => relative.to_owned(),
            path => format!("{path}/{relative}"),
        }
    }
}

impl Notes {
    /// The one root of a store's directory, with the built-in rules.
    #[must_use]
    pub fn of_store(dir: &str) -> Notes {
        let root = NotesRoot { name: STORE_ROOT.to_owned(), path: dir.to_owned(), private: false };
        let scopes = Scopes { hot_file: root.shown(HOT_DOCUMENT), ..Scopes::default() };
        Notes { primary: STORE_ROOT.to_owned(), roots: vec![root], public: false, scopes }
    }

    /// The root of a name.
    #[must_use]
    pub fn root(&self, name: &str) -> Option<&NotesRoot> {
        self.roots.iter().find(|root| root.name == name)
    }
}

impl Default for Notes {
    fn default() -> Notes {
        Notes::of_store(STORE_DIR)
    }
}

/// Logical name of a section of the hot document as an input.
#[must_use]
pub fn section_input(root: &str, section: &str) -> String {
    format!("section:{root}/{section}")
}

/// Digest of a section's text as an input: edits elsewhere in the document do not change it.
#[must_use]
pub fn section_digest(document: &Document<'_>, section: &str) -> String {
    match document.section(section) {
        Some(section) => sha256_hex(section.content().as_bytes()),
        None => ABSENT.to_owned(),
    }
}
