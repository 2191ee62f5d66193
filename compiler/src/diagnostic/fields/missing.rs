//! Keys that are not there.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::MISSING_KEY;
use crate::fields::Field;
use crate::source::FileSpan;

/// A field its table is nothing without.
#[must_use]
pub fn report_missing_key(
    at: FileSpan,
    table: &str,
    path: &str,
    field: &Field,
    driver: Option<&str>,
) -> Diagnostic {
    let key = field.name;
    let finding = Diagnostic::new(&MISSING_KEY, at, format!("`{path}` lacks `{key}`"));
    let help = match (table, key) {
        ("adapter", "driver") => match driver {
            Some(driver) => format!("write `driver = \"{driver}\"`, from what else stands here"),
            None => "write `driver = \"mcp\"`, `\"http\"` or `\"command\"`".to_owned(),
        },
        ("op", "tool") => {
            "name the upstream tool: `tool = \"search\"`; `kontext adapters inspect` lists them".to_owned()
        }
        ("tool", "description") => {
            "write `description = \"…\"`, one sentence on what it is for: agents choose by it".to_owned()
        }
        ("tool", "name") => "write `name = \"…\"`, the name agents call".to_owned(),
        ("tool", "op") => "write `op = \"search\"`, or an op in place: `op = { … }`".to_owned(),
        ("on", "event") => "write `event = \"capture\"`, `\"promote\"` or `\"sync\"`".to_owned(),
        ("on", "op") => "write `op = \"store\"`, the op that is called".to_owned(),
        _ => format!("write `{key} = \"…\"`, {}", field.doc),
    };
    finding.help(help)
}

/// An MCP adapter that neither starts nor connects to a server.
#[must_use]
pub fn report_mcp_without_way(at: FileSpan, path: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_KEY, at, format!("`{path}` lacks `command` or `url`"))
        .help("write `command = [\"program\", \"argument\"]` to start a server, or `url = \"https://…\"` to connect to one")
}

/// An HTTP adapter without a base whose ops do not all have a URL.
#[must_use]
pub fn report_http_without_base(at: FileSpan, path: &str, ops: &[(String, FileSpan)]) -> Diagnostic {
    let mut finding = Diagnostic::new(&MISSING_KEY, at, format!("`{path}` lacks `base_url`"))
        .help("write `base_url = \"https://…\"`, or give every op its own `url`");
    for (name, span) in ops {
        finding = finding.label(*span, format!("`{name}` has no `url`"));
    }
    finding
}

/// A command adapter that nowhere names a program.
#[must_use]
pub fn report_command_missing(at: FileSpan, path: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_KEY, at, format!("`{path}` lacks `command`"))
        .help("write `command = [\"program\", \"argument\"]` here, or in each op")
}

/// An op of a command adapter for which no program is named.
#[must_use]
pub fn report_op_without_command(at: FileSpan, op: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_KEY, at, format!("`{op}` lacks `command`, and so does its adapter"))
        .help("write `command = [\"program\", \"{{query}}\"]` in the op, or in the adapter for all ops")
}
