//! Templates: text with `{{expressions}}`.

mod after;
pub mod ast;
mod build;
mod common;
mod explain;
mod parse;
#[cfg(test)]
mod tests;

pub use parse::{has_expression, opening, parse};
