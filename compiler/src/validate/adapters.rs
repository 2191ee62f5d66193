//! One adapter: its driver first, then its fields, then what its keys say together.

use super::{Driver, Place, Walk, missing, walk};
use crate::diagnostic::fields::conflicts as report;
use crate::fields::{DRIVERS, TableSpec};
use crate::tree::{Entry, Node, Table};

/// An adapter.
pub fn adapter(walk: &mut Walk<'_>, table: &Table, spec: &'static TableSpec, place: &Place, entry: &Entry) {
    let place = Place { path: place.path.clone(), driver: driver(table) };
    let meant = walk::table_of(walk, table, spec, &place, Some(entry.key));
    missing::way(walk, table, &place, entry.key, &meant);
    match place.driver_name() {
        Some("mcp") => mcp(walk, table),
        Some("http") => {
            pair(walk, table, ["base_url", "url"], "both are the base of the ops' `path`", "keep `base_url`");
        }
        _ => {}
    }
}

/// The driver, when it is set and valid.
fn driver(table: &Table) -> Option<Driver> {
    let node = table.get("driver")?;
    let written = node.as_str()?;
    let name = DRIVERS.iter().copied().find(|name| *name == written)?;
    Some(Driver { name, span: node.span })
}

/// A server is started or connected to, not both; and each has keys of its own.
fn mcp(walk: &mut Walk<'_>, table: &Table) {
    let both = table.get("command").is_some() && table.get("url").is_some();
    if both {
        let why = "a server is started by `command` or connected to at `url`, not both";
        pair(walk, table, ["command", "url"], why, "remove one of the two");
        return;
    }
    for key in ["env", "cwd"] {
        let why = format!("`{key}` is for a server that is started, and this one is connected to at `url`");
        pair(walk, table, ["url", key], &why, &format!("remove `{key}`, or start the server with `command`"));
    }
    let why = "`headers` are sent to a `url`, and this server is started by `command`";
    let mend = "remove `headers`, and hand secrets to the program with `env = { TOKEN = \"{{env.TOKEN}}\" }`";
    pair(walk, table, ["command", "headers"], why, mend);
}

/// Two keys of which only one may stand.
pub fn pair(walk: &mut Walk<'_>, table: &Table, keys: [&str; 2], why: &str, mend: &str) {
    let [first, second] = keys;
    if let (Some(a), Some(b)) = (table.entry(first), table.entry(second)) {
        walk.push(report::report_conflicting_keys((first, a.key), (second, b.key), why, mend));
    }
}

/// An event subscription: only captures have a visibility.
pub fn subscription(walk: &mut Walk<'_>, table: &Table) {
    let event = table.get("event").and_then(Node::as_str).unwrap_or("capture");
    if matches!(event, "promote" | "sync") {
        let why = format!("`visibility` chooses among captured notes, and this is the event `{event}`");
        pair(walk, table, ["event", "visibility"], &why, "remove `visibility`");
    }
}
