//! The type language of templates: small enough to be said in one message.

use std::collections::BTreeMap;
use std::fmt;

/// A type, and whether the value may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Ty {
    /// What the value is when it is there.
    pub kind: Kind,
    /// Whether it may be null.
    pub optional: bool,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A list of one type.
    List(Box<Kind>),
    /// An object; without known fields any member may be asked for.
    Object(Option<BTreeMap<String, Ty>>),
    /// Not known before it is there.
    Any,
}

impl Ty {
    /// A value that is always there.
    #[must_use]
    pub fn always(kind: Kind) -> Ty {
        Ty { kind, optional: false }
    }

    /// A value that may be missing.
    #[must_use]
    pub fn maybe(kind: Kind) -> Ty {
        Ty { kind, optional: true }
    }

    /// The same, when missing values were replaced.
    #[must_use]
    pub fn present(mut self) -> Ty {
        self.optional = false;
        self
    }
}

impl Kind {
    /// Text, number or boolean (or not known).
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Kind::List(_) | Kind::Object(_))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::String => f.write_str("a string"),
            Kind::Integer => f.write_str("an integer"),
            Kind::Number => f.write_str("a number"),
            Kind::Bool => f.write_str("a boolean"),
            Kind::List(element) => match element.as_ref() {
                Kind::String => f.write_str("a list of strings"),
                Kind::Integer => f.write_str("a list of integers"),
                Kind::Number => f.write_str("a list of numbers"),
                Kind::Bool => f.write_str("a list of booleans"),
                Kind::Object(_) => f.write_str("a list of objects"),
                Kind::List(_) | Kind::Any => f.write_str("a list"),
            },
            Kind::Object(_) => f.write_str("an object"),
            Kind::Any => f.write_str("a value of unknown type"),
        }
    }
}
