//! `check --fix`: applies the fixes that are certain, round after round, and writes a file only when it is still what
//! was read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kontext_compiler::diagnostic::{Diagnostic, Diagnostics, lint};
use kontext_compiler::source::{FileId, FileSpan};
use kontext_compiler::world::MAX_LAYER;
use kontext_compiler::{Compilation, Options, layer};
use kontext_plan::Profile;

use super::edits::{Change, Chosen, Taken, mended};
use super::snapshot::Snapshot;
use crate::compile::Machine;
use crate::render::Masked;

/// Most rounds: a fix can bring another mistake to light.
const ROUNDS: usize = 5;

/// What was fixed, and what is left.
pub struct Fixed {
    /// The layers as they are now.
    pub compilation: Compilation,
    /// What was done: place, title and id.
    pub done: Vec<String>,
    /// How many files were written.
    pub files: usize,
    /// Files that were not written, and why.
    pub refused: Vec<String>,
}

/// Fixes what is certain in the layers; in these files alone when there are any.
pub fn fix(machine: &Machine, profile: Profile, only: &[PathBuf]) -> Fixed {
    let only: BTreeSet<PathBuf> = only.iter().map(|path| real(path)).collect();
    let mut fixer = Fixer {
        machine,
        profile,
        only,
        snapshot: Snapshot::new(&machine.repository, &machine.places),
        files: BTreeMap::new(),
        done: Vec::new(),
    };
    let mut compilation = fixer.compile();
    fixer.remember(&compilation);
    for _ in 0..ROUNDS {
        let chosen = fixer.chosen(&compilation);
        let sound = fixer.sound(chosen);
        if sound.is_empty() {
            break;
        }
        fixer.apply(sound);
        compilation = fixer.compile();
    }
    fixer.write(compilation)
}

struct Fixer<'a> {
    machine: &'a Machine,
    profile: Profile,
    only: BTreeSet<PathBuf>,
    snapshot: Snapshot<'a>,
    files: BTreeMap<PathBuf, File>,
    /// What was done in which file.
    done: Vec<(PathBuf, String)>,
}

/// A layer's file.
struct File {
    /// The inputs that it is.
    inputs: Vec<String>,
    /// What was read.
    read: String,
    /// What it is with the fixes.
    now: String,
    id: FileId,
}

