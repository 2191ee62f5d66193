//! The values of a hit's fields: by the map where it has an entry, else by the usual names.

use std::borrow::Cow;

use kontext_plan::path::Step;
use kontext_plan::result::{FieldRule, HitField};
use serde_json::{Number, Value};

use super::item::Item;
use super::{Mapper, select, snippet, usual};
use crate::value::{EvalError, Scope, as_text, template};

/// How many fields a hit has.
pub(super) const COUNT: usize = 6;

/// What was found for each field of one item.
pub(super) struct Fields<'i> {
    found: [Option<Found<'i>>; COUNT],
}

/// A field's value.
pub(super) enum Found<'i> {
    /// A value of the item.
    Value(&'i Value),
    /// A text of the item.
    Text(&'i str),
    /// A value that was made.
    Made(Value),
}

/// The place of a field in the order of [`Fields`].
pub(super) fn place(field: HitField) -> usize {
    match field {
        HitField::Title => 0,
        HitField::Snippet => 1,
        HitField::Uri => 2,
        HitField::Score => 3,
        HitField::Kind => 4,
        HitField::Date => 5,
    }
}

impl<'i> Fields<'i> {
    /// Fills the fields of an item.
    pub(super) fn of(
        mapper: &Mapper,
        item: &'i Item<'_>,
        scope: &Scope<'_>,
    ) -> Result<Fields<'i>, EvalError> {
        let mut found = usual::fields(item);
        let mut whole = None;
        for (field, entry) in &mapper.map.map {
            let value = match &entry.rule {
                FieldRule::Path { alternatives, literal } => {
                    let picked = match item {
                        Item::Value(value) => first(value, alternatives).map(Found::Value),
                        Item::Text(_) => {
                            let owned = whole.get_or_insert_with(|| item.value());
                            first(owned, alternatives).cloned().map(Found::Made)
                        }
                    };
                    picked.or_else(|| literal.clone().map(|text| Found::Made(Value::String(text))))
                }
                FieldRule::Regex(_) => mapper.regexes.get(field).and_then(|regex| searched(regex, item)),
                FieldRule::Template(slot) => {
                    let owned = whole.get_or_insert_with(|| item.value());
                    let made =
                        template(&scope.with_item(owned), slot).map_err(|error| error.or_at(entry.at))?;
                    Some(Found::Made(made.value)).filter(|found| !found.is_null())
                }
            };
            if let Some(slot) = found.get_mut(place(*field)) {
                *slot = value;
            }
        }
        Ok(Fields { found })
    }

    /// A field as text; none when it is absent or empty.
    pub(super) fn take_text(&mut self, field: HitField) -> Option<String> {
        self.take(field).map(Found::into_text).filter(|text| !text.is_empty())
    }

    /// The snippet as one line without a copy of the title.
    pub(super) fn take_snippet(&mut self, title: Option<&str>) -> Option<String> {
        let shaped = match self.take(HitField::Snippet)? {
            Found::Text(text) => snippet::shape(text, title),
            Found::Value(Value::String(text)) => snippet::shape(text, title),
            other => snippet::shape(&other.into_text(), title),
        };
        Some(shaped).filter(|text| !text.is_empty())
    }

    /// The score, when it is a number.
    pub(super) fn score(&mut self) -> Option<Number> {
        match self.take(HitField::Score)? {
            Found::Value(Value::Number(number)) => Some(number.clone()),
            Found::Made(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn take(&mut self, field: HitField) -> Option<Found<'i>> {
        self.found.get_mut(place(field)).and_then(Option::take)
    }
}

impl Found<'_> {
    fn is_null(&self) -> bool {
        matches!(self, Found::Made(Value::Null) | Found::Value(Value::Null))
    }

    fn into_text(self) -> String {
        match self {
            Found::Value(Value::String(text)) => text.clone(),
            Found::Made(Value::String(text)) => text,
            Found::Value(value) => as_text(value),
            Found::Made(value) => as_text(&value),
            Found::Text(text) => text.to_owned(),
        }
    }
}

fn first<'v>(value: &'v Value, alternatives: &[Vec<Step>]) -> Option<&'v Value> {
    alternatives.iter().find_map(|steps| select::first(value, steps))
}

/// The first capture group that took part, else the whole match.
fn searched<'i>(regex: &regex::Regex, item: &'i Item<'_>) -> Option<Found<'i>> {
    let text: Cow<'_, str> = item.text();
    let captures = regex.captures(&text)?;
    let group = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0))?;
    Some(Found::Made(Value::String(group.as_str().to_owned())))
}
