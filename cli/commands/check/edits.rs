//! Edits of several fixes, applied together.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A fix that is to be applied.
#[derive(Debug)]
pub struct Chosen {
    /// What it does, and where.
    pub title: String,
    /// Its edits.
    pub changes: Vec<Change>,
}

/// A text put in the place of another.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// The bytes of its text.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// The places that are changed already.
#[derive(Debug, Default)]
pub struct Taken {
    /// By file: where each begins, and where it ends.
    places: BTreeMap<PathBuf, BTreeMap<usize, usize>>,
}

impl Taken {
    /// Takes the places of a fix; not when one of them overlaps or touches a place that is taken, by its own edits too.
    pub fn take(&mut self, chosen: &Chosen) -> bool {
        let mut new: Vec<&Change> = Vec::new();
        for change in &chosen.changes {
            let own = new.iter().any(|other| {
                other.path == change.path
                    && other.range.start <= change.range.end
                    && change.range.start <= other.range.end
            });
            if own || !self.is_free(change) {
                return false;
            }
            new.push(change);
        }
        for change in new {
            let places = self.places.entry(change.path.clone()).or_default();
            places.insert(change.range.start, change.range.end);
        }
        !chosen.changes.is_empty()
    }

    fn is_free(&self, change: &Change) -> bool {
        let Some(places) = self.places.get(&change.path) else { return true };
        // Places do not overlap: the last that begins before the end of this one is the one that reaches farthest.
        let before = places.range(..=change.range.end).next_back();
        before.is_none_or(|(_, end)| *end < change.range.start)
    }
}

/// The text of a file with the changes of the fixes that are in it. Everything else keeps its bytes.
pub fn mended(text: &str, path: &Path, chosen: &[Chosen]) -> String {
    let all = chosen.iter().flat_map(|chosen| &chosen.changes);
    let mut changes: Vec<&Change> = all.filter(|change| change.path == path).collect();
    changes.sort_by_key(|change| change.range.start);
    let (mut new, mut at) = (String::with_capacity(text.len()), 0);
    for change in changes {
        let Some(kept) = text.get(at..change.range.start) else { continue };
        new.push_str(kept);
        new.push_str(&change.text);
        at = change.range.end;
    }
    new.push_str(text.get(at..).unwrap_or(""));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(changes: &[(usize, usize, &str)]) -> Chosen {
        let change = |&(start, end, text): &(usize, usize, &str)| Change {
            path: PathBuf::from("a"),
            range: start..end,
            text: text.to_owned(),
        };
        Chosen { title: String::new(), changes: changes.iter().map(change).collect() }
    }

    #[test]
    fn places_that_overlap_or_touch_wait_for_the_next_round() {
        let mut taken = Taken::default();
        assert!(taken.take(&fix(&[(4, 8, "x")])));
        for other in [(4, 8), (0, 4), (8, 9), (5, 6), (0, 20), (8, 8), (4, 4)] {
            assert!(!taken.take(&fix(&[(other.0, other.1, "y")])), "{other:?}");
        }
        assert!(!taken.take(&fix(&[(0, 1, "y"), (0, 2, "z")])), "its own edits overlap");
        assert!(!taken.take(&fix(&[])));
        assert!(taken.take(&fix(&[(0, 3, "y"), (9, 9, "z")])));
    }

    #[test]
    fn edits_are_applied_together() {
        let chosen = [fix(&[(6, 7, "")]), fix(&[(0, 1, "hello"), (3, 3, "!")])];
        assert_eq!(mended("a\r\nbcd,e", Path::new("a"), &chosen), "hello\r\n!bcde");
        assert_eq!(mended("a\r\nbcd,e", Path::new("b"), &chosen), "a\r\nbcd,e");
    }
}
