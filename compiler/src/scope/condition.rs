//! `when.scope` against what the chain can give: an adapter that is active nowhere is a mistake.

use std::collections::BTreeSet;

use kontext_notes::{Ask, Document, Scopes, Workspace, resolve};
use kontext_plan::Profile;

use super::Compiler;
use crate::config::Spanned;
use crate::diagnostic::scope as report;

impl Compiler<'_> {
    /// Reports scopes that no directory is in.
    pub(super) fn conditions(&mut self, document: &Document<'_>) {
        let conditions = std::mem::take(&mut self.conditions);
        if conditions.is_empty() {
            return;
        }
        // Without all layers nobody knows which maps there are.
        let given = (self.profile == Profile::Local).then(|| Given::of(&self.scopes, document));
        for id in conditions.into_iter().flatten().filter(|id| kontext_notes::is_scope(&id.value)) {
            self.condition(id, given.as_ref());
        }
    }

    fn condition(&mut self, written: &Spanned<String>, given: Option<&Given>) {
        let id = written.value.to_lowercase();
        let end = self.scopes.aliases.resolve(&id);
        if end != id {
            let found = report::report_alias_in_condition(written.span, &written.value, end);
            self.diagnostics.push(match self.alias_places.get(&id) {
                Some(place) => found.label(*place, "the alias"),
                None => found,
            });
        } else if let Some(given) = given.filter(|given| !given.scopes.contains(&id)) {
            let known: Vec<&str> = given.scopes.iter().map(String::as_str).collect();
            let everywhere =
                given.everywhere.map(|line| (self.scopes.map_file.as_deref().unwrap_or(""), line));
            let found = report::report_not_given(written.span, &written.value, &known, everywhere);
            if let Some(found) = found {
                self.diagnostics.push(found);
            }
        }
    }
}

/// What the chain gives, aliases resolved.
struct Given {
    /// Line of the key that every directory is below. With it nothing but the map answers.
    everywhere: Option<usize>,
    /// The scopes of the map; without such a key also the default, what the document says now, and the scopes that
    /// have a section in it.
    scopes: BTreeSet<String>,
}

impl Given {
    fn of(scopes: &Scopes, document: &Document<'_>) -> Given {
        let everywhere = scopes.map.posix.iter().find(|row| row.path == "/").map(|row| row.line);
        let resolved = |id: &str| scopes.aliases.resolve(id).to_owned();
        let mut given: BTreeSet<String> = scopes.map.rows().map(|row| resolved(&row.scope)).collect();
        if everywhere.is_none() {
            let nowhere = Workspace::default();
            given.insert(resolve(Ask { active_scope: None, workspace: &nowhere }, scopes, document).scope);
            given.insert(resolved(&scopes.default_scope.to_lowercase()));
            given.extend(scopes.aliases.iter().map(|(_, scope)| scope.to_owned()));
            let sections = document.sections().filter_map(|section| section.id.strip_prefix("scope-"));
            given.extend(sections.map(str::to_lowercase));
        }
        Given { everywhere, scopes: given }
    }
}
