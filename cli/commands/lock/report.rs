//! What changed, for people and for programs.

use kontext_plan::Pin;
use kontext_plan::lock::{Change, Diff, LockedServer};
use serde_json::{Map, Value, json};

use super::drift::{Row, Status};
use crate::commands::Failure;

/// How many characters of a value are shown.
const SHOWN: usize = 160;
/// How many characters before the first difference are shown.
const BEFORE: usize = 30;

/// Every difference; nothing when there is none.
pub fn human(rows: &[Row], colour: bool) -> String {
    rows.iter().map(|row| differences(row, colour)).collect()
}

fn differences(row: &Row, colour: bool) -> String {
    let (name, file) = (plain(&row.name), &row.file);
    let mut out = match row.status {
        Status::Unchanged | Status::Kept | Status::Failed => return String::new(),
        Status::Dropped => return format!("{name}: no longer locked in `{file}`\n"),
        Status::Added => format!("{name}: {} locked for the first time in `{file}`\n", tools(row.tools)),
        Status::Changed => format!("{name}: {} in `{file}`\n", counted(&row.diff)),
    };
    if row.connection {
        out.push_str("  another server: the adapter's `command` or `url` is not the one that was locked\n");
    }
    if let Some((before, after)) = row.pin {
        out.push_str(&format!("  pin: {} → {}\n", pin(before), pin(after)));
    }
    if let Some((before, after)) = &row.server {
        out.push_str(&format!("  server: {} → {}\n", server(before.as_ref()), server(after.as_ref())));
    }
    for (mark, code, names) in [('+', "32", &row.diff.added), ('-', "31", &row.diff.removed)] {
        names.iter().for_each(|name| out.push_str(&marked(mark, code, name, colour)));
    }
    for tool in &row.diff.changed {
        out.push_str(&marked('~', "33", &tool.name, colour));
        tool.changes.iter().for_each(|change| out.push_str(&changed(change)));
    }
    out
}

fn marked(mark: char, code: &str, name: &str, colour: bool) -> String {
    let name = plain(name);
    if colour { format!("  \u{1b}[{code}m{mark} {name}\u{1b}[0m\n") } else { format!("  {mark} {name}\n") }
}

fn changed(change: &Change) -> String {
    let path = plain(&change.path);
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            let (before, after) = excerpts(&before.to_string(), &after.to_string());
            format!("      {path}:\n        - {before}\n        + {after}\n")
        }
        (Some(before), None) => format!("      {path}:\n        - {}\n", excerpts(&before.to_string(), "").0),
        (None, Some(after)) => format!("      {path}:\n        + {}\n", excerpts("", &after.to_string()).1),
        (None, None) => String::new(),
    }
}

/// Two texts around the first place where they differ.
fn excerpts(before: &str, after: &str) -> (String, String) {
    let same = before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count();
    let long = before.chars().count().max(after.chars().count()) > SHOWN;
    let skipped = if long { same.saturating_sub(BEFORE) } else { 0 };
    (excerpt(before, skipped), excerpt(after, skipped))
}

fn excerpt(text: &str, skipped: usize) -> String {
    let start = if skipped > 0 { "…" } else { "" };
    let rest: String = text.chars().skip(skipped).take(SHOWN).collect();
    let end = if text.chars().count() > skipped + SHOWN { "…" } else { "" };
    format!("{start}{}{end}", plain(&rest))
}

/// A foreign text in which nothing hides: what a terminal would obey or not show is written as its number.
fn plain(text: &str) -> String {
    let hidden = |character: char| {
        character.is_control()
            || matches!(u32::from(character), 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e
                | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe0fff)
    };
    text.chars()
        .map(|c| if hidden(c) { format!("\\u{{{:x}}}", u32::from(c)) } else { c.to_string() })
        .collect()
}

fn counted(diff: &Diff) -> String {
    let counts =
        [("added", diff.added.len()), ("removed", diff.removed.len()), ("changed", diff.changed.len())];
    let words: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| format!("{} {word}", tools(count)))
        .collect();
    if words.is_empty() { "the same tools".to_owned() } else { words.join(", ") }
}

fn tools(count: usize) -> String {
    format!("{count} tool{}", if count == 1 { "" } else { "s" })
}

fn pin(pin: Pin) -> &'static str {
    match pin {
        Pin::Full => "full",
        Pin::Schema => "schema",
        Pin::Off => "off",
    }
}

fn server(server: Option<&LockedServer>) -> String {
    match server {
        Some(server) => {
            plain(&format!("`{}` {}", server.name, server.version.as_deref().unwrap_or_default()))
        }
        None => "without a name".to_owned(),
    }
}

/// What is no difference and good to know; none when there is nothing.
pub fn aside(row: &Row) -> Option<String> {
    let name = &row.name;
    let mut lines: Vec<String> =
        row.notes.iter().map(|note| format!("note: `{name}`: {}", plain(note))).collect();
    match (row.status, &row.reason) {
        (Status::Unchanged, _) => lines.push(format!("{name}: unchanged, {}", tools(row.tools))),
        (Status::Kept, Some(reason)) => {
            lines.push(format!("note: `{name}` was not asked and its entry is as it was: {reason}"));
        }
        _ => {}
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The same for programs.
///
/// # Errors
/// Never, as long as JSON can be written.
pub fn json(rows: &[Row], written: &[String]) -> Result<String, Failure> {
    let rows: Vec<Value> = rows.iter().map(entry).collect();
    let report = json!({ "version": 1, "adapters": rows, "written": written });
    serde_json::to_string_pretty(&report).map_err(|error| Failure::refused(error.to_string()))
}

fn entry(row: &Row) -> Value {
    let mut entry = Map::new();
    entry.insert("adapter".to_owned(), json!(row.name));
    entry.insert("file".to_owned(), json!(row.file));
    entry.insert("status".to_owned(), json!(word(row.status)));
    if let Some(reason) = &row.reason {
        entry.insert("reason".to_owned(), json!(reason));
    }
    if row.connection {
        entry.insert("connection".to_owned(), json!("changed"));
    }
    if let Some((before, after)) = row.pin {
        entry.insert("pin".to_owned(), json!({ "before": pin(before), "after": pin(after) }));
    }
    if let Some((before, after)) = &row.server {
        entry.insert("server".to_owned(), json!({ "before": before, "after": after }));
    }
    entry.insert("added".to_owned(), json!(row.diff.added));
    entry.insert("removed".to_owned(), json!(row.diff.removed));
    entry.insert("changed".to_owned(), json!(row.diff.changed));
    entry.insert("notes".to_owned(), json!(row.notes));
    Value::Object(entry)
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Unchanged => "unchanged",
        Status::Added => "added",
        Status::Changed => "changed",
        Status::Dropped => "dropped",
        Status::Kept => "kept",
        Status::Failed => "failed",
    }
}
