//! `route_context`: the sections that speak of what an agent asks, best first, within a budget.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::chain::{Ask, ScopeAnswer, resolve};
use crate::document::{Document, Section};
use crate::hot::{BETWEEN, hot_ids};
use crate::scopes::Scopes;

/// How much may be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    max_sections: usize,
    max_chars: usize,
}

impl Limits {
    /// How many sections may be asked for.
    pub const SECTIONS: RangeInclusive<usize> = 1..=20;
    /// How many characters may be asked for.
    pub const CHARS: RangeInclusive<usize> = 1000..=40000;

    /// The limits a caller asked for.
    ///
    /// # Errors
    /// A sentence about the number that is out of its range.
    pub fn new(max_sections: Option<usize>, max_chars: Option<usize>) -> Result<Self, String> {
        let default = Self::default();
        let within = |name: &str, value: usize, range: RangeInclusive<usize>| match range.contains(&value) {
            true => Ok(value),
            false => Err(format!("`{name}` is {value}, outside {} to {}", range.start(), range.end())),
        };
        Ok(Self {
            max_sections: within(
                "max_sections",
                max_sections.unwrap_or(default.max_sections),
                Self::SECTIONS,
            )?,
            max_chars: within("max_chars", max_chars.unwrap_or(default.max_chars), Self::CHARS)?,
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_sections: 5, max_chars: 12000 }
    }
}

/// The answer of `route_context`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RouteContext {
    /// What was asked.
    pub query: String,
    /// The scope.
    pub scope: ScopeAnswer,
    /// How many sections matched or are hot.
    pub total_candidates: usize,
    /// A section was left out because it did not fit.
    pub truncated: bool,
    /// What was selected, best first.
    pub selected: Vec<Selected>,
    /// The selected sections with their markers, one blank line between.
    pub content: String,
}

/// One selected section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Selected {
    /// The section.
    pub id: String,
    /// How well it matches; 0 for a hot section that does not.
    pub score: usize,
    /// The words of the query that it holds, in the query's order.
    pub matches: Vec<String>,
    /// Characters it adds to the content.
    pub chars: usize,
    /// Lines from its open to its close marker.
    pub lines: usize,
    /// How its content begins.
    pub preview: String,
}

/// Selects sections for `query`.
#[must_use]
pub fn route_context(
    query: &str,
    limits: Limits,
    ask: Ask,
    scopes: &Scopes,
    document: &Document,
) -> RouteContext {
    let scope = resolve(ask, scopes, document);
    let candidates = candidates(&Query::new(query), &hot_ids(scopes, &scope.scope), document);
    let mut answer = RouteContext {
        query: query.to_owned(),
        scope,
        total_candidates: candidates.len(),
        truncated: false,
        selected: Vec::new(),
        content: String::new(),
    };
    let mut used = 0;
    for candidate in candidates {
        if answer.selected.len() == limits.max_sections {
            break;
        }
        let block = candidate.section.block();
        let between = if answer.selected.is_empty() { "" } else { BETWEEN };
        let chars = between.len() + block.chars().count();
        if used + chars > limits.max_chars {
            answer.truncated = true;
            continue;
        }
        used += chars;
        answer.content.push_str(between);
        answer.content.push_str(block);
        answer.selected.push(candidate.selected(chars));
    }
    answer
}

/// The sections that a search for `query` finds, best first, whatever their size.
#[must_use]
pub fn matching(query: &str, ask: Ask, scopes: &Scopes, document: &Document) -> Vec<Selected> {
    let scope = resolve(ask, scopes, document);
    let found = candidates(&Query::new(query), &hot_ids(scopes, &scope.scope), document);
    let matched = found.into_iter().filter(|candidate| !candidate.matches.is_empty());
    matched
        .map(|candidate| {
            let chars = candidate.section.block().chars().count();
            candidate.selected(chars)
        })
        .collect()
}

/// A section that matched or is hot.
struct Candidate<'d, 'a> {
    section: &'d Section<'a>,
    score: usize,
    matches: Vec<String>,
}

impl Candidate<'_, '_> {
    fn selected(self, chars: usize) -> Selected {
        Selected {
            id: self.section.id.to_owned(),
            score: self.score,
            matches: self.matches,
            chars,
            lines: self.section.block().lines().count(),
            preview: preview(self.section.content()),
        }
    }
}

/// Those that matched, by score and id, then the other hot ones in hot order.
fn candidates<'d, 'a>(query: &Query, hot: &[String], document: &'d Document<'a>) -> Vec<Candidate<'d, 'a>> {
    let mut matched: Vec<Candidate> = Vec::new();
    for section in document.sections() {
        let (score, matches) = query.score(section);
        if score > 0 {
            let place = hot.iter().position(|id| id == section.id);
            let bonus = place.map_or(0, |place| 30_usize.saturating_sub(2 * place));
            matched.push(Candidate { section, score: score + bonus, matches });
        }
    }
    let known: BTreeSet<&str> = matched.iter().map(|candidate| candidate.section.id).collect();
    let others = hot.iter().filter(|id| !known.contains(id.as_str())).filter_map(|id| document.section(id));
    let others: Vec<Candidate> =
        others.map(|section| Candidate { section, score: 0, matches: Vec::new() }).collect();
    matched.sort_by(|one, other| other.score.cmp(&one.score).then(one.section.id.cmp(other.section.id)));
    matched.extend(others);
    matched
}

/// A query taken apart.
struct Query {
    whole: String,
    tokens: Vec<String>,
}

impl Query {
    fn new(query: &str) -> Self {
        let whole = query.trim().to_lowercase();
        let words = whole.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut known = BTreeSet::new();
        let long = words.filter(|word| word.chars().nth(2).is_some());
        let mut tokens: Vec<String> = long.filter(|word| known.insert(*word)).map(str::to_owned).collect();
        if tokens.is_empty() && !whole.is_empty() {
            tokens.push(whole.clone());
        }
        Self { whole, tokens }
    }

    /// 4 for every token in the content and in the id, 24 and 20 for the whole query; and the tokens found.
    fn score(&self, section: &Section) -> (usize, Vec<String>) {
        if self.whole.is_empty() {
            return (0, Vec::new());
        }
        let content = section.content().to_lowercase();
        let id = section.id.to_lowercase();
        let mut score = 0;
        let mut matches = Vec::new();
        for token in &self.tokens {
            let places = usize::from(content.contains(token)) + usize::from(id.contains(token));
            score += 4 * places;
            if places > 0 {
                matches.push(token.clone());
            }
        }
        score += 24 * usize::from(content.contains(&self.whole));
        score += 20 * usize::from(id.contains(&self.whole));
        (score, matches)
    }
}

/// The beginning of a content on one line.
fn preview(content: &str) -> String {
    const LONGEST: usize = 160;
    let mut text = String::new();
    let mut length = 0;
    for word in content.split_whitespace() {
        let gap = usize::from(length > 0);
        let room = LONGEST.saturating_sub(length + gap);
        if gap > 0 {
            text.push(' ');
        }
        text.extend(word.chars().take(room));
        if word.chars().nth(room).is_some() {
            text.push('…');
            return text;
        }
        length += gap + word.chars().count();
    }
    text
}

#[cfg(test)]
#[path = "route_tests.rs"]
mod tests;
