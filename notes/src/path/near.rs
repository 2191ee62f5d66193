//! Keys that nearly match, for the explanation of a workspace that no key answers for.

use std::borrow::Cow;

use super::order::{body, components, covers};
use super::{Family, Normal, PathTable, Row, Workspace};

/// In what a key differs from the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Near {
    /// It would match if case did not count.
    Case,
    /// The workspace begins with its text, but another name goes on there: `/srv/app` and `/srv/application`.
    Boundary,
}

/// A key that nearly matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearMiss<'t> {
    /// The row of the key.
    pub row: &'t Row,
    /// In what it differs.
    pub near: Near,
}

impl PathTable {
    /// The longest key that would have matched ignoring case, else the longest that the workspace's text begins with.
    /// Looks at every key: only for a workspace that none answers for.
    #[must_use]
    pub fn near_miss(&self, workspace: &Workspace) -> Option<NearMiss<'_>> {
        let home = workspace.home.as_ref();
        let mut best: Option<(Near, usize, &Row)> = None;
        for path in [&workspace.given, &workspace.resolved].into_iter().flatten() {
            let folded = path.body().to_lowercase();
            let rows = self.family(path.family).iter().map(|row| (row, Cow::Borrowed(body(&row.path))));
            let near_home = home.filter(|home| home.family == path.family);
            let homes = near_home.into_iter().flat_map(|home| {
                let rows = self.home.iter().chain(&self.climbing);
                rows.map(|row| (row, Cow::Owned(in_home(row, home))))
            });
            for (row, key) in rows.chain(homes) {
                let Some(near) = nearness(&key, path, &folded) else { continue };
                let depth = components(&key);
                let better = |(best, deepest, first): (Near, usize, &Row)| {
                    (near, deepest, row.line) < (best, depth, first.line)
                };
                if best.is_none_or(better) {
                    best = Some((near, depth, row));
                }
            }
        }
        best.map(|(near, _, row)| NearMiss { row, near })
    }
}

fn in_home(row: &Row, home: &Normal) -> String {
    home.join(row.path.get(1..).unwrap_or_default()).body().to_owned()
}

fn nearness(key: &str, path: &Normal, folded: &str) -> Option<Near> {
    let text = path.body();
    if key.is_empty() || covers(key, text) {
        None
    } else if path.family == Family::Posix && key.len() <= folded.len() && covers(&key.to_lowercase(), folded)
    {
        Some(Near::Case)
    } else {
        text.starts_with(key).then_some(Near::Boundary)
    }
}
