//! Evaluates compiled paths by borrowing: nothing of the payload is copied.

use std::ops::ControlFlow;

use kontext_plan::path::{Path, Step};
use serde_json::Value;

/// Every value the first alternative selects that selects something not null, in document order; nulls among them
/// too.
#[must_use]
pub fn all<'v>(root: &'v Value, path: &Path) -> Vec<&'v Value> {
    let selected = path.alternatives.iter().map(|steps| each(root, steps));
    selected.into_iter().find(|values| values.iter().any(|value| !value.is_null())).unwrap_or_default()
}

/// Every value the steps select.
#[must_use]
pub fn each<'v>(root: &'v Value, steps: &[Step]) -> Vec<&'v Value> {
    let mut values = Vec::new();
    let _ = visit(root, steps, &mut |value| {
        values.push(value);
        ControlFlow::<()>::Continue(())
    });
    values
}

/// The first value the steps select that is not null.
#[must_use]
pub fn first<'v>(root: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    let found = visit(root, steps, &mut |value: &'v Value| {
        if value.is_null() { ControlFlow::Continue(()) } else { ControlFlow::Break(value) }
    });
    found.break_value()
}

/// The element at a place that counts from the end when it is negative.
pub(super) fn element(list: &[Value], place: i64) -> Option<&Value> {
    let distance = usize::try_from(place.unsigned_abs()).ok()?;
    let at = if place < 0 { list.len().checked_sub(distance)? } else { distance };
    list.get(at)
}

/// Walks to every selected value, until the visitor has enough.
fn visit<'v, B>(
    value: &'v Value,
    steps: &[Step],
    visitor: &mut impl FnMut(&'v Value) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some((step, rest)) = steps.split_first() else {
        return visitor(value);
    };
    match (step, value) {
        (Step::Key(key), Value::Object(members)) => match members.get(key) {
            Some(member) => visit(member, rest, visitor),
            None => ControlFlow::Continue(()),
        },
        (Step::Index(place), Value::Array(list)) => match element(list, *place) {
            Some(found) => visit(found, rest, visitor),
            None => ControlFlow::Continue(()),
        },
        (Step::Each | Step::Any, Value::Array(list)) => {
            list.iter().try_for_each(|found| visit(found, rest, visitor))
        }
        (Step::Any, Value::Object(members)) => {
            members.values().try_for_each(|found| visit(found, rest, visitor))
        }
        _ => ControlFlow::Continue(()),
    }
}
