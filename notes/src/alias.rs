//! Aliases of scopes, resolved to the end when the map is compiled.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One line of an alias map.
#[derive(Debug, Clone, Copy)]
pub struct AliasLine<'a> {
    /// The alias in lower case.
    pub alias: &'a str,
    /// What it stands for: a scope or another alias.
    pub scope: &'a str,
}

/// What is wrong with a line that is well formed by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AliasProblem {
    /// `alias-conflict`: the alias stands for something else already.
    Conflict {
        /// Position of the line.
        line: usize,
        /// Position of the line that counts.
        first: usize,
    },
    /// `alias-cycle`: the alias ends at itself.
    Cycle {
        /// Position of the last line that takes part.
        line: usize,
        /// The aliases in the order in which they lead to each other, from that line's on.
        members: Vec<String>,
    },
}

impl AliasProblem {
    /// The name of the finding.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "alias-conflict",
            Self::Cycle { .. } => "alias-cycle",
        }
    }

    /// Position among the lines given.
    #[must_use]
    pub fn line(&self) -> usize {
        match self {
            Self::Conflict { line, .. } | Self::Cycle { line, .. } => *line,
        }
    }
}

/// An alias map, compiled: every alias with the scope it ends at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Aliases {
    scopes: BTreeMap<String, String>,
}

impl Aliases {
    /// Resolves every alias to the end. Of two lines that differ the first counts; what leads into a cycle is left out.
    #[must_use]
    pub fn compile(lines: &[AliasLine]) -> (Self, Vec<AliasProblem>) {
        let mut problems = Vec::new();
        let mut first: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            match first.get(line.alias) {
                None => drop(first.insert(line.alias, (at, line.scope))),
                Some(&(_, scope)) if scope == line.scope => {}
                Some(&(first, _)) => problems.push(AliasProblem::Conflict { line: at, first }),
            }
        }
        let mut ends: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for &alias in first.keys() {
            follow(alias, &first, &mut ends, &mut problems);
        }
        problems.sort_by_key(AliasProblem::line);
        let resolved = ends.into_iter().filter_map(|(alias, end)| Some((alias.to_owned(), end?.to_owned())));
        (Self { scopes: resolved.collect() }, problems)
    }

    /// The scope that `id` stands for: itself when it is no alias.
    #[must_use]
    pub fn resolve<'a>(&'a self, id: &'a str) -> &'a str {
        self.scopes.get(id).map_or(id, String::as_str)
    }

    /// The aliases, sorted, each with its scope.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.scopes.iter().map(|(alias, scope)| (alias.as_str(), scope.as_str()))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scopes.is_empty()
    }

    /// The aliases that make a section `scope-<alias>` unreachable (`alias-hides-section`).
    pub fn hiding(&self, has_section: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
        let hides =
            move |(alias, scope): &(&str, &str)| alias != scope && has_section(&format!("scope-{alias}"));
        self.iter().filter(hides).map(|(alias, _)| alias)
    }
}

/// Walks from `alias` to its end and notes that end for everything on the way.
fn follow<'a>(
    alias: &'a str,
    next: &BTreeMap<&'a str, (usize, &'a str)>,
    ends: &mut BTreeMap<&'a str, Option<&'a str>>,
    problems: &mut Vec<AliasProblem>,
) {
    let mut way: Vec<&str> = Vec::new();
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    let mut at = alias;
    let end = loop {
        if let Some(&known) = ends.get(at) {
            break known;
        }
        match next.get(at) {
            None => break Some(at),
            Some(&(_, scope)) if scope == at => break Some(at),
            Some(&(_, scope)) => {
                if let Some(&from) = steps.get(at) {
                    problems.push(cycle(way.get(from..).unwrap_or_default(), next));
                    break None;
                }
                steps.insert(at, way.len());
                way.push(at);
                at = scope;
            }
        }
    };
    ends.extend(way.into_iter().map(|alias| (alias, end)));
}

fn cycle(members: &[&str], next: &BTreeMap<&str, (usize, &str)>) -> AliasProblem {
    let line = |alias: &&str| next.get(alias).map_or(0, |&(at, _)| at);
    let last = members.iter().enumerate().max_by_key(|(_, alias)| line(alias)).map_or(0, |(at, _)| at);
    let (before, from) = members.split_at(last.min(members.len()));
    AliasProblem::Cycle {
        line: members.iter().map(line).max().unwrap_or(0),
        members: from.iter().chain(before).map(|&alias| alias.to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(lines: &[(&str, &str)]) -> (Vec<String>, Vec<AliasProblem>) {
        let lines: Vec<AliasLine> = lines.iter().map(|&(alias, scope)| AliasLine { alias, scope }).collect();
        let (aliases, problems) = Aliases::compile(&lines);
        (aliases.iter().map(|(alias, scope)| format!("{alias}={scope}")).collect(), problems)
    }

    #[test]
    fn aliases_are_resolved_to_the_end() {
        assert_eq!(compile(&[("a", "b"), ("b", "c")]).0, ["a=c", "b=c"]);
        assert_eq!(compile(&[("b", "c"), ("a", "b"), ("z", "a")]).0, ["a=c", "b=c", "z=c"]);
        assert_eq!(compile(&[("a", "b"), ("b", "b")]), (vec!["a=b".to_owned()], vec![]));
        assert_eq!(compile(&[("a", "a")]), (vec![], vec![]));
        let (aliases, _) = Aliases::compile(&[AliasLine { alias: "a", scope: "b" }]);
        assert_eq!((aliases.resolve("a"), aliases.resolve("x")), ("b", "x"));
    }

    #[test]
    fn cycles_are_named_once() {
        let cycle = |line, members: &[&str]| AliasProblem::Cycle {
            line,
            members: members.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(compile(&[("a", "b"), ("b", "a")]), (vec![], vec![cycle(1, &["b", "a"])]));
        let (aliases, problems) =
            compile(&[("c", "a"), ("x", "b"), ("a", "b"), ("b", "c"), ("y", "z"), ("p", "q"), ("q", "p")]);
        assert_eq!(aliases, ["y=z"]);
        assert_eq!(problems, [cycle(3, &["b", "c", "a"]), cycle(6, &["q", "p"])]);
    }

    #[test]
    fn a_later_line_may_not_differ() {
        let (aliases, problems) = compile(&[("a", "b"), ("a", "b"), ("a", "c"), ("a", "d")]);
        assert_eq!(aliases, ["a=b"]);
        assert_eq!(problems.iter().map(AliasProblem::line).collect::<Vec<_>>(), [2, 3]);
        assert!(problems.iter().all(|problem| problem.id() == "alias-conflict"));
    }

    #[test]
    fn an_alias_may_hide_a_section() {
        let lines = [("a", "b"), ("b", "c"), ("d", "d")].map(|(alias, scope)| AliasLine { alias, scope });
        let (aliases, _) = Aliases::compile(&lines);
        let hiding: Vec<_> = aliases.hiding(|id| ["scope-b", "scope-d", "scope-c"].contains(&id)).collect();
        assert_eq!(hiding, ["b"]);
    }

    #[test]
    fn long_chains_are_no_trouble() {
        let names: Vec<String> = (0..50_000).map(|n| format!("n{n}")).collect();
        let lines: Vec<AliasLine> =
            names.iter().zip(names.iter().skip(1)).map(|(alias, scope)| AliasLine { alias, scope }).collect();
        let (aliases, problems) = Aliases::compile(&lines);
        assert!(problems.is_empty());
        assert_eq!(aliases.resolve("n0"), "n49999");
    }
}
