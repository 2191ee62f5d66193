//! Evaluates compiled templates against facts and inputs, so that nothing is ever sent with a hole in it.

mod error;
mod eval;
mod facts;
mod filters;
mod scope;
mod slots;
#[cfg(test)]
mod tests;
mod text;
mod url;
mod within;

pub use error::{EvalError, EvalErrorKind};
pub use eval::{template, text};
pub use facts::{FactValue, Facts, StartScope};
pub use scope::{Evaluated, Missing, Scope};
pub use slots::{argv, json, query};
pub use text::{as_text, scalar};
pub use url::{add_query, url_segments};
