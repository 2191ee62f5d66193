//! What a slot takes, and the check of a whole template against it.

use std::fmt;

use super::typed::{Expr, Piece, Typed};
use super::{Checker, Names};
use crate::diagnostic::{templates, tools};
use crate::parse::Cell;
use crate::types::Kind;
use kontext_grammar::template::ast::Part;
use kontext_plan::template::Filter;

/// A slot: its name in messages and what it takes.
#[derive(Debug, Clone, Copy)]
pub struct Slot<'a> {
    /// `headers.Authorization`, `command[1]`, `stdin`.
    pub name: SlotName<'a>,
    /// What it takes.
    pub takes: Takes,
}

/// The name of a slot; its text is put together when a message needs it, which is seldom.
#[derive(Debug, Clone, Copy)]
pub struct SlotName<'a> {
    field: &'a str,
    which: Which<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Which<'a> {
    Whole,
    Member(&'a str),
    Element(usize),
    Key,
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

impl<'a> SlotName<'a> {
    /// A field that is one slot.
    pub fn field(field: &'a str) -> SlotName<'a> {
        SlotName { field, which: Which::Whole }
    }

    /// A member of a field that is a table of slots.
    pub fn member(field: &'a str, name: &'a str) -> SlotName<'a> {
        SlotName { field, which: Which::Member(name) }
    }

    /// An element of a field that is a list of slots.
    pub fn element(field: &'a str, at: usize) -> SlotName<'a> {
        SlotName { field, which: Which::Element(at) }
    }
}

impl fmt::Display for SlotName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which {
            Which::Whole => f.write_str(self.field),
            Which::Member(name) => write!(f, "{}.{name}", self.field),
            Which::Element(at) => write!(f, "{}[{at}]", self.field),
            Which::Key => write!(f, "a key of `{}`", self.field),
        }
    }
}

impl<'a> Slot<'a> {
    /// The slot of a field.
    pub fn new(field: &'a str, takes: Takes) -> Slot<'a> {
        Slot { name: SlotName::field(field), takes }
    }

    /// The slot of a member of a table of slots.
    pub fn member(&self, name: &'a str) -> Slot<'a> {
        Slot { name: SlotName::member(self.name.field, name), takes: self.takes }
    }

    /// The slot of an element of a list of slots.
    pub fn element(&self, at: usize) -> Slot<'a> {
        Slot { name: SlotName::element(self.name.field, at), takes: self.takes }
    }

    /// The slot of a key.
    pub fn key(&self) -> Slot<'a> {
        Slot { name: SlotName { field: self.name.field, which: Which::Key }, takes: Takes::Text }
    }
}

impl Checker<'_> {
    /// A template, resolved and typed. With more than one way it is checked in each; the first one's types stand.
    pub(super) fn cell(&mut self, cell: &Cell, names: &Names<'_>, slot: &Slot<'_>) -> Typed {
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

    fn cell_in_way(&mut self, cell: &Cell, names: &Names<'_>, way: usize, slot: &Slot<'_>) -> Typed {
        let Some(template) = &cell.template else { return Typed { span: cell.span, pieces: Vec::new() } };
        let mut typed = Typed { span: cell.span, pieces: Vec::with_capacity(template.parts.len()) };
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
    fn fits(&mut self, typed: &Typed, slot: &Slot<'_>) {
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

    fn report_slot_type(&mut self, expr: &Expr, slot: &Slot<'_>) {
        let name = match slot.name.which {
            Which::Key => slot.name.to_string(),
            _ => format!("`{}`", slot.name),
        };
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
