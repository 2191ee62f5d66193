//! One adapter, with the variables its expressions point to.

use std::collections::{BTreeMap, BTreeSet};

use kontext_plan::template::Template;
use kontext_plan::{
    Adapter, CapabilityKind, Condition, Connection, Driver, Event, Exists, Expose, InScope, LayerName,
    McpServer, NamedTemplate, Need, Tool, ToolOp, Var, When, object_schema, published_name,
};

use super::Lowering;
use crate::check::typed::{Source, VarRef};
use crate::check::ways::{self, Callers};
use crate::check::{SlotNeed, Typed};
use crate::config::{self, DriverKind, Named, Spanned};
use crate::flow;
use crate::source::FileSpan;

/// Limit of one call in milliseconds when the configuration gives none.
const DEFAULT_TIMEOUT_MS: u64 = 10_000;

/// One adapter on its way into the plan.
pub(super) struct InAdapter<'a, 'l> {
    pub(super) lowering: &'l mut Lowering<'a>,
    pub(super) adapter: &'l config::Adapter<Typed>,
    pub(super) layers: BTreeSet<LayerName>,
    pub(super) secrets: BTreeSet<String>,
    /// First names of the inputs that the current op uses without a `default`.
    pub(super) used_inputs: BTreeSet<String>,
    pub(super) capabilities: BTreeSet<kontext_plan::Capability>,
    vars: Vec<Var>,
    positions: BTreeMap<VarRef, u32>,
    /// The adapter's own variables.
    pub(super) own: BTreeMap<&'l str, &'l Named<Typed>>,
}

impl<'a> Lowering<'a> {
    /// An adapter; none without a driver, which is an error.
    pub(super) fn adapter(
        &mut self,
        adapter: &config::Adapter<Typed>,
        needs: Option<&BTreeSet<SlotNeed>>,
    ) -> Option<Adapter> {
        let driver = adapter.driver?;
        let mut inside = InAdapter {
            lowering: self,
            adapter,
            layers: adapter.layers.clone(),
            secrets: BTreeSet::new(),
            used_inputs: BTreeSet::new(),
            capabilities: BTreeSet::new(),
            vars: Vec::new(),
            positions: BTreeMap::new(),
            own: adapter.vars.iter().map(|var| (var.name.as_str(), var)).collect(),
        };
        let lowered_driver = inside.driver(driver);
        let when = inside.when();
        let ops = inside.ops();
        let tools = adapter.tools.iter().map(|tool| inside.tool(tool)).collect();
        let events = adapter.on.iter().map(|on| inside.event(on)).collect();
        let needs = inside.needs(needs);
        let at = inside.lowering.at(adapter.key);
        inside.finish_capabilities();
        Some(Adapter {
            driver: lowered_driver,
            enabled: adapter.enabled,
            description: adapter.description.clone(),
            layers: inside.layers.into_iter().collect(),
            at,
            when,
            vars: inside.vars,
            needs,
            secrets: inside.secrets.into_iter().collect(),
            timeout_ms: adapter.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS),
            weight: adapter.weight,
            ops,
            events,
            tools,
        })
    }
}

impl InAdapter<'_, '_> {
    /// The limit of an op's calls in milliseconds.
    pub(super) fn timeout_ms(&self, op: Option<u64>) -> u64 {
        op.or(self.adapter.timeout_ms).unwrap_or(DEFAULT_TIMEOUT_MS)
    }

    fn driver(&mut self, driver: DriverKind) -> Driver {
        match driver {
            DriverKind::Http => Driver::Http,
            DriverKind::Command => Driver::Command,
            DriverKind::Mcp => self.mcp(),
        }
    }

