//! What a slot takes, and the check of a whole template against it.

use super::typed::{Expr, Piece, Typed};
use super::{Checker, Names};
use crate::diagnostic::{templates, tools};
use crate::parse::Cell;
use crate::types::Kind;
use kontext_grammar::template::ast::Part;
use kontext_plan::template::Filter;

/// A slot: its name in messages and what it takes.
#[derive(Debug, Clone)]
pub struct Slot {
    /// `headers.Authorization`, `command`, `stdin`.
    pub name: String,
    /// What it takes.
    pub takes: Takes,
}

/// What a slot takes when the template is exactly one expression; a longer template is text everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A scalar, written as text.
    Text,
    /// A scalar, or a list that gives one argument an element.
    Argument,
    /// A scalar, or a list that repeats the key.
    QueryValue,
    /// Anything.
    Any,
    /// Text of a URL; `raw` may stand behind the host (checked where the URL is split).
    Url,
}

impl Slot {
    /// A slot.
    pub fn new(name: impl Into<String>, takes: Takes) -> Slot {
        Slot { name: name.into(), takes }
    }

    /// The slot of a member of a table of slots.
    pub fn member(&self, name: &str) -> Slot {
        Slot { name: format!("{}.{name}", self.name), takes: self.takes }
    }

    /// The slot of a key.
    pub fn key(&self) -> Slot {
        Slot { name: format!("a key of `{}`", self.name), takes: Takes::Text }
    }
}

impl Checker<'_> {
    /// A template, resolved and typed. With more than one way it is checked in each; the first one's types stand.
    pub(super) fn cell(&mut self, cell: &Cell, names: &Names<'_>, slot: &Slot) -> Typed {
        let first = self.cell_in_way(cell, names, 0, slot);
        for (at, way) in names.ways.iter().enumerate().skip(1) {
            let before = std::mem::take(self.diagnostics);
            self.cell_in_way(cell, names, at, slot);
            let found = std::mem::replace(self.diagnostics, before);
            for diagnostic in found.into_list() {
                self.diagnostics.push(tools::in_way(diagnostic, &way.name, way.tool));
            }
        }
        first
    }

    fn cell_in_way(&mut self, cell: &Cell, names: &Names<'_>, way: usize, slot: &Slot) -> Typed {
        let mut typed = Typed { span: cell.span, pieces: Vec::new() };
        let Some(template) = &cell.template else { return typed };
        for part in &template.parts {
            match part {
                Part::Text(text) => {
                    typed.pieces.push(Piece::Text { text: text.text.clone(), span: cell.place(text.span) });
                }
                Part::Expr(expr) => {
                    if let Some(expr) = self.expr(cell, expr, names, way) {
                        typed.pieces.push(Piece::Expr(expr));
                    }
                }
            }
        }
        if typed.pieces.len() == template.parts.len() {
            self.fits(&typed, slot);
        }
        typed
    }

    /// Reports what a slot does not take.
    fn fits(&mut self, typed: &Typed, slot: &Slot) {
        let single = typed.single().is_some();
        for expr in typed.exprs() {
            if slot.takes != Takes::Url && expr.filters.last() == Some(&Filter::Raw) {
                let reason = "has no meaning here: nothing is encoded in this slot";
                self.diagnostics.push(templates::report_misplaced_raw(expr.span, reason));
            }
            if expr.ty.kind.is_scalar() {
                continue;
            }
            if !single {
                let report = templates::report_not_text(expr.span, &expr.from.shown(), &expr.ty.kind);
                self.diagnostics.push(report);
            } else if !takes(slot.takes, &expr.ty.kind) {
                self.report_slot_type(expr, slot);
            }
        }
    }

    fn report_slot_type(&mut self, expr: &Expr, slot: &Slot) {
        let name = if slot.name.contains('`') { slot.name.clone() } else { format!("`{}`", slot.name) };
        let report = templates::report_slot_type(expr.span, &expr.from.shown(), &expr.ty.kind, &name);
        self.diagnostics.push(report);
    }
}

fn takes(takes: Takes, kind: &Kind) -> bool {
    match (takes, kind) {
        (Takes::Any, _) => true,
        (Takes::Argument | Takes::QueryValue, Kind::List(element)) => element.is_scalar(),
        (_, kind) => kind.is_scalar(),
    }
}
