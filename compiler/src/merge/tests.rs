//! The merge laws, and what a document remembers of its layers.

use std::collections::BTreeSet;

use kontext_plan::{LayerName, Profile};
use proptest::prelude::*;

use super::{Document, layers, merge};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::layer::{Layer, Loaded, load};
use crate::source::{FileSpan, Sources};
use crate::tree::{Entry, Node, Table, Value};
use crate::world::MapWorld;

fn merged(files: &[(&str, &str)]) -> (Loaded, Document, Vec<Diagnostic>) {
    let world = files.iter().fold(MapWorld::default(), |world, (input, text)| world.with(input, *text));
    let mut diagnostics = Diagnostics::default();
    let mut loaded = load(&world, Profile::Local, &mut diagnostics);
    let document = merge(std::mem::take(&mut loaded.layers), &loaded.sources, &mut diagnostics);
    let found = diagnostics.into_sorted(&loaded.sources);
    (loaded, document, found)
}

/// The document as text, without places.
fn written(table: &Table) -> String {
    let entries: Vec<String> =
        table.entries.iter().map(|(key, entry)| format!("{key}={}", value(&entry.node.value))).collect();
    format!("{{{}}}", entries.join(" "))
}

fn value(value: &Value) -> String {
    match value {
        Value::Table(table) => written(table),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| self::value(&item.value)).collect::<Vec<_>>().join(" "))
        }
        Value::String(text) => format!("{text:?}"),
        other => format!("{other:?}"),
    }
}

const USER: &str = "user:config.toml";
const SHARED: &str = "repo:.kontext.toml";
const CLONE: &str = "clone:config.toml";

const NOTES: &str = "[adapters.notes]
driver = 'http'
base_url = 'https://notes.example.test'
enabled = false
headers = { A = '1', B = '2' }
ops.search = { path = '/s', items = 'a[*]' }
";

#[test]
fn a_partial_override_keeps_the_rest() {
    let over = "[adapters.notes]\nenabled = true\nheaders = { B = '3' }\n";
    let (loaded, document, found) = merged(&[(USER, NOTES), (CLONE, over)]);
    assert!(found.is_empty());
    assert_eq!(
        written(&document.root),
        r#"{adapters={notes={driver="http" base_url="https://notes.example.test" enabled=Bool(true) headers={A="1" B="3"} ops={search={path="/s" items="a[*]"}}}}}"#
    );
    let notes = document.find(&["adapters", "notes"]).unwrap();
    assert_eq!(loaded.sources.layer(notes.span), LayerName::Clone);
    assert_eq!(loaded.sources.layer(notes.shadowed[0]), LayerName::User);
    let enabled = document.find(&["adapters", "notes", "enabled"]).unwrap();
    assert_eq!(loaded.sources.text(enabled.shadowed[0]), "false");
    let driver = document.find(&["adapters", "notes", "driver"]).unwrap();
    assert!(driver.shadowed.is_empty());
}

#[test]
fn arrays_are_replaced_whole() {
    let (_, document, _) =
        merged(&[(USER, "a = [1, 2]\n[[b]]\nx = 1\n[[b]]\n"), (SHARED, "a = [3]\n[[b]]\ny = 2\n")]);
    assert_eq!(written(&document.root), "{a=[Integer(3)] b=[{y=Integer(2)}]}");
}

#[test]
fn another_kind_is_a_conflict() {
    let (loaded, document, found) =
        merged(&[(USER, NOTES), (SHARED, "[adapters.notes]\nheaders = 'x'\n[adapters.notes.base_url]\n")]);
    let underlined: Vec<&str> = found.iter().map(|finding| loaded.sources.text(finding.primary)).collect();
    assert_eq!(underlined, ["'x'", "[adapters.notes.base_url]"]);
    assert!(found.iter().all(|finding| finding.lint.id == "type-conflict"));
    assert_eq!(loaded.sources.text(found[0].labels[0].span), "{ A = '1', B = '2' }");
    assert_eq!(
        found[0].message,
        "`adapters.notes.headers` is a string in the shared layer and a table in the user layer"
    );
    assert_eq!(
        written(document.find(&["adapters", "notes", "headers"]).unwrap().as_table().unwrap()),
        r#"{A="1" B="2"}"#
    );
    let expose = [(USER, "adapters.a.expose = 'all'\n"), (CLONE, "adapters.a.expose = ['x']\n")];
    assert!(merged(&expose).2.is_empty());
    let array = [(USER, "adapters.a.command = ['x']\n"), (CLONE, "adapters.a.command = 'x'\n")];
    assert_eq!(merged(&array).2[0].lint.id, "type-conflict");
    let scalar = [(USER, "adapters.a.enabled = 1\n"), (CLONE, "adapters.a.enabled = true\n")];
    assert!(merged(&scalar).2.is_empty());
}

