//! Puts an entry into a TOML file that people keep: every byte that is not the entry's stays.

use serde_json::{Map, Value};
use toml_edit::{Document, InlineTable, Item, Key, Table, Value as TomlValue};

use super::text::{Change, Edit, Merged, Refusal, apply, between, breaks, indent, line_before, newline};

/// The text with the entry in the table `servers`. Of an entry that is there, only what differs is changed; keys that
/// are not ours (variables, time limits) stay.
///
/// # Errors
/// The text is no TOML, has something else where the entry goes, or an entry for an address.
pub fn merge(text: &str, servers: &str, name: &str, entry: &Map<String, Value>) -> Result<Merged, Refusal> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let document = parse(body)?;
    let mut new = body.to_owned();
    let change = match lookup(&document, servers, name)? {
        None => {
            new = added(body, &document, servers, name, entry)?;
            Change::Added
        }
        Some(_) => {
            let mut keys = Vec::new();
            // Each new key goes above those before it.
            for (key, value) in entry.iter().rev() {
                if let Some(changed) = set(&new, servers, name, key, value)? {
                    new = changed;
                    keys.insert(0, key.clone());
                }
            }
            if keys.is_empty() { Change::Same } else { Change::Keys(keys) }
        }
    };
    prove(body, &new, servers, name, entry)?;
    Ok(Merged { text: format!("{mark}{new}"), change, path: vec![servers.to_owned(), name.to_owned()] })
}

fn parse(text: &str) -> Result<Document<&str>, Refusal> {
    Document::parse(text).map_err(|error| {
        let words = error.message().lines().next().unwrap_or("").to_owned();
        Refusal { at: error.span().map(|span| span.start), message: format!("it is no TOML: {words}") }
    })
}

/// An entry, however it is written.
enum Entry<'d> {
    Table(&'d Table),
    Inline(&'d InlineTable),
}

impl<'d> Entry<'d> {
    fn get(&self, key: &str) -> Option<(&'d Key, &'d Item)> {
        match self {
            Entry::Table(table) => table.get_key_value(key),
            Entry::Inline(table) => table.get_key_value(key),
        }
    }
}

fn lookup<'d>(document: &'d Document<&str>, servers: &str, name: &str) -> Result<Option<Entry<'d>>, Refusal> {
    let Some((key, item)) = document.get_key_value(servers) else { return Ok(None) };
    let found = match item {
        Item::Table(table) => table.get_key_value(name),
        Item::Value(TomlValue::InlineTable(table)) => table.get_key_value(name),
        _ => return Err(Refusal::at(start(key), format!("`{servers}` is not a table"))),
    };
    let Some((key, item)) = found else { return Ok(None) };
    let entry = match item {
        Item::Table(table) => Entry::Table(table),
        Item::Value(TomlValue::InlineTable(table)) => Entry::Inline(table),
        _ => return Err(Refusal::at(start(key), format!("`{servers}.{name}` is not a table"))),
    };
    if let Some((url, _)) = entry.get("url") {
        let words = format!("`{servers}.{name}` is an entry for an address: take it out first");
        return Err(Refusal::at(start(url), words));
    }
    Ok(Some(entry))
}

fn start(key: &Key) -> usize {
    key.span().map_or(0, |span| span.start)
}

/// The text with a new entry: in the inline table of the servers if that is how they are written, else at the end.
fn added(
    text: &str,
    document: &Document<&str>,
    servers: &str,
    name: &str,
    entry: &Map<String, Value>,
) -> Result<String, Refusal> {
    if let Some(Item::Value(TomlValue::InlineTable(table))) = document.get(servers) {
        let pairs: Vec<String> =
            entry.iter().map(|(key, value)| format!("{key} = {}", written(value))).collect();
        return last_in(text, table, &format!("{name} = {{ {} }}", pairs.join(", ")));
    }
    Ok(at_end(text, servers, name, entry))
}

/// The text with a pair as the last of an inline table, on a line of its own where the others have one. A comment stays
/// with the pair that it stands behind.
fn last_in(text: &str, table: &InlineTable, pair: &str) -> Result<String, Refusal> {
    let (Some(span), Some(last)) = (table.span(), last_end(table)) else {
        return first_in(text, table, pair);
    };
    let (start, close) = (span.start + 1, span.end.saturating_sub(1));
    let comma = comma(text, last, close);
    let from = comma.unwrap_or(last);
    let mut edits = Vec::new();
    if comma.is_none() {
        edits.push(Edit::insert(last, ","));
    }
    let (head, rest) = (between(text, start, last), between(text, from, close));
    let keys = head.find(|letter: char| !letter.is_whitespace()).unwrap_or(0);
    let tail = if comma.is_some() { "," } else { "" };
    edits.push(match rest.find(['\r', '\n']) {
        Some(line) if breaks(between(head, 0, keys)) => {
            let depth = indent(text, start + keys);
            Edit::insert(from + line, format!("{}{depth}{pair}{tail}", newline(text)))
        }
        _ => Edit::insert(from, format!(" {pair}{tail}")),
    });
    Ok(apply(text, &edits))
}

/// Where the last value of an inline table ends; none when it is empty. Dotted keys need not stand together.
fn last_end(table: &InlineTable) -> Option<usize> {
    let ends = table.iter().filter_map(|(_, value)| match value {
        TomlValue::InlineTable(inner) if inner.is_dotted() => last_end(inner),
        value => value.span().map(|span| span.end),
    });
    ends.max()
}