    fn mcp(&mut self) -> Driver {
        let adapter = self.adapter;
        let connect = match (&adapter.reach.command, &adapter.reach.url) {
            (None, Some(url)) => {
                self.host(url, url.span);
                Connection::Http {
                    url: self.template(url, "url"),
                    headers: self.named(&adapter.reach.headers, "headers"),
                }
            }
            (command, _) => Connection::Stdio {
                command: self.command(command.as_deref().unwrap_or_default()),
                env: self.named(&adapter.reach.env, "env"),
                cwd: adapter.reach.cwd.as_ref().map(|cwd| self.template(cwd, "cwd")),
            },
        };
        let prefix = adapter.prefix();
        let pins = self.lowering.pins;
        self.layers.extend(pins.layer(&adapter.name));
        let tools = pins.of(adapter);
        for tool in pins.exposed(adapter) {
            self.capability(CapabilityKind::Tool, published_name(&prefix, &tool.value), tool.span);
        }
        if adapter.mcp.expose == Expose::All && tools.is_none() {
            let at = adapter.mcp.expose_at.unwrap_or(adapter.key);
            self.capability(CapabilityKind::Tool, format!("{prefix}*"), at);
        }
        Driver::Mcp(Box::new(McpServer {
            connect,
            start_timeout_ms: adapter.mcp.start_timeout_ms,
            expose: adapter.mcp.expose.clone(),
            prefix,
            protocol: adapter.mcp.protocol,
            pin: adapter.mcp.pin,
            tools,
        }))
    }

    fn when(&mut self) -> When {
        let when = &self.adapter.when;
        if let Some(env) = &when.env {
            self.env(&env.value, "when.env", env.span);
        }
        let file = when.file.as_ref().map(|file| (file.value.clone(), file.span));
        let exists = when.exists.as_ref().map(|exists| (self.shown(exists), exists.span));
        for (path, span) in file.into_iter().chain(exists) {
            self.capability(CapabilityKind::File, path, span);
        }
        When {
            command: self.condition(when.command.as_ref()),
            file: self.condition(when.file.as_ref()),
            repo: self.condition(when.repo.as_ref()),
            env: self.condition(when.env.as_ref()),
            scope: when.scope.as_ref().map(|list| {
                self.start_scope("scope.id", list.span);
                InScope { ids: scopes(list), at: self.lowering.at(list.span) }
            }),
            exists: when.exists.as_ref().map(|exists| Exists {
                path: self.template(exists, "when.exists"),
                at: self.lowering.at(exists.span),
            }),
        }
    }

    fn condition(&mut self, condition: Option<&Spanned<String>>) -> Option<Condition> {
        condition.map(|condition| Condition {
            value: condition.value.clone(),
            at: self.lowering.at(condition.span),
        })
    }

    fn ops(&mut self) -> BTreeMap<String, kontext_plan::Op> {
        let adapter = self.adapter;
        let callers = Callers::of(adapter);
        let mut ops = BTreeMap::new();
        for op in &adapter.ops {
            if let Some(name) = &op.name {
                let way = callers.first(name);
                ops.insert(name.clone(), self.op(op, way.as_ref()));
            }
        }
        ops
    }

    fn tool(&mut self, tool: &config::Tool<Typed>) -> Tool {
        self.capability(CapabilityKind::Tool, tool.name.value.clone(), tool.name.span);
        let (op, inputs) = match &tool.op {
            config::ToolOp::Named(name) => {
                let way = ways::of_tool(tool, Some(&name.value));
                (ToolOp::Named(name.value.clone()), way.undeclared())
            }
            config::ToolOp::Inline(op) => {
                let way = ways::of_tool(tool, None);
                (ToolOp::Inline(Box::new(self.op(op, Some(&way)))), Vec::new())
            }
        };
        Tool {
            name: tool.name.value.clone(),
            description: tool.description.clone(),
            schema: object_schema(tool.schema.clone()),
            op,
            inputs,
            at: self.lowering.at(tool.name.span),
        }
    }

    fn event(&mut self, on: &config::On) -> Event {
        Event {
            event: on.event,
            op: on.op.value.clone(),
            visibility: on.visibility,
            kinds: on.kinds.clone(),
            at: self.lowering.at(on.span),
        }
    }

