//! The values of a hit's fields: by the map where it has an entry, else by the usual names.

use std::borrow::Cow;

use kontext_plan::path::Step;
use kontext_plan::result::{FieldRule, HitField};
use regex::Regex;
use serde_json::{Number, Value};

use super::item::Item;
use super::{Mapper, select, snippet, usual};
use crate::secret::Mask;
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
        let mut seen = Seen { item, value: None, text: None };
        for (field, entry) in &mapper.map.map {
            let value = match &entry.rule {
                FieldRule::Path { alternatives, literal } => {
                    let literal = || literal.clone().map(|text| Found::Made(Value::String(text)));
                    seen.selected(alternatives).or_else(literal)
                }
                FieldRule::Regex(_) => mapper.regexes.get(field).and_then(|regex| seen.searched(regex)),
                FieldRule::Template(slot) => {
                    let made = template(&scope.with_item(seen.value()), slot);
                    let made = made.map_err(|error| error.or_at(entry.at))?.value;
                    Some(Found::Made(made)).filter(|found| !found.is_null())
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

    /// The snippet as one line without a copy of the title. It is masked before it is cut, so that no part of a
    /// secret is left at the cut.
    pub(super) fn take_snippet(&mut self, title: Option<&str>, mask: &Mask) -> Option<String> {
        let shaped = match self.take(HitField::Snippet)? {
            Found::Text(text) => snippet::shape(&mask.text(text), title),
            Found::Value(Value::String(text)) => snippet::shape(&mask.text(text), title),
            other => snippet::shape(&mask.text(&other.into_text()), title),
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

/// An item, and what its rules look at, made only when one of them does.
struct Seen<'i, 'p> {
    item: &'i Item<'p>,
    value: Option<Cow<'p, Value>>,
    text: Option<Cow<'p, str>>,
}

impl<'i> Seen<'i, '_> {
    fn value(&mut self) -> &Value {
        self.value.get_or_insert_with(|| self.item.value())
    }

    /// The first value that is not null.
    fn selected(&mut self, alternatives: &[Vec<Step>]) -> Option<Found<'i>> {
        match self.item {
            Item::Value(value) => first(value, alternatives).map(Found::Value),
            Item::Text(_) => first(self.value(), alternatives).cloned().map(Found::Made),
        }
    }

    /// The first capture group that took part, else the whole match.
    fn searched(&mut self, regex: &Regex) -> Option<Found<'i>> {
        let text = self.text.get_or_insert_with(|| self.item.text());
        let captures = regex.captures(text)?;
        let group = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0))?;
        Some(Found::Made(Value::String(group.as_str().to_owned())))
    }
}

fn first<'v>(value: &'v Value, alternatives: &[Vec<Step>]) -> Option<&'v Value> {
    alternatives.iter().find_map(|steps| select::first(value, steps))
}
