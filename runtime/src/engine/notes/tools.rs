//! The three tools that give agents their notes.

use std::sync::OnceLock;

use kontext_notes::{Ask, Limits, memory_health, read_hot_context, route_context};
use kontext_plan::{ObjectSchema, object_schema};
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::engine::Runtime;
use crate::engine::tool::{Schema, ToolInfo};
use crate::error::{Failure, RunError};

/// The tools with what agents choose them by.
const TOOLS: [(&str, &str); 3] = [
    (
        "read_hot_context",
        "The notes that belong to the workspace: the sections that are always loaded, and the one of its scope",
    ),
    ("route_context", "The sections of the notes that speak of a question, best first, within a budget"),
    ("memory_health", "How the notes are: their size, what is wrong with them, and what to do about it"),
];

/// The schemas of the tools, made ready at their first call.
#[derive(Debug, Default)]
pub(super) struct Schemas([OnceLock<Result<Schema, String>>; 3]);

/// The schema of a tool's arguments.
fn schema(name: &str) -> ObjectSchema {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let number = |about: &str, range: std::ops::RangeInclusive<usize>, default: usize| {
        let (least, most) = (range.start(), range.end());
        json!({ "type": "integer", "description": about, "minimum": least, "maximum": most, "default": default })
    };
    let mut properties = Map::new();
    let routes = name == "route_context";
    if routes {
        properties.insert("query".to_owned(), text("what the notes are asked about"));
    }
    properties.insert("workspace_path".to_owned(), text("the directory of the work, else the current one"));
    properties.insert("active_scope".to_owned(), text("the scope, when it is known"));
    if routes {
        let sections = number("at most so many sections", Limits::SECTIONS, 5);
        properties.insert("max_sections".to_owned(), sections);
        properties.insert("max_chars".to_owned(), number("at most so many characters", Limits::CHARS, 12000));
    }
    let required = if routes { json!(["query"]) } else { json!([]) };
    object_schema(
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false }),
    )
}

impl Runtime {
    /// The tools over notes, which every plan has.
    #[must_use]
    pub fn notes_tools(&self) -> Vec<ToolInfo> {
        let info = |(name, description): &(&str, &str)| ToolInfo {
            name: (*name).to_owned(),
            title: None,
            description: (*description).to_owned(),
            schema: schema(name),
            output_schema: None,
            annotations: Some(json!({ "readOnlyHint": true, "openWorldHint": false })),
        };
        TOOLS.iter().map(info).collect()
    }

    /// Calls a tool over notes; none when the name is of no such tool.
    pub(in crate::engine) fn notes_tool(
        &self,
        name: &str,
        args: &Map<String, Value>,
    ) -> Option<Result<ToolAnswer, RunError>> {
        let at = TOOLS.iter().position(|(known, _)| *known == name)?;
        Some(self.call_notes(at, name, args.clone()).map_err(|failure| {
            let message = self.mask().string(format!("the tool `{name}`: {}", failure.message));
            RunError::new(failure.id, message)
        }))
    }

    fn call_notes(&self, at: usize, name: &str, args: Map<String, Value>) -> Result<ToolAnswer, Failure> {
        let broken = |why: &str| Failure::unsent("invalid-schema", why.to_owned());
        let ready = self.library.schemas.0.get(at).ok_or_else(|| broken("there is no such tool"))?;
        let ready = ready.get_or_init(|| Schema::new(&schema(name))).as_ref().map_err(|why| broken(why))?;
        let args = ready.arguments(args)?;
        let mut answer = self.answer(name, &args)?;
        let mask = self.mask();
        if !mask.is_empty() {
            mask.json(&mut answer);
        }
        let text = serde_json::to_string_pretty(&answer).unwrap_or_default();
        Ok(ToolAnswer::own(text, Some(answer), Vec::new()))
    }

    fn answer(&self, name: &str, args: &Map<String, Value>) -> Result<Value, Failure> {
        let library = &self.library;
        let text = |key: &str| args.get(key).and_then(Value::as_str);
        let read = library.read()?;
        let document = library.document(&read);
        let workspace = library.workspace(text("workspace_path"));
        let ask = Ask { active_scope: text("active_scope"), workspace: &workspace };
        let scopes = &library.notes.scopes;
        let value = match name {
            "route_context" => {
                let limits = limits(args)?;
                let query = text("query").unwrap_or_default();
                let mut answer = route_context(query, limits, ask, scopes, &document);
                answer.scope = library.shown(answer.scope);
                serde_json::to_value(answer)
            }
            "memory_health" => {
                let mut answer = memory_health(ask, scopes, &document);
                answer.scope = library.shown(answer.scope);
                serde_json::to_value(answer)
            }
            _ => {
                let mut answer = read_hot_context(ask, scopes, &document);
                answer.scope = library.shown(answer.scope);
                serde_json::to_value(answer)
            }
        };
        value.map_err(|error| Failure::unsent("call-failed", error.to_string()))
    }
}

fn limits(args: &Map<String, Value>) -> Result<Limits, Failure> {
    let number =
        |key: &str| args.get(key).and_then(Value::as_u64).and_then(|value| usize::try_from(value).ok());
    Limits::new(number("max_sections"), number("max_chars"))
        .map_err(|message| Failure::unsent("argument-type", message))
}
