//! The walk through the merged tree, table by table.

use super::{Place, Walk, adapters, keys, missing, names, ops, types};
use crate::diagnostic::fields::keys as field_keys;
use crate::fields::{TableSpec, Type};
use crate::source::FileSpan;
use crate::tree::{Element, Entry, Table};

/// The top level.
pub fn root(walk: &mut Walk<'_>, table: &Table, spec: &'static TableSpec) {
    table_of(walk, table, spec, &Place::root(), None);
    if let Some(node) = table.get("public_env") {
        names::public_env(walk, node);
    }
}

/// A table with fields. `owner` is what a missing key is reported at. Gives the known keys that unknown ones stand
/// for, so that a misspelling is not reported as missing too.
pub fn table_of(
    walk: &mut Walk<'_>,
    table: &Table,
    spec: &'static TableSpec,
    place: &Place,
    owner: Option<FileSpan>,
) -> Vec<&'static str> {
    let mut meant = Vec::new();
    for (key, entry) in &table.entries {
        let Some(field) = spec.field(key) else {
            meant.extend(keys::unknown(walk, table, spec, place, key, entry));
            continue;
        };
        if let Some(driver) = place.driver
            && !field.drivers.has(driver.name)
        {
            walk.push(field_keys::report_wrong_driver_key(
                field,
                spec.name,
                entry.key,
                driver.name,
                driver.span,
            ));
            meant.extend(keys::counterparts(spec.name, key));
            continue;
        }
        let told = spec.name == "adapter" && key == "command" && entry.node.as_str().is_some();
        if told && ["args", "arguments", "argv"].iter().any(|key| table.get(key).is_some()) {
            // Both are one list: the finding about the arguments shows it.
            continue;
        }
        types::value(walk, key, entry, &field.ty, place);
    }
    if let Some(owner) = owner {
        missing::required(walk, table, spec, place, owner, &meant);
    }
    meant
}

/// Tables under names of the user's choice: adapters and ops.
pub fn named_tables(walk: &mut Walk<'_>, table: &Table, spec: &'static TableSpec, place: &Place) {
    for (name, entry) in &table.entries {
        names::of_table(walk, spec.name, name, entry.key);
        let inner = place.under(name);
        let Some(content) = entry.node.as_table() else {
            types::not_a_table(walk, name, &entry.node, spec, place);
            continue;
        };
        if spec.name == "adapter" {
            adapters::adapter(walk, content, spec, &inner, entry);
        } else {
            ops::op(walk, content, spec, &inner, entry.key);
        }
    }
}

/// An array of tables.
pub fn tables(walk: &mut Walk<'_>, items: &[Element<'_>], spec: &'static TableSpec, place: &Place) {
    for Element { name, node: item } in items {
        let Some(content) = item.as_table() else {
            types::not_an_element(walk, item, spec, place);
            continue;
        };
        // A table of tables was reported: what each lacks is in its key.
        let owner = name.is_none().then_some(item.span);
        table_of(walk, content, spec, place, owner);
        match spec.name {
            "on" => adapters::subscription(walk, content),
            "tool" => ops::tool(walk, content),
            _ => {}
        }
    }
}

/// An op written in place, or the name of one.
pub fn op_ref(walk: &mut Walk<'_>, entry: &Entry, key: &str, spec: &'static TableSpec, place: &Place) {
    match &entry.node.value {
        crate::tree::Value::Table(content) => ops::op(walk, content, spec, &place.under(key), entry.key),
        _ => types::value(walk, key, entry, &Type::Text(crate::fields::Word::Any), place),
    }
}
