//! The compiled path map: rows in the order of their components, each pointing to the row above it, so that one
//! search and a walk upwards find the longest key.

use serde::{Deserialize, Serialize};

use super::order::{body, common, compare, components, covers};
use super::{Family, Normal, Workspace};

/// One line of a path map.
#[derive(Debug, Clone, Copy)]
pub struct KeyLine<'a> {
    /// The path as written.
    pub key: &'a str,
    /// Its scope.
    pub scope: &'a str,
    /// Number of its line, from 1.
    pub line: usize,
}

/// What is wrong with a line that is well formed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyProblem {
    /// `scope-duplicate`, `scope-conflict`, or `scope-path` for a key that is no path.
    pub id: &'static str,
    /// Position among the lines given.
    pub line: usize,
    /// Position of the earlier line with the same key.
    pub first: usize,
}

/// One key of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The path as written.
    pub key: String,
    /// The path normalised; `~` stands for the home directory of the run.
    pub path: String,
    /// The scope of everything below it.
    pub scope: String,
    /// Number of its line in the map, from 1.
    pub line: usize,
    /// Position of the row with the longest key above this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<usize>,
}

impl Row {
    fn of(line: &KeyLine, path: String) -> Self {
        Self { key: line.key.to_owned(), path, scope: line.scope.to_owned(), line: line.line, up: None }
    }
}

/// A path map, compiled. Each list is sorted by components.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PathTable {
    /// Keys such as `/srv/app`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub posix: Vec<Row>,
    /// Keys such as `c:\work`, in lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drive: Vec<Row>,
    /// Keys such as `\\host\share`, in lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unc: Vec<Row>,
    /// Keys such as `~/notes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub home: Vec<Row>,
    /// `home` in lower case, for a home directory where case does not count; empty when it would be the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub home_folded: Vec<Row>,
    /// Keys that leave the home directory, such as `~/../shared`; each is tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub climbing: Vec<Row>,
}

/// The longest key that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathMatch<'t> {
    /// The row that matched.
    pub row: &'t Row,
    /// Components of the key, behind its root.
    pub depth: usize,
    /// It matched the workspace with its symbolic links resolved, not as given.
    pub resolved: bool,
}

impl PathTable {
    /// Compiles the lines of a map. Of lines with the same key the first is kept and the others are named.
    #[must_use]
    pub fn compile(lines: &[KeyLine]) -> (Self, Vec<KeyProblem>) {
        let mut problems = Vec::new();
        let [mut posix, mut drive, mut unc, mut home, mut climbing]: [Vec<(usize, Row)>; 5] =
            Default::default();
        for (at, line) in lines.iter().enumerate() {
            let (group, path) = match (home_key(line.key), Normal::parse(line.key)) {
                // What `..` removes is known only with the home's own separators: kept as it is written.
                (Some(_), _) if line.key.contains('\\') && line.key.contains("..") => {
                    (&mut climbing, line.key.to_owned())
                }
                (Some(path), _) if path.starts_with("~/..") => (&mut climbing, path),
                (Some(path), _) => (&mut home, path),
                (None, Some(Normal { family: Family::Posix, path, .. })) => (&mut posix, path),
                (None, Some(Normal { family: Family::Drive, path, .. })) => (&mut drive, path),
                (None, Some(Normal { family: Family::Unc, path, .. })) => (&mut unc, path),
                (None, None) => {
                    problems.push(KeyProblem { id: "scope-path", line: at, first: at });
                    continue;
                }
            };
            group.push((at, Row::of(line, path)));
        }
        let home_folded = fold(&home).map(|group| sorted(group, &mut Vec::new())).unwrap_or_default();
        let [posix, drive, unc, home, climbing] =
            [posix, drive, unc, home, climbing].map(|group| sorted(group, &mut problems));
        problems.sort_by_key(|problem| problem.line);
        (Self { posix, drive, unc, home, home_folded, climbing }, problems)
    }

