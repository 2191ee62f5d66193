//! Keeps secrets out of everything kontext writes, by their values and in every form they usually take.

mod forms;
#[cfg(test)]
mod tests;
mod views;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Input};
use serde_json::{Map, Value};

/// What stands in for a secret.
const STARS: &str = "***";

/// Replaces secrets in text. One pass over the text for each way it can be read, whatever the number of secrets.
#[derive(Default)]
pub struct Mask {
    finder: Option<AhoCorasick>,
    /// Some secret holds a blank, which form encoding writes as `+`.
    blanks: bool,
    /// There are too many secrets to look for; no text is shown at all.
    blind: bool,
}

impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a mask of {} forms", self.finder.as_ref().map_or(0, AhoCorasick::patterns_len))
    }
}

impl Mask {
    /// Length in bytes below which a text is not masked.
    pub const SHORTEST: usize = 8;

    /// A mask over these secrets; those shorter than [`Mask::SHORTEST`] are left alone.
    #[must_use]
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Mask {
        let mut forms = BTreeSet::new();
        for secret in secrets {
            forms::collect(secret, &mut forms);
        }
        if forms.is_empty() {
            return Mask::default();
        }
        let blanks = forms.iter().any(|form| form.contains(&b' '));
        match AhoCorasick::new(&forms) {
            Ok(finder) => Mask { finder: Some(finder), blanks, blind: false },
            Err(_) => Mask { finder: None, blanks, blind: true },
        }
    }

    /// There is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.finder.is_none() && !self.blind
    }

    /// The text with `***` for every secret in it.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.ranges(text);
        if found.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(replaced(text, &found)) }
    }

    /// As [`Mask::text`], for a text that is given away.
    #[must_use]
    pub fn string(&self, text: String) -> String {
        match self.text(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(masked) => masked,
        }
    }

    /// Masks every string and every key of a JSON tree; numbers stay.
    pub fn json(&self, tree: &mut Value) {
        match tree {
            _ if self.is_empty() => {}
            Value::String(text) => {
                if let Cow::Owned(masked) = self.text(text) {
                    *text = masked;
                }
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.json(element)),
            Value::Object(members) => {
                members.values_mut().for_each(|member| self.json(member));
                if members.keys().any(|key| matches!(self.text(key), Cow::Owned(_))) {
                    self.keys(members);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Two keys that differ in their secrets alone stay two.
    fn keys(&self, members: &mut Map<String, Value>) {
        for (key, value) in std::mem::take(members) {
            let mut masked = self.string(key);
            while members.contains_key(&masked) {
                masked.push('*');
            }
            members.insert(masked, value);
        }
    }

    /// Where secrets stand, in order, none overlapping another.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let Some(finder) = &self.finder else {
            found.extend(self.blind.then_some(0..text.len()));
            return found;
        };
        views::each(text, self.blanks, |view| {
            if finder.is_match(Input::new(view.bytes()).earliest(true)) {
                found
                    .extend(finder.find_overlapping_iter(view.bytes()).map(|hit| view.original(hit.range())));
            }
        });
        found.sort_by_key(|range: &Range<usize>| (range.start, std::cmp::Reverse(range.end)));
        found.dedup_by(|next, kept| {
            let inside = next.start < kept.end;
            if inside {
                kept.end = kept.end.max(next.end);
            }
            inside
        });
        found
    }
}

fn replaced(text: &str, found: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut done = 0;
    for range in found {
        let start = text.floor_char_boundary(range.start);
        masked.push_str(text.get(done..start).unwrap_or_default());
        masked.push_str(STARS);
        done = text.ceil_char_boundary(range.end).max(done);
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    masked
}
