//! Executes plans: evaluates their templates, calls what they name, and maps what comes back.

pub mod answer;
mod engine;
mod error;
mod exec;
mod facts;
mod load;
pub mod mapping;
mod mcp;
mod metrics;
mod observe;
pub mod payload;
pub mod secret;
pub mod server;
mod suggest;
pub mod value;
mod when;

pub use engine::{About, Catalogue, Given, Offer, Question, Runtime, ToolInfo, list};
pub use error::{RunError, origin};
pub use exec::command::{keep, keep_commands};
pub use kontext_notes::{ScopeAnswer, Step};
pub use load::{Loaded, Trust, load};
pub use mcp::{Progress, ProgressSink, guard};
