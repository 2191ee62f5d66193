//! The lock files: read, changed in memory, and written when that changed them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kontext_compiler::world::MAX_LAYER;
use kontext_host::{read_limited, write_atomically};
use kontext_plan::lock::{self, FILE_NAME, Lock, LockedAdapter};
use kontext_plan::{ABSENT, Plan};

use crate::commands::Failure;
use crate::compile::Machine;

/// The logical name of the clone's lock.
pub fn of_clone() -> String {
    format!("clone:{FILE_NAME}")
}

/// The logical name of the lock that stands beside the shared layer, when there is such a layer.
pub fn of_shared(plan: &Plan) -> Option<String> {
    let is_shared = |name: &str| name.starts_with("repo:") && name.ends_with("kontext.toml");
    let layer = plan.inputs.iter().find(|input| is_shared(&input.name) && input.digest != ABSENT)?;
    let folder = layer.name.strip_suffix("kontext.toml").filter(|folder| !folder.ends_with('.'));
    Some(format!("{}{FILE_NAME}", folder.unwrap_or("repo:")))
}

/// All lock files of a profile, by logical name.
#[derive(Debug)]
pub struct Files(BTreeMap<String, File>);

#[derive(Debug)]
struct File {
    /// Where it is; none where there can be none.
    path: Option<PathBuf>,
    shown: String,
    /// Whose entries belong there; none when that is not known.
    known: Option<BTreeSet<String>>,
    /// What stands on disk: nothing, or what it says.
    before: Option<Lock>,
    /// Why what stands on disk cannot be used.
    broken: Option<String>,
    now: Lock,
}

impl Files {
    /// Reads the files of these logical names.
    ///
    /// # Errors
    /// Status 2 when one is there and cannot be read.
    pub fn read(
        machine: &Machine,
        known: &BTreeMap<String, Option<BTreeSet<String>>>,
    ) -> Result<Files, Failure> {
        let mut files = BTreeMap::new();
        for (name, known) in known {
            files.insert(name.clone(), File::read(machine, name, known.clone())?);
        }
        Ok(Files(files))
    }

    /// Whether there can be such a file.
    pub fn is_possible(&self, file: &str) -> bool {
        self.0.get(file).is_some_and(|file| file.path.is_some())
    }

    /// The path as people read it.
    pub fn shown(&self, file: &str) -> String {
        self.0.get(file).map_or_else(|| file.to_owned(), |file| file.shown.clone())
    }

    /// The entry of an adapter in its file, else in one where it stood before it moved.
    pub fn entry(&self, file: &str, adapter: &str) -> Option<LockedAdapter> {
        let own = self.0.get(file).and_then(|file| file.now.adapters.get(adapter));
        let moved = || self.0.values().find_map(|file| file.now.adapters.get(adapter));
        own.or_else(moved).cloned()
    }

    /// Puts an entry into its file.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn put(&mut self, file: &str, adapter: &str, entry: LockedAdapter) -> Result<(), Failure> {
        let found = self.0.get_mut(file);
        let found = found.ok_or_else(|| Failure::refused(format!("there is no place for `{file}`")))?;
        found.now.adapters.insert(adapter.to_owned(), entry);
        Ok(())
    }

    /// Forgets the entries that belong to no adapter; their names and files.
    pub fn drop_unknown(&mut self) -> Vec<(String, String)> {
        let mut dropped = Vec::new();
        for file in self.0.values_mut() {
            let Some(known) = &file.known else { continue };
            file.now.adapters.retain(|name, _| {
                let stays = known.contains(name);
                if !stays {
                    dropped.push((name.clone(), file.shown.clone()));
                }
                stays
            });
        }
        dropped
    }

    /// An error when a file cannot be used and writing it anew would lose an entry: all others when only some adapters
    /// were asked, else those of adapters that gave no answer, which are given with the logical names of their files.
    ///
    /// # Errors
    /// `lock-drift`, with the reason.
    pub fn refuse_loss(&self, is_partial: bool, silent: &[(&str, &str)]) -> Result<(), Failure> {
        for (name, file) in &self.0 {
            let Some(reason) = &file.broken else { continue };
            let lost = silent
                .iter()
                .find(|(_, of)| of == name)
                .map(|(adapter, _)| format!("the entry of `{adapter}`, which gave no answer"));
            let others = (is_partial && !file.now.adapters.is_empty())
                .then(|| "the entries of all other adapters".to_owned());
            let Some(lost) = others.or(lost) else { continue };
            let shown = &file.shown;
            return Err(Failure::failed(format!("`{shown}` cannot be used: {reason}"))
                .id("lock-drift")
                .help(format!("writing it anew would lose {lost}: take one side with git, or delete it")));
        }
        Ok(())
    }

    /// Writes what changed; the paths as people read them.
    ///
    /// # Errors
    /// Status 2 when one cannot be written.
    pub fn write(&self) -> Result<Vec<String>, Failure> {
        let mut written = Vec::new();
        for file in self.0.values() {
            let Some(path) = file.path.as_ref().filter(|_| file.is_changed()) else { continue };
            write_atomically(path, lock::render(&file.now).as_bytes())
                .map_err(|error| Failure::refused(error.to_string()))?;
            written.push(file.shown.clone());
        }
        Ok(written)
    }
}

impl File {
    fn read(machine: &Machine, name: &str, known: Option<BTreeSet<String>>) -> Result<File, Failure> {
        let path = machine.places.input(name);
        let shown = machine.places.display_logical(name);
        let bytes = match &path {
            Some(path) => {
                read_limited(path, MAX_LAYER).map_err(|error| Failure::refused(error.to_string()))?
            }
            None => None,
        };
        let read = bytes.map(|bytes| understood(&bytes)).transpose();
        let (before, broken) = match read {
            Ok(before) => (before, None),
            Err(reason) => (None, Some(reason)),
        };
        let now = before.clone().unwrap_or_default();
        Ok(File { path, shown, known, before, broken, now })
    }

    fn is_changed(&self) -> bool {
        match &self.before {
            Some(before) => *before != self.now,
            None => !self.now.adapters.is_empty(),
        }
    }
}

fn understood(bytes: &[u8]) -> Result<Lock, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    lock::parse(text).map(|read| read.lock).map_err(|error| error.reason)
}