    /// Whether there is no key at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows().next().is_none()
    }

    /// Every key once.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        [&self.posix, &self.drive, &self.unc, &self.home, &self.climbing].into_iter().flatten()
    }

    /// The key that answers for a workspace: the longest of both of its paths, on a tie the path as given.
    #[must_use]
    pub fn lookup(&self, workspace: &Workspace) -> Option<PathMatch<'_>> {
        let home = workspace.home.as_ref();
        let given = workspace.given.as_ref().and_then(|path| self.longest(path, home));
        let resolved = workspace.resolved.as_ref().and_then(|path| self.longest(path, home));
        match (given, resolved) {
            (Some(given), Some(resolved)) if resolved.depth <= given.depth => Some(given),
            (given, None) => given,
            (_, Some(resolved)) => Some(PathMatch { resolved: true, ..resolved }),
        }
    }

    fn longest<'t>(&'t self, path: &Normal, home: Option<&Normal>) -> Option<PathMatch<'t>> {
        let mut best: Option<PathMatch> = None;
        let mut offer = |row: &'t Row, depth| {
            let first = |best: PathMatch| depth == best.depth && row.line < best.row.line;
            if best.is_none_or(|best| depth > best.depth || first(best)) {
                best = Some(PathMatch { row, depth, resolved: false });
            }
        };
        if let Some(row) = find(self.family(path.family), path.body()) {
            offer(row, components(body(&row.path).get(path.root..).unwrap_or_default()));
        }
        if let Some(home) = home.filter(|home| home.family == path.family) {
            if let Some((row, depth)) = self.below_home(path, home) {
                offer(row, depth);
            }
            for row in &self.climbing {
                let key = home.join(row.path.get(1..).unwrap_or_default());
                if covers(key.body(), path.body()) {
                    offer(row, key.depth());
                }
            }
        }
        best
    }

    fn below_home(&self, path: &Normal, home: &Normal) -> Option<(&Row, usize)> {
        if !covers(home.body(), path.body()) {
            return None;
        }
        let rows = match (home.family, self.home_folded.is_empty()) {
            (Family::Posix, _) | (_, true) => &self.home,
            (_, false) => &self.home_folded,
        };
        let tail = path.body().get(home.body().len()..)?;
        let row = find(rows, &format!("~{tail}"))?;
        Some((row, home.depth() + components(&row.path)))
    }

    pub(super) fn family(&self, family: Family) -> &[Row] {
        match family {
            Family::Posix => &self.posix,
            Family::Drive => &self.drive,
            Family::Unc => &self.unc,
        }
    }
}

/// `~` or `~/…`, normalised: `..` that leave the home stand first.
fn home_key(key: &str) -> Option<String> {
    let tail = key.strip_prefix('~')?;
    if !tail.is_empty() && !tail.starts_with('/') {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in tail.split('/') {
        match (name, names.last()) {
            ("" | ".", _) => {}
            ("..", Some(&last)) if last != ".." => drop(names.pop()),
            (name, _) => names.push(name),
        }
    }
    let mut path = String::from("~");
    for name in names {
        path.push('/');
        path.push_str(name);
    }
    Some(path)
}

/// The rows as they are where case does not count and `\` is a separator, when that changes any.
fn fold(rows: &[(usize, Row)]) -> Option<Vec<(usize, Row)>> {
    let lower = |row: &Row| {
        let path = home_key(&row.path.to_lowercase().replace('\\', "/"));
        Row { path: path.unwrap_or_else(|| row.path.clone()), ..row.clone() }
    };
    let folded: Vec<(usize, Row)> = rows.iter().map(|(at, row)| (*at, lower(row))).collect();
    rows.iter().zip(&folded).any(|((_, one), (_, other))| one.path != other.path).then_some(folded)
}

/// Sorts, keeps the first of every key, and points each row to the one above it.
fn sorted(mut rows: Vec<(usize, Row)>, problems: &mut Vec<KeyProblem>) -> Vec<Row> {
    rows.sort_by(|(at, one), (other_at, other)| {
        compare(body(&one.path), body(&other.path)).then(at.cmp(other_at))
    });
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    let mut first = 0;
    let mut above: Vec<usize> = Vec::new();
    for (at, mut row) in rows {
        if let Some(same) = kept.last().filter(|last| last.path == row.path) {
            let id = if same.scope == row.scope { "scope-duplicate" } else { "scope-conflict" };
            problems.push(KeyProblem { id, line: at, first });
            continue;
        }
        while above
            .last()
            .and_then(|&up| kept.get(up))
            .is_some_and(|up| !covers(body(&up.path), body(&row.path)))
        {
            above.pop();
        }
        row.up = above.last().copied();
        above.push(kept.len());
        first = at;
        kept.push(row);
    }
    kept
}

/// The longest key that covers `path`, a body.
///
/// Every key that covers it stands above the last row that does not come after it.
fn find<'t>(rows: &'t [Row], path: &str) -> Option<&'t Row> {
    let behind = rows.partition_point(|row| compare(body(&row.path), path).is_le());
    let mut at = behind.checked_sub(1)?;
    let mut row = rows.get(at)?;
    let shared = common(body(&row.path), path);
    loop {
        let key = body(&row.path);
        if key.len() <= shared && covers(key, path) {
            return Some(row);
        }
        at = row.up.filter(|&up| up < at)?;
        row = rows.get(at)?;
    }
}
