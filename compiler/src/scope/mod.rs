//! Scopes and notes compiled: which roots there are, what the maps say, and whether the hot document is well formed.
//!
//! The document itself is data, read when a plan runs. Of it only the two map sections are inputs of the plan.

mod alias;
mod condition;
mod files;
mod hot;
mod map;
mod public;
mod roots;

use std::collections::BTreeMap;

use kontext_notes::document::MAP_SECTIONS;
use kontext_notes::{Document, MapNote, Place, Scopes, is_scope};
use kontext_plan::notes::{HOT_DOCUMENT, section_digest, section_input};
use kontext_plan::{Input, Notes, Profile};

use crate::config::{Config, NotesConfig, Spanned};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, scope_files as report};
use crate::layer::Loaded;
use crate::lower::origins;
use crate::source::{FileSpan, Sources};
use crate::world::World;

use files::Files;
use roots::Chosen;

/// What the phase works on.
struct Compiler<'a> {
    config: &'a NotesConfig,
    sources: &'a Sources,
    files: &'a Files,
    chosen: &'a Chosen,
    profile: Profile,
    /// `when.scope` of every adapter that has it.
    conditions: Vec<&'a [Spanned<String>]>,
    /// Where each alias stands that a condition may name.
    alias_places: BTreeMap<String, FileSpan>,
    diagnostics: &'a mut Diagnostics,
    scopes: Scopes,
}

/// Reads the maps and the hot document, and compiles what a plan knows of them.
pub fn scope<T>(
    config: &Config<T>,
    loaded: &mut Loaded,
    world: &dyn World,
    profile: Profile,
    diagnostics: &mut Diagnostics,
) -> Notes {
    let public = profile == Profile::Public;
    let notes = &config.notes;
    let chosen = roots::choose(notes, loaded, world, diagnostics);
    let files = Files::read(notes, &chosen, public, loaded, world, diagnostics);
    let conditions = config.adapters.iter().filter_map(|adapter| adapter.when.scope.as_ref());
    let mut compiler = Compiler {
        config: notes,
        sources: &loaded.sources,
        files: &files,
        chosen: &chosen,
        profile,
        conditions: conditions.map(|list| list.value.as_slice()).collect(),
        alias_places: BTreeMap::new(),
        diagnostics,
        scopes: Scopes::default(),
    };
    compiler.settings();
    let inputs = compiler.maps();
    let scopes = compiler.scopes;
    loaded.inputs.extend(inputs);
    loaded.inputs.sort();
    Notes { primary: chosen.primary.name.clone(), roots: chosen.roots, public, scopes }
}

/// Takes out the remarks on maps whose finding a comment allowed.
pub fn forget_allowed(notes: &mut Notes, diagnostics: &Diagnostics) {
    let stands = |note: &MapNote| {
        diagnostics.list().iter().any(|found| found.lint.id == note.id && found.message == note.message)
    };
    notes.scopes.problems.retain(stands);
}

impl Compiler<'_> {
    /// What the configuration says itself.
    fn settings(&mut self) {
        self.scopes.hot_file = self.chosen.primary.shown(HOT_DOCUMENT);
        if let Some(default) = &self.config.default_scope {
            self.default_scope(default);
        }
        let scopes = &mut self.scopes;
        if let Some(sections) = &self.config.hot_sections {
            scopes.hot_sections.clone_from(sections);
        }
        scopes.hot_budget_warning = self.config.hot_budget_warning.unwrap_or(scopes.hot_budget_warning);
        scopes.hot_budget_critical = self.config.hot_budget_critical.unwrap_or(scopes.hot_budget_critical);
    }

    fn default_scope(&mut self, default: &Spanned<String>) {
        if default.span.start == default.span.end {
            return; // a value that broken TOML lacks
        }
        if !is_scope(&default.value) {
            self.diagnostics.push(report::report_default_scope(default.span, &default.value));
            return;
        }
        let origin = origins::place(self.sources, default.span);
        let file = origin.file.strip_prefix("repo:").unwrap_or(&origin.file).to_owned();
        let line = usize::try_from(origin.line).unwrap_or(usize::MAX);
        self.scopes.default_scope = default.value.to_lowercase();
        self.scopes.default_from = Some(Place { file, line });
    }

    /// The hot document and both maps; the inputs that the document gives.
    fn maps(&mut self) -> Vec<Input> {
        let text = self.files.hot.map_or("", |id| self.sources.file(id).text.as_str());
        let whole = match (Document::parse(text), self.files.hot) {
            (Ok(document), _) => document,
            (Err(large), Some(id)) => {
                self.diagnostics.push(report::report_large(id, &large.to_string()));
                Document::default()
            }
            (Err(_), None) => Document::default(),
        };
        if let Some(id) = self.files.hot {
            self.markup(id, &whole);
            if self.profile == Profile::Public {
                self.published(id, &whole);
            }
        }
        if self.profile == Profile::Public {
            let public = whole.public();
            self.aliases(&public);
            self.conditions(&public);
            return Vec::new();
        }
        self.paths(&whole);
        self.aliases(&whole);
        self.conditions(&whole);
        let root = &self.chosen.primary.name;
        let input = |id: &&str| Input { name: section_input(root, id), digest: section_digest(&whole, id) };
        MAP_SECTIONS.iter().map(input).collect()
    }

    /// Reports a finding about a map; `memory_health` tells those that are no news.
    fn about_map(&mut self, found: Diagnostic, line: Option<usize>) {
        if found.severity == Severity::Warning {
            let (id, message) = (found.lint.id.to_owned(), found.message.clone());
            self.scopes.problems.push(MapNote { id, message, line });
        }
        self.diagnostics.push(found);
    }
}
