//! Tools: what the configuration declares, and the names under which tools are published.

use serde::{Deserialize, Serialize};

use crate::{InputDecl, ObjectSchema, Op, OriginId, sha256_hex};

/// Longest published name in characters: what every client accepts.
pub const LONGEST_TOOL_NAME: usize = 64;

/// Names of kontext's own tools; nothing else is published under them.
pub const OWN_TOOLS: [&str; 9] = [
    "kontext_search",
    "kontext_read",
    "kontext_history",
    "kontext_code",
    "kontext_brief",
    "kontext_status",
    "read_hot_context",
    "route_context",
    "memory_health",
];

/// A tool that agents see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The published name.
    pub name: String,
    /// What agents choose by.
    pub description: String,
    /// JSON schema of the arguments.
    pub schema: ObjectSchema,
    /// What it calls.
    pub op: ToolOp,
    /// Inputs of a named standard op that the tool does not declare, each with a default or a twin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputDecl>,
    /// The place in the configuration.
    pub at: OriginId,
}

/// What a tool calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolOp {
    /// An op of the adapter, by name.
    Named(String),
    /// An op of its own.
    Inline(Box<Op>),
}

/// Whether every client accepts the name.
#[must_use]
pub fn is_tool_name(name: &str) -> bool {
    (1..=LONGEST_TOOL_NAME).contains(&name.len()) && name.bytes().all(is_accepted)
}

/// The name under which an upstream tool is published: behind the prefix, unless it begins with it. A name that
/// clients would refuse is mended and gets a suffix made of the whole name, so that two of them stay two.
#[must_use]
pub fn published_name(prefix: &str, tool: &str) -> String {
    let name = if tool.starts_with(prefix) { tool.to_owned() } else { format!("{prefix}{tool}") };
    if is_tool_name(&name) {
        return name;
    }
    let digest = sha256_hex(name.as_bytes());
    let suffix: String = digest.trim_start_matches("sha256:").chars().take(8).collect();
    let mended = name.chars().map(|c| if u8::try_from(c).is_ok_and(is_accepted) { c } else { '_' });
    let kept: String = mended.take(LONGEST_TOOL_NAME - suffix.len() - 1).collect();
    format!("{kept}_{suffix}")
}

fn is_accepted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_names_are_accepted_and_stay_apart() {
        assert_eq!(published_name("git_", "log"), "git_log");
        assert_eq!(published_name("git_", "git_log"), "git_log");
        assert_eq!(published_name("", "log"), "log");
        let long = "x".repeat(70);
        let all: Vec<String> =
            ["a.b", "a_b", "a/b", "é", "", &long].iter().map(|name| published_name("p_", name)).collect();
        for (at, name) in all.iter().enumerate() {
            assert!(is_tool_name(name), "{name}");
            assert!(!all.iter().skip(at + 1).any(|other| other == name), "{name} twice");
        }
        assert_eq!(published_name("", ""), published_name("", ""));
        assert!(is_tool_name(&published_name("", "")));
    }
}
