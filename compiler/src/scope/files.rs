//! The Markdown files of the primary root that are read when a configuration is compiled.

use kontext_plan::NotesRoot;
use kontext_plan::notes::{HOT_DOCUMENT, KNOWLEDGE};

use super::roots::{Chosen, leads_out};
use crate::config::{NotesConfig, Spanned};
use crate::diagnostic::{Diagnostics, scope_files as report};
use crate::layer::Loaded;
use crate::source::{FileId, FileSpan};
use crate::world::{ReadError, RootPlace, World};

const PATH_MAP: &str = "work/local/workspace-scope-map-v1.md";
const ALIAS_MAP: &str = "work/local/scope-alias-map-v1.md";
const LEGACY_MAP: &str = "knowledge/META/mcp-resolve-paths-v1.json";

/// The files that are there.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The hot document.
    pub(super) hot: Option<FileId>,
    /// The path map.
    pub(super) map: Option<FileId>,
    /// The alias map.
    pub(super) aliases: Option<FileId>,
    /// The path map as it is called in answers.
    pub(super) map_file: String,
}

/// Every file is an input `root:<name>/<path>`.
struct InRoot<'a> {
    world: &'a dyn World,
    chosen: &'a Chosen,
}

impl Files {
    /// Reads them. A public plan has no path map, so its file is not looked at.
    pub(super) fn read(
        config: &NotesConfig,
        chosen: &Chosen,
        public: bool,
        loaded: &mut Loaded,
        world: &dyn World,
        diagnostics: &mut Diagnostics,
    ) -> Files {
        let root = InRoot { world, chosen };
        let path = |set: &Option<Spanned<String>>, usual: &str| {
            format!("{KNOWLEDGE}/{}", set.as_ref().map_or(usual, |set| set.value.as_str()))
        };
        let map = path(&config.scope_map, PATH_MAP);
        let mut files = Files { map_file: chosen.primary.shown(&map), ..Files::default() };
        files.hot = root.text(HOT_DOCUMENT, loaded, diagnostics).0;
        let name = root.name(HOT_DOCUMENT);
        loaded.inputs.retain(|input| input.name != name);
        if !public {
            files.map = root.map(&map, config.scope_map.as_ref(), loaded, diagnostics);
        }
        let aliases = path(&config.scope_aliases, ALIAS_MAP);
        files.aliases = root.map(&aliases, config.scope_aliases.as_ref(), loaded, diagnostics);
        root.legacy(&files.map_file, loaded, diagnostics);
        files
    }
}

impl InRoot<'_> {
    fn name(&self, relative: &str) -> String {
        format!("root:{}/{relative}", self.chosen.primary.name)
    }

    fn text(
        &self,
        relative: &str,
        loaded: &mut Loaded,
        diagnostics: &mut Diagnostics,
    ) -> (Option<FileId>, bool) {
        loaded.text(self, &self.name(relative), self.chosen.layer, diagnostics)
    }

    /// A map, which must be there when the configuration names it. In a root that is not there nothing is, and that
    /// was said.
    fn map(
        &self,
        relative: &str,
        set: Option<&Spanned<String>>,
        loaded: &mut Loaded,
        diagnostics: &mut Diagnostics,
    ) -> Option<FileId> {
        if set.is_some_and(|set| leads_out(&set.value) || set.value.is_empty()) {
            return None; // that was reported
        }
        let (id, there) = self.text(relative, loaded, diagnostics);
        let rooted = !self.chosen.missing.contains(&self.chosen.primary.name);
        if let Some(set) = set.filter(|_| rooted && !there) {
            let shown = self.chosen.primary.shown(relative);
            diagnostics.push(report::report_missing_file(set.span, &shown));
        }
        id
    }

    /// The map of an older kind, which is not read.
    fn legacy(&self, map: &str, loaded: &mut Loaded, diagnostics: &mut Diagnostics) {
        let Ok(Some(_)) = self.world.read_note(&self.chosen.roots, &self.chosen.primary, LEGACY_MAP) else {
            return;
        };
        let input = self.name(LEGACY_MAP);
        let display = self.display(&input).unwrap_or_else(|| input.clone());
        let id = loaded.sources.add(&input, &display, self.chosen.layer, String::new());
        diagnostics.push(report::report_legacy(FileSpan::new(id, 0..0), map));
    }

    fn relative<'i>(&self, input: &'i str) -> Option<(&NotesRoot, &'i str)> {
        let (name, relative) = input.strip_prefix("root:")?.split_once('/')?;
        (name == self.chosen.primary.name).then_some((&self.chosen.primary, relative))
    }
}

impl World for InRoot<'_> {
    fn display(&self, input: &str) -> Option<String> {
        let (root, relative) = self.relative(input)?;
        self.world.display_note(root, relative)
    }

    fn read(&self, input: &str) -> Result<Option<Vec<u8>>, ReadError> {
        match self.relative(input) {
            Some((root, relative)) => self.world.read_note(&self.chosen.roots, root, relative),
            None => Ok(None),
        }
    }

    fn root_place(&self, root: &NotesRoot) -> RootPlace {
        self.world.root_place(root)
    }

    fn repo_slug(&self) -> String {
        self.world.repo_slug()
    }

    fn repo_name(&self) -> String {
        self.world.repo_name()
    }

    fn in_repository(&self) -> bool {
        self.world.in_repository()
    }
}
