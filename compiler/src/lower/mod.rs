//! Checked configuration to plan. Nothing here can fail: what could was reported before.

mod adapter;
mod capability;
mod op;
pub(crate) mod origins;
mod roots;
mod template;
mod url;

use std::collections::{BTreeMap, BTreeSet};

use kontext_plan::{Capability, FORMAT, Fact, Notes, Plan, Profile};

use crate::check::{Checked, Typed};
use crate::config::{Named, Project};
use crate::flow;
use crate::layer::Loaded;
use crate::pin::Pins;
use crate::source::{FileSpan, Sources};
use origins::Origins;

/// What lowering gathers.
struct Lowering<'a> {
    sources: &'a Sources,
    pins: &'a Pins,
    globals: &'a [Named<Typed>],
    /// Where each of them stands.
    places: BTreeMap<&'a str, usize>,
    public_env: &'a BTreeSet<String>,
    project: &'a Project,
    /// The hot document, as people call it.
    hot_file: &'a str,
    origins: Origins,
    facts: BTreeMap<String, bool>,
    capabilities: BTreeSet<Capability>,
}

/// The plan of a configuration without errors; its digest is filled in when it is written.
pub fn lower(checked: &Checked, loaded: &Loaded, pins: &Pins, notes: Notes, profile: Profile) -> Plan {
    let mut lowering = Lowering {
        sources: &loaded.sources,
        pins,
        globals: &checked.config.vars,
        places: checked.config.vars.iter().enumerate().map(|(at, var)| (var.name.as_str(), at)).collect(),
        public_env: &checked.config.public_env,
        project: &checked.config.project,
        hot_file: &notes.scopes.hot_file,
        origins: Origins::default(),
        facts: BTreeMap::new(),
        capabilities: BTreeSet::new(),
    };
    let mut adapters = BTreeMap::new();
    for adapter in &checked.config.adapters {
        let needs = checked.needs.get(&adapter.name);
        if let Some(lowered) = lowering.adapter(adapter, needs) {
            adapters.insert(adapter.name.clone(), lowered);
        }
    }
    lowering.roots(&checked.config.notes);
    Plan {
        format: FORMAT,
        kontext: env!("CARGO_PKG_VERSION").to_owned(),
        digest: String::new(),
        profile,
        inputs: loaded.inputs.clone(),
        origins: lowering.origins.into_table(),
        facts: lowering.facts.into_iter().map(|(name, secret)| Fact { name, secret }).collect(),
        capabilities: lowering.capabilities.into_iter().collect(),
        adapters,
        scope: (notes != Notes::default()).then_some(notes),
    }
}

impl Lowering<'_> {
    fn at(&mut self, span: FileSpan) -> kontext_plan::OriginId {
        self.origins.id(self.sources, span)
    }

    /// Notes a fact that the plan needs.
    fn fact(&mut self, name: &str) {
        let secret = name.strip_prefix("env.").is_some_and(|name| flow::is_secret(name, self.public_env));
        self.facts.insert(name.to_owned(), secret);
    }
}
