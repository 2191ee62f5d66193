//! The tree of a template: what was written, in order, with places and without meaning.

use crate::Span;

/// A whole string: its text and expressions in order, covering it without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The parts in order; none for the empty string.
    pub parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that stands for itself.
    Text(Text),
    /// An expression in double braces.
    Expr(Expr),
}

/// Text between expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text as written.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// `{{value|filter|filter:argument}}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What the filters start from.
    pub value: Value,
    /// The filters in the order they are applied.
    pub filters: Vec<Filter>,
    /// The place with its braces.
    pub span: Span,
}

/// The first part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Which kind of value, and its content.
    pub kind: ValueKind,
    /// The place, with the quotes of a string.
    pub span: Span,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A variable and a way into it.
    Path(PathRef),
    /// Quoted text, decoded.
    String(String),
    /// A number as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
}

/// A name and the steps behind it: `env.HOME`, `tags[0]`, `item["odd key"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRef {
    /// The first name.
    pub name: Name,
    /// What follows it.
    pub steps: Vec<Step>,
}

/// A name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the step goes.
    pub kind: StepKind,
    /// The place of the key or index alone: without dot or brackets, with the quotes of a quoted key.
    pub span: Span,
}

/// Where a step goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A member of an object, decoded.
    Key(String),
    /// An element of a list, from 0.
    Index(u64),
}

/// `name` or `name:argument`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The filter's name.
    pub name: Name,
    /// What follows its colon.
    pub argument: Option<Argument>,
    /// The place of name and argument.
    pub span: Span,
}

/// What a filter is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The text: a quoted one decoded, a raw one without the blanks at its ends unless it is all blanks.
    pub text: String,
    /// Whether it was quoted; a raw empty one is a mistake of which the compiler knows more.
    pub quoted: bool,
    /// The place, with the quotes of a quoted one.
    pub span: Span,
}
