//! Writes values the way the file around them is written.

use jsonc_parser::ast::Value as Node;
use serde_json::Value;

use crate::commands::connect::text::{between, breaks, indent, newline};

/// How a file is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// Its line ends.
    pub newline: &'static str,
    /// One step to the right.
    pub unit: &'a str,
    /// Everything is on one line.
    pub compact: bool,
    /// What stands behind commas and colons on one line.
    pub gap: &'static str,
}

impl<'a> Layout<'a> {
    /// Of a text: its first key shows the step.
    pub fn of(text: &'a str, root: Option<&Node<'_>>) -> Layout<'a> {
        let object = root.and_then(Node::as_object);
        let first =
            object.and_then(|object| Some((object.range.start, object.properties.first()?.range.start)));
        let (unit, compact) = match first {
            Some((start, first)) if breaks(between(text, start, first)) => (indent(text, first), false),
            Some((start, _)) => ("  ", !breaks(text.get(start..).unwrap_or("").trim_end())),
            None => ("  ", false),
        };
        let tight = compact && !text.contains(", ") && !text.contains(": ");
        Layout {
            newline: newline(text),
            unit: if unit.is_empty() { "  " } else { unit },
            compact,
            gap: if tight { "" } else { " " },
        }
    }
}

/// A key and what stands before its value.
pub fn quoted(name: &str, layout: &Layout<'_>) -> String {
    format!("{}:{}", Value::from(name), layout.gap)
}

/// On one line.
pub fn compact(value: &Value, layout: &Layout<'_>) -> String {
    let comma = format!(",{}", layout.gap);
    match value {
        Value::Object(map) => {
            let pairs: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}{}", quoted(key, layout), compact(value, layout)))
                .collect();
            match layout.gap {
                "" => format!("{{{}}}", pairs.join(&comma)),
                gap => format!("{{{gap}{}{gap}}}", pairs.join(&comma)),
            }
        }
        Value::Array(list) => {
            let items: Vec<String> = list.iter().map(|item| compact(item, layout)).collect();
            format!("[{}]", items.join(&comma))
        }
        scalar => scalar.to_string(),
    }
}

/// Objects with a key a line, lists on one.
pub fn pretty(value: &Value, layout: &Layout<'_>, depth: &str) -> String {
    let Value::Object(map) = value else { return compact(value, layout) };
    let inner = format!("{depth}{}", layout.unit);
    let line = |(key, value): (&String, &Value)| {
        format!("{}{inner}{}{}", layout.newline, quoted(key, layout), pretty(value, layout, &inner))
    };
    let lines: Vec<String> = map.iter().map(line).collect();
    format!("{{{}{}{depth}}}", lines.join(","), layout.newline)
}
