//! What is known about the machine while a plan runs, and which of it must stay secret.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::secret::Mask;

/// The facts a plan needs, by name. Clones share what is secret.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    root: PathBuf,
    values: BTreeMap<String, FactValue>,
    scope: OnceLock<Result<StartScope, String>>,
    derived: Arc<Mutex<Derived>>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactValue {
    /// Its text; none when it is missing.
    pub text: Option<String>,
    /// It must not appear in anything kontext writes.
    pub secret: bool,
    /// It is missing because it is set but empty.
    pub empty: bool,
}

/// The scope of the directory that the process was started in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartScope {
    /// Its id, with aliases resolved.
    pub id: String,
    /// The step of the chain that gave it.
    pub step: &'static str,
}

/// Secret texts that evaluation made, and the mask over all that is known so far.
#[derive(Default)]
struct Derived {
    texts: BTreeSet<String>,
    mask: Option<Arc<Mask>>,
}

impl std::fmt::Debug for Derived {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secret texts", self.texts.len())
    }
}

impl Facts {
    /// No facts yet, for a worktree at `root`.
    #[must_use]
    pub fn new(root: PathBuf) -> Facts {
        Facts { root, ..Facts::default() }
    }

    /// The worktree's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Says what a fact is; none and the empty text are both missing.
    pub fn set(&mut self, name: impl Into<String>, text: Option<String>, secret: bool) {
        let empty = text.as_deref() == Some("");
        let text = text.filter(|text| !text.is_empty());
        self.values.insert(name.into(), FactValue { text, secret, empty });
        self.lock().mask = None;
    }

    /// The same facts with other values for some that are not secret.
    #[must_use]
    pub fn with(&self, values: impl IntoIterator<Item = (String, Option<String>)>) -> Facts {
        let mut facts = self.clone();
        for (name, text) in values {
            let text = text.filter(|text| !text.is_empty());
            facts.values.insert(name, FactValue { text, secret: false, empty: false });
        }
        facts
    }

    /// A fact that was set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FactValue> {
        self.values.get(name)
    }

    /// Finds out the scope of the start, once.
    pub fn find_scope(&self, find: impl FnOnce() -> Result<StartScope, String>) {
        self.scope.get_or_init(find);
    }

    /// Forgets the scope of the start: it is another directory now.
    pub fn forget_scope(&mut self) {
        self.scope = OnceLock::new();
    }

    /// The scope of the start, or why it is not known; none when nobody looked for it.
    #[must_use]
    pub fn scope(&self) -> Option<Result<&StartScope, &str>> {
        self.scope.get().map(|found| found.as_ref().map_err(String::as_str))
    }

    /// Takes in a text that is secret although no fact holds it as it is.
    pub fn add_secret(&self, text: &str) {
        let mut derived = self.lock();
        if text.len() >= Mask::SHORTEST && !derived.texts.contains(text) {
            derived.texts.insert(text.to_owned());
            derived.mask = None;
        }
    }

    /// The mask over every secret known now; take it after the call was built.
    #[must_use]
    pub fn mask(&self) -> Arc<Mask> {
        let mut derived = self.lock();
        if let Some(mask) = &derived.mask {
            return Arc::clone(mask);
        }
        let facts = self.values.values().filter(|fact| fact.secret).filter_map(|fact| fact.text.as_deref());
        let mask = Arc::new(Mask::new(facts.chain(derived.texts.iter().map(String::as_str))));
        derived.mask = Some(Arc::clone(&mask));
        mask
    }

    fn lock(&self) -> MutexGuard<'_, Derived> {
        self.derived.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
