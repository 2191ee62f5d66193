//! Everything of scopes that is known when a configuration is compiled.

use serde::{Deserialize, Serialize};

use crate::alias::Aliases;
use crate::chain::Place;
use crate::document::Document;
use crate::path::PathTable;

/// The scope where nothing else answers, unless `workspace.default_scope` names one.
pub const DEFAULT_SCOPE: &str = "door-to-singularity";
/// Characters of hot context over which its size is a problem, unless `workspace.hot_budget_warning` is set.
pub const HOT_BUDGET_WARNING: usize = 6000;
/// Characters of hot context over which it is a critical one, unless `workspace.hot_budget_critical` is set.
pub const HOT_BUDGET_CRITICAL: usize = 12000;

/// Compiled scope data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scopes {
    /// The last step of the chain, not yet resolved as an alias.
    pub default_scope: String,
    /// Where the configuration says so; nothing for the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_from: Option<Place>,
    /// The path map; empty in a public plan.
    #[serde(default, skip_serializing_if = "PathTable::is_empty")]
    pub map: PathTable,
    /// The file whose lines the map's rows name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map_file: Option<String>,
    /// The section of the hot document that is the map, when no file is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map_section: Option<MapSection>,
    /// Aliases, resolved to the end.
    #[serde(default, skip_serializing_if = "Aliases::is_empty")]
    pub aliases: Aliases,
    /// The hot document's name in answers.
    pub hot_file: String,
    /// Sections that are always loaded, in this order.
    pub hot_sections: Vec<String>,
    /// Characters of hot context that are a problem.
    pub hot_budget_warning: usize,
    /// Characters of hot context that are a critical one.
    pub hot_budget_critical: usize,
    /// What was found in the maps when they were compiled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<MapNote>,
    /// Sentences about map sources that hold entries and were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_sources: Vec<String>,
}

/// A map in the hot document, which moves when the document is edited above it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapSection {
    /// The section.
    pub id: String,
    /// The line at which its content began when the map was compiled, from 1.
    pub line: usize,
}

/// Whether a text is well formed as the id of a scope, in either case.
#[must_use]
pub fn is_scope(id: &str) -> bool {
    !id.is_empty() && id.chars().all(is_scope_character)
}

/// Whether ids of scopes may hold the character.
#[must_use]
pub fn is_scope_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

impl Scopes {
    /// The line of the map that stood in `line` when it was compiled, as the document is now.
    #[must_use]
    pub fn line_now(&self, line: usize, document: &Document<'_>) -> usize {
        let place = self.map_section.as_ref();
        let found = place.and_then(|place| Some((place, document.section(&place.id)?)));
        found.map_or(line, |(place, section)| (line + section.content_line).saturating_sub(place.line))
    }
}

/// A finding of the compiler about a map, for `memory_health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapNote {
    /// Name of the finding.
    pub id: String,
    /// What was found.
    pub message: String,
    /// Its line in the map, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self {
            default_scope: DEFAULT_SCOPE.to_owned(),
            default_from: None,
            map: PathTable::default(),
            map_file: None,
            map_section: None,
            aliases: Aliases::default(),
            hot_file: "agent-notes.md".to_owned(),
            hot_sections: vec!["active-scope".to_owned()],
            hot_budget_warning: HOT_BUDGET_WARNING,
            hot_budget_critical: HOT_BUDGET_CRITICAL,
            problems: Vec::new(),
            ignored_sources: Vec::new(),
        }
    }
}
