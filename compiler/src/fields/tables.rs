//! The tables outside adapters: the root, the project, the store, knowledge and the workspace.

pub use super::tables_adapter::{ADAPTER, ON, TOOL, WHEN};
pub use super::tables_op::OP;
use super::{Drivers, Field, Names, TableSpec, Type, Word};

/// A field of a table that knows no drivers.
const fn plain(name: &'static str, ty: Type, doc: &'static str) -> Field {
    Field::new(name, Drivers::ALL, ty, doc)
}

/// The top level of a layer.
pub static ROOT: TableSpec = TableSpec {
    name: "configuration",
    doc: "The top level of every layer.",
    fields: &[
        plain("version", Type::Version, "version of this language: `1`"),
        plain("project", Type::Table(&PROJECT), "what this project is called"),
        plain("store", Type::Table(&STORE), "where the repository keeps its own files"),
        plain(
            "vars",
            Type::TemplateTable(Names::Vars),
            "`{{vars.x}}` in every adapter; may use facts and other vars",
        ),
        plain(
            "public_env",
            Type::Texts(Word::Variable),
            "environment variables that are no secrets (private layers only)",
        ),
        plain("adapters", Type::NamedTables(&ADAPTER), "the outside systems, by name"),
        plain("knowledge", Type::Table(&KNOWLEDGE), "the roots that hold notes"),
        plain(
            "workspace",
            Type::Table(&WORKSPACE),
            "which scope a directory belongs to, and what is always loaded",
        ),
    ],
};

/// `[project]`.
pub static PROJECT: TableSpec = TableSpec {
    name: "project",
    doc: "What this project is called.",
    fields: &[
        plain(
            "name",
            Type::Text(Word::Any),
            "`{{project.name}}`; otherwise the root manifest's name, otherwise `repo.name`",
        ),
        plain("description", Type::Text(Word::Any), "`{{project.description}}`"),
    ],
};

/// `[store]`.
pub static STORE: TableSpec = TableSpec {
    name: "store",
    doc: "Where the repository keeps its own files.",
    fields: &[plain(
        "dir",
        Type::Text(Word::Any),
        "directory of `kontext.toml` and the notes, relative to the repository root, default `.ai`",
    )],
};

/// `[knowledge]`.
pub static KNOWLEDGE: TableSpec = TableSpec {
    name: "knowledge",
    doc: "The roots that hold notes. Without this table the primary root is `<repo>/<store.dir>`.",
    fields: &[
        plain(
            "primary",
            Type::Text(Word::Any),
            "name of the root that holds `agent-notes.md` and `knowledge/`",
        ),
        plain(
            "roots",
            Type::TextTable(Word::Anywhere),
            "roots by name: absolute, `~/…`, or relative to the worktree",
        ),
        plain("read_only", Type::Tables(&READ_ONLY), "further roots that are only read"),
    ],
};

/// `[[knowledge.read_only]]`.
pub static READ_ONLY: TableSpec = TableSpec {
    name: "read_only",
    doc: "A root that is only read.",
    fields: &[
        Field::required("id", Drivers::ALL, Type::Text(Word::Any), "its name in `notes:<id>/<path>`"),
        Field::required(
            "path",
            Drivers::ALL,
            Type::Text(Word::Anywhere),
            "absolute, `~/…`, or relative to the worktree",
        ),
    ],
};

/// `[workspace]`.
pub static WORKSPACE: TableSpec = TableSpec {
    name: "workspace",
    doc: "Which scope a directory belongs to, and what is always loaded.",
    fields: &[
        plain(
            "default_scope",
            Type::Text(Word::Any),
            "the scope when nothing else decides, default `door-to-singularity`",
        ),
        plain(
            "scope_map",
            Type::Text(Word::Inside),
            "the path map under `<primary root>/knowledge/`, default `work/local/workspace-scope-map-v1.md`",
        ),
        plain(
            "scope_aliases",
            Type::Text(Word::Inside),
            "the alias map under `<primary root>/knowledge/`, default `work/local/scope-alias-map-v1.md`",
        ),
        plain(
            "hot_sections",
            Type::Texts(Word::Any),
            "sections of the hot document that are always loaded, default `[\"active-scope\"]`",
        ),
        plain(
            "hot_budget_warning",
            Type::Integer { min: 1, max: 100_000_000 },
            "characters of the hot document from which `memory_health` warns, default 6000",
        ),
        plain(
            "hot_budget_critical",
            Type::Integer { min: 1, max: 100_000_000 },
            "characters from which it is critical, default 12000",
        ),
    ],
};

/// Every table, in the order of the reference, with how it is written.
pub static TABLES: &[(&str, &TableSpec)] = &[
    ("top level", &ROOT),
    ("[project]", &PROJECT),
    ("[store]", &STORE),
    ("[adapters.<name>]", &ADAPTER),
    ("[adapters.<name>.when]", &WHEN),
    ("[adapters.<name>.ops.<op>]", &OP),
    ("[[adapters.<name>.on]]", &ON),
    ("[[adapters.<name>.tools]]", &TOOL),
    ("[knowledge]", &KNOWLEDGE),
    ("[[knowledge.read_only]]", &READ_ONLY),
    ("[workspace]", &WORKSPACE),
];
