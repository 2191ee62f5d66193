//! Values against the kinds of their fields.

use super::{Place, Walk, headers, names, placeholders, strings, walk};
use crate::diagnostic::fields::{shapes, types as report, values as field_values};
use crate::fields::tables::OP;
use crate::fields::{Names, Slot, TableSpec, Type, Word};
use crate::source::FileSpan;
use crate::tree::{self, Entry, Node, Table, Value};

/// A value against its field's type.
pub fn value(walk: &mut Walk<'_>, key: &str, entry: &Entry, ty: &Type, place: &Place) {
    let node = &entry.node;
    match ty {
        Type::Table(spec) => match node.as_table() {
            Some(content) => {
                walk::table_of(walk, content, spec, &place.under(key), Some(entry.key));
            }
            None => not_a_table(walk, key, node, spec, place),
        },
        Type::NamedTables(spec) => match node.as_table() {
            Some(content) => walk::named_tables(walk, content, spec, &place.under(key)),
            None => not_tables(walk, key, node, spec, place),
        },
        Type::Tables(spec) => match &node.value {
            Value::Array(_) => walk::tables(walk, &tree::elements(node), spec, &place.under(key)),
            Value::Table(content) => {
                let path = place.under(key).path;
                walk.push(shapes::report_one_table(walk.sources, node, content, &path, spec));
                walk::tables(walk, &tree::elements(node), spec, &place.under(key));
            }
            _ => wrong_list(walk, key, node, spec, place),
        },
        Type::OpRef if matches!(node.value, Value::Table(_) | Value::String(_)) => {
            walk::op_ref(walk, entry, key, &OP, place);
        }
        _ => leaf(walk, key, node, ty, place),
    }
}

/// A value that has no fields of its own.
fn leaf(walk: &mut Walk<'_>, key: &str, node: &Node, ty: &Type, place: &Place) {
    match (ty, &node.value) {
        (Type::Bool, Value::Bool(_)) => {}
        (Type::Version, Value::Integer(version)) => version_of(walk, *version, node.span),
        (Type::Integer { min, max }, Value::Integer(number)) => {
            if !(min..=max).contains(&number) {
                walk.push(field_values::report_out_of_range(node.span, key, *number, *min, *max));
            }
        }
        (Type::Positive { max }, Value::Integer(number)) => {
            #[expect(clippy::cast_precision_loss, reason = "only compared with a small bound")]
            positive(walk, key, node, *number as f64, *max);
        }
        (Type::Positive { max }, Value::Float(number)) => positive(walk, key, node, *number, *max),
        (Type::Choice(words), Value::String(word)) => choice(walk, key, node, word, words),
        (Type::Text(_) | Type::Template(_) | Type::Path | Type::Regex, Value::String(text)) => {
            string(walk, key, node, text, ty, place);
        }
        (Type::Texts(_) | Type::Integers { .. } | Type::Argv, Value::Array(items)) => {
            list(walk, key, node, items, ty, place);
        }
        (Type::Expose, Value::String(_) | Value::Array(_)) => expose(walk, key, node, place),
        (Type::TextTable(word), Value::Table(table)) => texts(walk, table, *word),
        (Type::TemplateTable(kind), Value::Table(table)) => templates(walk, table, *kind, place, key),
        (Type::JsonTable, Value::Table(_)) | (Type::Json, _) => json(walk, node, key),
        (Type::Where, Value::Table(table)) => conditions(walk, table),
        (Type::Map, Value::Table(table)) => map(walk, table),
        (Type::Params, Value::Table(table)) => super::params::params(walk, node, table),
        _ => wrong(walk, key, node, ty),
    }
}

/// A value of the wrong kind.
fn wrong(walk: &mut Walk<'_>, key: &str, node: &Node, ty: &Type) {
    if !unread(walk, node) {
        walk.push(report::report_wrong_type(walk.sources, node, Some(key), ty));
    }
}

/// An element of the wrong kind.
pub fn wrong_element(walk: &mut Walk<'_>, node: &Node, ty: &Type) {
    if !unread(walk, node) {
        walk.push(report::report_wrong_type(walk.sources, node, None, ty));
    }
}

/// Whether a value was reported where the file was read: an unquoted text, or something that is no value at all.
fn unread(walk: &Walk<'_>, node: &Node) -> bool {
    let quoted = || walk.sources.text(node.span).starts_with(['"', '\'']);
    let template = || walk.sources.text(node.span).starts_with("{{");
    match node.value {
        Value::Unread => true,
        Value::String(_) => !quoted(),
        Value::Table(_) => template(),
        _ => false,
    }
}

/// Something else where a table was expected.
pub fn not_a_table(walk: &mut Walk<'_>, key: &str, node: &Node, spec: &'static TableSpec, place: &Place) {
    if !unread(walk, node) {
        walk.push(shapes::report_not_a_table(walk.sources, node, key, spec, place.driver_name()));
    }
}

/// Something else as the element of an array of tables.
pub fn not_an_element(walk: &mut Walk<'_>, node: &Node, spec: &'static TableSpec, place: &Place) {
    if !unread(walk, node) {
        walk.push(shapes::report_not_an_element(node, &place.path, spec));
    }
}

/// Something else where tables under names were expected.
fn not_tables(walk: &mut Walk<'_>, key: &str, node: &Node, spec: &'static TableSpec, place: &Place) {
    if !unread(walk, node) {
        walk.push(shapes::report_not_tables(node, key, &place.under(key).path, spec, place.driver_name()));
    }
}

