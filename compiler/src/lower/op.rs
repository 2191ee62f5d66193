//! One op: its call and its result map.

use kontext_plan::binding;
use kontext_plan::result::{Equals, FieldMap, FieldRule, HitsMap, Items, ResultMap};
use kontext_plan::template::Template;
use kontext_plan::{Body, Call, CommandCall, HttpCall, InputDecl, McpArguments, McpCall, Method, Op};

use super::adapter::InAdapter;
use crate::check::Typed;
use crate::check::ways::Way;
use crate::config::{self, DriverKind, Json, MapRule};
use crate::pin::rule;

impl InAdapter<'_, '_> {
    /// An op reached in a way, whose inputs it takes.
    pub(super) fn op(&mut self, op: &config::Op<Typed>, way: Option<&Way>) -> Op {
        self.used_inputs.clear();
        let call = match self.adapter.driver {
            Some(DriverKind::Command) => Call::Command(self.command_call(op)),
            Some(DriverKind::Mcp) => Call::Mcp(self.mcp_call(op, way)),
            _ => Call::Http(self.http_call(op)),
        };
        Op {
            call,
            format: op.format,
            timeout_ms: self.timeout_ms(op.timeout_ms),
            result: self.result(op),
            inputs: way.map(|way| self.inputs(way)).unwrap_or_default(),
            owns: op.owns.iter().map(|prefix| prefix.value.clone()).collect(),
            at: self.lowering.at(op.key),
        }
    }

    fn http_call(&mut self, op: &config::Op<Typed>) -> HttpCall {
        let default = if op.body.is_some() { Method::Post } else { Method::Get };
        HttpCall {
            method: op.method.unwrap_or(default),
            url: self.url(op),
            query: self.named(&op.query, "query"),
            headers: self.named(&op.reach.headers, "headers"),
            body: op.body.as_ref().map(|body| match body {
                Json::Slot(typed) => Body::Text(self.template(typed, "body")),
                json => Body::Json(self.json(json, "body")),
            }),
        }
    }

    fn command_call(&mut self, op: &config::Op<Typed>) -> CommandCall {
        CommandCall {
            command: self.command(op.reach.command.as_deref().unwrap_or_default()),
            stdin: op.stdin.as_ref().map(|stdin| self.template(stdin, "stdin")),
            cwd: op.reach.cwd.as_ref().map(|cwd| self.template(cwd, "cwd")),
            env: self.named(&op.reach.env, "env"),
            ok_exit: op.ok_exit.clone().unwrap_or_else(|| vec![0]),
            output_file: op.output_file,
        }
    }

    fn mcp_call(&mut self, op: &config::Op<Typed>, way: Option<&Way>) -> McpCall {
        let args = match &op.args {
            Some(args) => McpArguments::Given(self.json(args, "args")),
            None => self.by_name(op, way),
        };
        let tool = match &op.tool {
            Some(tool) => self.template(tool, "tool"),
            None => Template::Text(String::new()),
        };
        McpCall { tool, args }
    }

    /// Arguments bound by name: now where the lock holds the tool, else when the server is asked.
    fn by_name(&self, op: &config::Op<Typed>, way: Option<&Way>) -> McpArguments {
        let rule = rule::by_name(self.adapter, op, way);
        match self.lowering.pins.tool(&self.adapter.name, op) {
            Some(tool) => McpArguments::Bound(binding::bind(&tool.input_schema, &rule)),
            None => McpArguments::Named(rule),
        }
    }

    /// What the caller passes. What a template cannot do without is required even where its type has no `!`.
    fn inputs(&self, way: &Way) -> Vec<InputDecl> {
        way.inputs
            .iter()
            .map(|input| {
                let open = input.default.is_none() && input.twin.is_none() && !input.ty.optional;
                let used = open && input.name != "args" && self.used_inputs.contains(&input.name);
                InputDecl { required: input.required || used, ..input.declaration() }
            })
            .collect()
    }

    fn result(&mut self, op: &config::Op<Typed>) -> ResultMap {
        let fields = &op.result;
        if !op.hits {
            return ResultMap::Text(fields.text.as_ref().map(|path| path.value.clone()));
        }
        let items = match (&fields.items, &fields.split) {
            (Some(items), _) => {
                let (path, text) = items.value.clone();
                Items::Path { path, text }
            }
            (None, Some(split)) => Items::Split(split.value.clone()),
            (None, None) => Items::Auto,
        };
        let conditions = fields.conditions.iter().flat_map(|conditions| conditions.value.clone());
        let mut map = std::collections::BTreeMap::new();
        for entry in fields.map.iter().flat_map(|map| &map.value) {
            map.insert(
                entry.field,
                FieldMap { rule: self.rule(&entry.rule), at: self.lowering.at(entry.span) },
            );
        }
        ResultMap::Hits(HitsMap {
            items,
            conditions: conditions.map(|(path, equals)| Equals { path, equals }).collect(),
            map,
        })
    }

    fn rule(&mut self, rule: &MapRule<Typed>) -> FieldRule {
        match rule {
            MapRule::Path { alternatives, literal } => {
                FieldRule::Path { alternatives: alternatives.clone(), literal: literal.clone() }
            }
            MapRule::Regex(pattern) => FieldRule::Regex(pattern.clone()),
            MapRule::Template(typed) => FieldRule::Template(self.template(typed, "map")),
        }
    }
}
