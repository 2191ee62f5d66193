//! Scope and notes: which slice of an agent's notes belongs to the workspace it works in.
//!
//! Pure: texts and compiled tables in, answers out. The compiler uses it to compile maps and to check a hot document,
//! the runtime to answer with them; neither finds files here.

pub mod alias;
mod chain;
mod current;
pub mod document;
mod health;
mod hot;
mod lines;
pub mod path;
mod private;
mod route;
mod scopes;
mod span;

pub use chain::{Ask, Place, ScopeAnswer, Step, resolve};
pub use document::{Document, LONGEST_DOCUMENT, TooLarge};
pub use health::{HealthProblem, HotSize, Level, MemoryHealth, SectionSize, memory_health};
pub use hot::{HotContext, read_hot_context};
pub use path::{Machine, PathTable, Workspace};
pub use private::{Private, PrivateKind, private_places};
pub use route::{Limits, RouteContext, Selected, matching, route_context};
pub use scopes::{
    DEFAULT_SCOPE, HOT_BUDGET_CRITICAL, HOT_BUDGET_WARNING, MapNote, MapSection, Scopes, is_scope,
    is_scope_character,
};
pub use span::Span;
