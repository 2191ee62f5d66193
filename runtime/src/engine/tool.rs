//! Declared tools: arguments held against the schema, the op called, the answer as agents get it.

mod render;
mod validate;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use kontext_plan::{Adapter, ObjectSchema, OriginId, Plan, Tool, ToolOp};
use serde_json::{Map, Value};

pub(super) use self::render::data;
pub use self::render::list;
pub(super) use self::validate::Schema;
use super::Runtime;
use super::op::Target;
use crate::answer::ToolAnswer;
use crate::error::{Failure, RunError};

/// A tool as agents are told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// The published name.
    pub name: String,
    /// What people read as its name.
    pub title: Option<String>,
    /// What agents choose by.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: ObjectSchema,
    /// JSON schema of the structured answer.
    pub output_schema: Option<ObjectSchema>,
    /// What its server says about it; a declared tool has none.
    pub annotations: Option<Value>,
}

/// Where each declared tool is, by its name.
#[derive(Debug)]
pub(super) struct Tools(BTreeMap<String, Place>);

/// A tool's place in the plan, and its schema made ready at its first call.
#[derive(Debug)]
struct Place {
    adapter: String,
    position: usize,
    schema: OnceLock<Result<Schema, String>>,
}

/// A tool that was found.
#[derive(Clone, Copy)]
struct Found<'a> {
    place: &'a Place,
    adapter: &'a Adapter,
    tool: &'a Tool,
}

impl Tools {
    /// The tools of a plan. Of two with one name the first stands whose adapter is switched on.
    pub(super) fn of(plan: &Plan) -> Tools {
        let mut tools = BTreeMap::new();
        for enabled in [true, false] {
            for (name, adapter) in plan.adapters.iter().filter(|(_, adapter)| adapter.enabled == enabled) {
                for (position, tool) in adapter.tools.iter().enumerate() {
                    let place = || Place { adapter: name.clone(), position, schema: OnceLock::new() };
                    tools.entry(tool.name.clone()).or_insert_with(place);
                }
            }
        }
        Tools(tools)
    }
}

impl Runtime {
    /// The declared tools that can be called, by name.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolInfo> {
        let found = self.tools.0.values().filter_map(|place| self.found(place));
        let active = found.filter(|found| self.reason(&found.place.adapter, found.adapter).is_none());
        active
            .map(|Found { tool, .. }| ToolInfo {
                name: tool.name.clone(),
                title: None,
                description: tool.description.clone(),
                schema: Arc::clone(&tool.schema),
                output_schema: None,
                // What a call does, only its system knows.
                annotations: None,
            })
            .collect()
    }

    /// Calls a declared tool, or one of those over notes.
    pub(super) async fn declared_tool(
        &self,
        name: &str,
        args: Map<String, Value>,
    ) -> Result<ToolAnswer, RunError> {
        if let Some(answer) = self.notes_tool(name, &args) {
            return answer;
        }
        let found = self.tools.0.get(name).and_then(|place| self.found(place));
        let found = found.ok_or_else(|| self.unknown_tool(name))?;
        let adapter = found.place.adapter.as_str();
        self.active(adapter)?;
        let target = match &found.tool.op {
            ToolOp::Named(op) => self.target(adapter, op)?,
            ToolOp::Inline(op) => {
                Target { name: adapter, adapter: found.adapter, op_name: name, op, inline: true }
            }
        };
        let inputs = found.inputs(args).map_err(|failure| self.tool_error(name, failure, found.tool.at))?;
        let outcome = self.perform_complete(target, &inputs, None).await;
        let outcome = outcome.map_err(|failure| self.tool_error(name, failure, target.op.at))?;
        Ok(render::answer(outcome))
    }

    fn found<'a>(&'a self, place: &'a Place) -> Option<Found<'a>> {
        let adapter = self.plan.adapters.get(&place.adapter)?;
        Some(Found { place, adapter, tool: adapter.tools.get(place.position)? })
    }

    /// Whether the plan declares a tool of this name.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.tools.0.contains_key(name)
    }

    /// The names of all declared tools, published or not.
    pub(super) fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.tools.0.keys().map(String::as_str)
    }

    /// The adapter that declares a tool.
    pub(super) fn declaring(&self, name: &str) -> Option<&str> {
        self.tools.0.get(name).map(|place| place.adapter.as_str())
    }

    /// A failure with the tool's name, at its own place or else at this one.
    fn tool_error(&self, name: &str, failure: Failure, at: OriginId) -> RunError {
        let message = self.mask().string(format!("the tool `{name}`: {}", failure.message));
        RunError::new(failure.id, message).at(&self.plan, failure.at.unwrap_or(at))
    }
}

impl Found<'_> {
    /// What the op gets: each argument by its name, all as `args`, and what a standard op adds.
    fn inputs(&self, args: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
        let schema = self.place.schema.get_or_init(|| Schema::new(&self.tool.schema));
        let schema = schema.as_ref().map_err(|why| {
            Failure::unsent("invalid-schema", format!("its parameters are no JSON schema: {why}"))
        })?;
        let args = schema.arguments(args)?;
        let mut inputs = args.clone();
        for input in &self.tool.inputs {
            let twin = input.twin.as_ref().and_then(|twin| inputs.get(twin));
            if let Some(value) = twin.or(input.default.as_ref()).cloned() {
                inputs.entry(input.name.clone()).or_insert(value);
            }
        }
        inputs.insert("args".to_owned(), Value::Object(args));
        Ok(inputs)
    }
}
