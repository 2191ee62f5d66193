//! Diagnostics as people and programs read them.

mod excerpt;
mod human;
mod json;
mod mask;
#[cfg(test)]
mod tests;

pub use human::human;
pub use json::json;
pub use mask::Masked;
