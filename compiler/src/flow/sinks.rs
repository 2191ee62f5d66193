//! The sinks of one adapter: each slot is walked and each expression in it judged.

use std::collections::BTreeSet;

use kontext_plan::template::Filter;

use super::argv::Argv;
use super::sources::{Scope, Vars, is_number_or_switch, is_tame};
use super::table::{Sink, Source, verdict};
use super::{exit_status, no_shell, programs};
use crate::check::typed::{Expr, Piece};
use crate::check::url::split;
use crate::check::{Typed, slots};
use crate::config::{Adapter, DriverKind, Json, MapRule, Named, Op, Reach, ToolOp};
use crate::diagnostic::Diagnostics;
use crate::diagnostic::flow as report;

/// What the walk carries.
struct Walk<'a> {
    scope: Scope<'a>,
    diagnostics: &'a mut Diagnostics,
    /// The program that reads the argument at hand; empty elsewhere.
    reader: String,
}

/// Judges every slot of an adapter.
pub fn adapter(
    adapter: &Adapter<Typed>,
    globals: &Vars,
    public_env: &BTreeSet<String>,
    diagnostics: &mut Diagnostics,
) {
    let mut walk =
        Walk { scope: Scope::of_adapter(adapter, globals, public_env), diagnostics, reader: String::new() };
    walk.reach(&adapter.reach, adapter.reach.command.as_deref().map(Argv::of).as_ref());
    if adapter.driver == Some(DriverKind::Mcp)
        && let Some(url) = &adapter.reach.url
    {
        walk.url(url);
    }
    let inline = adapter.tools.iter().filter_map(|tool| match &tool.op {
        ToolOp::Inline(op) => Some(op.as_ref()),
        ToolOp::Named(_) => None,
    });
    for op in adapter.ops.iter().chain(inline) {
        walk.op(op);
    }
}

impl Walk<'_> {
    fn op(&mut self, op: &Op<Typed>) {
        let argv = op.reach.command.as_deref().map(Argv::of);
        self.reach(&op.reach, argv.as_ref());
        if let Some(base) = &op.base {
            self.url(base);
        }
        if let Some(url) = op.reach.url.as_ref().filter(|url| !reads_whole_uri(op, url)) {
            self.url(url);
        }
        if let Some(argv) = argv.as_ref().filter(|_| op.ok_exit.is_none()) {
            exit_status::check(argv, self.diagnostics);
        }
        self.all(op.path.as_ref(), Sink::UrlPath);
        self.named(&op.query, Sink::Query);
        let stdin = argv.as_ref().map_or(Sink::Stdin, Argv::stdin_sink);
        self.all(op.stdin.as_ref(), stdin);
        self.all(op.tool.as_ref(), Sink::Tool);
        match &op.body {
            Some(Json::Slot(text)) => self.text_body(text),
            Some(json) => slots(json).into_iter().for_each(|typed| self.typed(typed, Sink::Json)),
            None => {}
        }
        for typed in op.args.iter().flat_map(slots) {
            self.typed(typed, Sink::Json);
        }
        for entry in op.result.map.iter().flat_map(|map| &map.value) {
            if let MapRule::Template(typed) = &entry.rule {
                self.typed(typed, Sink::Result);
            }
        }
    }

    /// `argv` is the command of this way.
    fn reach(&mut self, reach: &Reach<Typed>, argv: Option<&Argv<'_>>) {
        if let Some(argv) = argv {
            let (sinks, readers) = argv.sinks();
            for (at, (argument, sink)) in argv.command.iter().zip(&sinks).enumerate() {
                if argument.exprs().next().is_some() {
                    readers.reader(at).clone_into(&mut self.reader);
                    self.typed(argument, *sink);
                }
            }
            self.reader.clear();
            no_shell::check(argv, &sinks, self.diagnostics);
        }
        self.all(reach.cwd.as_ref(), Sink::Directory);
        for entry in &reach.env {
            let sink = if programs::is_loader(&entry.name) { Sink::Loader } else { Sink::Environment };
            self.typed(&entry.value, sink);
        }
        self.named(&reach.headers, Sink::Header);
    }

    fn url(&mut self, url: &Typed) {
        let parts = split(url);
        self.pieces(&parts.prefix, Sink::Host);
        self.pieces(&parts.tail, Sink::UrlPath);
    }

    /// A string body: text inside JSON text is broken by the first quote in a value.
    fn text_body(&mut self, body: &Typed) {
        let looks_json = body.single().is_none() && body.literal_start().trim_start().starts_with(['{', '[']);
        for expr in body.exprs() {
            let written_as_json = expr.filters.last() == Some(&Filter::Json);
            let sink = if looks_json && !written_as_json { Sink::JsonText } else { Sink::TextBody };
            self.expr(expr, sink);
        }
    }

    fn named(&mut self, entries: &[Named<Typed>], sink: Sink) {
        for entry in entries {
            self.typed(&entry.value, sink);
        }
    }

    fn all(&mut self, typed: Option<&Typed>, sink: Sink) {
        if let Some(typed) = typed {
            self.typed(typed, sink);
        }
    }

    fn typed(&mut self, typed: &Typed, sink: Sink) {
        self.pieces(&typed.pieces, sink);
    }

    fn pieces(&mut self, pieces: &[Piece], sink: Sink) {
        for piece in pieces {
            if let Piece::Expr(expr) = piece {
                self.expr(expr, sink);
            }
        }
    }

    fn expr(&mut self, expr: &Expr, sink: Sink) {
        let mut taint = self.scope.of(expr);
        if taint.is_empty() && sink == Sink::JsonText {
            taint.insert(Source::Fact);
        }
        let definition = self.scope.var(expr).map(|var| var.definition);
        for source in taint.sources() {
            if is_safe(expr, source, sink) {
                continue;
            }
            if let Some(lint) = verdict(source, sink) {
                let found = report::report(lint, expr, source, sink, &self.reader);
                self.diagnostics.push(match definition {
                    Some(definition) => found.label(definition, "the variable is made here"),
                    None => found,
                });
            }
        }
    }
}

/// Whether the value cannot do at this sink what the verdict is about.
fn is_safe(expr: &Expr, source: Source, sink: Sink) -> bool {
    match sink {
        Sink::JsonText => is_number_or_switch(expr),
        Sink::Script | Sink::OptionPlace => source != Source::Secret && is_tame(expr),
        Sink::FileArgument => {
            source != Source::Secret
                && (is_tame(expr) || expr.filters.iter().any(|filter| matches!(filter, Filter::Within(_))))
        }
        _ => false,
    }
}

/// A `read` op may take its whole URL from the URI when every prefix it owns fixes scheme, host and the `/` after it.
fn reads_whole_uri(op: &Op<Typed>, url: &Typed) -> bool {
    let whole = url.single().is_some_and(|expr| expr.filters.is_empty() && expr.from.shown() == "uri");
    let fixed = |prefix: &str| {
        prefix.split_once("://").is_some_and(|(scheme, rest)| {
            matches!(scheme, "http" | "https") && rest.find('/').is_some_and(|host| host > 0)
        })
    };
    whole
        && op.name.as_deref() == Some("read")
        && !op.owns.is_empty()
        && op.owns.iter().all(|prefix| fixed(&prefix.value))
}
