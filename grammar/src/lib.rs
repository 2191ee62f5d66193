//! The small languages inside kontext's strings: text to syntax trees whose every node knows its place.
//!
//! The grammars stand beside this crate's `Cargo.toml`; each module here keeps its grammar's rules to itself and
//! gives a tree or errors written for people. Nothing here knows TOML, files or what a name means.

mod error;
pub mod map_value;
pub mod path;
mod quoted;
pub mod scope_map;
mod span;
pub mod template;

pub use error::SyntaxError;
pub use span::Span;
