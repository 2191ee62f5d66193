//! Scope and notes at run time: the hot document read as data at every call, and what the plan's tables say of it.

mod files;
mod tools;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use kontext_host::{Env, Places, Repository, Roots};
use kontext_notes::path::Machine;
use kontext_notes::{Ask, Document, ScopeAnswer, Step, Workspace, resolve};
use kontext_plan::notes::HOT_DOCUMENT;
use kontext_plan::{Notes, Plan};

use self::tools::Schemas;
use super::Runtime;
use crate::error::{Failure, RunError};
use crate::load::Trust;
use crate::value::StartScope;

/// The source that hits in the notes are of.
pub(super) const SOURCE: &str = "notes";
/// Bytes of notes that are read at most. A hot document may have fewer, and is told its size up to here.
const LIMIT: u64 = 16 * 1024 * 1024;

/// The notes of one process.
#[derive(Debug)]
pub(super) struct Library {
    notes: Notes,
    places: Places,
    roots: Roots,
    start: Option<String>,
    home: Option<String>,
    schemas: Schemas,
    /// The plan needs the scope of the start.
    asked: bool,
}

/// Which workspace is asked about, and the scope a caller named.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The workspace, else the directory of the start.
    pub workspace: Option<&'a str>,
    /// The scope.
    pub active_scope: Option<&'a str>,
}

impl Library {
    pub(super) fn new(plan: &Plan, env: &Env, repository: &Repository, trust: Trust) -> Library {
        let notes = plan.scope.clone().unwrap_or_default();
        let places = Places::new(env, repository, None);
        let roots = roots(&notes, &places, trust);
        let start = std::env::current_dir().ok().map(|path| text(&path));
        let home = env.home().map(text);
        let asked = plan.facts.iter().any(|fact| fact.name.starts_with("scope."));
        Library { notes, places, roots, start, home, schemas: Schemas::default(), asked }
    }

    /// Whether the plan needs the scope of the start.
    pub(super) fn is_asked(&self) -> bool {
        self.asked
    }

    /// The scope of the directory of the start, or why it is not known. Where the map answers the document is not read.
    pub(super) fn start_scope(&self) -> Result<StartScope, String> {
        let workspace = self.workspace(None);
        let ask = Ask { active_scope: None, workspace: &workspace };
        let scopes = &self.notes.scopes;
        let mut answer = resolve(ask, scopes, &Document::default());
        if answer.step != Step::Map {
            let text = self.read().map_err(|failure| failure.message)?;
            answer = resolve(ask, scopes, &self.document(&text));
        }
        Ok(StartScope { id: answer.scope, step: answer.step.as_str() })
    }

    /// The text of the hot document; empty when there is none.
    fn read(&self) -> Result<String, Failure> {
        let bytes = self.roots.read(&self.notes.primary, HOT_DOCUMENT, LIMIT);
        let bytes = bytes.map_err(|error| Failure::unsent("call-failed", error.to_string()))?;
        let bytes = bytes.unwrap_or_default();
        if bytes.len() > kontext_notes::LONGEST_DOCUMENT {
            let large = kontext_notes::TooLarge { bytes: bytes.len() };
            return Err(Failure::unsent("too-large", large.to_string()));
        }
        Ok(match String::from_utf8_lossy(&bytes) {
            // Bytes that are no text are longer as text.
            Cow::Owned(mut text) => {
                let end = (0..=kontext_notes::LONGEST_DOCUMENT).rev().find(|end| text.is_char_boundary(*end));
                text.truncate(end.unwrap_or(0));
                text
            }
            Cow::Borrowed(text) => text.to_owned(),
        })
    }

    /// The document of a text, as far as the plan may see it.
    fn document<'t>(&self, text: &'t str) -> Document<'t> {
        let document = Document::parse(text).unwrap_or_default();
        if self.notes.public { document.public() } else { document }
    }

    fn workspace(&self, written: Option<&str>) -> Workspace {
        let machine = Machine { current_dir: self.start.as_deref(), home: self.home.as_deref() };
        let written = written.filter(|path| !path.trim().is_empty()).or(machine.current_dir);
        let located = written.and_then(|path| Workspace::locate(path, machine));
        let resolved = located.and_then(|path| resolved(Path::new(path.as_str())));
        Workspace::new(written, resolved.as_deref(), machine)
    }

    /// The answer with a configuration file by the name that people know.
    fn shown(&self, mut answer: ScopeAnswer) -> ScopeAnswer {
        if answer.step == Step::Default
            && let Some(place) = &mut answer.from
        {
            place.file = self.places.display_logical(&place.file);
        }
        answer
    }
}

/// The roots of a plan. Its claims about layers count only where those of its adapters do.
pub(crate) fn roots(notes: &Notes, places: &Places, trust: Trust) -> Roots {
    let private = |claimed: bool| claimed && trust.believes_layers();
    Roots::new(
        places,
        notes.roots.iter().map(|root| (root.name.as_str(), root.path.as_str(), private(root.private))),
    )
}

/// A path with its links followed, as far as it is there.
fn resolved(path: &Path) -> Option<String> {
    path.ancestors().find_map(|above| {
        let real = fs_err::canonicalize(above).ok()?;
        let below = path.strip_prefix(above).ok()?;
        Some(text(&real.join(below)))
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Runtime {
    /// The same, as if started in another directory: what a workspace is that nobody names.
    #[must_use]
    pub fn started_in(mut self, directory: &Path) -> Self {
        let directory: PathBuf = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
        self.library.start = Some(text(&directory));
        self.facts.forget_scope();
        self
    }

    /// The scope, and how it came about.
    ///
    /// # Errors
    /// When the hot document cannot be read.
    pub fn scope(&self, about: About<'_>) -> Result<ScopeAnswer, RunError> {
        let text = self.library.read().map_err(|failure| RunError::new(failure.id, failure.message))?;
        let workspace = self.library.workspace(about.workspace);
        let ask = Ask { active_scope: about.active_scope, workspace: &workspace };
        let answer = resolve(ask, &self.library.notes.scopes, &self.library.document(&text));
        Ok(self.library.shown(answer))
    }
}
