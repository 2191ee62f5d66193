//! Diagnostics as people and programs read them.

mod excerpt;
mod github;
mod human;
mod json;
mod mask;
mod sarif;
#[cfg(test)]
mod tests;

pub use github::github;
pub use human::human;
pub use json::json;
pub use mask::Masked;
pub use sarif::sarif;
