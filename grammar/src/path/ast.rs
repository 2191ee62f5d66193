//! The tree of a path: alternatives of steps, with places and without meaning.

use crate::Span;

/// A path: the first alternative that selects something not null counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The alternatives in order, at least one; one without steps is the root.
    pub alternatives: Vec<Alternative>,
}

/// One way into a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The steps from the root; none selects the root itself.
    pub steps: Vec<Step>,
    /// The place, without the blanks around it.
    pub span: Span,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the step goes.
    pub kind: StepKind,
    /// The place of the key, index or `*` alone: without dot or brackets, with the quotes of a quoted key.
    pub span: Span,
}

/// Where a step goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A member of an object, decoded.
    Key(String),
    /// An element of a list; a negative one counts from the end.
    Index(i64),
    /// `[*]`: every element of a list.
    Each,
    /// `*`: every value of an object or element of a list.
    Any,
}
