//! A time with a unit and without quotes, in a field that counts milliseconds.

use std::ops::Range;

use crate::diagnostic::fields::times::milliseconds_key;
use crate::fields::Type;
use crate::fields::tables::TABLES;

/// What holds a place's value, and the value.
pub(super) struct Unquoted<'a> {
    /// The field that is meant.
    pub(super) field: &'static str,
    /// The key that is written.
    pub(super) key: &'a str,
    /// The value's place.
    pub(super) at: Range<usize>,
    /// The value.
    pub(super) written: &'a str,
}

/// The value at a place of a line, where its key names a time. `line` is the line's place.
pub(super) fn unquoted(text: &str, line: Range<usize>, at: usize) -> Option<Unquoted<'_>> {
    let whole = text.get(line.clone())?;
    let equals = text.get(line.start..at.max(line.start))?.rfind('=')?;
    let (before, after) = (whole.get(..equals)?, whole.get(equals + 1..)?);
    let value = after.split([',', '}', '#']).next()?;
    let written = value.trim();
    let start = line.start + equals + 1 + (value.len() - value.trim_start().len());
    let key = words(before).last()?;
    let field = milliseconds_key(key)?;
    if at < start || at > start + written.len() {
        return None;
    }
    let keys = without_values(before);
    if words(header(text, line.start)).chain(words(&keys)).any(names_free_values) {
        return None;
    }
    Some(Unquoted { field, key, at: start..start + written.len(), written })
}

/// The header that a line stands under; nothing at the top of a file.
fn header(text: &str, line: usize) -> &str {
    let before = text.get(..line).unwrap_or("");
    before.lines().rev().find(|line| line.trim_start().starts_with('[')).unwrap_or("")
}

/// What stands before a value on its line, without the strings that are no keys.
fn without_values(before: &str) -> String {
    let (mut kept, mut rest) = (String::new(), before);
    while let Some((outside, string)) = rest.split_once(['"', '\'']) {
        let Some((inside, after)) = string.split_once(['"', '\'']) else { break };
        kept.push_str(outside);
        if after.trim_start().starts_with(['.', '=']) {
            kept.push_str(inside);
        }
        kept.push(' ');
        rest = after;
    }
    kept + rest
}

/// The keys of a header or of what stands before a value.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.split(move |c| !bare(c)).filter(|word| !word.is_empty())
}

/// Whether a key's table holds what its user likes: nothing in it is a field.
fn names_free_values(key: &str) -> bool {
    TABLES.iter().filter_map(|(_, table)| table.field(key)).any(|field| {
        matches!(
            field.ty,
            Type::TextTable(_)
                | Type::TemplateTable(_)
                | Type::Json
                | Type::JsonTable
                | Type::Map
                | Type::Where
                | Type::Params
        )
    })
}
