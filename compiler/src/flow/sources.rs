//! The sources of every expression; variables pass on those of what they are made of.

use std::collections::{BTreeMap, BTreeSet};

use kontext_plan::template::Filter;

use super::secret::is_secret;
use super::table::Source;
use crate::check::Typed;
use crate::check::typed::{self, Expr};
use crate::config::{Adapter, Config, Named};
use crate::source::FileSpan;
use crate::types::Kind;

/// A set of sources; every expression has one, so it is a few bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taint(u8);

impl Taint {
    /// One more.
    pub fn insert(&mut self, source: Source) {
        self.0 |= 1 << source as u8;
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sources, in their order.
    pub fn sources(self) -> impl Iterator<Item = Source> {
        Source::ALL.into_iter().filter(move |source| self.0 & (1 << *source as u8) != 0)
    }
}

impl From<Source> for Taint {
    fn from(source: Source) -> Taint {
        Taint(1 << source as u8)
    }
}

/// What a variable passes on, and where it is defined.
#[derive(Debug, Clone)]
pub struct VarTaint {
    /// Its sources.
    pub taint: Taint,
    /// Its definition.
    pub definition: FileSpan,
}

/// The variables of one table.
pub type Vars = BTreeMap<String, VarTaint>;

/// The sources in scope of an adapter.
pub struct Scope<'a> {
    /// Global variables.
    pub globals: &'a Vars,
    /// The adapter's own.
    pub own: Vars,
    /// Variables of the environment that are no secrets.
    pub public_env: &'a BTreeSet<String>,
}

/// The sources of the global variables, which stand in making order.
pub fn of_globals(config: &Config<Typed>) -> Vars {
    let mut globals = Vars::new();
    for var in &config.vars {
        let scope = Scope { globals: &globals, own: Vars::new(), public_env: &config.public_env };
        let taint = scope.of_var(var);
        globals.insert(var.name.clone(), taint);
    }
    globals
}

impl<'a> Scope<'a> {
    /// The scope of an adapter.
    pub fn of_adapter(
        adapter: &Adapter<Typed>,
        globals: &'a Vars,
        public_env: &'a BTreeSet<String>,
    ) -> Scope<'a> {
        let mut scope = Scope { globals, own: Vars::new(), public_env };
        let own = adapter.vars.iter().map(|var| (var.name.clone(), scope.of_var(var))).collect();
        scope.own = own;
        scope
    }

    fn of_var(&self, var: &Named<Typed>) -> VarTaint {
        let taint = Taint(var.value.exprs().fold(0, |all, expr| all | self.of(expr).0));
        VarTaint { taint, definition: var.value.span }
    }

    /// The sources of an expression.
    pub fn of(&self, expr: &Expr) -> Taint {
        match &expr.from {
            typed::Source::Literal(_) | typed::Source::OutputFile => Taint::default(),
            typed::Source::Constant(..) => Source::Repository.into(),
            typed::Source::Fact(name) => self.of_fact(name).into(),
            typed::Source::Var(_) => self.var(expr).map(|var| var.taint).unwrap_or_default(),
            typed::Source::Input(_) => Source::Caller.into(),
            typed::Source::Item(_) => Source::Upstream.into(),
        }
    }

    /// The variable an expression takes its value from.
    pub fn var(&self, expr: &Expr) -> Option<&VarTaint> {
        let typed::Source::Var(var) = &expr.from else { return None };
        let table = if var.global { self.globals } else { &self.own };
        table.get(&var.name)
    }

    fn of_fact(&self, name: &str) -> Source {
        match name.strip_prefix("env.") {
            Some(variable) if is_secret(variable, self.public_env) => Source::Secret,
            Some(_) => Source::Fact,
            None if name == "repo.root" => Source::Root,
            None if name.starts_with("repo.") || name == "scope.id" => Source::Repository,
            None => Source::Fact,
        }
    }
}

/// Whether a value is no text that another program could read as code: a number, a boolean, or a slug.
pub fn is_tame(expr: &Expr) -> bool {
    is_number_or_switch(expr) || expr.filters.iter().any(|filter| matches!(filter, Filter::Slug))
}

/// Whether a value is a number or a boolean.
pub fn is_number_or_switch(expr: &Expr) -> bool {
    matches!(expr.ty.kind, Kind::Integer | Kind::Number | Kind::Bool)
}
