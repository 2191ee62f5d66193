//! The MCP clients kontext knows: where each keeps its servers and what an entry looks like there. `docs/connect.md`
//! says the same in words.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code
    Claude,
    /// Codex, its command line and its editor extension
    Codex,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    #[value(name = "vscode")]
    VsCode,
    /// opencode
    #[value(name = "opencode")]
    OpenCode,
}

/// The language of a client's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, with comments and trailing commas where somebody wrote them.
    Json,
    /// TOML.
    Toml,
}

/// The forms an entry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `type`, `command` and `args`.
    Typed,
    /// `command` and `args`.
    Plain,
    /// `type` and one list of all words.
    OneList,
}

/// What is known of a client.
#[derive(Debug)]
pub struct Facts {
    /// Its name in sentences.
    pub title: &'static str,
    /// Its files, relative to the root of the worktree: the first that exists is the one, else the first.
    pub files: &'static [&'static str],
    /// The language of all of them.
    pub syntax: Syntax,
    /// The key that holds the servers.
    pub servers: &'static str,
    form: Form,
    /// What begins something that the client replaces in the words of an entry.
    pub replaces: &'static [&'static str],
    /// Whether its servers get all of its environment.
    pub passes_all: bool,
    /// The `$schema` a new file begins with.
    schema: Option<&'static str>,
    /// What the user does next.
    pub next: &'static str,
}

/// The name of the entry.
pub const NAME: &str = "kontext";

impl Client {
    /// What is known of it.
    pub fn facts(self) -> &'static Facts {
        match self {
            Client::Claude => &CLAUDE,
            Client::Codex => &CODEX,
            Client::Cursor => &CURSOR,
            Client::VsCode => &VSCODE,
            Client::OpenCode => &OPENCODE,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

const CLAUDE: Facts = Facts {
    title: "Claude Code",
    files: &[".mcp.json"],
    syntax: Syntax::Json,
    servers: "mcpServers",
    form: Form::Typed,
    replaces: &["${"],
    passes_all: true,
    schema: None,
    next: "start Claude Code in this repository: it asks once whether the server may run, `/mcp` shows it",
};

const CODEX: Facts = Facts {
    title: "Codex",
    files: &[".codex/config.toml"],
    syntax: Syntax::Toml,
    servers: "mcp_servers",
    form: Form::Plain,
    replaces: &[],
    passes_all: false,
    schema: None,
    next: "start Codex in this repository: it reads the file when you trust the project, `/mcp` shows the server",
};

const CURSOR: Facts = Facts {
    title: "Cursor",
    files: &[".cursor/mcp.json"],
    syntax: Syntax::Json,
    servers: "mcpServers",
    form: Form::Typed,
    replaces: &["${"],
    passes_all: true,
    schema: None,
    next: "open this repository in Cursor and switch the server on in its MCP settings",
};

const VSCODE: Facts = Facts {
    title: "VS Code",
    files: &[".vscode/mcp.json"],
    syntax: Syntax::Json,
    servers: "servers",
    form: Form::Typed,
    replaces: &["${"],
    passes_all: true,
    schema: None,
    next: "open this repository in VS Code: `MCP: List Servers` in the command palette starts the server",
};

const OPENCODE: Facts = Facts {
    title: "opencode",
    files: &["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    syntax: Syntax::Json,
    servers: "mcp",
    form: Form::OneList,
    replaces: &["{env:", "{file:"],
    passes_all: true,
    schema: Some("https://opencode.ai/config.json"),
    next: "start opencode in this repository; `opencode mcp list` shows the server",
};

impl Facts {
    /// The entry that starts these words.
    pub fn entry(&self, program: &str, words: &[String]) -> Map<String, Value> {
        let entry = match self.form {
            Form::Typed => json!({ "type": "stdio", "command": program, "args": words }),
            Form::Plain => json!({ "command": program, "args": words }),
            Form::OneList => {
                let all: Vec<&str> =
                    std::iter::once(program).chain(words.iter().map(String::as_str)).collect();
                json!({ "type": "local", "command": all, "enabled": true })
            }
        };
        match entry {
            Value::Object(entry) => entry,
            _ => Map::new(),
        }
    }

    /// A new file's text before the entry is put in.
    pub fn blank(&self) -> String {
        match self.schema {
            Some(schema) => format!("{{\n  \"$schema\": \"{schema}\"\n}}\n"),
            None => String::new(),
        }
    }
}
