//! Names and types: every expression gets its source, its filters and its type, in every way the op is reached.
//!
//! Output is `Config<Typed>`. A slot that is wrong was reported and holds an empty text; there is no plan then.

mod adapter;
mod expr;
pub mod filters;
mod foreign_names;
mod names;
mod op;
pub mod published;
mod schema_type;
mod slot;
pub mod typed;
mod unused;
pub mod url;
mod vars;
pub mod ways;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Config, Json, Named};
use crate::diagnostic::Diagnostics;
use crate::parse::Cell;

use names::Names;
pub use op::slots;
use slot::Slot;
pub use typed::Typed;
use vars::VarTable;

/// Constants of the build that templates may use.
#[derive(Debug, Clone, Default)]
pub struct Constants {
    /// `project.name`.
    pub project_name: String,
    /// `project.description`.
    pub project_description: Option<String>,
}

/// The checked configuration.
#[derive(Debug)]
pub struct Checked {
    /// Every slot typed.
    pub config: Config<Typed>,
    /// By adapter: what its own slots cannot do without.
    pub needs: BTreeMap<String, BTreeSet<SlotNeed>>,
}

/// A variable of the environment that one slot of an adapter cannot do without.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SlotNeed {
    /// The variable and where it is used.
    pub env: typed::EnvNeed,
    /// The slot, such as `headers.Authorization`.
    pub slot: String,
}

/// What checking reads and writes.
struct Checker<'a> {
    constants: &'a Constants,
    globals: VarTable,
    diagnostics: &'a mut Diagnostics,
    needs: BTreeMap<String, BTreeSet<SlotNeed>>,
}

/// The configuration with every slot resolved and typed.
pub fn check(config: &Config<Cell>, constants: &Constants, diagnostics: &mut Diagnostics) -> Checked {
    let mut checker =
        Checker { constants, globals: VarTable::default(), diagnostics, needs: BTreeMap::new() };
    let vars = checker.global_vars(&config.vars);
    let adapters = config.adapters.iter().map(|adapter| checker.adapter(adapter)).collect();
    let checked = Config {
        vars,
        public_env: config.public_env.clone(),
        project: config.project.clone(),
        notes: config.notes.clone(),
        adapters,
    };
    op::owns_and_uris(&checked, checker.diagnostics);
    Checked { config: checked, needs: checker.needs }
}

impl Checker<'_> {
    /// A table of named slots.
    fn named<'c>(
        &mut self,
        entries: impl IntoIterator<Item = &'c Named<Cell>>,
        names: &Names<'_>,
        slot: &Slot<'_>,
    ) -> Vec<Named<Typed>> {
        entries
            .into_iter()
            .map(|entry| Named {
                name: entry.name.clone(),
                key: entry.key,
                value: self.cell(&entry.value, names, &slot.member(&entry.name)),
            })
            .collect()
    }

    /// A value whose strings are templates.
    fn json(&mut self, json: &Json<Cell>, names: &Names<'_>, slot: &Slot<'_>) -> Json<Typed> {
        match json {
            Json::Scalar(value, at) => Json::Scalar(value.clone(), *at),
            Json::Slot(cell) => Json::Slot(self.cell(cell, names, slot)),
            Json::Array(items, at) => {
                Json::Array(items.iter().map(|item| self.json(item, names, slot)).collect(), *at)
            }
            Json::Object(members, at) => Json::Object(
                members
                    .iter()
                    .map(|(key, value)| (self.cell(key, names, &slot.key()), self.json(value, names, slot)))
                    .collect(),
                *at,
            ),
        }
    }
}
