//! Diagnostics as people and programs read them.

mod excerpt;
mod human;
mod json;
#[cfg(test)]
mod tests;

pub use human::human;
pub use json::json;
