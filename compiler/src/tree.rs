//! A TOML document in which every key and every value knows its place.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use crate::source::FileSpan;

/// A value.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands. A string's span includes its quotes, a table's is its header (or its braces).
    pub span: FileSpan,
    /// The places this value replaced, or (tables) the same table in lower layers; lowest layer first.
    pub shadowed: Vec<FileSpan>,
}

/// The kinds of TOML values.
#[derive(Debug, Clone)]
pub enum Value {
    /// A table.
    Table(Table),
    /// An array; arrays of tables too.
    Array(Vec<Node>),
    /// A string, decoded.
    String(String),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A date or time, as RFC 3339 text.
    Datetime(String),
    /// Something that is no value, reported where the file was read: nothing more is said of it.
    Unread,
}

/// A table: its entries in document order, lower layers' first.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The entries by decoded key. Keys are hashed with a seed of the process, by the hasher that `indexmap` brings
    /// along: a configuration is looked up a hundred times for each adapter.
    pub entries: IndexMap<String, Entry, RandomState>,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Where the key stands in the layer that won.
    pub key: FileSpan,
    /// The value.
    pub node: Node,
}

impl Node {
    /// A value that replaced nothing.
    #[must_use]
    pub fn new(value: Value, span: FileSpan) -> Node {
        Node { value, span, shadowed: Vec::new() }
    }

    /// The table, when it is one.
    #[must_use]
    pub fn as_table(&self) -> Option<&Table> {
        if let Value::Table(table) = &self.value { Some(table) } else { None }
    }

    /// The elements, when it is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Value::Array(items) = &self.value { Some(items) } else { None }
    }

    /// The text, when it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// The boolean, when it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = &self.value { Some(*value) } else { None }
    }

    /// The integer, when it is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        if let Value::Integer(value) = &self.value { Some(*value) } else { None }
    }

    /// What TOML calls it, for messages: `a string`, `an array`, …
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Table(_) => "a table",
            Value::Array(_) => "an array",
            Value::String(_) => "a string",
            Value::Integer(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Bool(_) => "a boolean",
            Value::Datetime(_) => "a date",
            Value::Unread => "no value",
        }
    }
}

/// An element of an array of tables.
#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// Its key, when somebody wrote a table of tables.
    pub name: Option<(&'a str, FileSpan)>,
    /// The element.
    pub node: &'a Node,
}

/// The elements of an array of tables; where somebody wrote one table in its place, that one, or those in it when it
/// holds nothing else.
#[must_use]
pub fn elements(node: &Node) -> Vec<Element<'_>> {
    match &node.value {
        Value::Array(items) => items.iter().map(|node| Element { name: None, node }).collect(),
        Value::Table(table) if table.holds_tables_only() => {
            let named = table.entries.iter();
            named.map(|(name, entry)| Element { name: Some((name, entry.key)), node: &entry.node }).collect()
        }
        Value::Table(table) if !table.entries.is_empty() => vec![Element { name: None, node }],
        _ => Vec::new(),
    }
}

impl Table {
    /// Whether it is a table of tables.
    #[must_use]
    pub fn holds_tables_only(&self) -> bool {
        !self.entries.is_empty() && self.entries.values().all(|entry| entry.node.as_table().is_some())
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key).map(|entry| &entry.node)
    }

    /// The entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.get(key)
    }
}
