//! Scope maps: lines of `path => scope` or `alias => scope` between prose, comments and fences.

pub mod ast;
mod explain;
mod judge;
mod parse;
#[cfg(test)]
mod tests;

pub use parse::parse;
