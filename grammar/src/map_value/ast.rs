//! The tree of a map value: which of the three languages it is written in, and the tree of that.

use crate::{Span, path, template};

/// What a field of a hit is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapValue {
    /// A path into the item, and what to take when it selects nothing.
    Path {
        /// The alternatives before the literal; none when the value is a literal alone.
        alternatives: Vec<path::ast::Alternative>,
        /// What stands behind `=`.
        literal: Option<Literal>,
    },
    /// `re:REGEX`.
    Regex {
        /// The expression behind `re:`, not looked at here.
        text: String,
        /// Its place.
        span: Span,
    },
    /// `tpl:TEMPLATE`.
    Template {
        /// The template, its spans relative to the whole map value.
        template: template::ast::Template,
        /// The place behind `tpl:`.
        span: Span,
    },
}

/// `=LITERAL`, the last alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Everything behind `=`, blanks and `|` too.
    pub text: String,
    /// Its place.
    pub span: Span,
}
