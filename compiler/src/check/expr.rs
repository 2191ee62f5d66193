//! One expression: its value, then its filters in order.

use kontext_grammar::template::ast::{Expr as AstExpr, ValueKind};
use kontext_plan::template::Filter;
use serde_json::Value;

use super::filters::number;
use super::names::Resolved;
use super::typed::{Expr, Source};
use super::{Checker, Names};
use crate::parse::Cell;
use crate::types::{Kind, Ty};

impl Checker<'_> {
    /// An expression in one way, or none when it is wrong (reported here).
    pub(super) fn expr(
        &mut self,
        cell: &Cell,
        expr: &AstExpr,
        names: &Names<'_>,
        way: usize,
    ) -> Option<Expr> {
        let value = match &expr.value.kind {
            ValueKind::Path(path) => self.resolve(cell, path, cell.place(expr.value.span), names, way),
            ValueKind::String(text) => Some(literal(Value::from(text.as_str()), Kind::String)),
            ValueKind::Number(text) => {
                let kind = if text.contains('.') { Kind::Number } else { Kind::Integer };
                Some(literal(number(text).unwrap_or(Value::Null), kind))
            }
            ValueKind::Bool(value) => Some(literal(Value::from(*value), Kind::Bool)),
        };
        // Unknown filters are reported even behind an unknown name; types are not followed there.
        let Some(value) = value else {
            let mut unknown = Ty::always(Kind::Any);
            let _ = self.filters(cell, &expr.filters, &mut unknown);
            return None;
        };
        let mut ty = value.ty;
        let filters = self.filters(cell, &expr.filters, &mut ty)?;
        let defaulted = filters.iter().any(|filter| matches!(filter, Filter::Default(_)));
        let mut needs = value.needs;
        if !defaulted {
            needs.extend(value.missing);
        }
        Some(Expr { from: value.from, filters, ty, span: cell.place(expr.span), needs })
    }
}

fn literal(value: Value, kind: Kind) -> Resolved {
    Resolved { from: Source::Literal(value), ty: Ty::always(kind), missing: Vec::new(), needs: Vec::new() }
}
