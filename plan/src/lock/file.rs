//! The lock as text: one form for one content, made to be read in a diff; and reading it, with the place of what is
//! wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Lock, LockedAdapter, LockedServer, LockedTool, VERSION};
use crate::Pin;

/// Widest line that is not parted, in bytes.
const WIDEST: usize = 110;
/// Levels that are parted however short they are: the file, its adapters, one of them, its tools, one of these.
const PARTED: usize = 5;
/// How many tools one server may have.
const MOST_TOOLS: usize = 5_000;

/// A lock that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// What stands in it.
    pub lock: Lock,
    /// Where each adapter's name stands, in bytes.
    pub places: BTreeMap<String, Range<usize>>,
}

/// Why a text is no lock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct LockError {
    /// Where, in bytes.
    pub at: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub reason: String,
}

/// The text of a lock: keys sorted, one member of a tool a line, what is too wide for a line parted.
#[must_use]
pub fn render(lock: &Lock) -> String {
    let mut sorted = lock.clone();
    for adapter in sorted.adapters.values_mut() {
        adapter.tools.sort_by(|a, b| a.name.cmp(&b.name));
    }
    // What these types hold has a form in JSON.
    let mut tree = serde_json::to_value(&sorted).unwrap_or_default();
    tree.sort_all_objects();
    let mut text = String::new();
    write(&tree, 0, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, level: usize, before: usize, text: &mut String) {
    let (open, close, empty) = match value {
        Value::Object(members) => ('{', '}', members.is_empty()),
        Value::Array(items) => ('[', ']', items.is_empty()),
        scalar => return text.push_str(&scalar.to_string()),
    };
    let line = value.to_string();
    if empty || (level >= PARTED && 2 * level + before + line.len() <= WIDEST) {
        return text.push_str(&line);
    }
    text.push(open);
    let items: Vec<(Option<&String>, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (Some(key), value)).collect(),
        _ => value.as_array().into_iter().flatten().map(|item| (None, item)).collect(),
    };
    for (at, (key, item)) in items.into_iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(level + 1));
        let key = key.map(|key| format!("{}: ", Value::from(key.as_str()))).unwrap_or_default();
        text.push_str(&key);
        write(item, level + 1, key.len(), text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(level));
    text.push(close);
}

/// Reads a lock.
///
/// # Errors
/// When it is no JSON, of another version or shape, or holds a digest that is not its tool's.
pub fn parse(text: &str) -> Result<Read, LockError> {
    if let Some(at) = conflict(text) {
        let reason = "git could not merge this file: it holds both sides".to_owned();
        return Err(LockError { at, reason });
    }
    let head: Head = within(text, text, 0)?;
    if head.version != u64::from(VERSION) {
        let reason = format!("it has version {}, this kontext reads version {VERSION}", head.version);
        return Err(LockError { at: 0..0, reason });
    }
    let whole: Whole<'_> = within(text, text, 0)?;
    let mut read = Read { lock: Lock::default(), places: BTreeMap::new() };
    for (name, raw) in whole.adapters.0 {
        let place = key_place(text, &name, offset(text, raw.get()));
        let adapter = adapter(text, raw.get())?;
        if read.lock.adapters.insert(name.clone(), adapter).is_some() {
            return Err(LockError { at: place, reason: format!("`{name}` stands twice") });
        }
        read.places.insert(name, place);
    }
    Ok(read)
}

#[derive(Deserialize)]
struct Head {
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole<'t> {
    #[serde(rename = "version")]
    _version: u64,
    #[serde(borrow)]
    adapters: Entries<'t>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Adapter<'t> {
    connection: String,
    #[serde(default)]
    pin: Pin,
    #[serde(default)]
    server: Option<LockedServer>,
    #[serde(borrow)]
    tools: Vec<&'t RawValue>,
}

/// Members of an object in their order, the same name twice if it stands there twice.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Entries<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

fn adapter(text: &str, raw: &str) -> Result<LockedAdapter, LockError> {
    let read: Adapter<'_> = within(text, raw, offset(text, raw))?;
    let mut tools: Vec<LockedTool> = Vec::with_capacity(read.tools.len().min(MOST_TOOLS));
    let mut names = std::collections::BTreeSet::new();
    for raw in read.tools {
        let start = offset(text, raw.get());
        let wrong = |reason: String| LockError { at: start..start, reason };
        if names.len() == MOST_TOOLS {
            return Err(wrong(format!("a server has at most {MOST_TOOLS} tools")));
        }
        let tool = tool(text, raw.get(), read.pin)?;
        if !names.insert(tool.name.clone()) {
            return Err(wrong(format!("the tool `{}` stands twice", tool.name)));
        }
        tools.push(tool);
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(LockedAdapter { connection: read.connection, pin: read.pin, server: read.server, tools })
}

fn tool(text: &str, raw: &str, pin: Pin) -> Result<LockedTool, LockError> {
    let start = offset(text, raw);
    let tool: LockedTool = within(text, raw, start)?;
    let wrong = |reason: String| LockError { at: start..start, reason };
    let digest = tool.digest(pin).map_err(|why| wrong(format!("the tool `{}`: {why}", tool.name)))?;
    if digest != tool.digest {
        let at = raw.find(&tool.digest).map_or(start..start, |found| {
            let at = start + found;
            at..at + tool.digest.len()
        });
        let reason = format!("this is not the digest of the tool `{}`: the file was edited", tool.name);
        return Err(LockError { at, reason });
    }
    Ok(tool)
}

/// A part of the text that begins at a byte of it, decoded.
fn within<'t, T: Deserialize<'t>>(text: &str, part: &'t str, start: usize) -> Result<T, LockError> {
    serde_json::from_str(part).map_err(|error| {
        let line =
            part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let mut at = (start + line + error.column().saturating_sub(1)).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let words = error.to_string();
        let reason = words.rsplit_once(" at line ").map_or(words.as_str(), |(reason, _)| reason);
        let end = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        LockError { at: at..at + end, reason: reason.replace('"', "`").to_lowercase() }
    })
}

/// Where a part of the text begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

fn key_place(text: &str, name: &str, value: usize) -> Range<usize> {
    let written = Value::from(name).to_string();
    let start = text.get(..value).and_then(|before| before.rfind(&written));
    start.map_or(value..value, |start| start..start + written.len())
}

/// The first mark that git leaves in a file it could not merge.
fn conflict(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ") {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}
