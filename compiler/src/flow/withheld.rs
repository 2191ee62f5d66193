//! Secrets of one adapter that the programs of another do not inherit.

use std::collections::{BTreeMap, BTreeSet};

use super::secret::is_secret;
use crate::check::typed::Source;
use crate::check::{Checked, Typed, slots};
use crate::config::{Adapter, Config, DriverKind, MapRule, Named, Reach, ToolOp};
use crate::diagnostic::{Diagnostics, flow as report};

/// Says once which variables the programs of adapters do not get.
pub fn withheld(checked: &Checked, diagnostics: &mut Diagnostics) {
    let config = &checked.config;
    let globals: BTreeMap<&str, &Named<Typed>> =
        config.vars.iter().map(|var| (var.name.as_str(), var)).collect();
    let named: Vec<BTreeSet<&str>> =
        config.adapters.iter().map(|adapter| secrets(adapter, config, &globals)).collect();
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (adapter, names) in config.adapters.iter().zip(&named) {
        for name in names {
            owners.entry(name).or_default().push(&adapter.name);
        }
    }
    let mut concerned: Vec<(&Adapter<Typed>, BTreeSet<&str>)> = Vec::new();
    for (adapter, own) in config.adapters.iter().zip(&named).filter(|(adapter, _)| starts_programs(adapter)) {
        let missing = owners.keys().filter(|name| !own.contains(**name)).take(MOST_NAMED + 1);
        let missing: BTreeSet<&str> = missing.copied().collect();
        if !missing.is_empty() {
            concerned.push((adapter, missing));
        }
    }
    let missing: BTreeSet<&str> = concerned.iter().flat_map(|(_, missing)| missing.iter().copied()).collect();
    let missing: Vec<(&str, &str)> =
        missing.into_iter().filter_map(|name| Some((name, *owners.get(name)?.first()?))).collect();
    if let Some(((first, _), others)) = concerned.split_first() {
        let others: Vec<_> = others.iter().map(|(adapter, _)| (adapter.key, adapter.name.as_str())).collect();
        diagnostics.push(report::report_env_withheld(
            (first.key, &first.name),
            &others,
            &missing,
            MOST_NAMED,
        ));
    }
}

/// How many variables one finding names.
const MOST_NAMED: usize = 5;

fn starts_programs(adapter: &Adapter<Typed>) -> bool {
    match adapter.driver {
        Some(DriverKind::Command) => true,
        Some(DriverKind::Mcp) => adapter.reach.command.is_some(),
        _ => false,
    }
}

/// The secret variables an adapter names, through variables too.
fn secrets<'a>(
    adapter: &'a Adapter<Typed>,
    config: &Config<Typed>,
    globals: &BTreeMap<&str, &'a Named<Typed>>,
) -> BTreeSet<&'a str> {
    let mut names: BTreeSet<&str> = adapter.when.env.iter().map(|env| env.value.as_str()).collect();
    let own: BTreeMap<&str, &Named<Typed>> =
        adapter.vars.iter().map(|var| (var.name.as_str(), var)).collect();
    let mut open: Vec<&Typed> = all_slots(adapter);
    let mut seen = BTreeSet::new();
    while let Some(typed) = open.pop() {
        for expr in typed.exprs() {
            match &expr.from {
                Source::Fact(fact) => names.extend(fact.strip_prefix("env.")),
                Source::Var(var) if seen.insert(var) => {
                    let table = if var.global { globals } else { &own };
                    open.extend(table.get(var.name.as_str()).map(|var| &var.value));
                }
                _ => {}
            }
        }
    }
    names.retain(|name| is_secret(name, &config.public_env));
    names
}

/// Every slot of an adapter and its ops.
fn all_slots(adapter: &Adapter<Typed>) -> Vec<&Typed> {
    let mut all: Vec<&Typed> = reach_slots(&adapter.reach);
    all.extend(&adapter.base_url);
    all.extend(&adapter.when.exists);
    let inline = adapter.tools.iter().filter_map(|tool| match &tool.op {
        ToolOp::Inline(op) => Some(op.as_ref()),
        ToolOp::Named(_) => None,
    });
    for op in adapter.ops.iter().chain(inline) {
        all.extend(reach_slots(&op.reach));
        all.extend([&op.base, &op.path, &op.stdin, &op.tool].into_iter().flatten());
        all.extend(op.query.iter().map(|entry| &entry.value));
        all.extend(op.body.iter().chain(&op.args).flat_map(slots));
        all.extend(op.result.map.iter().flat_map(|map| &map.value).filter_map(|entry| match &entry.rule {
            MapRule::Template(typed) => Some(typed),
            _ => None,
        }));
    }
    all
}

fn reach_slots(reach: &Reach<Typed>) -> Vec<&Typed> {
    let named = reach.env.iter().chain(&reach.headers).map(|entry| &entry.value);
    reach.command.iter().flatten().chain(&reach.cwd).chain(&reach.url).chain(named).collect()
}
