//! One adapter: its variables, its conditions, its own slots, then its ops.

use std::collections::BTreeSet;

use super::slot::{Slot, SlotName, Takes};
use super::typed::{EnvNeed, Piece, Source, Typed};
use super::vars::VarTable;
use super::ways::{self, Callers, Way};
use super::{Checker, Names, SlotNeed};
use crate::config::{Adapter, DriverKind, Named, Reach, Tool, ToolOp, When};
use crate::diagnostic::{ops, templates};
use crate::parse::Cell;
use crate::source::FileSpan;
use crate::types::{Kind, Ty};

/// Variables that every session has.
const ALWAYS_SET: [&str; 5] = ["HOME", "USER", "PATH", "PWD", "SHELL"];

/// What the ops of an adapter are checked with.
pub(super) struct Around<'a> {
    /// The adapter.
    pub(super) adapter: &'a Adapter<Cell>,
    /// Its variables.
    pub(super) vars: &'a VarTable,
    /// What reaches its ops.
    pub(super) callers: Callers<'a, Cell>,
    /// The names of its ops.
    ops: BTreeSet<&'a str>,
}

impl<'a> Around<'a> {
    pub(super) fn names(&self, ways: &'a [Way]) -> Names<'a> {
        Names { ways, ..Names::facts(Some(&self.adapter.name), Some(self.vars)) }
    }
}

impl Checker<'_> {
    /// An adapter with every slot typed.
    pub(super) fn adapter(&mut self, adapter: &Adapter<Cell>) -> Adapter<Typed> {
        let (table, vars) = self.adapter_vars(&adapter.name, &adapter.vars);
        let names = adapter.ops.iter().filter_map(|op| op.name.as_deref()).collect();
        let around = Around { adapter, vars: &table, callers: Callers::of(adapter), ops: names };
        let ops = adapter.ops.iter().map(|op| self.named_op(op, &around)).collect();
        let tools = adapter.tools.iter().map(|tool| self.tool(tool, &around)).collect();
        for on in &adapter.on {
            self.op_exists(&around, &on.op.value, on.op.span);
            if on.event == kontext_plan::EventKind::Capture && on.visibility.is_none() {
                self.diagnostics.push(ops::report_private_delivered(on.span, &adapter.name));
            }
        }
        Adapter {
            name: adapter.name.clone(),
            key: adapter.key,
            driver: adapter.driver,
            enabled: adapter.enabled,
            description: adapter.description.clone(),
            when: self.when(&adapter.when, &around),
            vars,
            timeout_ms: adapter.timeout_ms,
            weight: adapter.weight,
            reach: self.own_reach(&around),
            base_url: self.own_base(&around),
            mcp: adapter.mcp.clone(),
            ops,
            on: adapter.on.clone(),
            tools,
            layers: adapter.layers.clone(),
        }
    }