    fn needs(&mut self, needs: Option<&BTreeSet<SlotNeed>>) -> Vec<Need> {
        let mut lowered: Vec<Need> = needs
            .into_iter()
            .flatten()
            .map(|need| Need {
                env: need.env.name.clone(),
                slot: need.slot.clone(),
                at: self.lowering.at(need.env.span),
            })
            .collect();
        lowered.sort();
        lowered
    }

    /// A table of named templates; `table` names it in the capability manifest.
    pub(super) fn named(&mut self, entries: &[Named<Typed>], table: &str) -> Vec<NamedTemplate> {
        entries
            .iter()
            .map(|entry| NamedTemplate {
                name: entry.name.clone(),
                value: self.template(&entry.value, &format!("{table}.{}", entry.name)),
                at: self.lowering.at(entry.key),
            })
            .collect()
    }

    /// A program and its arguments.
    pub(super) fn command(&mut self, command: &[Typed]) -> Vec<Template> {
        if let Some(program) = command.first() {
            let shown = self.shown(program);
            self.capability(CapabilityKind::Exec, shown, program.span);
        }
        command
            .iter()
            .enumerate()
            .map(|(at, argument)| self.template(argument, &format!("command[{at}]")))
            .collect()
    }

    /// Notes a variable of the environment and the slot it goes to.
    pub(super) fn env(&mut self, name: &str, slot: &str, span: FileSpan) {
        self.lowering.fact(&format!("env.{name}"));
        if flow::is_secret(name, self.lowering.public_env) {
            self.secrets.insert(name.to_owned());
        }
        self.capability(CapabilityKind::Env, format!("{name} -> {slot}"), span);
    }

    /// Notes a fact about the scope of the start, for which the hot document is looked at.
    pub(super) fn start_scope(&mut self, fact: &str, span: FileSpan) {
        self.lowering.fact(fact);
        self.capability(CapabilityKind::File, self.lowering.hot_file.to_owned(), span);
    }

    /// The position of a variable. Those it is made of get theirs first.
    pub(super) fn var(&mut self, var: &VarRef, slot: &str) -> u32 {
        if let Some(position) = self.positions.get(var) {
            return *position;
        }
        if var.global {
            self.global_vars(&var.name, slot);
        } else if let Some(own) = self.own.get(var.name.as_str()).copied() {
            self.define(var.clone(), own, slot);
        }
        self.positions.get(var).copied().unwrap_or(0)
    }

    /// Defines a global variable and what it is made of, in the order they can be made: that of `globals`.
    fn global_vars(&mut self, name: &str, slot: &str) {
        let (globals, places) = (self.lowering.globals, &self.lowering.places);
        let mut wanted = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            let Some(place) = places.get(name).filter(|place| !wanted.contains(*place)) else { continue };
            let reference = VarRef { global: true, name: name.to_owned() };
            if self.positions.contains_key(&reference) {
                continue;
            }
            wanted.insert(*place);
            open.extend(globals.get(*place).into_iter().flat_map(|var| var.value.exprs()).filter_map(
                |expr| match &expr.from {
                    Source::Var(used) => Some(used.name.as_str()),
                    _ => None,
                },
            ));
        }
        for var in wanted.into_iter().filter_map(|place| globals.get(place)) {
            self.define(VarRef { global: true, name: var.name.clone() }, var, slot);
        }
    }

    fn define(&mut self, reference: VarRef, var: &Named<Typed>, slot: &str) {
        let value = self.template(&var.value, slot);
        self.layers.insert(self.lowering.sources.layer(var.key));
        let position = u32::try_from(self.vars.len()).unwrap_or(u32::MAX);
        let at = self.lowering.at(var.key);
        self.vars.push(Var { name: var.name.clone(), value, at });
        self.positions.insert(reference, position);
    }
}

/// The ids as the chain gives them, each once.
fn scopes(list: &Spanned<Vec<Spanned<String>>>) -> Vec<String> {
    let ids: BTreeSet<String> = list.value.iter().map(|id| id.value.to_lowercase()).collect();
    ids.into_iter().collect()
}
