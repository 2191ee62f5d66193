//! An upstream tool published again: its name, and what agents read about it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lock::LockedTool;
use crate::object_schema::{ObjectSchema, object_schema};
use crate::tool::published_name;

/// A tool of an MCP server as the lock holds it: what is called only while it is that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PinnedTool {
    /// Its name on its server.
    pub name: String,
    /// Digest of what the adapter's `pin` holds fast.
    pub digest: String,
    /// How it is published again; none when it is only called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
}

/// A tool that is published again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The published name.
    pub name: String,
    /// What people read as its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What agents choose it by.
    pub description: String,
    /// JSON schema of its arguments, always of an object.
    pub input_schema: ObjectSchema,
    /// JSON schema of its structured answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<ObjectSchema>,
    /// What its server says about its effects; never believed.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub annotations: Value,
}

/// An upstream tool as it is published: behind the prefix, its description behind the adapter's name, schema and
/// annotations as they are.
#[must_use]
pub fn publish(adapter: &str, prefix: &str, tool: &LockedTool) -> Published {
    let words = [&tool.description, &tool.title].into_iter().flatten().find(|words| !words.trim().is_empty());
    Published {
        name: published_name(prefix, &tool.name),
        title: tool.title.clone(),
        description: format!("[{adapter}] {}", words.unwrap_or(&tool.name)),
        input_schema: object_schema(tool.input_schema.clone()),
        output_schema: tool.output_schema.is_object().then(|| object_schema(tool.output_schema.clone())),
        annotations: tool.annotations.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Pin;

    #[test]
    fn a_tool_is_published_behind_its_adapter() {
        let entry = json!({ "name": "log", "annotations": { "readOnlyHint": true } });
        let tool = LockedTool::of_entry(entry.as_object().unwrap(), Pin::Full).unwrap();
        let published = publish("git", "git_", &tool);
        assert_eq!((published.name.as_str(), published.description.as_str()), ("git_log", "[git] log"));
        assert_eq!(json!(published.input_schema), json!({ "type": "object" }));
        assert_eq!(published.annotations, entry["annotations"]);
        let entry =
            json!({ "name": "git_log", "title": "Log", "description": " ", "inputSchema": { "a": 1 } });
        let tool = LockedTool::of_entry(entry.as_object().unwrap(), Pin::Full).unwrap();
        let published = publish("git", "git_", &tool);
        assert_eq!((published.name.as_str(), published.description.as_str()), ("git_log", "[git] Log"));
        assert_eq!(json!(published.input_schema), entry["inputSchema"]);
    }
}