    fn tool(&mut self, tool: &Tool<Cell>, around: &Around<'_>) -> Tool<Typed> {
        let op = match &tool.op {
            ToolOp::Named(name) => {
                self.op_exists(around, &name.value, name.span);
                ToolOp::Named(name.clone())
            }
            ToolOp::Inline(op) => {
                let ways = [ways::of_tool(tool, None)];
                ToolOp::Inline(Box::new(self.op(op, around, &ways)))
            }
        };
        Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            schema: tool.schema.clone(),
            op,
        }
    }

    fn op_exists(&mut self, around: &Around<'_>, written: &str, span: FileSpan) {
        if !around.ops.contains(written) {
            let known: Vec<&str> = around.adapter.ops.iter().filter_map(|op| op.name.as_deref()).collect();
            self.diagnostics.push(ops::report_unknown_op(span, &around.adapter.name, written, &known));
        }
    }

    fn when(&mut self, when: &When<Cell>, around: &Around<'_>) -> When<Typed> {
        let exists = when.exists.as_ref().map(|cell| {
            let typed = self.cell(cell, &around.names(&[]), &Slot::new("when.exists", Takes::Text));
            expand_tilde(typed)
        });
        When {
            command: when.command.clone(),
            file: when.file.clone(),
            repo: when.repo.clone(),
            env: when.env.clone(),
            exists,
            scope: when.scope.clone(),
        }
    }

    /// The adapter's own slots where no op takes them over: an MCP server's, or those no op inherits.
    fn own_reach(&mut self, around: &Around<'_>) -> Reach<Typed> {
        let adapter = around.adapter;
        if adapter.driver != Some(DriverKind::Mcp) && !adapter.ops.is_empty() {
            return Reach::default();
        }
        let reach = self.reach(&adapter.reach, &around.names(&[]));
        self.adapter_needs(adapter, &reach);
        reach
    }

    fn own_base(&mut self, around: &Around<'_>) -> Option<Typed> {
        let cell = around.adapter.base_url.as_ref()?;
        if !around.adapter.ops.is_empty() {
            return None;
        }
        let typed = self.cell(cell, &around.names(&[]), &Slot::new("base_url", Takes::Text));
        self.adapter_need(around.adapter, &typed, SlotName::field("base_url"));
        Some(typed)
    }

    /// `command`, `env`, `cwd`, `url`, `headers`, wherever they stand.
    pub(super) fn reach(&mut self, reach: &Reach<Cell>, names: &Names<'_>) -> Reach<Typed> {
        Reach {
            command: reach.command.as_ref().map(|cells| self.command(cells, names)),
            env: self.named(&reach.env, names, &Slot::new("env", Takes::Text)),
            cwd: reach.cwd.as_ref().map(|cell| self.directory(cell, names)),
            url: reach.url.as_ref().map(|cell| self.cell(cell, names, &Slot::new("url", Takes::Url))),
            headers: self.named(&reach.headers, names, &Slot::new("headers", Takes::Text)),
        }
    }

    pub(super) fn command(&mut self, cells: &[Cell], names: &Names<'_>) -> Vec<Typed> {
        let mut typed = Vec::with_capacity(cells.len());
        for (at, cell) in cells.iter().enumerate() {
            let takes = if at == 0 { Takes::Text } else { Takes::Argument };
            let argument = self.cell(cell, names, &Slot::new("command", takes).element(at));
            typed.push(if at == 0 { expand_tilde(argument) } else { argument });
        }
        typed
    }

    pub(super) fn directory(&mut self, cell: &Cell, names: &Names<'_>) -> Typed {
        expand_tilde(self.cell(cell, names, &Slot::new("cwd", Takes::Text)))
    }

    /// Notes what an adapter's own slots cannot do without.
    pub(super) fn adapter_needs(&mut self, adapter: &Adapter<Cell>, reach: &Reach<Typed>) {
        for (at, argument) in reach.command.iter().flatten().enumerate() {
            self.adapter_need(adapter, argument, SlotName::element("command", at));
        }
        if let Some(url) = &reach.url {
            self.adapter_need(adapter, url, SlotName::field("url"));
        }
        if let Some(cwd) = &reach.cwd {
            self.adapter_need(adapter, cwd, SlotName::field("cwd"));
        }
        self.named_needs(adapter, &reach.env, "env");
        self.named_needs(adapter, &reach.headers, "headers");
    }

    /// Notes what a table of an adapter's own slots cannot do without.
    pub(super) fn named_needs(&mut self, adapter: &Adapter<Cell>, entries: &[Named<Typed>], table: &str) {
        for entry in entries {
            self.adapter_need(adapter, &entry.value, SlotName::member(table, &entry.name));
        }
    }

    /// Notes what one of an adapter's own slots cannot do without, and says so.
    pub(super) fn adapter_need(&mut self, adapter: &Adapter<Cell>, typed: &Typed, slot: SlotName<'_>) {
        for expr in typed.exprs() {
            for need in &expr.needs {
                self.missing_default(adapter, need, expr.span, slot, true);
                let needs = self.needs.entry(adapter.name.clone()).or_default();
                let need = EnvNeed { name: need.name.clone(), span: expr.span };
                needs.insert(SlotNeed { env: need, slot: slot.to_string() });
            }
        }
    }

    /// Says that an op's slot cannot do without a variable.
    pub(super) fn op_need(&mut self, adapter: &Adapter<Cell>, typed: &Typed, slot: SlotName<'_>) {
        for expr in typed.exprs() {
            for need in &expr.needs {
                // Where the adapter's own slots need it, the adapter is inactive and the op is never called.
                let own = self.needs.get(&adapter.name).into_iter().flatten();
                if !own.into_iter().any(|known| known.env.name == need.name) {
                    self.missing_default(adapter, need, expr.span, slot, false);
                }
            }
        }
    }

    fn missing_default(
        &mut self,
        adapter: &Adapter<Cell>,
        need: &EnvNeed,
        at: FileSpan,
        slot: SlotName<'_>,
        own: bool,
    ) {
        let wanted = adapter.when.env.as_ref().is_some_and(|env| env.value == need.name);
        if wanted || ALWAYS_SET.contains(&need.name.as_str()) {
            return;
        }
        let inside = need.span.file == at.file && at.start <= need.span.start && need.span.end <= at.end;
        let definition = (!inside).then_some(need.span);
        self.diagnostics.push(templates::report_missing_default(
            at,
            &need.name,
            &slot.to_string(),
            definition,
            own,
        ));
    }
}

/// A leading `~` or `~/` is the home directory.
fn expand_tilde(mut typed: Typed) -> Typed {
    let Some(Piece::Text { text, span }) = typed.pieces.first() else { return typed };
    let (rest, span) = match text.strip_prefix('~') {
        Some(rest) if rest.starts_with('/') || (rest.is_empty() && typed.pieces.len() == 1) => {
            (rest.to_owned(), *span)
        }
        _ => return typed,
    };
    let home = super::typed::Expr {
        from: Source::Fact("env.HOME".to_owned()),
        filters: Vec::new(),
        ty: Ty::maybe(Kind::String),
        span,
        needs: vec![EnvNeed { name: "HOME".to_owned(), span }],
    };
    let mut head = vec![Piece::Expr(home)];
    if !rest.is_empty() {
        head.push(Piece::Text { text: rest, span });
    }
    typed.pieces.splice(0..1, head);
    typed
}
