//! The tables of an adapter: itself, its conditions, its event subscriptions and its tools.

use super::tables_op::OP;
use super::{DRIVERS, Drivers, Field, Names, Slot, TableSpec, Type, Word};

/// One hour, the longest time limit.
pub(super) const LONGEST_MS: i64 = 3_600_000;

/// `[adapters.<name>]`.
pub static ADAPTER: TableSpec = TableSpec {
    name: "adapter",
    doc: "One outside system.",
    fields: &[
        Field::required(
            "driver",
            Drivers::ALL,
            Type::Choice(DRIVERS),
            "how it is reached: `mcp`, `http` or `command`",
        ),
        Field::new("enabled", Drivers::ALL, Type::Bool, "`false` switches it off; it is still checked"),
        Field::new(
            "description",
            Drivers::ALL,
            Type::Text(Word::Any),
            "shown by `adapters list` and in tool descriptions",
        ),
        Field::new("when", Drivers::ALL, Type::Table(&WHEN), "conditions that must hold for it to be active"),
        Field::new(
            "vars",
            Drivers::ALL,
            Type::TemplateTable(Names::Vars),
            "`{{vars.x}}`, over the global `[vars]`",
        ),
        Field::new(
            "timeout_ms",
            Drivers::ALL,
            Type::Integer { min: 1, max: LONGEST_MS },
            "limit of one call in milliseconds, default 10000",
        ),
        Field::new(
            "start_timeout_ms",
            Drivers::MCP,
            Type::Integer { min: 1, max: LONGEST_MS },
            "limit of starting a server and its handshake in milliseconds, default 30000",
        ),
        Field::new(
            "weight",
            Drivers::ALL,
            Type::Positive { max: 10.0 },
            "weight of its hits when results merge, default 0.9; local hits weigh 1.0",
        ),
        Field::new(
            "command",
            Drivers::STARTING,
            Type::Argv,
            "program and arguments: the MCP server to start, or the default command of the ops",
        ),
        Field::new(
            "env",
            Drivers::STARTING,
            Type::TemplateTable(Names::Env),
            "environment variables added for the program",
        ),
        Field::new(
            "cwd",
            Drivers::STARTING,
            Type::Template(Slot::Directory),
            "working directory of the program, default the repository root",
        ),
        Field::new(
            "url",
            Drivers::CALLING,
            Type::Template(Slot::Base),
            "streamable HTTP endpoint of an MCP server, or the base of the ops' `path`",
        ),
        Field::new("base_url", Drivers::HTTP, Type::Template(Slot::Base), "base of the ops' `path`"),
        Field::new(
            "headers",
            Drivers::CALLING,
            Type::TemplateTable(Names::Headers),
            "headers of every request",
        ),
        Field::new(
            "expose",
            Drivers::MCP,
            Type::Expose,
            "upstream tools to publish again: `\"none\"` (default), `\"all\"` or a list of names",
        ),
        Field::new(
            "prefix",
            Drivers::MCP,
            Type::Text(Word::ToolPrefix),
            "prefix of re-published names, default `<adapter>_`",
        ),
        Field::new(
            "protocol",
            Drivers::MCP,
            Type::Choice(&["auto", "initialize", "stateless"]),
            "protocol era of this upstream, default `auto`",
        ),
        Field::new(
            "pin",
            Drivers::MCP,
            Type::Choice(&["full", "schema", "off"]),
            "what of a tool the lock holds fast, default `full`",
        ),
        Field::new("ops", Drivers::ALL, Type::NamedTables(&OP), "the calls kontext may make, by name"),
        Field::new("on", Drivers::ALL, Type::Tables(&ON), "event subscriptions"),
        Field::new("tools", Drivers::ALL, Type::Tables(&TOOL), "tools declared for agents"),
    ],
};

/// `when` of an adapter.
pub static WHEN: TableSpec = TableSpec {
    name: "when",
    doc: "Conditions on the machine that runs; all that are given must hold.",
    fields: &[
        Field::new("command", Drivers::ALL, Type::Text(Word::Program), "the program is found on `PATH`"),
        Field::new(
            "file",
            Drivers::ALL,
            Type::Text(Word::Inside),
            "the path, relative to the repository root, exists",
        ),
        Field::new("repo", Drivers::ALL, Type::Regex, "the regular expression matches `repo.id`"),
        Field::new("env", Drivers::ALL, Type::Text(Word::Variable), "the variable is set and not empty"),
        Field::new(
            "exists",
            Drivers::ALL,
            Type::Template(Slot::File),
            "the path exists; `*` and `?` may stand in its last segment",
        ),
        Field::new(
            "scope",
            Drivers::ALL,
            Type::Texts(Word::Scope),
            "the scope of the directory kontext is started in is one of these",
        ),
    ],
};

/// `[[adapters.<name>.on]]`.
pub static ON: TableSpec = TableSpec {
    name: "on",
    doc: "An event this adapter is told of.",
    fields: &[
        Field::required(
            "event",
            Drivers::ALL,
            Type::Choice(&["capture", "promote", "sync"]),
            "`capture`, `promote` or `sync`",
        ),
        Field::required("op", Drivers::ALL, Type::Text(Word::Any), "the op of this adapter that is called"),
        Field::new(
            "visibility",
            Drivers::ALL,
            Type::Choice(&["team", "private"]),
            "only notes of this visibility (capture only)",
        ),
        Field::new("kinds", Drivers::ALL, Type::Texts(Word::Any), "only notes of these kinds"),
    ],
};

/// `[[adapters.<name>.tools]]`.
pub static TOOL: TableSpec = TableSpec {
    name: "tool",
    doc: "A tool for agents, answered by a call of this adapter.",
    fields: &[
        Field::required(
            "name",
            Drivers::ALL,
            Type::Text(Word::ToolName),
            "the name agents call: `A-Z a-z 0-9 _ -`, at most 64 characters",
        ),
        Field::required(
            "description",
            Drivers::ALL,
            Type::Text(Word::Any),
            "what it is for; agents choose by it",
        ),
        Field::new(
            "params",
            Drivers::ALL,
            Type::Params,
            "parameters: `{ q = \"string!\", n = \"integer\" }` or a JSON schema",
        ),
        Field::required("op", Drivers::ALL, Type::OpRef, "an op's name, or an op written in place"),
    ],
};
