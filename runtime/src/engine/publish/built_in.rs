//! kontext's own tools: each is there only where something active can answer it, and says who.

use std::sync::OnceLock;

use kontext_plan::{InputType, object_schema};
use serde_json::{Map, Value, json};

use super::super::inputs::whole;
use super::super::notes::SOURCE;
use super::super::tool::{Schema, ToolInfo, data, list};
use crate::answer::{Note, ToolAnswer};
use crate::engine::{Question, Runtime};
use crate::error::{Failure, RunError};

/// The most hits that one call gives.
const MOST: u64 = 100;
/// How many hits are given when nobody says.
const USUAL: u64 = 10;
/// How many prefixes of addresses are named.
const NAMED: usize = 12;

/// What a tool of kontext's own asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Search,
    Read,
    History,
    Code,
    Brief,
}

/// A tool of kontext's own, its schema made ready at its first call.
#[derive(Debug)]
pub(super) struct BuiltIn {
    asks: Asks,
    schema: OnceLock<Result<Schema, String>>,
}

impl Asks {
    const ALL: [Asks; 5] = [Asks::Search, Asks::Read, Asks::History, Asks::Code, Asks::Brief];

    /// The op that answers.
    fn op(self) -> &'static str {
        match self {
            Asks::Search => "search",
            Asks::Read => "read",
            Asks::History => "history",
            Asks::Code => "code",
            Asks::Brief => "brief",
        }
    }

    /// What agents choose the tool by; `who` are those that answer.
    fn description(self, who: &str) -> String {
        match self {
            Asks::Search => format!("Search {who} at once, best hits first"),
            Asks::Read => format!("The text behind the uri of a hit: {who}"),
            Asks::History => format!("What happened to a file or topic, from {who}"),
            Asks::Code => format!("Find code by a symbol or in words, in {who}"),
            Asks::Brief => format!("What to know before work begins, from {who}"),
        }
    }

    /// The schema of the arguments.
    fn schema(self, sources: &[&str]) -> Value {
        let text = |about: &str| json!({ "type": "string", "minLength": 1, "description": about });
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL });
        let (properties, required) = match self {
            Asks::Search => {
                let sources = json!({ "type": "array", "items": { "type": "string", "enum": sources },
                    "description": "only these; without it all" });
                (
                    json!({ "query": text("words to look for"), "limit": limit, "sources": sources }),
                    json!(["query"]),
                )
            }
            Asks::Read => {
                let level = json!({ "type": "integer", "minimum": 0, "maximum": 2,
                    "description": "0 a line, 1 a summary, 2 everything" });
                (json!({ "uri": text("as a hit has it"), "level": level }), json!(["uri"]))
            }
            Asks::History => {
                (json!({ "target": text("a path, or a topic"), "limit": limit }), json!(["target"]))
            }
            Asks::Code => (json!({ "query": text("a symbol, or words"), "limit": limit }), json!(["query"])),
            Asks::Brief => (json!({ "focus": text("what the work is about") }), json!([])),
        };
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }
}

impl Runtime {
    /// kontext's own tools that something active answers.
    pub(super) fn built_ins(&self) -> Vec<(ToolInfo, BuiltIn)> {
        let tool = |asks: Asks| {
            let sources = self.answering(asks.op());
            let who = match asks {
                Asks::Read => self.readable(),
                _ => sources.join(", "),
            };
            let info = ToolInfo {
                name: format!("kontext_{}", asks.op()),
                title: None,
                description: asks.description(&who),
                schema: object_schema(asks.schema(&sources)),
                output_schema: None,
                annotations: Some(json!({ "readOnlyHint": true })),
            };
            (!who.is_empty()).then(|| (info, BuiltIn { asks, schema: OnceLock::new() }))
        };
        Asks::ALL.into_iter().filter_map(tool).collect()
    }

