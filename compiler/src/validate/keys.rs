//! Keys that no field has: a slip, another tool's word, or a field of another table.

use super::{Place, Walk, foreign};
use crate::diagnostic::fields::keys::{self as report, Meant};
use crate::fields::tables::{ADAPTER, KNOWLEDGE, OP, PROJECT, ROOT, STORE, WHEN, WORKSPACE};
use crate::fields::{TableSpec, Type};
use crate::suggest;
use crate::tree::{Entry, Table, Value};

/// Reports an unknown key. Gives the known keys it stands for, which are then not missing.
pub fn unknown(
    walk: &mut Walk<'_>,
    table: &Table,
    spec: &'static TableSpec,
    place: &Place,
    key: &str,
    entry: &Entry,
) -> Vec<&'static str> {
    if let Some(answer) = foreign::habit(table, spec, place, key, entry) {
        let known = answer.meant.to_vec();
        let rename = answer.rename.filter(|to| can_rename(walk, table, entry, to));
        let meant = Meant::Habit { say: &answer.say, rename, value: answer.value.as_deref() };
        walk.push(report::report_unknown_key(&place.path, key, entry, &meant));
        return known;
    }
    if let Some(owner) = elsewhere(spec, key, entry) {
        walk.push(report::report_unknown_key(&place.path, key, entry, &Meant::Elsewhere { owner }));
        return Vec::new();
    }
    let fits = |driver: Option<&str>| {
        let fields =
            spec.fields.iter().filter(move |field| driver.is_none_or(|name| field.drivers.has(name)));
        suggest::nearest(key, fields.map(|field| field.name))
    };
    let near = fits(place.driver_name()).or_else(|| fits(None));
    let Some(near) = near.and_then(|name| spec.field(name)).map(|field| field.name) else {
        let known: Vec<&str> = known(spec, place);
        walk.push(report::report_unknown_key(&place.path, key, entry, &Meant::Nothing { known: &known }));
        return Vec::new();
    };
    let rename = can_rename(walk, table, entry, near);
    let certain = rename && suggest::is_certain(key, near, spec.fields.iter().map(|field| field.name));
    walk.push(report::report_unknown_key(
        &place.path,
        key,
        entry,
        &Meant::Near { name: near, rename, certain },
    ));
    vec![near]
}

/// The keys a table has for the driver at hand.
fn known(spec: &'static TableSpec, place: &Place) -> Vec<&'static str> {
    let driver = place.driver_name();
    let fields = spec.fields.iter().filter(|field| driver.is_none_or(|name| field.drivers.has(name)));
    fields.map(|field| field.name).collect()
}

/// Whether putting another word at the key renames it: not for a table that may have several headers.
fn can_rename(walk: &Walk<'_>, table: &Table, entry: &Entry, to: &str) -> bool {
    let spread = match entry.node.value {
        Value::Table(_) => !walk.sources.text(entry.node.span).starts_with('{'),
        Value::Array(_) => walk.sources.text(entry.node.span).starts_with("[["),
        _ => false,
    };
    table.get(to).is_none() && !spread
}

/// The table that has a key of this name, as it is written.
fn elsewhere(spec: &'static TableSpec, key: &str, entry: &Entry) -> Option<&'static str> {
    let holds =
        |other: &TableSpec| other.field(key).is_some_and(|field| same_shape(&field.ty, &entry.node.value));
    let candidates: &[(&TableSpec, &'static str)] = match spec.name {
        "configuration" => &[
            (&ADAPTER, "`[adapters.<name>]`"),
            (&PROJECT, "`[project]`"),
            (&STORE, "`[store]`"),
            (&WORKSPACE, "`[workspace]`"),
            (&KNOWLEDGE, "`[knowledge]`"),
        ],
        "adapter" => &[
            (&OP, "an op, such as `[adapters.<name>.ops.search]`"),
            (&WHEN, "`when = { … }`"),
            (&ROOT, "the top level of the file"),
        ],
        "op" => &[(&ADAPTER, "the adapter, `[adapters.<name>]`")],
        "tool" => &[(&OP, "the op: `op = { … }`"), (&ADAPTER, "the adapter, `[adapters.<name>]`")],
        "on" => &[(&OP, "the op that `op` names"), (&ADAPTER, "the adapter, `[adapters.<name>]`")],
        "when" => &[(&ADAPTER, "the adapter, `[adapters.<name>]`")],
        "knowledge" => &[(&WORKSPACE, "`[workspace]`")],
        "workspace" => &[(&KNOWLEDGE, "`[knowledge]`")],
        _ => &[],
    };
    candidates.iter().find(|(other, _)| holds(other)).map(|(_, owner)| *owner)
}

/// Whether a value could be meant for a field: tables for tables, texts for texts.
fn same_shape(ty: &Type, value: &Value) -> bool {
    let wants_table = matches!(
        ty,
        Type::Table(_)
            | Type::NamedTables(_)
            | Type::TemplateTable(_)
            | Type::JsonTable
            | Type::Map
            | Type::Where
    );
    let wants_list = matches!(ty, Type::Tables(_));
    match value {
        Value::Table(_) => wants_table || matches!(ty, Type::Json),
        Value::Array(_) => wants_list || matches!(ty, Type::Argv | Type::Texts(_) | Type::Integers { .. }),
        _ => !wants_table && !wants_list,
    }
}

/// The keys that do for one driver what a key does for another: they are not missing where it stands.
pub fn counterparts(table: &str, key: &str) -> &'static [&'static str] {
    match (table, key) {
        ("adapter", "base_url" | "url") => &["url", "base_url", "command"],
        ("adapter", "command") => &["command", "url", "base_url"],
        ("op", "path" | "url" | "command") => &["tool", "command", "url"],
        ("op", "tool") => &["command", "url"],
        _ => &[],
    }
}
