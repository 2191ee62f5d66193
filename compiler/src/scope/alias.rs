//! The alias map, resolved to the end.

use kontext_grammar::scope_map::ast::{Entry, MapKind};
use kontext_notes::Document;
use kontext_notes::alias::{AliasLine, AliasProblem, Aliases};

use super::Compiler;
use super::hot::place;
use super::map::Source;
use crate::diagnostic::scope as report;

impl Compiler<'_> {
    /// Compiles the alias map.
    pub(super) fn aliases(&mut self, document: &Document<'_>) {
        let Some(file) = self.files.aliases else { return };
        let sources = self.sources;
        let source = Source::file(file, &sources.file(file).text, &sources.file(file).display);
        let map = source.parse(MapKind::Alias);
        self.lines(&source, &map);
        let lines: Vec<AliasLine> =
            map.entries.iter().map(|entry| AliasLine { alias: &entry.key, scope: &entry.scope }).collect();
        let (aliases, problems) = Aliases::compile(&lines);
        for problem in &problems {
            self.alias_problem(&source, &map.entries, problem);
        }
        let hiding: Vec<&str> = aliases.hiding(|id| document.section(id).is_some()).collect();
        for alias in hiding {
            self.hides(&source, &map.entries, document, alias, aliases.resolve(alias));
        }
        if !self.conditions.is_empty() {
            let place = |entry: &Entry| (entry.key.clone(), source.place(entry.key_span));
            self.alias_places = map.entries.iter().rev().map(place).collect();
        }
        self.scopes.aliases = aliases;
    }

    fn alias_problem(&mut self, source: &Source<'_>, entries: &[Entry], problem: &AliasProblem) {
        let Some(entry) = entries.get(problem.line()) else { return };
        let at = source.place(entry.key_span);
        self.diagnostics.push(match problem {
            AliasProblem::Conflict { first, .. } => {
                let Some(first) = entries.get(*first) else { return };
                report::report_alias_conflict(at, &entry.key, &entry.scope, &first.scope)
                    .label(source.place(first.key_span), "first here")
            }
            AliasProblem::Cycle { members, .. } => report::report_alias_cycle(at, members),
        });
    }

    fn hides(
        &mut self,
        source: &Source<'_>,
        entries: &[Entry],
        document: &Document<'_>,
        alias: &str,
        scope: &str,
    ) {
        let Some(entry) = entries.iter().find(|entry| entry.key == alias) else { return };
        let found = report::report_hidden(source.place(entry.key_span), alias, scope);
        let section = document.section(&format!("scope-{alias}")).zip(self.files.hot);
        let found = match section {
            Some((section, hot)) => found.label(place(hot, section.open), "never loaded"),
            None => found,
        };
        self.about_map(found, Some(source.line(entry.line)));
    }
}
