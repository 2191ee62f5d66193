//! The table of an op.

use super::tables_adapter::LONGEST_MS;
use super::{Drivers, Field, Names, Slot, TableSpec, Type, Word};

/// `[adapters.<name>.ops.<op>]`.
pub static OP: TableSpec = TableSpec {
    name: "op",
    doc: "One call kontext may make. `search`, `history` and `code` give hits; `read`, `brief`, `llm`, `health` and \
          `store` give text; any other name is your own.",
    fields: &[
        Field::required("tool", Drivers::MCP, Type::Template(Slot::Text), "the upstream tool that is called"),
        Field::new(
            "args",
            Drivers::MCP,
            Type::JsonTable,
            "its arguments; without them they are bound by name from the tool's schema",
        ),
        Field::new(
            "method",
            Drivers::HTTP,
            Type::Choice(&["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
            "default `POST` with a body, `GET` without",
        ),
        Field::new("path", Drivers::HTTP, Type::Template(Slot::UrlPath), "appended to the adapter's base"),
        Field::new("url", Drivers::HTTP, Type::Template(Slot::Url), "an absolute URL instead of a `path`"),
        Field::new(
            "query",
            Drivers::HTTP,
            Type::TemplateTable(Names::Query),
            "URL parameters, percent-encoded; empty ones are dropped",
        ),
        Field::new(
            "headers",
            Drivers::HTTP,
            Type::TemplateTable(Names::Headers),
            "headers of this request, over the adapter's",
        ),
        Field::new("body", Drivers::HTTP, Type::Json, "sent as JSON; a string is sent as it is"),
        Field::new("command", Drivers::COMMAND, Type::Argv, "program and arguments, otherwise the adapter's"),
        Field::new(
            "stdin",
            Drivers::COMMAND,
            Type::Template(Slot::Text),
            "written to the program's standard input",
        ),
        Field::new(
            "ok_exit",
            Drivers::COMMAND,
            Type::Integers { min: 0, max: 255 },
            "exit statuses that are not failures, default `[0]`",
        ),
        Field::new(
            "output_file",
            Drivers::COMMAND,
            Type::Bool,
            "the program writes its answer to the file named `{{output_file}}`",
        ),
        Field::new(
            "cwd",
            Drivers::COMMAND,
            Type::Template(Slot::Directory),
            "working directory, over the adapter's",
        ),
        Field::new(
            "env",
            Drivers::COMMAND,
            Type::TemplateTable(Names::Env),
            "environment variables, over the adapter's",
        ),
        Field::new(
            "format",
            Drivers::ALL,
            Type::Choice(&["auto", "json", "jsonl", "lines", "text"]),
            "how the answer is read, default `auto`",
        ),
        Field::new(
            "timeout_ms",
            Drivers::ALL,
            Type::Integer { min: 1, max: LONGEST_MS },
            "limit of one call in milliseconds, over the adapter's",
        ),
        Field::new("items", Drivers::ALL, Type::Path, "where the items of a hits answer are"),
        Field::new(
            "split",
            Drivers::ALL,
            Type::Text(Word::Any),
            "cuts a text answer into items at lines that start with this",
        ),
        Field::new(
            "where",
            Drivers::ALL,
            Type::Where,
            "keeps items in which the path's value equals the text",
        ),
        Field::new(
            "map",
            Drivers::ALL,
            Type::Map,
            "where `title snippet uri score kind date` of a hit are: a path, `re:…`, `tpl:…` or `=…`",
        ),
        Field::new("text", Drivers::ALL, Type::Path, "which part of the answer is the text (text ops)"),
        Field::new(
            "owns",
            Drivers::ALL,
            Type::Texts(Word::UriPrefix),
            "prefixes of the URIs a `read` op reads",
        ),
    ],
};
