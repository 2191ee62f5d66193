//! One op: what it inherits from its adapter, every slot in every way it is reached, and what its answer is.

use std::collections::{BTreeMap, BTreeSet};

use super::adapter::Around;
use super::slot::{Slot, SlotName, Takes};
use super::typed::{Source, Typed};
use super::ways::{self, Way};
use super::{Checker, Names};
use super::{unused, url};
use crate::config::{Config, DriverKind, Json, MapEntry, MapRule, Named, Op, Reach, ResultFields, Spanned};
use crate::diagnostic::lint::UNKNOWN_VARIABLE;
use crate::diagnostic::{Diagnostics, Severity, ops};
use crate::parse::Cell;
use crate::source::FileSpan;
use crate::suggest;

impl Checker<'_> {
    /// An op under its name.
    pub(super) fn named_op(&mut self, op: &Op<Cell>, around: &Around<'_>) -> Op<Typed> {
        let name = op.name.as_deref().unwrap_or_default();
        let mut ways = around.callers.ways(name);
        if ways.is_empty() {
            let nearest = suggest::nearest(name, ways::STANDARD);
            let mut finding = ops::report_unused_op(op.key, name, nearest);
            if let Some(meant) = nearest.filter(|near| suggest::is_certain(name, near, ways::STANDARD)) {
                // The slip is told once: its templates are checked as those of the op that was meant.
                if self.wants_inputs(op, around) {
                    finding = finding.severity(Severity::Error);
                }
                ways = around.callers.ways(meant);
            }
            self.diagnostics.push(finding);
        }
        self.op(op, around, &ways)
    }

    /// Whether an op cannot do without inputs.
    fn wants_inputs(&mut self, op: &Op<Cell>, around: &Around<'_>) -> bool {
        let mut alone = Diagnostics::default();
        std::mem::swap(self.diagnostics, &mut alone);
        self.op(op, around, &[]);
        std::mem::swap(self.diagnostics, &mut alone);
        alone.list().iter().any(|finding| finding.lint.id == UNKNOWN_VARIABLE.id)
    }

    /// An op that is reached in some ways.
    pub(super) fn op(&mut self, op: &Op<Cell>, around: &Around<'_>, ways: &[Way]) -> Op<Typed> {
        let names = Names { output_file: op.output_file, ..around.names(ways) };
        let hits = self.answer(op);
        let text = |name: &'static str| Slot::new(name, Takes::Text);
        let typed = Op {
            name: op.name.clone(),
            key: op.key,
            reach: self.inherited_reach(op, around, &names),
            base: self.base(around, op, &names),
            hits,
            method: op.method,
            path: op.path.as_ref().map(|cell| self.cell(cell, &names, &Slot::new("path", Takes::Url))),
            query: self.named(&op.query, &names, &Slot::new("query", Takes::QueryValue)),
            body: op.body.as_ref().map(|json| self.json(json, &names, &Slot::new("body", Takes::Any))),
            stdin: op.stdin.as_ref().map(|cell| self.cell(cell, &names, &text("stdin"))),
            ok_exit: op.ok_exit.clone(),
            output_file: op.output_file,
            tool: op.tool.as_ref().map(|cell| self.cell(cell, &names, &text("tool"))),
            args: op.args.as_ref().map(|json| self.json(json, &names, &Slot::new("args", Takes::Any))),
            format: op.format,
            timeout_ms: op.timeout_ms,
            result: self.result(&op.result, &names),
            owns: op.owns.clone(),
        };
        url::check(&typed, self.diagnostics);
        unused::check(op, around.adapter, ways, self.diagnostics);
        self.answer_file(&typed);
        self.op_needs(&typed, around);
        typed
    }

    /// An answer that is read from a file which nothing was told the name of is always empty.
    fn answer_file(&mut self, op: &Op<Typed>) {
        let named = |typed: &Typed| typed.exprs().any(|expr| expr.from == Source::OutputFile);
        let slots = op.reach.command.iter().flatten().chain(&op.stdin);
        let broken = |typed: &Typed| typed.pieces.is_empty();
        let mut slots = slots.chain(op.reach.env.iter().map(|entry| &entry.value));
        if op.output_file && op.reach.command.is_some() && !slots.any(|typed| named(typed) || broken(typed)) {
            self.diagnostics.push(ops::report_unnamed_output_file(op.key));
        }
    }

    /// Says whether the op gives hits, and reports fields of the other kind.
    fn answer(&mut self, op: &Op<Cell>) -> bool {
        let name = op.name.as_deref().unwrap_or_default();
        let result = &op.result;
        let mut fields: Vec<(&str, FileSpan)> = Vec::new();
        fields.extend(result.items.as_ref().map(|field| ("items", field.span)));
        fields.extend(result.split.as_ref().map(|field| ("split", field.span)));
        fields.extend(result.conditions.as_ref().map(|field| ("where", field.span)));
        fields.extend(result.map.as_ref().map(|field| ("map", field.span)));
        let text = result.text.as_ref().map(|field| field.span);
        match (ways::gives_hits(name), text, fields.first()) {
            (Some(true), Some(text), _) => {
                self.diagnostics.push(ops::report_result_field(text, "text", name, true));
            }
            (Some(false), _, _) => {
                for (field, span) in &fields {
                    self.diagnostics.push(ops::report_result_field(*span, field, name, false));
                }
            }
            (None, Some(text), Some((field, span))) => {
                self.diagnostics.push(ops::report_text_and_hits(text, *span, field));
            }
            _ => {}
        }
        if name != "read"
            && let Some(owns) = op.owns.first()
        {
            self.diagnostics
                .push(ops::report_owns_elsewhere(owns.span, if name.is_empty() { "this op" } else { name }));
        }
        ways::gives_hits(name).unwrap_or(!fields.is_empty())
    }

    /// The op's own way to its system, over the adapter's.
    fn inherited_reach(&mut self, op: &Op<Cell>, around: &Around<'_>, names: &Names<'_>) -> Reach<Typed> {
        let mut own = self.reach(&op.reach, names);
        let adapter = around.adapter;
        if adapter.driver == Some(DriverKind::Mcp) {
            return own;
        }
        let from = &adapter.reach;
        let command = from.command.as_ref().filter(|_| own.command.is_none());
        let cwd = from.cwd.as_ref().filter(|_| own.cwd.is_none());
        let env = without(&from.env, &own.env, |a, b| a == b);
        let headers = without(&from.headers, &own.headers, str::eq_ignore_ascii_case);
        let mut inherited = Reach {
            command: command.map(|cells| self.command(cells, names)),
            env: self.named(env, names, &Slot::new("env", Takes::Text)),
            cwd: cwd.map(|cell| self.directory(cell, names)),
            url: None,
            headers: self.named(headers, names, &Slot::new("headers", Takes::Text)),
        };
        self.adapter_needs(adapter, &inherited);
        inherited.env.append(&mut own.env);
        inherited.headers.append(&mut own.headers);
        Reach {
            command: own.command.or(inherited.command),
            cwd: own.cwd.or(inherited.cwd),
            url: own.url,
            ..inherited
        }
    }

    fn base(&mut self, around: &Around<'_>, op: &Op<Cell>, names: &Names<'_>) -> Option<Typed> {
        let cell = around.adapter.base_url.as_ref().filter(|_| op.reach.url.is_none())?;
        let typed = self.cell(cell, names, &Slot::new("base_url", Takes::Text));
        self.adapter_need(around.adapter, &typed, SlotName::field("base_url"));
        Some(typed)
    }

    fn result(&mut self, fields: &ResultFields<Cell>, names: &Names<'_>) -> ResultFields<Typed> {
        let item =
            Names { item: true, output_file: false, adapter: names.adapter, vars: names.vars, ways: &[] };
        ResultFields {
            items: fields.items.clone(),
            split: fields.split.clone(),
            conditions: fields.conditions.clone(),
            map: fields.map.as_ref().map(|map| Spanned {
                value: map.value.iter().map(|entry| self.map_entry(entry, &item)).collect(),
                span: map.span,
            }),
            text: fields.text.clone(),
        }
    }

    fn map_entry(&mut self, entry: &MapEntry<Cell>, names: &Names<'_>) -> MapEntry<Typed> {
        let rule = match &entry.rule {
            MapRule::Path { alternatives, literal } => {
                MapRule::Path { alternatives: alternatives.clone(), literal: literal.clone() }
            }
            MapRule::Regex(pattern) => MapRule::Regex(pattern.clone()),
            MapRule::Template(cell) => {
                MapRule::Template(self.cell(cell, names, &Slot::new("map", Takes::Any)))
            }
        };
        MapEntry { field: entry.field, span: entry.span, rule }
    }

    /// Says which of the op's own slots cannot do without a variable; the adapter's were said before.
    fn op_needs(&mut self, op: &Op<Typed>, around: &Around<'_>) {
        let adapter = around.adapter;
        let own = |span: FileSpan| !is_adapters(adapter, span);
        for (at, argument) in
            op.reach.command.iter().flatten().enumerate().filter(|(_, argument)| own(argument.span))
        {
            self.op_need(adapter, argument, SlotName::element("command", at));
        }
        let named = [("query", &op.query), ("env", &op.reach.env), ("headers", &op.reach.headers)];
        for (table, entry) in
            named.iter().flat_map(|(table, entries)| entries.iter().map(move |entry| (table, entry)))
        {
            if own(entry.value.span) {
                self.op_need(adapter, &entry.value, SlotName::member(table, &entry.name));
            }
        }
        let single = [
            ("path", &op.path),
            ("url", &op.reach.url),
            ("stdin", &op.stdin),
            ("tool", &op.tool),
            ("cwd", &op.reach.cwd),
        ];
        for (name, typed) in single.iter().filter_map(|(name, typed)| Some((name, typed.as_ref()?))) {
            if own(typed.span) {
                self.op_need(adapter, typed, SlotName::field(name));
            }
        }
        for (name, json) in [("body", &op.body), ("args", &op.args)] {
            for typed in json.iter().flat_map(slots) {
                self.op_need(adapter, typed, SlotName::field(name));
            }
        }
    }
}

