//! `memory_health`: how the hot document is, and what to do about it.

use serde::Serialize;

use crate::chain::{Ask, ScopeAnswer};
use crate::document::Document;
use crate::hot::read_hot_context;
use crate::scopes::Scopes;

/// The answer of `memory_health`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryHealth {
    /// The scope.
    pub scope: ScopeAnswer,
    /// There is a hot document with something in it.
    pub exists: bool,
    /// Characters of the document.
    pub total_chars: usize,
    /// Lines of the document.
    pub total_lines: usize,
    /// Sections that can be read.
    pub section_count: usize,
    /// The hot context of the scope.
    pub hot: HotSize,
    /// The largest sections, at most five.
    pub largest: Vec<SectionSize>,
    /// What is wrong.
    pub problems: Vec<HealthProblem>,
    /// How it is altogether.
    pub level: Level,
    /// What to do.
    pub recommendations: Vec<String>,
}

/// The hot context: its sections and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HotSize {
    /// Ids of its sections.
    pub sections: Vec<String>,
    /// Its characters.
    pub chars: usize,
}

/// A section and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionSize {
    /// The section.
    pub id: String,
    /// Characters with its markers.
    pub chars: usize,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HealthProblem {
    /// Name of the finding.
    pub id: String,
    /// What is wrong.
    pub message: String,
    /// Its line in the hot document, or in the map for a finding about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// How the notes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing to do.
    Good,
    /// Something is wrong.
    Warning,
    /// The hot context is far too large.
    Critical,
}

/// Looks at the document.
#[must_use]
pub fn memory_health(ask: Ask, scopes: &Scopes, document: &Document) -> MemoryHealth {
    let exists = !document.is_blank();
    let hot = read_hot_context(ask, scopes, document);
    let chars = hot.content.chars().count();
    let missing: &[String] = if exists { &hot.missing } else { &[] };
    let problems = problems(scopes, document, missing, chars);
    let level = if chars > scopes.hot_budget_critical {
        Level::Critical
    } else if problems.is_empty() {
        Level::Good
    } else {
        Level::Warning
    };
    let largest = largest(document);
    let recommendations = recommendations(scopes, document, missing, chars);
    MemoryHealth {
        scope: hot.scope,
        exists,
        total_chars: document.body().chars().count(),
        total_lines: document.body().lines().count(),
        section_count: document.sections().count(),
        hot: HotSize { sections: hot.loaded_sections, chars },
        largest,
        problems,
        level,
        recommendations,
    }
}

fn problems(scopes: &Scopes, document: &Document, missing: &[String], chars: usize) -> Vec<HealthProblem> {
    let markup = document.problems().iter().map(|problem| HealthProblem {
        id: problem.id().to_owned(),
        message: problem.message(),
        line: Some(problem.line),
    });
    let maps = scopes.problems.iter().map(|note| HealthProblem {
        id: note.id.clone(),
        message: note.message.clone(),
        line: note.line,
    });
    let missing = missing.iter().map(|id| HealthProblem {
        id: "section-missing".to_owned(),
        message: format!("the hot section `{id}` is not in the document"),
        line: None,
    });
    let budget = over_budget(scopes, chars).map(|budget| HealthProblem {
        id: "hot-over-budget".to_owned(),
        message: format!("the hot context has {chars} characters, over its budget of {budget}"),
        line: None,
    });
    markup.chain(maps).chain(missing).chain(budget).collect()
}

/// The largest budget that is exceeded.
fn over_budget(scopes: &Scopes, chars: usize) -> Option<usize> {
    let budgets = [scopes.hot_budget_warning, scopes.hot_budget_critical];
    budgets.into_iter().filter(|&budget| chars > budget).max()
}

fn largest(document: &Document) -> Vec<SectionSize> {
    let sizes = document.sections();
    let mut sizes: Vec<SectionSize> = sizes
        .map(|section| SectionSize { id: section.id.to_owned(), chars: section.block().chars().count() })
        .collect();
    sizes.sort_by(|one, other| other.chars.cmp(&one.chars).then_with(|| one.id.cmp(&other.id)));
    sizes.truncate(5);
    sizes
}

fn recommendations(scopes: &Scopes, document: &Document, missing: &[String], chars: usize) -> Vec<String> {
    let mut all = Vec::new();
    if over_budget(scopes, chars).is_some() {
        all.push("move what is not needed every time out of the hot sections".to_owned());
    }
    if !document.problems().is_empty() {
        all.push(format!("mend the section markers of `{}`", scopes.hot_file));
    }
    if !scopes.problems.is_empty() {
        all.push("run `kontext check` and mend the scope maps".to_owned());
    }
    all.extend(
        missing.iter().map(|id| format!("write the section `{id}`: `<!-- section:{id} -->` and its close")),
    );
    all
}

#[cfg(test)]
#[path = "health_tests.rs"]
mod tests;