#[test]
fn unset_removes_what_is_inherited() {
    let over =
        "[adapters.notes]\nunset = ['headers', 'enabled']\nheaders.C = '4'\nops.search.unset = ['items']\n";
    let (loaded, document, found) = merged(&[(USER, NOTES), (SHARED, over)]);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(
        written(&document.root),
        r#"{adapters={notes={driver="http" base_url="https://notes.example.test" ops={search={path="/s"}} headers={C="4"}}}}"#
    );
    let both = BTreeSet::from([LayerName::User, LayerName::Shared]);
    assert_eq!(document.layers_of(&["adapters", "notes", "ops", "search"], &loaded.sources), both);
    let vars = [(USER, "[vars]\na = '1'\nb = '2'\n"), (CLONE, "[vars]\nunset = ['a']\n")];
    assert_eq!(written(&merged(&vars).1.root), r#"{vars={b="2"}}"#);
}

#[test]
fn unset_mistakes() {
    let over = "[adapters.notes]\nunset = ['heders', 3]\n[adapters.x]\nunset = 'a'\n";
    let (loaded, document, found) = merged(&[(USER, NOTES), (SHARED, over)]);
    let seen: Vec<(&str, &str, Severity)> = found
        .iter()
        .map(|finding| (finding.lint.id, loaded.sources.text(finding.primary), finding.severity))
        .collect();
    assert_eq!(
        seen,
        [
            ("invalid-value", "'heders'", Severity::Warning),
            ("wrong-type", "3", Severity::Error),
            ("wrong-type", "'a'", Severity::Error)
        ]
    );
    assert_eq!(found[0].help, ["did you mean `headers`?"]);
    assert!(!written(&document.root).contains("unset"));
}

#[test]
fn a_replaced_value_has_no_part() {
    let (loaded, document, _) =
        merged(&[(USER, "[vars]\na = '1'\n"), (SHARED, "vars.a = '2'\n"), (CLONE, "vars.a = '3'\n")]);
    assert_eq!(document.layers_of(&["vars", "a"], &loaded.sources), BTreeSet::from([LayerName::Clone]));
    let all = layers(document.find(&["vars"]).unwrap(), &loaded.sources);
    assert_eq!(all, BTreeSet::from([LayerName::User, LayerName::Shared, LayerName::Clone]));
    assert!(document.layers_of(&["nothing"], &loaded.sources).is_empty());
}

/// Random tables without kind conflicts: what a key holds is fixed by its name and depth.
fn table(depth: u32) -> BoxedStrategy<Table> {
    let span = || any::<u8>().prop_map(|at| (usize::from(at), usize::from(at) + 1));
    let leaf = (any::<i64>(), span()).prop_map(|(number, at)| (Value::Integer(number), at));
    let array = (prop::collection::vec(any::<i64>(), 0..3), span()).prop_map(|(items, at)| {
        let items = items.into_iter().map(|item| Node::new(Value::Integer(item), place(at))).collect();
        (Value::Array(items), at)
    });
    let scalars = prop::collection::vec(("[ab]", leaf), 0..3);
    let arrays = prop::collection::vec(("[cd]", array), 0..2);
    let tables = match depth {
        0 => Just(Vec::new()).boxed(),
        _ => {
            let inner = (table(depth - 1), span()).prop_map(|(table, at)| (Value::Table(table), at));
            prop::collection::vec(("[ef]", inner), 0..3).boxed()
        }
    };
    (scalars, arrays, tables)
        .prop_map(|(scalars, arrays, tables)| {
            let all = scalars.into_iter().chain(arrays).chain(tables);
            let entries = all
                .map(|(key, (value, at))| (key, Entry { key: place(at), node: Node::new(value, place(at)) }));
            Table { entries: entries.collect() }
        })
        .boxed()
}

fn place((start, end): (usize, usize)) -> FileSpan {
    let mut sources = Sources::default();
    let file = sources.add("explicit", "x", LayerName::Explicit, String::new());
    FileSpan::new(file, start..end)
}

fn fold(tables: &[&Table]) -> Table {
    let mut sources = Sources::default();
    let file = sources.add("explicit", "x", LayerName::Explicit, String::new());
    let layers: Vec<Layer> = tables
        .iter()
        .map(|table| Layer { name: LayerName::Explicit, file, root: (*table).clone() })
        .collect();
    let mut diagnostics = Diagnostics::default();
    let document = merge(layers, &sources, &mut diagnostics);
    assert!(diagnostics.list().is_empty());
    document.root
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_may_start_at_either_end((a, b, c) in (table(3), table(3), table(3))) {
        let left = fold(&[&fold(&[&a, &b]), &c]);
        let right = fold(&[&a, &fold(&[&b, &c])]);
        prop_assert_eq!(format!("{left:?}"), format!("{right:?}"));
        prop_assert_eq!(format!("{left:?}"), format!("{:?}", fold(&[&a, &b, &c])));
    }

    #[test]
    fn an_empty_layer_changes_nothing(a in table(3)) {
        let empty = Table::default();
        prop_assert_eq!(format!("{a:?}"), format!("{:?}", fold(&[&a, &empty])));
        prop_assert_eq!(format!("{a:?}"), format!("{:?}", fold(&[&empty, &a])));
    }

    #[test]
    fn the_later_layer_wins((a, b) in (table(2), table(2))) {
        let both = fold(&[&a, &b]);
        for (key, entry) in &b.entries {
            if entry.node.as_table().is_none() {
                prop_assert_eq!(value(&both.get(key).unwrap().value), value(&entry.node.value));
            }
        }
        for (key, entry) in a.entries.iter().filter(|(key, _)| b.get(key).is_none()) {
            prop_assert_eq!(value(&both.get(key).unwrap().value), value(&entry.node.value));
        }
    }
}