impl Fixer<'_> {
    fn compile(&self) -> Compilation {
        kontext_compiler::compile(&self.snapshot, &Options { profile: self.profile, ..Options::default() })
    }

    /// Keeps what was read. A file that two layers are, and that changed between, is left alone.
    fn remember(&mut self, compilation: &Compilation) {
        let mut torn = Vec::new();
        for (id, source) in compilation.sources.files() {
            let Some(path) = self.machine.places.input(&source.input).map(|path| real(&path)) else {
                continue;
            };
            let text = source.text.clone();
            let new = File { inputs: Vec::new(), read: text.clone(), now: text.clone(), id };
            let file = self.files.entry(path.clone()).or_insert(new);
            file.inputs.push(source.input.clone());
            if file.read != text {
                torn.push(path);
            }
        }
        self.files.retain(|path, _| !torn.contains(path));
    }

    /// The safe fixes of a round, none at a place of another.
    fn chosen(&self, compilation: &Compilation) -> Vec<Chosen> {
        let mut taken = Taken::default();
        let masked = Masked::new(&compilation.sources, &compilation.masked);
        let findings = compilation.diagnostics.iter();
        let fixes = findings.filter_map(|finding| self.choose(compilation, &masked, finding));
        fixes.filter(|chosen| taken.take(chosen)).collect()
    }

    fn choose(&self, compilation: &Compilation, masked: &Masked<'_>, finding: &Diagnostic) -> Option<Chosen> {
        let fix = finding.fixes.iter().find(|fix| fix.safe)?;
        let change = |span: FileSpan, text: &str| {
            let source = compilation.sources.file(span.file);
            let path = real(&self.machine.places.input(&source.input)?);
            let known = self.files.contains_key(&path) && (self.only.is_empty() || self.only.contains(&path));
            known.then(|| Change { path, range: span.range(), text: text.to_owned() })
        };
        let changes: Vec<Change> =
            fix.edits.iter().map(|edit| change(edit.span, &edit.text)).collect::<Option<_>>()?;
        let at = compilation.sources.start(finding.primary);
        let display = &compilation.sources.file(finding.primary.file).display;
        let title = masked.text(&fix.title);
        let (line, column, id) = (at.line, at.column, finding.lint.id);
        Some(Chosen { title: format!("{display}:{line}:{column}: {title} [{id}]"), changes })
    }

    /// Those of the fixes that make no TOML worse, such as two renamings to one key: halves are tried where the whole
    /// does.
    fn sound(&self, chosen: Vec<Chosen>) -> Vec<Chosen> {
        let mut kept = Vec::new();
        let mut tries = vec![chosen];
        while let Some(mut half) = tries.pop() {
            let before = kept.len();
            if half.is_empty() {
                continue;
            }
            kept.append(&mut half);
            if self.stays_toml(&kept) {
                continue;
            }
            let mut half = kept.split_off(before);
            if half.len() > 1 {
                let second = half.split_off(half.len() / 2);
                tries.push(second);
                tries.push(half);
            }
        }
        kept
    }

    fn stays_toml(&self, chosen: &[Chosen]) -> bool {
        self.files.iter().all(|(path, file)| {
            let text = mended(&file.now, path, chosen);
            text == file.now || mistakes(&text, file.id) <= mistakes(&file.now, file.id)
        })
    }

    fn apply(&mut self, chosen: Vec<Chosen>) {
        for (path, file) in &mut self.files {
            let text = mended(&file.now, path, &chosen);
            if text != file.now {
                file.now = text;
                self.snapshot.put(&file.inputs, &file.now);
            }
        }
        for Chosen { title, changes } in chosen {
            let path = changes.into_iter().next().map(|change| change.path).unwrap_or_default();
            self.done.push((path, title));
        }
    }

    /// Writes what changed, and takes back what cannot be written.
    fn write(mut self, mut compilation: Compilation) -> Fixed {
        let (mut files, mut refused) = (0, Vec::new());
        let mut back = BTreeSet::new();
        for (path, file) in self.files.iter().filter(|(_, file)| file.now != file.read) {
            match write(path, file) {
                Ok(()) => files += 1,
                Err(reason) => {
                    refused
                        .push(format!("`{}` was not touched: {reason}", self.machine.places.display(path)));
                    self.snapshot.put(&file.inputs, &file.read);
                    back.insert(path.clone());
                }
            }
        }
        if !back.is_empty() {
            self.done.retain(|(path, _)| !back.contains(path));
            compilation = self.compile();
        }
        Fixed { compilation, done: self.done.into_iter().map(|(_, title)| title).collect(), files, refused }
    }
}

/// How many mistakes of TOML a text has.
fn mistakes(text: &str, file: FileId) -> usize {
    let mut diagnostics = Diagnostics::default();
    drop(layer::parse(text, file, &mut diagnostics));
    diagnostics.list().iter().filter(|found| found.lint.id == lint::INVALID_TOML.id).count()
}

/// Puts the new text in the place of the one that was read, when that is what still stands there.
fn write(path: &Path, file: &File) -> Result<(), String> {
    let regular = fs_err::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if !regular {
        return Err("it is no regular file".to_owned());
    }
    match kontext_host::read_limited(path, MAX_LAYER) {
        Ok(Some(bytes)) if bytes == file.read.as_bytes() => {}
        Ok(_) => return Err("it changed while it was checked".to_owned()),
        Err(error) => return Err(error.to_string()),
    }
    kontext_host::write_atomically(path, file.now.as_bytes()).map_err(|error| error.to_string())
}

/// One name for one file.
fn real(path: &Path) -> PathBuf {
    fs_err::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
