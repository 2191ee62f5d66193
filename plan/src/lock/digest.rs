//! What of a tool is held fast, and the digest of that.

use serde_json::{Map, Value};

use super::LockedTool;
use crate::{Pin, sha256_hex};

/// How deep a schema may be: deeper ones are not pinned, bound or published.
pub const DEEPEST: usize = 64;
/// How large a tool may be, in bytes of canonical JSON.
const LARGEST: usize = 512 * 1024;

/// Keywords whose value is a schema, or a list of schemas.
const OF_SCHEMAS: [&str; 16] = [
    "items",
    "prefixItems",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "oneOf",
];
/// Keywords whose value holds schemas by name.
const OF_NAMED_SCHEMAS: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Why a tool cannot be pinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unpinnable {
    /// Nested too deep.
    #[error("it is nested more than {DEEPEST} deep")]
    Deep,
    /// Too large.
    #[error("it is larger than {} KiB", LARGEST / 1024)]
    Large,
    /// A number beyond those that RFC 8785 has a form for.
    #[error("it holds a number beyond the range of floating point")]
    Number,
}

impl LockedTool {
    /// `sha256:` and the digest of what a pin holds fast.
    ///
    /// # Errors
    /// When it is too large or nested too deep, or holds a number that has no canonical form.
    pub fn digest(&self, pin: Pin) -> Result<String, Unpinnable> {
        let parts = [&self.input_schema, &self.output_schema, &self.annotations];
        if parts.into_iter().any(|part| !is_within(part, DEEPEST)) {
            return Err(Unpinnable::Deep);
        }
        let text = serde_json_canonicalizer::to_string(&self.content(pin)).map_err(|_| Unpinnable::Number)?;
        if text.len() > LARGEST {
            return Err(Unpinnable::Large);
        }
        Ok(sha256_hex(text.as_bytes()))
    }

    /// What a pin holds fast: `full` everything, the others all but titles and descriptions.
    #[must_use]
    pub fn content(&self, pin: Pin) -> Value {
        let mut content = Map::new();
        content.insert("name".to_owned(), Value::from(self.name.as_str()));
        let bare = pin != Pin::Full;
        let texts = [("title", &self.title), ("description", &self.description)];
        for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
            if !bare {
                content.insert(key.to_owned(), Value::from(text.as_str()));
            }
        }
        let schemas = [("inputSchema", &self.input_schema), ("outputSchema", &self.output_schema)];
        for (key, schema) in schemas.into_iter().filter(|(_, schema)| !schema.is_null()) {
            content.insert(key.to_owned(), if bare { without_words(schema) } else { schema.clone() });
        }
        if !self.annotations.is_null() {
            let mut annotations = self.annotations.clone();
            if let (Value::Object(members), true) = (&mut annotations, bare) {
                members.retain(|key, _| key != "title");
            }
            content.insert("annotations".to_owned(), annotations);
        }
        Value::Object(content)
    }
}

/// A schema without its titles and descriptions, at any depth. A property that is called `title` is no title.
fn without_words(schema: &Value) -> Value {
    match schema {
        Value::Array(list) => Value::Array(list.iter().map(without_words).collect()),
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, value)| !is_words(key, value));
            Value::Object(kept.map(|(key, value)| (key.clone(), member(key, value))).collect())
        }
        other => other.clone(),
    }
}

fn is_words(key: &str, value: &Value) -> bool {
    matches!(key, "title" | "description") && value.is_string()
}

fn member(key: &str, value: &Value) -> Value {
    match value {
        _ if OF_SCHEMAS.contains(&key) => without_words(value),
        Value::Object(named) if OF_NAMED_SCHEMAS.contains(&key) => {
            Value::Object(named.iter().map(|(name, schema)| (name.clone(), without_words(schema))).collect())
        }
        other => other.clone(),
    }
}

/// Whether a value is nested at most `depth` deep.
pub(super) fn is_within(value: &Value, depth: usize) -> bool {
    let mut inner: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => return true,
    };
    depth > 0 && inner.all(|value| is_within(value, depth - 1))
}
