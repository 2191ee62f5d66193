//! Maps a payload to search hits or to text, and says what did not fit.

mod field;
mod item;
mod nothing;
pub mod select;
mod snippet;
#[cfg(test)]
mod tests;
mod text;
mod usual;

use std::collections::BTreeMap;

use kontext_plan::result::{FieldRule, HitField, HitsMap};
use regex::Regex;
use serde::Serialize;
use serde_json::{Number, Value};

use crate::secret::Mask;
use crate::value::{EvalError, EvalErrorKind, Scope};
use item::Item;

pub use nothing::why_nothing;
pub use text::text;

/// One search result; what is absent is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// Who gave it.
    pub source: String,
    /// The headline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One line of at most 400 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// Where it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The source's own score, else one from the position.
    pub score: Number,
    /// What kind of thing it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// When it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// The hits of a payload.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mapped {
    /// In the order of the payload.
    pub hits: Vec<Hit>,
    /// What was dropped or not found.
    pub notes: Vec<String>,
}

/// A result map made ready: its regular expressions are compiled. Build it once for an op.
#[derive(Debug)]
pub struct Mapper {
    map: HitsMap,
    regexes: BTreeMap<HitField, Regex>,
}

impl Mapper {
    /// Compiles the regular expressions of a map.
    ///
    /// # Errors
    /// When one does not compile, which `build` has ruled out for the plans it writes.
    pub fn new(map: &HitsMap) -> Result<Mapper, EvalError> {
        let mut regexes = BTreeMap::new();
        for (field, rule) in &map.map {
            if let FieldRule::Regex(text) = &rule.rule {
                let compiled = Regex::new(text).map_err(|_| {
                    let message = "a regular expression of the plan does not compile";
                    EvalError::new(EvalErrorKind::Plan, message).or_at(rule.at)
                })?;
                regexes.insert(*field, compiled);
            }
        }
        Ok(Mapper { map: map.clone(), regexes })
    }

    /// The hits of a payload; `scope` serves the templates of the map.
    ///
    /// # Errors
    /// When a template of the map cannot be evaluated.
    pub fn hits(&self, payload: &Value, source: &str, scope: &Scope<'_>) -> Result<Mapped, EvalError> {
        let mut notes = Vec::new();
        let mut items = item::items(payload, &self.map.items, &mut notes);
        items.retain(|item| self.map.conditions.iter().all(|condition| item.meets(condition)));
        let kept = items.len();
        let mut hits = Vec::with_capacity(kept);
        let mask = scope.facts.mask();
        for (position, item) in items.iter().enumerate() {
            hits.extend(self.hit(item, source, (scope, &mask), (position, kept))?);
        }
        match kept - hits.len() {
            0 => {}
            1 => notes.push("1 item without title and snippet was dropped".to_owned()),
            dropped => notes.push(format!("{dropped} items without title and snippet were dropped")),
        }
        Ok(Mapped { hits, notes })
    }

    /// One hit; none when the item has neither title nor snippet.
    fn hit(
        &self,
        item: &Item<'_>,
        source: &str,
        (scope, mask): (&Scope<'_>, &Mask),
        position: (usize, usize),
    ) -> Result<Option<Hit>, EvalError> {
        let mut fields = field::Fields::of(self, item, scope)?;
        let title = fields.take_text(HitField::Title);
        let snippet = fields.take_snippet(title.as_deref(), mask);
        if title.is_none() && snippet.is_none() {
            return Ok(None);
        }
        Ok(Some(Hit {
            source: source.to_owned(),
            title,
            snippet,
            uri: fields.take_text(HitField::Uri),
            score: fields.score().unwrap_or_else(|| from_position(position)),
            kind: fields.take_text(HitField::Kind),
            date: fields.take_text(HitField::Date),
        }))
    }
}

/// Maps a payload with a map that is used only once; see [`Mapper`].
///
/// # Errors
/// As [`Mapper::new`] and [`Mapper::hits`].
pub fn hits(payload: &Value, map: &HitsMap, source: &str, scope: &Scope<'_>) -> Result<Mapped, EvalError> {
    Mapper::new(map)?.hits(payload, source, scope)
}

/// `1 - i/(2n)`: from 1 downwards, never to one half.
#[expect(clippy::cast_precision_loss, reason = "positions are far below 2^52")]
fn from_position((position, kept): (usize, usize)) -> Number {
    let score = 1.0 - position as f64 / (2 * kept.max(1)) as f64;
    Number::from_f64(score).unwrap_or_else(|| Number::from(0))
}
