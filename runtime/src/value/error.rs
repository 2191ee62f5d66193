//! Why a template has no value, in words that never hold the value itself.

use kontext_plan::OriginId;

/// Largest text that an evaluation may give, in bytes.
pub(super) const LIMIT: usize = 8 * 1024 * 1024;

/// A template that could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// What kind of fault it is.
    pub kind: EvalErrorKind,
    /// The place in the configuration, where one is known.
    pub at: Option<OriginId>,
    /// What people read; it holds no value.
    pub message: String,
}

/// Kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// A fact that is needed is not there.
    MissingVariable {
        /// The fact's name, such as `env.TOKEN`.
        name: String,
        /// It is set, but empty.
        empty: bool,
    },
    /// A filter does not take the value.
    Filter {
        /// The filter's name.
        name: &'static str,
    },
    /// The slot does not take a value of this type.
    Type,
    /// The slot does not take this value.
    Value,
    /// A URL path segment would be empty.
    EmptySegment,
    /// A URL path segment would be `.` or `..`.
    DotSegment,
    /// The URL would leave the path of its base.
    LeavesBase,
    /// A text grew beyond what kontext sends.
    TooLarge,
    /// The plan contradicts itself; `build` does not write such a plan.
    Plan,
}

impl EvalError {
    pub(crate) fn new(kind: EvalErrorKind, message: impl Into<String>) -> EvalError {
        EvalError { kind, at: None, message: message.into() }
    }

    pub(super) fn missing(name: &str, empty: bool) -> EvalError {
        let why = match (name.starts_with("env."), empty) {
            (true, false) => "is not set",
            (true, true) => "is set but empty",
            (false, _) => "has no value here",
        };
        let kind = EvalErrorKind::MissingVariable { name: name.to_owned(), empty };
        EvalError::new(kind, format!("`{name}` {why}"))
    }

    pub(super) fn too_large() -> EvalError {
        EvalError::new(EvalErrorKind::TooLarge, "the text would be larger than 8 MiB")
    }

    pub(super) fn value(message: impl Into<String>) -> EvalError {
        EvalError::new(EvalErrorKind::Value, message)
    }

    pub(super) fn not_text(found: &str) -> EvalError {
        let hint = "write `|join:,` or `|json`";
        EvalError::new(EvalErrorKind::Type, format!("text is needed here, the value is {found}; {hint}"))
    }

    /// Names the place, unless a more exact one is known already.
    pub(crate) fn or_at(mut self, at: OriginId) -> EvalError {
        self.at.get_or_insert(at);
        self
    }
}
