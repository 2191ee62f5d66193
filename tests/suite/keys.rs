//! Every key that a layer may hold is read: for each, a configuration whose plan changes when the key does.
//!
//! The rows are in `fixtures/keys`, a file for each table of the surface: base configurations, then a heading for
//! each key with the layer that sets it.

use std::collections::{BTreeMap, BTreeSet};

use kontext_compiler::fields::tables::TABLES;
use kontext_compiler::fields::{DRIVERS, Drivers, TableSpec};
use kontext_compiler::world::MapWorld;
use kontext_compiler::{Compilation, Options};
use serde_json::Value;

use crate::markdown::{Block, Case, CaseFile};
use crate::root;

/// Tables whose rows are given for each driver.
const OF_ADAPTERS: &[&str] = &["adapter", "when", "op", "on", "tool"];

/// Keys that do not change the plan yet, each with the reason. One that does must be taken off the list.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("configuration.version", "it has one value, `1`, which is also what its absence means"),
    ("configuration.vars.unset", "a variable that is used cannot be missing, and others are in no plan"),
];

#[test]
fn every_key_changes_the_plan() {
    let problems: Vec<String> = TABLES.iter().flat_map(|(_, spec)| table(spec)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_and_every_exception_is_of_a_table() {
    let specs: BTreeMap<&str, BTreeSet<String>> =
        TABLES.iter().map(|(_, spec)| (spec.name, keys(spec).into_keys().collect())).collect();
    for entry in std::fs::read_dir(root().join("fixtures/keys")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let known = name.strip_suffix(".md").is_some_and(|stem| specs.contains_key(stem));
        assert!(known, "fixtures/keys/{name} is of no table");
    }
    for (exception, reason) in EXCEPTIONS {
        let (table, key) = exception.split_once('.').unwrap();
        assert!(specs.get(table).is_some_and(|keys| keys.contains(key)), "there is no key `{exception}`");
        assert!(!reason.is_empty(), "`{exception}` has no reason");
    }
}

/// The keys of a table with the drivers that have them: its fields, `unset`, and the fields of a hit.
fn keys(spec: &TableSpec) -> BTreeMap<String, Drivers> {
    let mut keys: BTreeMap<String, Drivers> =
        spec.fields.iter().map(|field| (field.name.to_owned(), field.drivers)).collect();
    let schema = kontext_compiler::schema::config_schema();
    let published = if spec.name == "configuration" { &schema } else { &schema["$defs"][spec.name] };
    for (name, property) in published["properties"].as_object().unwrap() {
        keys.entry(name.clone()).or_insert(Drivers::ALL);
        if matches!(name.as_str(), "map" | "vars") {
            let inner = property["properties"].as_object().into_iter().flatten();
            keys.extend(inner.map(|(inner, _)| (format!("{name}.{inner}"), Drivers::ALL)));
        }
    }
    keys
}

/// What is wrong with the rows of a table.
fn table(spec: &TableSpec) -> Vec<String> {
    let name = format!("fixtures/keys/{}.md", spec.name);
    let text = std::fs::read_to_string(root().join(&name)).unwrap_or_default();
    let file = CaseFile::parse(&name, &text).unwrap();
    let (bases, rows): (Vec<&Case>, Vec<&Case>) = file.cases.iter().partition(|case| case.name == name);
    let bases = bases.first().map_or(&[][..], |case| case.blocks.as_slice());
    let mut problems = Vec::new();
    let mut open = keys(spec);
    for row in rows {
        let key = row.name.rsplit_once(": ").unwrap().1.trim_matches('`');
        match open.remove(key) {
            Some(drivers) => problems.extend(self::key(spec, key, drivers, row, bases)),
            None => problems.push(format!("{}: there is no such key, or it was there before", row.name)),
        }
    }
    problems.extend(open.into_keys().map(|key| format!("{name} has no `## {key}`")));
    problems
}

/// What is wrong with the rows of a key: each driver that has it must have one.
fn key(spec: &TableSpec, key: &str, drivers: Drivers, row: &Case, bases: &[Block]) -> Vec<String> {
    let adapters = OF_ADAPTERS.contains(&spec.name);
    let mut open: BTreeSet<&str> = if adapters { drivers.names().collect() } else { BTreeSet::from(["any"]) };
    let all: Vec<String> = open.iter().map(|name| (*name).to_owned()).collect();
    let mut problems = Vec::new();
    for block in &row.blocks {
        let names = if block.words.is_empty() { &all } else { &block.words };
        for name in names {
            open.remove(name.as_str());
            let base = block.option("on").unwrap_or(name);
            let base = bases.iter().find(|block| block.has(base));
            let exception = EXCEPTIONS.iter().any(|(of, _)| *of == format!("{}.{key}", spec.name));
            let problem = match base {
                None => Some("there is no such base".to_owned()),
                Some(_) if adapters && !(DRIVERS.contains(&name.as_str()) && drivers.has(name)) => {
                    Some("the key is not of this driver".to_owned())
                }
                Some(base) => compare(base, block, key, exception),
            };
            problems.extend(problem.map(|problem| format!("{} ({name}): {problem}", row.name)));
        }
    }
    problems.extend(open.iter().map(|name| format!("{}: no row for {name}", row.name)));
    problems
}

/// What is wrong with a change: it must set the key, and make another plan.
fn compare(base: &Block, change: &Block, key: &str, exception: bool) -> Option<String> {
    let written = key.rsplit_once('.').map_or(key, |(_, last)| last);
    if !change.text.contains(written) {
        return Some("the layer does not set it".to_owned());
    }
    let (before, after) = (plan(&base.text, ""), plan(&base.text, &change.text));
    match (before, after) {
        (Err(problem), _) => Some(format!("the base has no plan:\n{problem}")),
        (_, Err(problem)) => Some(format!("the change has no plan:\n{problem}")),
        (Ok(before), Ok(after)) if before == after && !exception => {
            Some("it does not change the plan: it is accepted and not read".to_owned())
        }
        (Ok(before), Ok(after)) if before != after && exception => {
            Some("it changes the plan now: take it off the exceptions".to_owned())
        }
        _ => None,
    }
}

/// The part of the plan of two layers that the runtime acts on: where things stand in the files, the bytes of the
/// files and what is listed for people differ for every change.
fn plan(lower: &str, upper: &str) -> Result<Value, String> {
    let world = MapWorld::default().with("user:config.toml", lower).with("explicit", upper);
    let compilation = kontext_compiler::compile(&world, &Options::default());
    let plan = compilation.plan.as_ref().ok_or_else(|| findings(&compilation))?;
    let mut plan = serde_json::to_value(plan).unwrap();
    strip(&mut plan);
    Ok(plan)
}

fn findings(compilation: &Compilation) -> String {
    let lines = compilation.diagnostics.iter();
    lines.map(|found| format!("  {}: {}", found.lint.id, found.message)).collect::<Vec<_>>().join("\n")
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, value| match key.as_str() {
                "origins" | "layers" | "capabilities" | "digest" => false,
                "at" => !value.is_number(),
                _ => true,
            });
            members.values_mut().for_each(strip);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip),
        _ => {}
    }
}
