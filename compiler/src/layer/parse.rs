//! The text of a layer to a tree with places; what the parser complains about goes on to [`super::explain`].

use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ParseError, Source};

use super::build::Builder;
use super::explain::explain;
use crate::diagnostic::Diagnostics;
use crate::source::FileId;
use crate::tree::Table;

/// Deepest nesting of tables and arrays, dotted keys and headers counted.
pub(super) const MAX_DEPTH: usize = 100;

pub(super) const DUPLICATE: &str = "kontext: duplicate key";
pub(super) const NOT_A_TABLE: &str = "kontext: not a table";
pub(super) const TOO_DEEP: &str = "kontext: too deep";
pub(super) const RANGE: &str = "kontext: number out of range";
pub(super) const DATE: &str = "kontext: no such date";

/// The tree of a text, as far as it can be read, and whether all of it could.
///
/// The parser recovers from errors, so that one file's mistakes are all reported at once. `toml::de::DeTable` does
/// the same on top of the same parser; it is not used because it stops at 80 levels, forgets where a duplicate key
/// stood first, and would be a second tree to walk.
pub fn parse(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> (Table, bool) {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut errors: Vec<ParseError> = Vec::new();
    let mut events = Vec::with_capacity(tokens.len());
    {
        let mut keep = |event: Event| {
            if says_something(&event) {
                events.push(event);
            }
        };
        let mut checked = ValidateWhitespace::new(&mut keep, source);
        let mut guarded = RecursionGuard::new(&mut checked, u32::try_from(MAX_DEPTH).unwrap_or(u32::MAX));
        parse_document(&tokens, &mut guarded, &mut errors);
    }
    drop(tokens);
    let root = Builder::new(source, &events, file, &mut errors).document();
    let whole = errors.is_empty();
    if !whole {
        explain(text, file, errors, diagnostics);
    }
    (root, whole)
}

fn says_something(event: &Event) -> bool {
    use EventKind::{Comment, Error, Newline, Whitespace};
    !matches!(event.kind(), Whitespace | Comment | Newline | Error)
}
