//! The renderers of the command line, without their own tests: what they print for strange texts is tried here too.

#[path = "../../../cli/render/excerpt.rs"]
mod excerpt;
#[path = "../../../cli/render/github.rs"]
mod github;
#[path = "../../../cli/render/human.rs"]
mod human;
#[path = "../../../cli/render/json.rs"]
mod json;
#[path = "../../../cli/render/mask.rs"]
mod mask;

pub use github::github;
pub use human::human;
pub use json::json;
pub use mask::Masked;
