//! The words of the findings about fields, one file per kind of mistake.

pub mod conflicts;
pub mod headers;
pub mod keys;
pub mod missing;
pub mod names;
pub mod paths;
pub mod placeholders;
pub mod shapes;
pub mod text;
pub mod times;
pub mod types;
pub mod urls;
pub mod values;
pub mod written;
