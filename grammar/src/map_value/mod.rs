//! Map values: what a field of a hit is made from.

pub mod ast;
mod parse;
#[cfg(test)]
mod tests;

pub use parse::parse;
