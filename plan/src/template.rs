//! Compiled templates: what to evaluate, in which order, without any text to parse.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::OriginId;
use crate::path::Step;

/// A template of one text slot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// Text without expressions.
    Text(String),
    /// Exactly one expression: the value keeps its type.
    Expr(Expr),
    /// Text and expressions: always text.
    Concat(Vec<Piece>),
}

/// A part of a longer text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// An expression, written as text.
    Expr(Expr),
}

/// A value and what is done to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Expr {
    /// Where the value comes from.
    pub from: Source,
    /// Filters, applied in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// The expression in the configuration.
    pub at: OriginId,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A literal of the template or a constant of the build.
    Literal(Value),
    /// A fact by its name in the plan's `facts`.
    Fact(String),
    /// An entry of the adapter's `vars` by position.
    Var(u32),
    /// A member of the call's inputs; the first step is the input's name.
    Input(Vec<Step>),
    /// A member of the result item (in `tpl:` maps only); no steps is the item itself.
    Item(Vec<Step>),
    /// The private temporary file of a command op with `output_file`.
    OutputFile,
}

/// What is done to a value. Null goes through every filter but `default` as null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Percent-encodes everything but unreserved characters.
    Urlencode,
    /// Compact JSON text.
    Json,
    /// Lower case.
    Lower,
    /// Upper case.
    Upper,
    /// Without white space at both ends.
    Trim,
    /// Letters and digits joined by `-`.
    Slug,
    /// Up to the first line break.
    FirstLine,
    /// List elements as text with this between.
    Join(String),
    /// At most this many characters.
    Truncate(u64),
    /// What follows the first occurrence.
    After(String),
    /// What precedes the first occurrence.
    Before(String),
    /// Stands in for missing, null, empty text and the empty list.
    Default(Value),
    /// An integer.
    Int,
    /// As it is: the mark that a path slot does not encode it.
    Raw,
    /// A file path that stays inside this directory, symbolic links followed.
    Within(String),
}

/// A template of a JSON slot (`args`, `body`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum JsonTemplate {
    /// A number or boolean.
    Scalar(Value),
    /// A string.
    Template(Template),
    /// An object, members in document order.
    Object(Vec<Member>),
    /// A list.
    Array(Vec<JsonTemplate>),
}

/// A member of an object template. A key that is null drops the member; a later key that renders the same wins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The key.
    pub key: Template,
    /// The value.
    pub value: JsonTemplate,
}