/// Whether a slot is one of the adapter's own.
fn is_adapters(adapter: &crate::config::Adapter<Cell>, span: FileSpan) -> bool {
    let reach = &adapter.reach;
    reach.command.iter().flatten().any(|cell| cell.span == span)
        || reach.cwd.iter().any(|cell| cell.span == span)
        || reach.env.iter().chain(&reach.headers).any(|entry| entry.value.span == span)
}

/// Every slot of a JSON template, keys too.
pub fn slots(json: &Json<Typed>) -> Vec<&Typed> {
    match json {
        Json::Scalar(..) => Vec::new(),
        Json::Slot(typed) => vec![typed],
        Json::Array(items, _) => items.iter().flat_map(slots).collect(),
        Json::Object(members, _) => {
            members.iter().flat_map(|(key, value)| std::iter::once(key).chain(slots(value))).collect()
        }
    }
}

/// The adapter's entries that the op does not give itself.
fn without<'c>(
    inherited: &'c [Named<Cell>],
    own: &[Named<Typed>],
    same: fn(&str, &str) -> bool,
) -> Vec<&'c Named<Cell>> {
    let given = |entry: &&Named<Cell>| own.iter().any(|own| same(&own.name, &entry.name));
    inherited.iter().filter(|entry| !given(entry)).collect()
}

