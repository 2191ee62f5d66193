//! Variables: the order they are made in, circles, and what each needs.

use std::collections::BTreeMap;

use kontext_grammar::template::ast::{Part, StepKind, ValueKind};

use super::slot::{Slot, Takes};
use super::typed::{EnvNeed, Typed};
use super::{Checker, Names};
use crate::config::Named;
use crate::diagnostic::templates;
use crate::parse::Cell;
use crate::types::{Kind, Ty};

/// What is known of the variables of one table.
#[derive(Debug, Default)]
pub struct VarTable {
    entries: BTreeMap<String, VarInfo>,
}

/// What is known of one variable.
#[derive(Debug)]
pub struct VarInfo {
    /// Its type.
    pub ty: Ty,
    /// What makes it null (it is exactly one expression); a `default` at the use stands in.
    pub missing: Vec<EnvNeed>,
    /// What it cannot do without whatever the use says.
    pub needs: Vec<EnvNeed>,
}

impl VarTable {
    /// A variable.
    pub fn get(&self, name: &str) -> Option<&VarInfo> {
        self.entries.get(name)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    fn insert(&mut self, name: &str, typed: &Typed) {
        let (missing, needs) = match typed.single() {
            Some(expr) => (expr.needs.clone(), Vec::new()),
            None => (Vec::new(), typed.needs()),
        };
        self.entries.insert(name.to_owned(), VarInfo { ty: typed.ty(), missing, needs });
    }

    fn insert_broken(&mut self, name: &str) {
        let info = VarInfo { ty: Ty::always(Kind::Any), missing: Vec::new(), needs: Vec::new() };
        self.entries.insert(name.to_owned(), info);
    }
}

impl Checker<'_> {
    /// The global variables, each checked after those it uses.
    pub(super) fn global_vars(&mut self, vars: &[Named<Cell>]) -> Vec<Named<Typed>> {
        let by_name: BTreeMap<&str, &Named<Cell>> = vars.iter().map(|var| (var.name.as_str(), var)).collect();
        let mut done = BTreeMap::new();
        for var in vars {
            self.global_var(var, &by_name, &mut Vec::new(), &mut done);
        }
        // In the order they can be made: users rely on it in `lower`.
        let mut order: Vec<(usize, Named<Typed>)> = done.into_values().collect();
        order.sort_by_key(|(at, _)| *at);
        order.into_iter().map(|(_, var)| var).collect()
    }

    fn global_var<'c>(
        &mut self,
        var: &'c Named<Cell>,
        by_name: &BTreeMap<&'c str, &'c Named<Cell>>,
        open: &mut Vec<&'c str>,
        done: &mut BTreeMap<&'c str, (usize, Named<Typed>)>,
    ) {
        if done.contains_key(var.name.as_str()) {
            return;
        }
        open.push(&var.name);
        for (name, place) in references(&var.value) {
            if let Some(start) = open.iter().position(|known| *known == name) {
                let circle: Vec<String> =
                    open.iter().skip(start).chain([&name]).map(|name| (*name).to_owned()).collect();
                self.diagnostics.push(templates::report_vars_cycle(place, &circle));
                self.globals.insert_broken(name);
            } else if let Some(next) = by_name.get(name) {
                self.global_var(next, by_name, open, done);
            }
        }
        open.pop();
        let slot = Slot::new(format!("vars.{}", var.name), Takes::Any);
        let typed = self.cell(&var.value, &Names::facts(None, None), &slot);
        self.globals.insert(&var.name, &typed);
        let at = done.len();
        done.insert(&var.name, (at, Named { name: var.name.clone(), key: var.key, value: typed }));
    }

    /// An adapter's variables, over facts and the global ones.
    pub(super) fn adapter_vars(
        &mut self,
        adapter: &str,
        vars: &[Named<Cell>],
    ) -> (VarTable, Vec<Named<Typed>>) {
        let typed = self.named(vars, &Names::facts(Some(adapter), None), &Slot::new("vars", Takes::Any));
        let mut table = VarTable::default();
        for var in &typed {
            table.insert(&var.name, &var.value);
        }
        (table, typed)
    }
}

/// The variables a template names, with the places of the names.
fn references(cell: &Cell) -> Vec<(&str, crate::source::FileSpan)> {
    let parts = cell.template.iter().flat_map(|template| &template.parts);
    parts
        .filter_map(|part| {
            let Part::Expr(expr) = part else { return None };
            let ValueKind::Path(path) = &expr.value.kind else { return None };
            let step = path.steps.first().filter(|_| path.name.text == "vars")?;
            let StepKind::Key(name) = &step.kind else { return None };
            Some((name.as_str(), cell.place(expr.value.span)))
        })
        .collect()
}
