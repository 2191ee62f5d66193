//! The names of tools, and for each op its arguments, against what the lock holds.

use kontext_plan::lock::{LockedAdapter, LockedTool};

use super::{arguments, bound, rule};
use crate::check::Typed;
use crate::check::ways::{self, Callers, Way};
use crate::config::{Adapter, Op, ToolOp};
use crate::diagnostic::{Diagnostics, lock as report};
use crate::source::FileSpan;

/// Checks an adapter's ops and what it publishes.
pub(super) fn check(adapter: &Adapter<Typed>, entry: &LockedAdapter, diagnostics: &mut Diagnostics) {
    for tool in &adapter.mcp.exposed {
        known(adapter, entry, &tool.value, tool.span, diagnostics);
    }
    let callers = Callers::of(adapter);
    for op in &adapter.ops {
        // An op without a tool of its own is called by the first way that reaches it.
        let way = op.name.as_deref().and_then(|name| callers.first(name));
        check_op(adapter, entry, op, way.as_ref(), diagnostics);
    }
    for tool in &adapter.tools {
        if let ToolOp::Inline(op) = &tool.op {
            check_op(adapter, entry, op, Some(&ways::of_tool(tool, None)), diagnostics);
        }
    }
}

fn check_op(
    adapter: &Adapter<Typed>,
    entry: &LockedAdapter,
    op: &Op<Typed>,
    way: Option<&Way>,
    diagnostics: &mut Diagnostics,
) {
    // A name that only a caller gives is checked at run time.
    let Some((name, span)) = op.tool.as_ref().and_then(|tool| Some((tool.literal()?, tool.span))) else {
        return;
    };
    let Some(tool) = known(adapter, entry, &name, span, diagnostics) else { return };
    match &op.args {
        Some(args) => arguments::check(args, tool, diagnostics),
        None => bound::check(&rule::by_name(adapter, op, way), tool, span, way, diagnostics),
    }
}

fn known<'e>(
    adapter: &Adapter<Typed>,
    entry: &'e LockedAdapter,
    name: &str,
    at: FileSpan,
    diagnostics: &mut Diagnostics,
) -> Option<&'e LockedTool> {
    let tool = entry.tool(name);
    if tool.is_none() {
        let names: Vec<&str> = entry.tools.iter().map(|tool| tool.name.as_str()).collect();
        diagnostics.push(report::report_unknown_tool(at, &adapter.name, name, &names));
    }
    tool
}