/// URI prefixes across adapters: owned twice, or made by a map and owned by nobody.
pub fn owns_and_uris(config: &Config<Typed>, diagnostics: &mut Diagnostics) {
    let mut owners: BTreeMap<&str, (FileSpan, &str)> = BTreeMap::new();
    for adapter in &config.adapters {
        for prefix in adapter.ops.iter().flat_map(|op| &op.owns) {
            if let Some((first, owner)) = owners.get(prefix.value.as_str()) {
                if *owner == adapter.name {
                    diagnostics.push(ops::report_owned_twice(prefix.span, &prefix.value, *first));
                    continue;
                }
                diagnostics.push(ops::report_overlapping_owns(prefix.span, &prefix.value, *first, owner));
            } else {
                owners.insert(&prefix.value, (prefix.span, &adapter.name));
            }
        }
    }
    let owned: BTreeSet<&str> = owners.keys().filter_map(|prefix| Some(prefix.split_once(':')?.0)).collect();
    for op in config.adapters.iter().flat_map(|adapter| &adapter.ops) {
        for entry in op.result.map.iter().flat_map(|map| &map.value) {
            if let Some((scheme, span)) = literal_scheme(entry)
                && !owned.contains(scheme)
            {
                diagnostics.push(ops::report_unowned_uri(span, &format!("{scheme}://")));
            }
        }
    }
}

/// The scheme a `tpl:` URI begins with, when its own text says it and http or a file does not read it.
fn literal_scheme(entry: &MapEntry<Typed>) -> Option<(&str, FileSpan)> {
    let MapRule::Template(typed) = &entry.rule else { return None };
    if entry.field != kontext_plan::result::HitField::Uri {
        return None;
    }
    let (scheme, _) = typed.literal_start().split_once("://")?;
    let read_elsewhere = ["http", "https", "file"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let scheme_like = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    (!read_elsewhere && scheme_like && !scheme.is_empty()).then_some((scheme, entry.span))
}