/// Something else where an array of tables was expected.
fn wrong_list(walk: &mut Walk<'_>, key: &str, node: &Node, spec: &'static TableSpec, place: &Place) {
    if !unread(walk, node) {
        walk.push(shapes::report_not_a_list(node, key, &place.under(key).path, spec));
    }
}

fn version_of(walk: &mut Walk<'_>, version: i64, span: FileSpan) {
    if version != 1 {
        walk.push(field_values::report_unsupported_version(span, version));
    }
}

fn positive(walk: &mut Walk<'_>, key: &str, node: &Node, number: f64, max: f64) {
    if !(number > 0.0 && number <= max) {
        walk.push(field_values::report_not_positive(walk.sources, node.span, key, max));
    }
}

fn choice(walk: &mut Walk<'_>, key: &str, node: &Node, word: &str, words: &'static [&'static str]) {
    if !words.contains(&word) {
        walk.push(field_values::report_not_a_choice(node.span, key, word, words));
    }
}

/// A string against what its field does with it.
fn string(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str, ty: &Type, place: &Place) {
    match ty {
        Type::Template(slot) => strings::template(walk, key, node, text, *slot, place),
        Type::Text(word) => strings::word(walk, key, node, text, *word),
        _ => {
            placeholders::not_a_template(walk, key, node, text);
        }
    }
}

/// The elements of an array of one kind.
fn list(walk: &mut Walk<'_>, key: &str, node: &Node, items: &[Node], ty: &Type, place: &Place) {
    match ty {
        Type::Argv => strings::argv(walk, key, node, items, place),
        Type::Texts(word) => {
            if *word == Word::Scope && items.is_empty() {
                walk.push(field_values::report_empty_list(node.span, key, "`[\"web\"]`"));
            }
            for item in items {
                match item.as_str() {
                    Some(text) => strings::word(walk, key, item, text, *word),
                    None => wrong_element(walk, item, &Type::Text(*word)),
                }
            }
        }
        Type::Integers { min, max } => integers(walk, key, node, items, *min, *max),
        _ => {}
    }
}

fn integers(walk: &mut Walk<'_>, key: &str, node: &Node, items: &[Node], min: i64, max: i64) {
    if items.is_empty() {
        walk.push(field_values::report_empty_list(node.span, key, "`[0]`"));
    }
    for item in items {
        match item.as_integer() {
            Some(number) if (min..=max).contains(&number) => {}
            Some(number) => walk.push(field_values::report_out_of_range(item.span, key, number, min, max)),
            None => wrong_element(walk, item, &Type::Integer { min, max }),
        }
    }
}

fn expose(walk: &mut Walk<'_>, key: &str, node: &Node, place: &Place) {
    match &node.value {
        Value::String(word) if !matches!(word.as_str(), "none" | "all") => {
            walk.push(field_values::report_expose_word(node.span, word));
        }
        Value::Array(items) => list(walk, key, node, items, &Type::Texts(Word::Any), place),
        _ => {}
    }
}

fn texts(walk: &mut Walk<'_>, table: &Table, word: Word) {
    for (key, entry) in &table.entries {
        match entry.node.as_str() {
            Some(text) => strings::word(walk, key, &entry.node, text, word),
            None => wrong(walk, key, &entry.node, &Type::Text(word)),
        }
    }
}

/// Templates under names of the user's choice.
fn templates(walk: &mut Walk<'_>, table: &Table, kind: Names, place: &Place, owner: &str) {
    match kind {
        Names::Headers => headers::names(walk, table),
        Names::Env => names::variables(walk, table),
        Names::Query => keys(walk, table, owner),
        Names::Vars => {}
    }
    for (key, entry) in &table.entries {
        let Some(text) = entry.node.as_str() else {
            wrong(walk, key, &entry.node, &Type::Template(Slot::Text));
            continue;
        };
        strings::template(walk, key, &entry.node, text, Slot::Text, place);
        if kind == Names::Headers {
            headers::value(walk, key, &entry.node, text, owner);
        }
    }
}

/// Keys that are no templates, although values beside them may be.
fn keys(walk: &mut Walk<'_>, table: &Table, owner: &str) {
    for (key, entry) in &table.entries {
        placeholders::not_a_template_key(walk, owner, key, entry.key);
    }
}

/// A value that becomes JSON: no number that JSON cannot write.
pub fn json(walk: &mut Walk<'_>, node: &Node, key: &str) {
    match &node.value {
        Value::Float(number) if !number.is_finite() => {
            walk.push(field_values::report_no_json_number(walk.sources, node.span, key));
        }
        Value::Array(items) => items.iter().for_each(|item| json(walk, item, key)),
        Value::Table(table) => table.entries.values().for_each(|entry| json(walk, &entry.node, key)),
        _ => {}
    }
}

/// `where`: texts, or tables of them.
fn conditions(walk: &mut Walk<'_>, table: &Table) {
    keys(walk, table, "where");
    for (key, entry) in &table.entries {
        match &entry.node.value {
            Value::Table(inner) => conditions(walk, inner),
            Value::String(text) => {
                placeholders::not_a_template(walk, key, &entry.node, text);
            }
            Value::Array(_) => wrong(walk, key, &entry.node, &Type::Text(Word::Any)),
            _ => {}
        }
    }
}

/// `map`: rules, of which only `tpl:` is a template.
fn map(walk: &mut Walk<'_>, table: &Table) {
    for (key, entry) in &table.entries {
        match entry.node.as_str() {
            Some(rule) if rule.starts_with("tpl:") => {}
            Some(rule) => placeholders::not_a_map_template(walk, key, &entry.node, rule),
            None => wrong(walk, key, &entry.node, &Type::Path),
        }
    }
}
