//! Binding MCP arguments by name: which parameter of a tool's input schema gets which value.
//!
//! Pure and shared: the compiler applies it where the schema is locked, the runtime where the server reports it.

mod convert;
mod schema;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use convert::convert;
pub use schema::{allowed, resolved};

/// The rule of one op: which values it has to give, and which of them a required text falls back to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ByName {
    /// The op's roles, in the order they choose.
    pub roles: Vec<Role>,
    /// Parameters of a declared tool with an op of its own, which choose before the roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
}

/// A value an op has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// `query`.
    Query,
    /// `target`.
    Target,
    /// `uri`.
    Uri,
    /// `markdown`, the note as Markdown.
    Content,
    /// `title`.
    Title,
    /// `tags`.
    Tags,
    /// `limit`.
    Limit,
    /// `repo.root`.
    Project,
    /// `prompt`.
    Prompt,
}

/// A parameter and where its value comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The parameter, as the schema spells it.
    pub parameter: String,
    /// Where the value comes from.
    pub from: From,
    /// The types the parameter takes, first choice first; none takes anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<Target>,
    /// The only values it takes; none takes others too. It is left out rather than given another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Value>,
}

/// Where a bound value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// A role of the op.
    Role(Role),
    /// An input of this name.
    Input(String),
}

/// A type that a parameter takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Text.
    String,
    /// A whole number, moved into its bounds.
    Integer(Bounds),
    /// A number, moved into its bounds.
    Number(Bounds),
    /// `true` or `false`; other values are passed as they are.
    Boolean,
    /// A list; what its elements take.
    Array(Vec<Target>),
    /// An object; other values are passed as they are.
    Object,
}

/// Bounds of a number.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<serde_json::Number>,
    /// Greatest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<serde_json::Number>,
}

impl Role {
    /// The parameter names a role looks for, in order.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Role::Query => &[
                "query",
                "q",
                "search",
                "search_query",
                "text",
                "pattern",
                "substring_pattern",
                "keyword",
                "keywords",
                "term",
                "question",
                "topic",
                "name_path_pattern",
                "name_path",
                "symbol",
                "symbol_name",
                "name",
                "input",
                "prompt",
            ],
            Role::Target => &[
                "target",
                "path",
                "file",
                "file_path",
                "filepath",
                "relative_path",
                "commit",
                "query",
                "q",
                "text",
            ],
            Role::Uri => &["uri", "url", "path", "id", "resource", "name"],
            Role::Content => &["content", "text", "memory", "body", "markdown", "message", "data", "note"],
            Role::Title => &["title", "subject", "name", "key"],
            Role::Tags => &["tags", "labels", "categories"],
            Role::Limit => &[
                "limit",
                "max_results",
                "top_k",
                "k",
                "n",
                "count",
                "max",
                "num_results",
                "size",
                "maxFiles",
            ],
            Role::Project => &[
                "projectPath",
                "project_path",
                "project",
                "repo",
                "repository",
                "cwd",
                "root",
                "workspace",
                "directory",
            ],
            Role::Prompt => &["prompt", "input", "message", "text", "query"],
        }
    }

    /// The input that holds the value; none for the repository root, which is a fact.
    #[must_use]
    pub fn input(self) -> Option<&'static str> {
        match self {
            Role::Query => Some("query"),
            Role::Target => Some("target"),
            Role::Uri => Some("uri"),
            Role::Content => Some("markdown"),
            Role::Title => Some("title"),
            Role::Tags => Some("tags"),
            Role::Limit => Some("limit"),
            Role::Project => None,
            Role::Prompt => Some("prompt"),
        }
    }

    /// Whether a required text that nothing matched may get this value.
    #[must_use]
    pub fn is_primary(self) -> bool {
        matches!(self, Role::Query | Role::Target | Role::Uri | Role::Content | Role::Prompt)
    }
}

/// The parameters of a tool that get a value, in the order they were chosen. A schema without properties has none.
#[must_use]
pub fn bind(schema: &Value, rule: &ByName) -> Vec<Bound> {
    let properties: Vec<(&String, &Value)> =
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().collect();
    let mut bound: Vec<Bound> = Vec::new();
    let give = |name: &str, from: From, bound: &mut Vec<Bound>| {
        let free = |parameter: &str| bound.iter().all(|taken| taken.parameter != parameter);
        let find = |same: fn(&str, &str) -> bool| {
            properties.iter().find(|(parameter, _)| same(parameter, name) && free(parameter))
        };
        // A declared parameter means the one that is spelt like it, when there are two.
        let spelt = matches!(from, From::Input(_)).then(|| find(|one, other| one == other)).flatten();
        let found = spelt.or_else(|| find(str::eq_ignore_ascii_case));
        found.map(|(parameter, property)| {
            let takes = schema::targets(schema, property);
            let allowed = schema::allowed(schema, property);
            bound.push(Bound { parameter: (*parameter).clone(), from, takes, allowed });
        })
    };
    for parameter in &rule.parameters {
        give(parameter, From::Input(parameter.clone()), &mut bound);
    }
    for role in &rule.roles {
        let _ = role.names().iter().find_map(|name| give(name, From::Role(*role), &mut bound));
    }
    if let Some(primary) = rule.roles.iter().find(|role| role.is_primary()) {
        required_texts(schema, &properties, *primary, &mut bound);
    }
    bound
}

/// The parameters of a declared tool that go nowhere: no parameter of the called tool is named like them, and no role
/// takes their value.
#[must_use]
pub fn unplaced<'r>(rule: &'r ByName, bound: &[Bound]) -> Vec<&'r str> {
    let is_placed = |name: &str| {
        bound.iter().any(|bound| match &bound.from {
            From::Input(input) => input == name,
            From::Role(role) => role.input() == Some(name),
        })
    };
    rule.parameters.iter().map(String::as_str).filter(|name| !is_placed(name)).collect()
}

/// Required texts that nothing matched get the primary value, unless they choose among fixed values.
fn required_texts(schema: &Value, properties: &[(&String, &Value)], primary: Role, bound: &mut Vec<Bound>) {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (parameter, property) in properties {
        let wanted = required.contains(&parameter.as_str());
        let taken = bound.iter().any(|known| known.parameter == **parameter);
        if !wanted || taken || schema::is_fixed(schema, property) {
            continue;
        }
        let takes = schema::targets(schema, property);
        if takes.first() == Some(&Target::String) {
            let (from, allowed) = (From::Role(primary), Vec::new());
            bound.push(Bound { parameter: (*parameter).clone(), from, takes, allowed });
        }
    }
}
