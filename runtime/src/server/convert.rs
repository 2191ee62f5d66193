//! From kontext's answers to those of the protocol.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Tool, ToolAnnotations};
use serde::Serialize;
use serde_json::Value;

use super::passed;
use crate::answer::{Content, ToolAnswer};
use crate::engine::ToolInfo;
use crate::mcp::carry;

/// A tool as it is listed.
pub(super) fn tool(info: &ToolInfo) -> Tool {
    let mut tool = Tool::new(
        Cow::<'static, str>::from(info.name.clone()),
        Cow::<'static, str>::from(info.description.clone()),
        Arc::clone(&info.schema),
    );
    tool.title.clone_from(&info.title);
    tool.output_schema = info.output_schema.clone();
    if let Some(given) = &info.annotations {
        let given = hints(given);
        tool.annotations = serde_json::from_value::<ToolAnnotations>(given.clone()).ok();
        if !is_held(tool.annotations.as_ref(), &given) {
            passed::annotate(&mut tool, given);
        }
    }
    tool
}

/// Annotations as they came, but for hints that are none: clients would refuse the whole list for one.
fn hints(given: &Value) -> Value {
    let mut given = given.clone();
    if let Value::Object(members) = &mut given {
        members.retain(|name, value| match name.as_str() {
            "title" => value.is_string(),
            "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" => value.is_boolean(),
            _ => true,
        });
    }
    given
}

/// Whether a type of the protocol holds the whole of a value.
fn is_held(typed: Option<&impl Serialize>, value: &Value) -> bool {
    typed.and_then(|typed| serde_json::to_value(typed).ok()).is_some_and(|held| held == *value)
}

/// The result of a call; one that the protocol's type does not hold travels in it as it came.
pub(super) fn result(answer: ToolAnswer) -> CallToolResult {
    match typed(&answer) {
        Some((content, meta)) => {
            let mut result = CallToolResult::success(content);
            result.structured_content = answer.structured_content;
            result.is_error = answer.is_error;
            result.meta = meta;
            result
        }
        None => passed::result(serde_json::to_value(&answer).unwrap_or_default()),
    }
}

fn typed(answer: &ToolAnswer) -> Option<(Vec<ContentBlock>, Option<MetaObject>)> {
    let meta = match &answer.meta {
        Some(Value::Object(members)) if !members.contains_key(carry::KEY) => {
            Some(MetaObject(members.clone()))
        }
        Some(_) => return None,
        None => None,
    };
    let content = answer.content.iter().map(block).collect::<Option<_>>()?;
    answer.beside.is_empty().then_some((content, meta))
}

/// A block, when the protocol's type holds it.
fn block(content: &Content) -> Option<ContentBlock> {
    match content {
        Content::Text(text) => Some(ContentBlock::text(text.clone())),
        Content::Other(value) => serde_json::from_value(value.clone())
            .ok()
            .filter(|block: &ContentBlock| is_held(Some(block), value)),
    }
}
