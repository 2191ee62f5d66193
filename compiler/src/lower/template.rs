//! Checked templates to instructions.

use kontext_plan::path::Step;
use kontext_plan::template::{Expr, JsonTemplate, Member, Piece, Source, Template};

use super::adapter::InAdapter;
use crate::check::Typed;
use crate::check::typed;
use crate::config::Json;

impl InAdapter<'_, '_> {
    /// A template; `slot` names where its value goes in the capability manifest.
    pub(super) fn template(&mut self, typed: &Typed, slot: &str) -> Template {
        self.pieces(&typed.pieces, slot)
    }

    /// A sequence of pieces as one template.
    pub(super) fn pieces(&mut self, pieces: &[typed::Piece], slot: &str) -> Template {
        let mut text = String::new();
        let mut lowered: Vec<Piece> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                typed::Piece::Text { text: more, .. } => text.push_str(more),
                typed::Piece::Expr(expr) => {
                    if !text.is_empty() {
                        lowered.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    lowered.push(Piece::Expr(self.expr(expr, slot)));
                }
            }
        }
        if lowered.is_empty() {
            return Template::Text(text);
        }
        if !text.is_empty() {
            lowered.push(Piece::Text(text));
        }
        match lowered.pop() {
            Some(Piece::Expr(expr)) if lowered.is_empty() => Template::Expr(expr),
            last => {
                lowered.extend(last);
                Template::Concat(lowered)
            }
        }
    }

    /// An expression.
    pub(super) fn expr(&mut self, expr: &typed::Expr, slot: &str) -> Expr {
        let from = match &expr.from {
            typed::Source::Literal(value) => Source::Literal(value.clone()),
            typed::Source::Constant(_, value) => {
                self.layers.extend(self.lowering.project.layers.iter().copied());
                Source::Literal(value.clone())
            }
            typed::Source::Fact(name) => {
                match name.strip_prefix("env.") {
                    Some(variable) => self.env(variable, slot, expr.span),
                    None if name.starts_with("scope.") => self.start_scope(name, expr.span),
                    None => self.lowering.fact(name),
                }
                Source::Fact(name.clone())
            }
            typed::Source::Var(var) => Source::Var(self.var(var, slot)),
            typed::Source::Input(steps) => {
                self.note_input(expr, steps);
                Source::Input(steps.clone())
            }
            typed::Source::Item(steps) => Source::Item(steps.clone()),
            typed::Source::OutputFile => Source::OutputFile,
        };
        Expr { from, filters: expr.filters.clone(), at: self.lowering.at(expr.span) }
    }

    fn note_input(&mut self, expr: &typed::Expr, steps: &[Step]) {
        let defaulted =
            expr.filters.iter().any(|filter| matches!(filter, kontext_plan::template::Filter::Default(_)));
        if let (Some(Step::Key(name)), false) = (steps.first(), defaulted) {
            self.used_inputs.insert(name.clone());
        }
    }

    /// A JSON template.
    pub(super) fn json(&mut self, json: &Json<Typed>, slot: &str) -> JsonTemplate {
        match json {
            Json::Scalar(value, _) => JsonTemplate::Scalar(value.clone()),
            Json::Slot(typed) => JsonTemplate::Template(self.template(typed, slot)),
            Json::Array(items, _) => {
                JsonTemplate::Array(items.iter().map(|item| self.json(item, slot)).collect())
            }
            Json::Object(members, _) => JsonTemplate::Object(
                members
                    .iter()
                    .map(|(key, value)| Member {
                        key: self.template(key, slot),
                        value: self.json(value, slot),
                    })
                    .collect(),
            ),
        }
    }
}
