//! The document against the surface: every key known, every value of its kind, before any small language is read.
//!
//! [`walk`] goes through the tree by the tables of [`crate::fields`]; the other modules each know one kind of
//! mistake. A wrong value never hides another: what has the wrong kind is reported and skipped.

mod adapters;
mod control;
mod foreign;
mod headers;
mod json_schema;
mod keys;
mod missing;
mod names;
mod ops;
mod params;
mod paths;
mod place;
mod placeholders;
mod script;
mod servers;
mod strings;
mod types;
mod urls;
mod walk;

#[cfg(test)]
mod tests;

use crate::diagnostic::fields::written;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fields::tables::ROOT;
use crate::merge::Document;
use crate::source::Sources;

/// Checks the merged layers against the surface. `broken` says that a layer could not be read as TOML: what it would
/// have given is then not reported as missing.
pub fn validate(document: &Document, sources: &Sources, broken: bool, diagnostics: &mut Diagnostics) {
    let mut walk = Walk { sources, broken, diagnostics };
    walk::root(&mut walk, &document.root, &ROOT);
}

/// What every check needs.
struct Walk<'a> {
    sources: &'a Sources,
    broken: bool,
    diagnostics: &'a mut Diagnostics,
}

impl Walk<'_> {
    /// Adds a finding.
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// Where the walk is.
#[derive(Debug, Clone)]
struct Place {
    /// The dotted path of the table, as messages write it; empty at the top level.
    path: String,
    /// The driver of the adapter around it, when there is one and it is valid.
    driver: Option<Driver>,
}

/// A valid driver and where it is set.
#[derive(Debug, Clone, Copy)]
struct Driver {
    name: &'static str,
    span: crate::source::FileSpan,
}

impl Place {
    /// The top level.
    fn root() -> Place {
        Place { path: String::new(), driver: None }
    }

    /// The table under a key.
    fn under(&self, key: &str) -> Place {
        let key = written::key(key);
        let path = if self.path.is_empty() { key } else { format!("{}.{key}", self.path) };
        Place { path, driver: self.driver }
    }

    /// The driver's name.
    fn driver_name(&self) -> Option<&'static str> {
        self.driver.map(|driver| driver.name)
    }
}
