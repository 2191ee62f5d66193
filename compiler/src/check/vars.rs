//! Variables: the order they are made in, circles, and what each needs.

use std::collections::BTreeMap;

use kontext_grammar::template::ast::{Part, StepKind, ValueKind};

use super::slot::{Slot, Takes};
use super::typed::{EnvNeed, Source, Typed};
use super::{Checker, Names};
use crate::config::Named;
use crate::diagnostic::templates;
use crate::parse::Cell;
use crate::source::FileSpan;
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
    /// How many variables stand in one another, this one included.
    depth: usize,
}

/// Variables may stand in one another this deep, so that `run` can fill them in without care for its stack.
const DEEPEST: usize = 100;

impl VarTable {
    /// A variable.
    pub fn get(&self, name: &str) -> Option<&VarInfo> {
        self.entries.get(name)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    fn insert(&mut self, name: &str, typed: &Typed, depth: usize) {
        let (missing, needs) = match typed.single() {
            Some(expr) => (expr.needs.clone(), Vec::new()),
            None => (Vec::new(), typed.needs()),
        };
        self.entries.insert(name.to_owned(), VarInfo { ty: typed.ty(), missing, needs, depth });
    }

    fn insert_broken(&mut self, name: &str) {
        let info = VarInfo { ty: Ty::always(Kind::Any), missing: Vec::new(), needs: Vec::new(), depth: 0 };
        self.entries.insert(name.to_owned(), info);
    }
}

impl Checker<'_> {
    /// The global variables, each after those it uses: the order in which they can be made.
    pub(super) fn global_vars(&mut self, vars: &[Named<Cell>]) -> Vec<Named<Typed>> {
        let order = self.making_order(vars);
        order.into_iter().filter_map(|at| vars.get(at)).map(|var| self.global_var(var)).collect()
    }

    fn global_var(&mut self, var: &Named<Cell>) -> Named<Typed> {
        let slot = Slot::new("vars", Takes::Any).member(&var.name);
        let value = self.cell(&var.value, &Names::facts(None, None), &slot);
        let depth = 1 + value.exprs().filter_map(|expr| self.depth(&expr.from)).max().unwrap_or(0);
        if depth == DEEPEST + 1 {
            self.diagnostics.push(templates::report_vars_too_deep(value.span, &var.name, DEEPEST));
        }
        self.globals.insert(&var.name, &value, depth);
        Named { name: var.name.clone(), key: var.key, value }
    }

    fn depth(&self, from: &Source) -> Option<usize> {
        let Source::Var(var) = from else { return None };
        self.globals.get(&var.name).map(|info| info.depth)
    }

    /// A depth-first walk without recursion: a chain of variables may be as long as a file.
    fn making_order(&mut self, vars: &[Named<Cell>]) -> Vec<usize> {
        let uses = uses(vars);
        let mut walk = Walk { state: vec![State::New; vars.len()], open: Vec::new(), order: Vec::new() };
        for root in 0..vars.len() {
            walk.enter(root);
            while let Some((at, next)) = walk.step() {
                match uses.get(at).and_then(|uses| uses.get(next)) {
                    None => walk.leave(at),
                    Some((used, _)) if walk.state.get(*used) == Some(&State::New) => walk.enter(*used),
                    Some((used, place)) if walk.state.get(*used) == Some(&State::Open) => {
                        let circle = walk.circle(*used);
                        let names: Vec<String> =
                            circle.filter_map(|at| Some(vars.get(at)?.name.clone())).collect();
                        self.globals.insert_broken(names.first().map_or("", String::as_str));
                        self.diagnostics.push(templates::report_vars_cycle(*place, &names));
                    }
                    Some(_) => {}
                }
            }
        }
        walk.order
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
            table.insert(&var.name, &var.value, 0);
        }
        (table, typed)
    }
}

/// For each variable the positions of those it uses, with the places that say so.
fn uses(vars: &[Named<Cell>]) -> Vec<Vec<(usize, FileSpan)>> {
    let positions: BTreeMap<&str, usize> =
        vars.iter().enumerate().map(|(at, var)| (var.name.as_str(), at)).collect();
    let of = |var: &Named<Cell>| {
        let named = references(&var.value).into_iter();
        named.filter_map(|(name, place)| Some((*positions.get(name)?, place))).collect()
    };
    vars.iter().map(of).collect()
}

/// A depth-first walk over variables.
struct Walk {
    state: Vec<State>,
    /// The variables being made, each with the next of its uses to look at.
    open: Vec<(usize, usize)>,
    order: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Walk {
    fn enter(&mut self, at: usize) {
        if let Some(state) = self.state.get_mut(at).filter(|state| **state == State::New) {
            *state = State::Open;
            self.open.push((at, 0));
        }
    }

    /// The innermost open variable and which of its uses comes next.
    fn step(&mut self) -> Option<(usize, usize)> {
        let (at, next) = self.open.last_mut()?;
        *next += 1;
        Some((*at, *next - 1))
    }

    fn leave(&mut self, at: usize) {
        self.open.pop();
        self.order.push(at);
        if let Some(state) = self.state.get_mut(at) {
            *state = State::Done;
        }
    }

    /// The open variables from one to the innermost, and that one again.
    fn circle(&self, from: usize) -> impl Iterator<Item = usize> {
        let open = self.open.iter().map(|(at, _)| *at).skip_while(move |at| *at != from);
        open.chain([from])
    }
}

/// The variables a template names, with the places of the names.
fn references(cell: &Cell) -> Vec<(&str, FileSpan)> {
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
