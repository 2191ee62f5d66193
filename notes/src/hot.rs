//! `read_hot_context`: the sections an agent always reads, and the one of its scope.

use serde::Serialize;

use crate::chain::{Ask, ScopeAnswer, resolve, section_id};
use crate::document::Document;
use crate::scopes::Scopes;

/// The answer of `read_hot_context`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HotContext {
    /// The scope.
    pub scope: ScopeAnswer,
    /// Ids of the sections in `content`, in their order.
    pub loaded_sections: Vec<String>,
    /// Ids of hot sections that the document does not have.
    pub missing: Vec<String>,
    /// The sections with their markers, one blank line between.
    pub content: String,
}

/// What stands between two sections.
pub(crate) const BETWEEN: &str = "\n\n";

/// Loads the hot sections.
#[must_use]
pub fn read_hot_context(ask: Ask, scopes: &Scopes, document: &Document) -> HotContext {
    let scope = resolve(ask, scopes, document);
    let hot = hot_ids(scopes, &scope.scope);
    let (loaded_sections, missing): (Vec<String>, Vec<String>) =
        hot.into_iter().partition(|id| document.section(id).is_some());
    let blocks = loaded_sections.iter().filter_map(|id| document.section(id));
    let content = blocks.map(|section| section.block()).collect::<Vec<_>>().join(BETWEEN);
    HotContext { scope, loaded_sections, missing, content }
}

/// Ids of the hot sections in their order, each once; the scope's comes last.
pub(crate) fn hot_ids(scopes: &Scopes, scope: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for id in scopes.hot_sections.iter().cloned().chain([section_id(scope)]) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}
