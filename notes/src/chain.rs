//! The chain that picks a scope: what the caller says, the path map, the hot document, the default.

use serde::{Deserialize, Serialize};

use crate::current;
use crate::document::{Document, Section};
use crate::path::{Near, Workspace};
use crate::scopes::Scopes;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The scope that the caller names, if any.
    pub active_scope: Option<&'a str>,
    /// The caller's workspace, else the current directory.
    pub workspace: &'a Workspace,
}

/// Which step of the chain answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// The caller named it.
    Explicit,
    /// The path map.
    Map,
    /// The hot document's section `active-scope`.
    Current,
    /// The configured or built-in default.
    Default,
}

impl Step {
    /// The word in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Map => "map",
            Self::Current => "current",
            Self::Default => "default",
        }
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// The scope, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeAnswer {
    /// The scope's id, with aliases resolved.
    pub scope: String,
    /// The step that answered.
    pub step: Step,
    /// The key of the path map that matched, as written.
    pub matched: Option<String>,
    /// The line that says so.
    pub from: Option<Place>,
    /// The section of the hot document that belongs to the scope, if it is there.
    pub section: Option<String>,
    /// What else there is to know.
    pub notes: Vec<String>,
}

/// Picks the scope for `ask`.
#[must_use]
pub fn resolve(ask: Ask, scopes: &Scopes, document: &Document) -> ScopeAnswer {
    let mut notes = Vec::new();
    let found = explicit(ask.active_scope)
        .or_else(|| by_map(ask.workspace, scopes, document, &mut notes))
        .or_else(|| by_document(scopes, document, &mut notes))
        .unwrap_or_else(|| Found {
            id: scopes.default_scope.to_lowercase(),
            step: Step::Default,
            matched: None,
            from: scopes.default_from.clone(),
        });
    let scope = scopes.aliases.resolve(&found.id).to_owned();
    if scope != found.id {
        notes.push(format!("`{}` is an alias of `{scope}`", found.id));
    }
    let section = section_id(&scope);
    let exists = document.section(&section).is_some();
    if !exists && (found.step == Step::Explicit || (found.step != Step::Default && !document.is_blank())) {
        notes.push(format!("the hot document has no section `{section}`"));
    }
    let Found { step, matched, from, .. } = found;
    ScopeAnswer { scope, step, matched, from, section: exists.then_some(section), notes }
}

/// The section that belongs to a scope.
pub(crate) fn section_id(scope: &str) -> String {
    format!("scope-{scope}")
}

/// An answer before aliases.
struct Found {
    id: String,
    step: Step,
    matched: Option<String>,
    from: Option<Place>,
}

fn explicit(active: Option<&str>) -> Option<Found> {
    let id = active.map(str::trim).filter(|id| !id.is_empty())?.to_lowercase();
    Some(Found { id, step: Step::Explicit, matched: None, from: None })
}

fn by_map(
    workspace: &Workspace,
    scopes: &Scopes,
    document: &Document,
    notes: &mut Vec<String>,
) -> Option<Found> {
    notes.extend(scopes.ignored_sources.iter().cloned());
    if scopes.map.is_empty() {
        return None;
    }
    let written = workspace.written();
    let Some(found) = scopes.map.lookup(workspace) else {
        if workspace.given().is_none() {
            notes.push(format!("the workspace `{written}` is no path that the map could match"));
        }
        if let Some(miss) = scopes.map.near_miss(workspace) {
            let (key, line) = (&miss.row.key, scopes.line_now(miss.row.line, document));
            notes.push(match miss.near {
                Near::Case => {
                    format!("the key `{key}` in line {line} would match `{written}` if case did not count")
                }
                Near::Boundary => {
                    format!(
                        "`{written}` begins like the key `{key}` in line {line}, but is another directory"
                    )
                }
            });
        }
        return None;
    };
    if found.resolved {
        let target = workspace.resolved().map_or(written, |path| path.as_str());
        notes.push(format!("matched with symbolic links resolved: `{target}`"));
    }
    let file = scopes.map_file.clone();
    Some(Found {
        id: found.row.scope.clone(),
        step: Step::Map,
        matched: Some(found.row.key.clone()),
        from: file.map(|file| Place { file, line: scopes.line_now(found.row.line, document) }),
    })
}

fn by_document(scopes: &Scopes, document: &Document, notes: &mut Vec<String>) -> Option<Found> {
    let section: &Section = document.section("active-scope")?;
    let current = current::read(section.content());
    if let Some(broken) = current.broken {
        let line = section.content_line + broken;
        notes.push(format!("line {line} of the hot document begins with `current:` and names no scope"));
    }
    let (id, line) = current.scope?;
    let from = Place { file: scopes.hot_file.clone(), line: section.content_line + line };
    Some(Found { id, step: Step::Current, matched: None, from: Some(from) })
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
