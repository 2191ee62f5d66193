//! Words of other tools' configurations, each with what kontext writes instead.

use super::{Place, place};
use crate::check::ways::STANDARD;
use crate::diagnostic::fields::times::{is_time, milliseconds};
use crate::diagnostic::fields::written;
use crate::fields::TableSpec;
use crate::placeholders;
use crate::tree::{Entry, Node, Table, Value};

/// What an unknown key of another tool stands for.
pub struct Answer {
    /// The known keys it stands for.
    pub meant: &'static [&'static str],
    /// What to write, as help.
    pub say: String,
    /// The key to put in its place, when that is all there is to do.
    pub rename: Option<&'static str>,
    /// The value to put in its place, when it changes too.
    pub value: Option<String>,
}

/// A word of another tool: the table it stands in, the word, the keys it means, whether renaming mends it, the help.
type Habit = (&'static str, &'static [&'static str], &'static [&'static str], bool, &'static str);

#[rustfmt::skip]
const HABITS: &[Habit] = &[
    ("configuration", &["mcpServers", "mcp_servers", "mcp", "servers", "context_servers"], &["adapters"], false,
        "write each server as `[adapters.<name>]` with `driver = \"mcp\"`"),
    ("configuration", &["adapter", "connector", "connectors", "integrations", "providers"], &["adapters"], false,
        "write `[adapters.<name>]`"),
    ("configuration", &["variables", "env", "environment"], &["vars"], false,
        "texts of your own go into `[vars]` and are used as `{{vars.x}}`; environment variables are read as `{{env.NAME}}`"),
    ("configuration", &["inputs"], &[], false,
        "nobody is asked for values: they come from the environment, `{{env.NAME}}`"),
    ("configuration", &["settings", "defaults", "default", "global", "options"], &[], false,
        "there are no settings for all adapters: each has its own `timeout_ms`, `weight` and others; texts for all are `[vars]`"),
    ("configuration", &["$schema", "schema"], &[], false,
        "name the schema in a comment on the first line: `#:schema <path or URL>`"),
    ("adapter", &["timeout", "timeoutMs", "timeout_seconds", "timeout_sec", "tool_timeout_sec", "request_timeout"], &["timeout_ms"], false,
        "write `timeout_ms`, in milliseconds"),
    ("adapter", &["startup_timeout_ms", "startupTimeoutMs"], &["start_timeout_ms"], true, "write `start_timeout_ms`"),
    ("adapter", &["startup_timeout_sec", "startup_timeout", "start_timeout"], &["start_timeout_ms"], false,
        "write `start_timeout_ms`, in milliseconds"),
    ("adapter", &["retry", "retries", "max_retries", "backoff"], &[], false,
        "leave it out: calls are not repeated; deliveries of events are, until they arrive"),
    ("adapter", &["envFile", "env_file", "dotenv"], &[], false,
        "no file of variables is read: set them in the environment and name each, `env = { NAME = \"{{env.NAME}}\" }`"),
    ("adapter", &["httpUrl", "http_url", "serverUrl", "server_url", "uri"], &["url"], true, "write `url`"),
    ("adapter", &["endpoint", "host", "address"], &["url", "base_url"], false,
        "write `url = \"https://…\"`, or `base_url` for an `http` adapter"),
    ("adapter", &["bearer_token", "bearerToken", "bearer_token_env_var", "token", "api_key", "apiKey", "auth", "authorization"], &[], false,
        "write the header: `headers = { Authorization = \"Bearer {{env.NAME}}\" }`"),
    ("adapter", &["http_headers", "env_http_headers", "requestInit", "request_headers"], &[], false,
        "write `headers = { … }`; a variable in it is `{{env.NAME}}`"),
    ("adapter", &["workdir", "working_directory", "workingDirectory", "directory", "current_dir"], &["cwd"], true, "write `cwd`"),
    ("adapter", &["environment", "envs"], &["env"], true, "write `env`"),
    ("adapter", &["cmd", "program", "executable", "exec"], &["command"], false,
        "write `command = [\"program\", \"argument\"]`"),
    ("adapter", &["autoApprove", "alwaysAllow", "enabled_tools", "includeTools", "allowed_tools", "allowedTools", "trust", "allow"], &[], false,
        "which upstream tools agents see is `expose = [\"tool\"]`; approvals belong to the agent"),
    ("adapter", &["disabled_tools", "excludeTools", "exclude_tools"], &[], false,
        "name the tools that are wanted: `expose = [\"tool\"]`"),
    ("adapter", &["operations", "capabilities", "actions"], &["ops"], false, "write `[adapters.<name>.ops.<op>]`"),
    ("adapter", &["events", "hooks", "subscriptions"], &["on"], false,
        "write `[[adapters.<name>.on]]` with `event` and `op`"),
    ("adapter", &["condition", "conditions", "if", "enabled_if"], &["when"], false, "write `when = { … }`"),
    ("adapter", &["priority"], &["weight"], false, "write `weight`, above 0 and at most 10"),
    ("op", &["cmd", "program"], &["command"], false, "write `command = [\"program\", \"argument\"]`"),
    ("op", &["auth", "authorization", "token", "bearer"], &["headers"], false,
        "write the header: `headers = { Authorization = \"Bearer {{env.NAME}}\" }`"),
    ("op", &["response", "output", "response_format", "response_type", "parse", "as"], &["format"], false,
        "how the answer is read is `format`: `auto`, `json`, `jsonl`, `lines` or `text`"),
    ("op", &["tool_name", "toolName"], &["tool"], true, "write `tool`"),
    ("op", &["uri", "href"], &["url"], true, "write `url`"),
    ("op", &["endpoint", "route"], &["path", "url"], false,
        "write `path = \"/…\"` for a path under the base, or `url = \"https://…\"`"),
    ("op", &["json", "data", "payload"], &["body"], true, "write `body`"),
    ("op", &["verb", "http_method"], &["method"], true, "write `method`"),
    ("op", &["timeout", "timeoutMs"], &["timeout_ms"], false, "write `timeout_ms`, in milliseconds"),
    ("op", &["jq", "jsonpath", "json_path", "select", "results", "root"], &["items"], false,
        "write `items = \"data.list[*]\"`, a path to the items"),
    ("op", &["filter"], &["where"], false, "write `where = { field = \"value\" }`"),
    ("op", &["fields", "mapping"], &["map"], false, "write `map = { title = \"name\" }`"),
    ("op", &["exit_codes", "ok_codes", "success_codes", "allowed_exit_codes"], &["ok_exit"], true, "write `ok_exit`"),
    ("op", &["input", "arguments"], &["stdin", "args"], false,
        "write `stdin = \"{{query}}\"` for a program, `args = { … }` for a tool"),
    ("when", &["repository", "repo_id", "remote"], &["repo"], true, "write `repo`"),
    ("when", &["environment", "variables"], &["env"], true, "write `env`"),
    ("when", &["os", "platform", "arch"], &[], false,
        "there is no such condition; `command`, `file`, `repo`, `env` and `exists` are"),
    ("when", &["program", "bin", "binary", "executable"], &["command"], true, "write `command`"),
    ("when", &["path"], &["file"], false,
        "write `file` for a path in the repository, `exists` for any other"),
    ("when", &["variable", "env_var"], &["env"], true, "write `env`"),
    ("tool", &["inputSchema", "input_schema", "parameters", "schema", "args", "arguments"], &["params"], true,
        "write `params`"),
    ("tool", &["title", "summary"], &["description"], false, "write `description`; agents choose by it"),
    ("tool", &["call", "handler", "action"], &["op"], true, "write `op`"),
    ("store", &["directory", "path", "folder", "root"], &["dir"], true, "write `dir`"),
    ("knowledge", &["notes", "paths", "dirs", "directories"], &["roots"], false, "write `roots = { main = \"notes\" }`"),
    ("workspace", &["default", "scope", "fallback"], &["default_scope"], true, "write `default_scope`"),
    ("workspace", &["map", "scopes", "path_map"], &["scope_map"], true, "write `scope_map`, the path of the map"),
    ("workspace", &["aliases", "alias_map"], &["scope_aliases"], true, "write `scope_aliases`, the path of the map"),
    ("workspace", &["sections"], &["hot_sections"], true, "write `hot_sections`"),
    ("on", &["events", "type", "name"], &["event"], false, "write `event = \"capture\"`, one event each"),
    ("on", &["call", "handler", "run"], &["op"], true, "write `op`"),
];

/// What a key of another tool's configuration stands for, if it is one.
pub fn habit(
    table: &Table,
    spec: &'static TableSpec,
    place: &Place,
    key: &str,
    entry: &Entry,
) -> Option<Answer> {
    match (spec.name, key) {
        ("adapter" | "op", "args" | "arguments" | "argv") if spec.field(key).is_none() => {
            return Some(arguments(table, spec, place, &entry.node));
        }
        ("adapter", "type" | "transport" | "kind") => return Some(transport(table, &entry.node)),
        ("adapter", "disabled" | "disable" | "isActive" | "active") => {
            return disabled(table, key, &entry.node);
        }
        ("configuration", "mcpServers" | "mcp_servers" | "mcp" | "servers" | "context_servers") => {
            return Some(super::servers::answer(entry));
        }
        ("configuration", "adapter") => return Some(named_adapter(entry)),
        ("adapter", name) if is_op(name, entry) => return Some(misplaced_op(place, name)),
        ("op", "input" | "stdin_text") if place.driver_name() == Some("command") => {
            return Some(rename(&["stdin"], "stdin"));
        }
        ("adapter" | "op", name) if is_time(name) && spec.field("timeout_ms").is_some() => {
            if let Some(answer) = time(spec, name, &entry.node) {
                return Some(answer);
            }
        }
        ("op", "params" | "parameters" | "qs" | "search_params") => return Some(parameters(place)),
        _ => {}
    }
    HABITS.iter().find(|(owner, keys, ..)| *owner == spec.name && keys.contains(&key)).map(
        |(_, _, meant, rename, say)| Answer {
            meant,
            say: (*say).to_owned(),
            rename: meant.first().copied().filter(|_| *rename),
            value: None,
        },
    )
}

/// `args` beside `command`: one list holds both.
fn arguments(table: &Table, spec: &TableSpec, place: &Place, node: &Node) -> Answer {
    if spec.name == "op" && place.driver_name() == Some("mcp") {
        return rename(&["args"], "args");
    }
    let mut words: Vec<&str> = Vec::new();
    for part in [table.get("command"), Some(node)].into_iter().flatten() {
        match &part.value {
            Value::String(text) => words.extend(text.split_whitespace()),
            Value::Array(items) => {
                for word in items.iter().filter_map(Node::as_str) {
                    let line = words.is_empty() && is_command_line(word);
                    if line { words.extend(word.split_whitespace()) } else { words.push(word) }
                }
            }
            _ => {}
        }
    }
    let written = if table.get("command").is_some() && words.len() > 1 {
        let words: Vec<String> = words.iter().map(|word| placeholders::mended(word, "")).collect();
        written::array(words.iter().map(String::as_str))
    } else {
        "[\"program\", \"argument\"]".to_owned()
    };
    Answer {
        meant: &["command"],
        say: format!("put the arguments into `command`: `command = {written}`"),
        rename: None,
        value: None,
    }
}

/// `type = "stdio"`: the driver, and `command` or `url`, say it.
fn transport(table: &Table, node: &Node) -> Answer {
    let word = node.as_str().unwrap_or("").to_ascii_lowercase();
    let (driver, how) = match word.as_str() {
        "stdio" | "local" => ("mcp", "a server with `command` speaks over stdio"),
        "http" | "sse" | "streamable-http" | "streamable_http" | "streamablehttp" | "remote" => {
            ("mcp", "a server with `url` is reached over streamable HTTP")
        }
        "command" | "shell" | "cli" => ("command", "a `command` adapter starts a program for each call"),
        _ => ("mcp", "`command` starts a server, `url` connects to one"),
    };
    if table.get("driver").is_some() {
        return Answer { meant: &[], say: format!("leave it out: {how}"), rename: None, value: None };
    }
    Answer {
        meant: &["driver"],
        say: format!("write `driver = \"{driver}\"`: {how}"),
        rename: Some("driver"),
        value: Some(format!("\"{driver}\"")),
    }
}

/// `disabled = true` and its kin: `enabled` with the value it has.
fn disabled(table: &Table, key: &str, node: &Node) -> Option<Answer> {
    let negated = matches!(key, "disabled" | "disable");
    let value = node.as_bool().map(|on| (on != negated).to_string());
    let shown = value.clone().unwrap_or_else(|| "false".to_owned());
    if table.get("enabled").is_some() {
        let say = "leave it out: `enabled` says it".to_owned();
        return Some(Answer { meant: &[], say, rename: None, value: None });
    }
    let say = format!("write `enabled = {shown}`");
    Some(Answer { meant: &["enabled"], say, rename: value.as_ref().map(|_| "enabled"), value })
}

/// `params` of a request or of a tool.
fn parameters(place: &Place) -> Answer {
    match place.driver_name() {
        Some("mcp") => rename(&["args"], "args"),
        Some("command") => Answer {
            meant: &[],
            say: "put the arguments into `command`: `command = [\"program\", \"{{query}}\"]`".to_owned(),
            rename: None,
            value: None,
        },
        _ => rename(&["query"], "query"),
    }
}

/// `[adapter.notes]`: the header with the name it has.
fn named_adapter(entry: &Entry) -> Answer {
    let name = entry.node.as_table().and_then(|table| table.entries.keys().next());
    let name = name.map_or_else(|| "<name>".to_owned(), |name| written::key(name));
    Answer { meant: &["adapters"], say: format!("write `[adapters.{name}]`"), rename: None, value: None }
}

/// Whether a table in an adapter is one of the ops that kontext calls, written without `ops`.
fn is_op(name: &str, entry: &Entry) -> bool {
    STANDARD.contains(&name) && entry.node.as_table().is_some()
}

fn misplaced_op(place: &Place, name: &str) -> Answer {
    let say = format!("ops stand below `ops`: write `[{}.ops.{name}]`", place.path);
    Answer { meant: &["ops"], say, rename: None, value: None }
}

/// The time in milliseconds, where the value tells it.
fn time(spec: &TableSpec, name: &str, node: &Node) -> Option<Answer> {
    let start = name.starts_with("start") && spec.field("start_timeout_ms").is_some();
    let key = if start { "start_timeout_ms" } else { "timeout_ms" };
    let meant: &[&str] = if start { &["start_timeout_ms"] } else { &["timeout_ms"] };
    let seconds = name.ends_with("sec") || name.ends_with("seconds");
    let value = milliseconds(node, seconds)?;
    let say = format!("write `{key} = {value}`, in milliseconds");
    let rename = if start { "start_timeout_ms" } else { "timeout_ms" };
    Some(Answer { meant, say, rename: Some(rename), value: Some(value) })
}

fn rename(meant: &'static [&'static str], to: &'static str) -> Answer {
    Answer { meant, say: format!("write `{to}`"), rename: Some(to), value: None }
}

/// Whether a program is a whole command line.
pub fn is_command_line(text: &str) -> bool {
    place::literal_ranges(text).filter_map(|range| text.get(range)).any(|piece| piece.contains(" -"))
}
