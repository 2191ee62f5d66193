mod filters;
mod slots;
mod templates;
mod urls;

use std::path::PathBuf;

use kontext_plan::path::Step;
use kontext_plan::template::{Expr, Filter, Piece, Source, Template};
use kontext_plan::{Adapter, Driver, OriginId, Var};
use serde_json::{Map, Value};

use super::*;

pub(super) fn expr(from: Source, filters: &[Filter]) -> Expr {
    Expr { from, filters: filters.to_vec(), at: OriginId(7) }
}

pub(super) fn input(name: &str) -> Source {
    Source::Input(vec![Step::Key(name.to_owned())])
}

pub(super) fn env(name: &str) -> Source {
    Source::Fact(format!("env.{name}"))
}

pub(super) fn one(from: Source, filters: &[Filter]) -> Template {
    Template::Expr(expr(from, filters))
}

/// `before{{from}}`.
pub(super) fn longer(before: &str, from: Source) -> Template {
    Template::Concat(vec![Piece::Text(before.to_owned()), Piece::Expr(expr(from, &[]))])
}

/// Everything a scope borrows.
pub(super) struct World {
    pub adapter: Adapter,
    pub facts: Facts,
    pub inputs: Map<String, Value>,
}

impl World {
    pub(super) fn new(inputs: Value) -> World {
        let mut facts = Facts::new(PathBuf::from("/nowhere"));
        facts.set("env.TOKEN", Some("tok-12345678".to_owned()), true);
        facts.set("env.EMPTY", Some(String::new()), true);
        facts.set("env.HOST", Some("http://h.test/api/".to_owned()), false);
        facts.set("repo.name", Some("demo".to_owned()), false);
        facts.set("repo.branch", None, false);
        let Value::Object(inputs) = inputs else { panic!("inputs are an object") };
        World { adapter: adapter(), facts, inputs }
    }

    pub(super) fn var(mut self, value: Template) -> World {
        let name = format!("v{}", self.adapter.vars.len());
        self.adapter.vars.push(Var { name, value, at: OriginId(3) });
        self
    }

    pub(super) fn scope(&self) -> Scope<'_> {
        Scope::new("notes", &self.adapter, &self.facts, &self.inputs)
    }

    pub(super) fn value(&self, slot: &Template) -> Result<Value, EvalErrorKind> {
        template(&self.scope(), slot).map(|found| found.value).map_err(|error| error.kind)
    }
}

fn adapter() -> Adapter {
    Adapter {
        driver: Driver::Http,
        enabled: true,
        description: None,
        layers: Vec::new(),
        at: OriginId(0),
        when: kontext_plan::When::default(),
        vars: Vec::new(),
        needs: Vec::new(),
        secrets: Vec::new(),
        timeout_ms: 1,
        weight: 1.0,
        ops: std::collections::BTreeMap::new(),
        events: Vec::new(),
        tools: Vec::new(),
    }
}

pub(super) fn missing(name: &str, empty: bool) -> EvalErrorKind {
    EvalErrorKind::MissingVariable { name: name.to_owned(), empty }
}
