//! Paths: which values of a document, as in `data.items[*].title|name`.

pub mod ast;
mod brackets;
mod common;
mod explain;
mod parse;
#[cfg(test)]
mod tests;

pub use parse::parse;
pub(crate) use parse::parse_before_pipe;
