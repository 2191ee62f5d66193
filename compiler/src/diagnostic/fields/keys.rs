//! Unknown keys, and keys of another driver.

use crate::diagnostic::lint::{UNKNOWN_KEY, WRONG_DRIVER_KEY};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::fields::Field;
use crate::source::FileSpan;
use crate::tree::Entry;

/// What an unknown key was probably meant to be.
#[derive(Debug)]
pub enum Meant<'a> {
    /// The nearest known key.
    Near {
        /// The key.
        name: &'a str,
        /// Whether putting it in place is possible.
        rename: bool,
        /// Whether it is surely meant.
        certain: bool,
    },
    /// Another tool's word.
    Habit {
        /// What to write.
        say: &'a str,
        /// The key to put in its place.
        rename: Option<&'a str>,
        /// The value to put in its value's place.
        value: Option<&'a str>,
    },
    /// A key of another table.
    Elsewhere {
        /// That table, as it is written.
        owner: &'a str,
    },
    /// Nothing near.
    Nothing {
        /// The keys there are.
        known: &'a [&'a str],
    },
}

/// A key that no field has.
#[must_use]
pub fn report_unknown_key(table: &str, key: &str, entry: &Entry, meant: &Meant<'_>) -> Diagnostic {
    let place = if table.is_empty() { "at the top level".to_owned() } else { format!("in `{table}`") };
    let found = Diagnostic::new(&UNKNOWN_KEY, entry.key, format!("unknown key `{key}` {place}"));
    match meant {
        Meant::Near { name, rename, certain } => {
            let found = found.note(format!("did you mean `{name}`?")).help(format!("write `{name}`"));
            if *rename { found.fix(format!("rename to `{name}`"), *certain, entry.key, *name) } else { found }
        }
        Meant::Habit { say, rename, value } => habit(found.help(*say), key, entry, *rename, *value),
        Meant::Elsewhere { owner } => {
            found.note("this belongs elsewhere").help(format!("`{key}` belongs to {owner}: move it there"))
        }
        Meant::Nothing { known } => {
            let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
            found.help(format!("the keys here are {}", known.join(", ")))
        }
    }
}

/// The fix of another tool's word: the key, and the value when it changes too.
fn habit(
    mut found: Diagnostic,
    written: &str,
    entry: &Entry,
    rename: Option<&str>,
    value: Option<&str>,
) -> Diagnostic {
    let Some(key) = rename else { return found };
    let mut edits = vec![Edit { span: entry.key, text: key.to_owned() }];
    if let Some(value) = value {
        edits.push(Edit { span: entry.node.span, text: value.to_owned() });
    }
    let title =
        value.map_or_else(|| format!("rename to `{key}`"), |value| format!("write `{key} = {value}`"));
    found.fixes.push(Fix { title, safe: is_certain(written, entry), edits });
    found
}

/// Whether another tool's word surely means what it is taken for. Some mean several things, and some values tell which.
fn is_certain(key: &str, entry: &Entry) -> bool {
    match key {
        "args" | "arguments" | "call" | "action" | "data" | "handler" | "parameters" | "run" | "schema" => {
            false
        }
        "type" | "transport" | "kind" => entry.node.as_str().is_some_and(|word| word == "stdio"),
        _ => true,
    }
}

/// A key that another driver has.
#[must_use]
pub fn report_wrong_driver_key(
    field: &Field,
    table: &str,
    key: FileSpan,
    driver: &str,
    driver_at: FileSpan,
) -> Diagnostic {
    let owners: Vec<String> = field.drivers.names().map(|name| format!("`{name}`")).collect();
    let name = field.name;
    let message =
        format!("`{name}` belongs to {} adapters, and this one is `{driver}`", owners.join(" and "));
    let found = Diagnostic::new(&WRONG_DRIVER_KEY, key, message).label(driver_at, "the driver is set here");
    match instead(table, name, driver) {
        Some(help) => found.help(help),
        None => found.help(format!(
            "remove `{name}`, or write `driver = \"{}\"`",
            field.drivers.names().next().unwrap_or("")
        )),
    }
}

/// What the driver at hand has in a key's place.
fn instead(table: &str, key: &str, driver: &str) -> Option<&'static str> {
    Some(match (table, key, driver) {
        ("adapter", "base_url", "mcp") => "write `url`, the endpoint of the server",
        ("adapter", "expose" | "prefix" | "protocol" | "pin", _) => {
            "only MCP servers have tools to publish again; declare a tool of your own with `[[adapters.<name>.tools]]`"
        }
        ("adapter", "start_timeout_ms", _) => {
            "write `timeout_ms`: only MCP servers are started once and kept"
        }
        ("adapter", "headers", "command") => {
            "hand the program what it needs with `env = { NAME = \"{{env.NAME}}\" }`"
        }
        ("adapter", "env" | "cwd", "http") => "remove it: an `http` adapter starts no program",
        ("op", "args", "http") => "write `query = { … }` for parameters of the URL, or `body = { … }`",
        ("op", "args", "command") => "put the arguments into `command = [\"program\", \"{{query}}\"]`",
        ("op", "tool", "http") => "name the request with `path = \"/search\"`",
        ("op", "tool", "command") => "name the program with `command = [\"program\", \"{{query}}\"]`",
        ("op", "query" | "body", "mcp") => "write `args = { … }`, the arguments of the tool",
        ("op", "query", "command") => "put the arguments into `command = [\"program\", \"{{query}}\"]`",
        ("op", "body", "command") => "write `stdin = \"{{query}}\"`",
        ("op", "stdin", "http") => "write `body = \"{{query}}\"`",
        ("op", "path" | "url" | "method", "mcp") => "name the upstream tool with `tool = \"search\"`",
        ("op", "headers", "mcp") => "write `headers` in the adapter, beside `url`",
        ("op", "env" | "cwd", "mcp") => "write it in the adapter: its server is started once, for all ops",
        ("op", "command", "mcp") => {
            "write `command` in the adapter, and name the upstream tool with `tool = \"search\"`"
        }
        ("op", "ok_exit" | "output_file", _) => "remove it: only programs of a `command` adapter have one",
        _ => return None,
    })
}
