//! From kontext's answers to those of the protocol.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Tool, ToolAnnotations};

use crate::answer::{Content, ToolAnswer};
use crate::engine::ToolInfo;

/// A tool as it is listed.
pub(super) fn tool(info: &ToolInfo) -> Tool {
    let mut tool = Tool::new(
        Cow::<'static, str>::from(info.name.clone()),
        Cow::<'static, str>::from(info.description.clone()),
        Arc::clone(&info.schema),
    );
    tool.title.clone_from(&info.title);
    tool.output_schema = info.output_schema.clone();
    // Hints that are none are left out, and cost nothing else.
    let hints = info.annotations.clone().map(serde_json::from_value::<ToolAnnotations>);
    tool.annotations = hints.and_then(Result::ok);
    tool
}

/// The result of a call.
pub(super) fn result(answer: ToolAnswer) -> CallToolResult {
    let mut result = CallToolResult::success(answer.content.into_iter().map(block).collect());
    result.structured_content = answer.structured_content;
    result.is_error = answer.is_error;
    result.meta = answer.meta.and_then(|meta| serde_json::from_value::<MetaObject>(meta).ok());
    result
}

/// A block as it came; one of a kind that the protocol does not have, as the text of its JSON.
fn block(content: Content) -> ContentBlock {
    match content {
        Content::Text(text) => ContentBlock::text(text),
        Content::Other(value) => {
            serde_json::from_value(value.clone()).unwrap_or_else(|_| ContentBlock::text(value.to_string()))
        }
    }
}
