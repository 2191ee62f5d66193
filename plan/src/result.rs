//! Compiled result mappings: from a payload to hits or text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::OriginId;
use crate::path::{Path, Step};
use crate::template::Template;

/// What an op gives, and how it is taken from the payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ResultMap {
    /// Search hits.
    Hits(HitsMap),
    /// Text; with a path every selected value, else by the usual names.
    Text(Option<Path>),
}

/// How hits are taken from a payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HitsMap {
    /// Where the items are.
    pub items: Items,
    /// Conditions an item must meet, all of them.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Equals>,
    /// Fields with a rule of their own; the others fall back to the usual names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub map: BTreeMap<HitField, FieldMap>,
}

/// Where the items of a payload are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Items {
    /// By the usual names.
    Auto,
    /// What the path selects; `text` is the path as written, for notes.
    Path {
        /// The compiled path.
        path: Path,
        /// The path as the configuration has it.
        text: String,
    },
    /// A text cut at lines that start with this.
    Split(String),
}

/// An item's condition: some value selected by the steps equals the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Equals {
    /// What is compared.
    pub path: Path,
    /// The text it must equal.
    pub equals: String,
}

/// The fields of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HitField {
    /// The headline.
    Title,
    /// A line of text.
    Snippet,
    /// Where it can be read.
    Uri,
    /// How well it fits.
    Score,
    /// What kind of thing it is.
    Kind,
    /// When it is from.
    Date,
}

/// The rule of one field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FieldMap {
    /// How the value is found.
    pub rule: FieldRule,
    /// The place in the configuration.
    pub at: OriginId,
}

/// How a field's value is found in an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FieldRule {
    /// The first selected value that is not null, else the literal.
    Path {
        /// Alternatives in order; may be none when only a literal is given.
        alternatives: Vec<Vec<Step>>,
        /// What stands in when nothing was selected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        literal: Option<String>,
    },
    /// The first capture group that took part, else the whole match, on the item's text.
    Regex(String),
    /// A template whose unknown names are fields of the item.
    Template(Template),
}