    /// The names of the active adapters that have an op, and that of the notes where they answer too.
    pub(crate) fn answering(&self, op: &str) -> Vec<&str> {
        let having = self.plan.adapters.iter().filter(|(_, adapter)| adapter.ops.contains_key(op));
        let active = having.filter(|(name, adapter)| self.reason(name, adapter).is_none());
        let mut names: Vec<&str> = active.map(|(name, _)| name.as_str()).collect();
        if op == "search" && self.has_notes() && !names.contains(&SOURCE) {
            names.push(SOURCE);
        }
        names
    }

    /// What addresses that can be read begin with; empty when none can.
    fn readable(&self) -> String {
        let mut prefixes: Vec<&str> = Vec::new();
        for name in self.answering("read") {
            let op = self.plan.adapters.get(name).and_then(|adapter| adapter.ops.get("read"));
            prefixes.extend(op.into_iter().flat_map(|op| &op.owns).map(String::as_str));
        }
        if self.has_notes() || self.has_knowledge() {
            prefixes.push("notes:");
        }
        prefixes.dedup();
        let more = if prefixes.len() > NAMED { ", …" } else { "" };
        let named: Vec<String> = prefixes.iter().take(NAMED).map(|prefix| format!("{prefix}…")).collect();
        named.join(", ") + more
    }

    /// Calls one of kontext's own tools.
    pub(super) async fn call_built_in(
        &self,
        tool: &BuiltIn,
        info: &ToolInfo,
        args: Map<String, Value>,
    ) -> Result<ToolAnswer, RunError> {
        let args = tool.arguments(info, args).map_err(|failure| {
            let message = self.mask().string(format!("the tool `{}`: {}", info.name, failure.message));
            RunError::new(failure.id, message)
        })?;
        let text = |name: &str| args.get(name).and_then(Value::as_str).map(str::to_owned);
        match tool.asks {
            Asks::Read => {
                let answer =
                    self.read(&text("uri").unwrap_or_default(), args.get("level").and_then(count)).await?;
                let data = serde_json::to_value(&answer).ok();
                Ok(ToolAnswer::own(answer.text, data, answer.notes))
            }
            Asks::Brief => {
                let question = Question { text: text("focus"), ..Question::default() };
                let answer = self.brief(&question).await?;
                let data = serde_json::to_value(&answer).ok();
                let parts =
                    answer.parts.iter().map(|part| format!("## {}\n\n{}", part.source, part.text.trim_end()));
                let parts: Vec<String> = parts.collect();
                let text = if parts.is_empty() { "nothing to tell".to_owned() } else { parts.join("\n\n") };
                Ok(ToolAnswer::own(text, data, answer.notes))
            }
            Asks::Search | Asks::History | Asks::Code => {
                let words = text("query").or_else(|| text("target"));
                let question = Question { text: words, limit: limit(&args), sources: sources(&args) };
                let answer = self.hits(tool.asks.op(), &question).await?;
                Ok(hits(answer.hits, answer.notes))
            }
        }
    }
}

impl BuiltIn {
    fn arguments(&self, info: &ToolInfo, args: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
        let ready = self.schema.get_or_init(|| Schema::new(&info.schema));
        let ready = ready.as_ref().map_err(|why| Failure::unsent("invalid-schema", why.clone()))?;
        ready.arguments(args)
    }
}

fn hits(hits: Vec<crate::mapping::Hit>, notes: Vec<Note>) -> ToolAnswer {
    let text = if hits.is_empty() { "no hits".to_owned() } else { list(&hits) };
    let data = data(hits, &notes);
    ToolAnswer::own(text, data, notes)
}

fn limit(args: &Map<String, Value>) -> usize {
    let limit = args.get("limit").and_then(count).unwrap_or(USUAL);
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// A whole number, also when it is written `5.0`.
fn count(value: &Value) -> Option<u64> {
    whole(value, InputType::Integer).as_u64()
}

fn sources(args: &Map<String, Value>) -> Vec<String> {
    let given = args.get("sources").and_then(Value::as_array);
    given.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
