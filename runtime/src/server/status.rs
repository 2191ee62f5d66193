//! What an agent is told when there is no plan to serve: the reason, the place, and the command that mends it.

use rmcp::model::{CallToolResult, ContentBlock, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::{Served, Server};
use crate::error::RunError;
use crate::observe::Seen;

/// The tool that tells it.
pub(super) const STATUS: &str = "kontext_status";

/// The only tool of a server that has nothing to serve.
pub(super) fn tool() -> Tool {
    let schema = match json!({ "type": "object", "properties": {}, "additionalProperties": false }) {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let about = "Why kontext has no tools here at the moment, and the command that mends it";
    Tool::new(STATUS, about, schema)
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

impl Server {
    /// The reason and the place, as people and agents read it.
    pub(super) fn reason(&self, error: &RunError) -> String {
        match &error.at {
            Some(at) => format!("{}\n  --> {}", error.message, (self.inner.source.place)(at)),
            None => error.message.clone(),
        }
    }

    /// Everything an agent needs to mend it.
    pub(super) fn explanation(&self, error: &RunError) -> String {
        let why = error.what();
        let place = error.at.as_ref().map(|at| format!("\n  --> {}", (self.inner.source.place)(at)));
        format!(
            "kontext cannot serve its tools here: {why}{}\n{}",
            place.unwrap_or_default(),
            self.how(error)
        )
    }

    /// How it is mended, and what the client has to do for it.
    fn how(&self, error: &RunError) -> String {
        let mend = self.mend(error);
        if self.inner.source.plan.is_none() {
            // There is no file that could appear.
            return format!("To mend it, let the client start `{mend}` instead.");
        }
        match error.other_mend() {
            Some(words) => format!("To mend it, {words}."),
            None => {
                format!("To mend it, run `{mend}`; the tools then appear in this connection by themselves.")
            }
        }
    }

    /// The command that mends it.
    fn mend<'a>(&'a self, error: &'a RunError) -> &'a str {
        error.command.as_deref().unwrap_or(&self.inner.source.mend)
    }

    /// The answer of `kontext_status`. It looks once more: what was wrong may be mended.
    pub(super) fn status(&self) -> CallToolResult {
        if matches!(self.served(), Served::Nothing(_)) {
            self.try_again();
        }
        match self.served() {
            Served::Plan(live) => {
                let count = live.tools().len();
                CallToolResult::success(vec![ContentBlock::text(format!(
                    "kontext serves {count} tools: list them again"
                ))])
            }
            Served::Nothing(error) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(self.explanation(&error))]);
                result.structured_content = Some(self.data(&error));
                result
            }
        }
    }

    /// The answer of any other tool while there is nothing to serve.
    pub(super) fn refusal(&self, error: &RunError) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.explanation(error))])
    }

    fn data(&self, error: &RunError) -> Value {
        let at = error.at.as_ref().map(|at| (self.inner.source.place)(at));
        json!({ "id": error.id, "message": error.what(), "at": at, "mend": error.other_mend().unwrap_or(self.mend(error)) })
    }
}

impl Seen for CallToolResult {
    /// The bytes of its texts: it is kontext's own.
    fn size(&self) -> usize {
        self.content.iter().filter_map(ContentBlock::as_text).map(|block| block.text.len()).sum()
    }

    fn is_complaint(&self) -> bool {
        self.is_error == Some(true)
    }
}
