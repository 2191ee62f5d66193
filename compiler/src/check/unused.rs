//! Standard ops that give the same answer whatever they are asked, and `read` ops that nothing asks.

use kontext_grammar::template::ast::{Part, ValueKind};

use super::ways::Way;
use crate::config::{Adapter, DriverKind, Json, Op, Reach};
use crate::diagnostic::{Diagnostics, ops as report};
use crate::parse::Cell;
use crate::placeholders;

/// What is the same for every call, and what only bounds an answer.
const ASKS_NOTHING: [&str; 9] =
    ["repo", "project", "vars", "env", "now", "adapter", "limit", "level", "output_file"];

/// Says of a standard op that it does not use what it is asked for, and of a `read` op that no URI reaches it.
pub fn check(op: &Op<Cell>, adapter: &Adapter<Cell>, ways: &[Way], diagnostics: &mut Diagnostics) {
    let Some(name) = op.name.as_deref() else { return };
    let Some(input) = question(name) else { return };
    if name == "read" && op.owns.is_empty() && ways.len() == 1 {
        diagnostics.push(report::report_read_owns_nothing(op.key));
        return;
    }
    let bound = adapter.driver == Some(DriverKind::Mcp) && op.args.is_none();
    if adapter.driver.is_some() && !bound && !asks(op, adapter) {
        diagnostics.push(report::report_unused_input(op.key, name, input, adapter.driver));
    }
}

/// What an op is asked for, by its name.
fn question(op: &str) -> Option<&'static str> {
    Some(match op {
        "search" | "code" => "query",
        "history" => "target",
        "read" => "uri",
        "llm" => "prompt",
        _ => return None,
    })
}

/// Whether any slot of an op, its adapter's too, uses an input. A broken one may.
fn asks(op: &Op<Cell>, adapter: &Adapter<Cell>) -> bool {
    let mut cells: Vec<&Cell> = reach(&op.reach);
    let inherited = reach(&adapter.reach).into_iter();
    let replaced =
        adapter.reach.command.as_deref().filter(|_| op.reach.command.is_some()).unwrap_or_default();
    cells.extend(inherited.skip(replaced.len()));
    cells.extend([&op.path, &op.stdin, &op.tool, &adapter.base_url].into_iter().flatten());
    cells.extend(op.query.iter().map(|entry| &entry.value));
    cells.into_iter().any(uses_input) || op.body.iter().chain(&op.args).any(any_in_json)
}

fn reach(reach: &Reach<Cell>) -> Vec<&Cell> {
    let named = reach.env.iter().chain(&reach.headers).map(|entry| &entry.value);
    reach.command.iter().flatten().chain(&reach.cwd).chain(&reach.url).chain(named).collect()
}

fn any_in_json(json: &Json<Cell>) -> bool {
    match json {
        Json::Scalar(..) => false,
        Json::Slot(cell) => uses_input(cell),
        Json::Array(items, _) => items.iter().any(any_in_json),
        Json::Object(members, _) => members.iter().any(|(key, value)| uses_input(key) || any_in_json(value)),
    }
}

fn uses_input(cell: &Cell) -> bool {
    let Some(template) = &cell.template else { return true };
    template.parts.iter().any(|part| match part {
        // In another tool's braces, which is told where it stands.
        Part::Text(text) => {
            placeholders::find(&text.text).iter().any(|found| !ASKS_NOTHING.contains(&found.name.as_str()))
        }
        Part::Expr(expr) => match &expr.value.kind {
            ValueKind::Path(path) => !ASKS_NOTHING.contains(&path.name.text.as_str()),
            _ => false,
        },
    })
}
