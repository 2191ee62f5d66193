//! Layers of TOML in, a checked plan and every diagnostic out.
//!
//! The phases, in the order they run. Each gives its output and adds to the diagnostics; none stops at the first
//! mistake, none prints, and only `lower` makes plan types:
//!
//! 1. [`world`]: the one door to the outside
//! 2. [`source`]: the texts, so that every span can be shown
//! 3. [`layer`]: bytes → a tree in which every key and value has its place ([`tree`])
//! 4. [`merge`]: layers → one [`merge::Document`], every leaf with what it replaced
//! 5. [`validate`]: the document against the one description of the surface ([`fields`])
//! 6. [`parse`](mod@parse): strings → the small languages' syntax trees
//! 7. [`check`](mod@check): names and types
//! 8. [`pin`](mod@pin): tools and arguments against the lock
//! 9. [`flow`](mod@flow): where values may go
//! 10. [`scope`](mod@scope): the maps of scopes, and the markup of the hot document
//! 11. [`allow`](mod@allow): what comments silence
//! 12. [`lower`](mod@lower): → [`kontext_plan::Plan`]; cannot fail

pub mod allow;
pub mod cell;
pub mod check;
mod compile;
pub mod config;
pub mod diagnostic;
pub mod docs;
pub mod fields;
pub mod flow;
pub mod layer;
pub mod lower;
pub mod mask;
pub mod merge;
pub mod parse;
pub mod pin;
mod placeholders;
pub mod project;
pub mod schema;
pub mod scope;
pub mod source;
pub mod suggest;
pub mod tree;
pub mod types;
pub mod validate;
pub mod world;

pub use compile::{Compilation, Options, compile, diagnose};
