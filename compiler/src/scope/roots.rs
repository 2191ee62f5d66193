//! The roots of notes: those that are configured, else the store's directory.

use std::collections::BTreeSet;

use kontext_plan::notes::STORE_ROOT;
use kontext_plan::{LayerName, NotesRoot};

use crate::config::{NotesConfig, Spanned};
use crate::diagnostic::{Diagnostics, scope_files as report};
use crate::layer::Loaded;
use crate::source::FileSpan;
use crate::world::{RootPlace, World};

/// The roots, and the one with the hot document.
pub(super) struct Chosen {
    /// All, sorted by name.
    pub(super) roots: Vec<NotesRoot>,
    /// The primary one.
    pub(super) primary: NotesRoot,
    /// The layer that says where the primary one is.
    pub(super) layer: LayerName,
    /// The names of those that are not there.
    pub(super) missing: BTreeSet<String>,
}

/// What is gathered.
struct Gathered<'a> {
    loaded: &'a Loaded,
    world: &'a dyn World,
    missing: BTreeSet<String>,
    diagnostics: &'a mut Diagnostics,
    roots: Vec<(NotesRoot, LayerName)>,
}

/// Decides on the roots.
pub(super) fn choose(
    config: &NotesConfig,
    loaded: &Loaded,
    world: &dyn World,
    diagnostics: &mut Diagnostics,
) -> Chosen {
    let mut gathered = Gathered { loaded, world, missing: BTreeSet::new(), diagnostics, roots: Vec::new() };
    for root in &config.roots {
        gathered.add(&root.name, root.key, &format!("knowledge.roots.{}", root.name), &root.value);
    }
    let (primary, layer) = gathered.primary(config);
    for (id, path) in &config.read_only {
        gathered.add(&id.value, id.span, "path", path);
    }
    let missing = gathered.missing;
    let mut roots: Vec<NotesRoot> = gathered.roots.into_iter().map(|(root, _)| root).collect();
    if !roots.contains(&primary) {
        roots.push(primary.clone());
    }
    roots.sort();
    Chosen { roots, primary, layer, missing }
}

impl Gathered<'_> {
    fn add(&mut self, name: &str, named: FileSpan, key: &str, path: &Spanned<String>) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            self.diagnostics.push(report::report_root_name(named, name));
            return;
        }
        if self.roots.iter().any(|(root, _)| root.name == name) {
            self.diagnostics.push(report::report_root_taken(named, name));
            return;
        }
        let layer = self.loaded.sources.layer(path.span);
        let shared = layer == LayerName::Shared;
        let root = NotesRoot { name: name.to_owned(), path: path.value.clone(), private: !shared };
        if path.value.is_empty() {
            // That was reported.
        } else if path.value.trim().is_empty() {
            self.diagnostics.push(crate::diagnostic::fields::values::report_empty(path.span, key));
        } else if shared && leads_out(&path.value) {
            self.diagnostics.push(report::report_shared_root(path.span, key, &path.value));
        } else {
            let place = self.world.root_place(&root);
            if place != RootPlace::Directory {
                self.diagnostics.push(report::report_missing_root(path.span, &root.path, place));
                self.missing.insert(root.name.clone());
            }
        }
        self.roots.push((root, layer));
    }

    /// The root that `primary` names, the only one, or the store's directory.
    fn primary(&mut self, config: &NotesConfig) -> (NotesRoot, LayerName) {
        let known: Vec<(String, String)> =
            self.roots.iter().map(|(root, _)| (root.name.clone(), root.path.clone())).collect();
        let found = match (&config.primary, self.roots.as_slice()) {
            (Some(named), roots) => {
                let found = roots.iter().find(|(root, _)| root.name == named.value).cloned();
                if found.is_none() {
                    self.diagnostics.push(report::report_no_such_root(named.span, &named.value, &known));
                }
                found
            }
            (None, [only]) => Some(only.clone()),
            (None, []) => None,
            (None, _) => {
                if let Some(first) = config.roots.first() {
                    self.diagnostics.push(report::report_no_primary(first.key, &known));
                }
                None
            }
        };
        found.unwrap_or_else(|| {
            let path = self.loaded.store_dir.clone();
            (NotesRoot { name: STORE_ROOT.to_owned(), path, private: false }, LayerName::Shared)
        })
    }
}

/// Whether a path stands outside the worktree.
pub(super) fn leads_out(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    drive || path.starts_with(['/', '\\', '~']) || path.split(['/', '\\']).any(|part| part == "..")
}