/// The byte behind a comma that stands in a part of the text and in no comment of it.
fn comma(text: &str, start: usize, end: usize) -> Option<usize> {
    let mut in_comment = false;
    let part = between(text, start, end).char_indices();
    let mut commas = part.filter(|(_, letter)| {
        in_comment = *letter != '\n' && (in_comment || *letter == '#');
        *letter == ',' && !in_comment
    });
    commas.next().map(|(at, _)| start + at + 1)
}

/// The text with a pair as the first of an inline table.
fn first_in(text: &str, table: &InlineTable, pair: &str) -> Result<String, Refusal> {
    let Some(span) = table.span() else { return Err(Refusal::unsure()) };
    let pair = if table.is_empty() { format!(" {pair} ") } else { format!(" {pair},") };
    Ok(apply(text, &[Edit::insert(span.start + 1, pair)]))
}

/// The text with a table of its own behind everything else.
fn at_end(text: &str, servers: &str, name: &str, entry: &Map<String, Value>) -> String {
    let end = newline(text);
    let mut new = text.to_owned();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push_str(end);
    }
    if !new.trim().is_empty() && !new.ends_with("\n\n") && !new.ends_with("\n\r\n") {
        new.push_str(end);
    }
    new.push_str(&format!("[{servers}.{name}]{end}"));
    for (key, value) in entry {
        new.push_str(&format!("{key} = {}{end}", written(value)));
    }
    new
}

/// The text with a key of an entry that is there; none when it has the value already.
fn set(text: &str, servers: &str, name: &str, key: &str, value: &Value) -> Result<Option<String>, Refusal> {
    let document = parse(text)?;
    let Some(entry) = lookup(&document, servers, name)? else { return Err(Refusal::unsure()) };
    if let Some((_, item)) = entry.get(key) {
        if model(item) == *value {
            return Ok(None);
        }
        let Some(range) = item.span().filter(|_| item.is_value()) else { return Err(Refusal::unsure()) };
        return Ok(Some(apply(text, &[Edit { range, text: written(value) }])));
    }
    let pair = format!("{key} = {}", written(value));
    match entry {
        Entry::Inline(table) => first_in(text, table, &pair).map(Some),
        Entry::Table(table) if table.is_dotted() => beside(text, table, &pair).map(Some),
        Entry::Table(table) if table.is_implicit() => {
            let only = [(key.to_owned(), value.clone())].into_iter().collect();
            Ok(Some(at_end(text, servers, name, &only)))
        }
        Entry::Table(table) => {
            let header = table.span().map(|span| span.start).ok_or_else(Refusal::unsure)?;
            Ok(Some(line_below(text, header, &pair)))
        }
    }
}

/// A pair of an entry that is written with dotted keys goes above the first of them, with the same dots.
fn beside(text: &str, table: &Table, pair: &str) -> Result<String, Refusal> {
    let key = table.iter().next().and_then(|(name, _)| table.key(name)).ok_or_else(Refusal::unsure)?;
    let at = start(key);
    let dots = line_before(text, at);
    Ok(apply(text, &[Edit::insert(at - dots.len(), format!("{dots}{pair}{}", newline(text)))]))
}

/// The text with a line below the one of a byte.
fn line_below(text: &str, at: usize, line: &str) -> String {
    let end = newline(text);
    match between(text, at, text.len()).find('\n') {
        Some(length) => apply(text, &[Edit::insert(at + length + 1, format!("{line}{end}"))]),
        None => format!("{text}{end}{line}{end}"),
    }
}

/// Holds the new text against the old one: the entry is in it, and nothing else differs.
fn prove(old: &str, new: &str, servers: &str, name: &str, entry: &Map<String, Value>) -> Result<(), Refusal> {
    let whole = |text| match Document::parse(text) {
        Ok(document) => Ok(model(document.as_item())),
        Err(_) => Err(Refusal::unsure()),
    };
    let (mut expected, new) = (whole(old)?, whole(new)?);
    let table = |value: &mut Value, key: &str| {
        if let Value::Object(map) = value {
            map.entry(key.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        }
    };
    table(&mut expected, servers);
    if let Some(servers) = expected.get_mut(servers) {
        table(servers, name);
        if let Some(Value::Object(own)) = servers.get_mut(name) {
            own.extend(entry.clone());
        }
    }
    if expected == new { Ok(()) } else { Err(Refusal::unsure()) }
}

/// What an item means, as far as it can be compared: numbers and dates by their text.
fn model(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => scalar(value),
        Item::Table(table) => {
            Value::Object(table.iter().map(|(key, item)| (key.to_owned(), model(item))).collect())
        }
        Item::ArrayOfTables(list) => {
            let tables = list.iter().map(|table| model(&Item::Table(table.clone())));
            Value::Array(tables.collect())
        }
    }
}

fn scalar(value: &TomlValue) -> Value {
    match value {
        TomlValue::String(text) => Value::String(text.value().clone()),
        TomlValue::Boolean(flag) => Value::Bool(*flag.value()),
        TomlValue::Array(list) => Value::Array(list.iter().map(scalar).collect()),
        TomlValue::InlineTable(table) => {
            Value::Object(table.iter().map(|(key, value)| (key.to_owned(), scalar(value))).collect())
        }
        TomlValue::Integer(number) => Value::String(format!("integer {}", number.value())),
        TomlValue::Float(number) => Value::String(format!("float {}", number.value())),
        TomlValue::Datetime(date) => Value::String(format!("date {}", date.value())),
    }
}

/// A string, a list or a flag of an entry in TOML.
pub fn written(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::String(text) => toml_edit::Value::from(text.as_str()).to_string(),
        other => other.to_string(),
    }
}

/// The entry alone.
pub fn alone(servers: &str, name: &str, entry: &Map<String, Value>) -> String {
    at_end("", servers, name, entry)
}

#[cfg(test)]
mod tests;
