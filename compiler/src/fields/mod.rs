//! The one description of the configuration surface: each field's name, drivers, type and meaning, once.
//!
//! Decoding, "unknown key" suggestions, `schemas/config.schema.json` and the field tables of the docs come from it.

pub mod tables;
mod tables_adapter;
mod tables_op;

/// The drivers a field belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drivers {
    /// `driver = "mcp"`.
    pub mcp: bool,
    /// `driver = "http"`.
    pub http: bool,
    /// `driver = "command"`.
    pub command: bool,
}

/// How an adapter reaches its system: the values of `driver`.
pub const DRIVERS: &[&str] = &["mcp", "http", "command"];

impl Drivers {
    /// Every driver.
    pub const ALL: Drivers = Drivers { mcp: true, http: true, command: true };
    /// `mcp` alone.
    pub const MCP: Drivers = Drivers { mcp: true, http: false, command: false };
    /// `http` alone.
    pub const HTTP: Drivers = Drivers { mcp: false, http: true, command: false };
    /// `command` alone.
    pub const COMMAND: Drivers = Drivers { mcp: false, http: false, command: true };
    /// Those that start a program.
    pub const STARTING: Drivers = Drivers { mcp: true, http: false, command: true };
    /// Those that make requests.
    pub const CALLING: Drivers = Drivers { mcp: true, http: true, command: false };

    /// Whether the driver of this name is one of them.
    #[must_use]
    pub fn has(self, driver: &str) -> bool {
        match driver {
            "mcp" => self.mcp,
            "http" => self.http,
            "command" => self.command,
            _ => false,
        }
    }

    /// The names, in the order of the reference.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        DRIVERS.iter().copied().filter(move |name| self.has(name))
    }
}

/// A table of the surface.
#[derive(Debug)]
pub struct TableSpec {
    /// What messages call it: `adapter`, `op`, `when`.
    pub name: &'static str,
    /// One line for the docs.
    pub doc: &'static str,
    /// Its fields, in the order of the reference.
    pub fields: &'static [Field],
}

impl TableSpec {
    /// The field of a key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == key)
    }
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// The drivers that have it.
    pub drivers: Drivers,
    /// What it holds.
    pub ty: Type,
    /// Whether its table is nothing without it.
    pub required: bool,
    /// One line for the docs.
    pub doc: &'static str,
}

impl Field {
    /// A field that may be absent.
    const fn new(name: &'static str, drivers: Drivers, ty: Type, doc: &'static str) -> Field {
        Field { name, drivers, ty, required: false, doc }
    }

    /// A field that must be there.
    const fn required(name: &'static str, drivers: Drivers, ty: Type, doc: &'static str) -> Field {
        Field { name, drivers, ty, required: true, doc }
    }
}

/// What a field holds.
#[derive(Debug)]
pub enum Type {
    /// A boolean.
    Bool,
    /// The version of the configuration language: 1.
    Version,
    /// An integer between two bounds, both included.
    Integer {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// A number above 0 up to a bound.
    Positive {
        /// Greatest.
        max: f64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Plain text, never a template.
    Text(Word),
    /// A list of plain texts.
    Texts(Word),
    /// A table of plain texts under names of the user's choice.
    TextTable(Word),
    /// A list of integers between two bounds, both included.
    Integers {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// A template.
    Template(Slot),
    /// A list of templates: a program and its arguments.
    Argv,
    /// A table of templates under names of the user's choice.
    TemplateTable(Names),
    /// Any TOML value whose strings are templates.
    Json,
    /// Any TOML table whose strings are templates.
    JsonTable,
    /// A result path.
    Path,
    /// A regular expression.
    Regex,
    /// `where`: paths and the texts they must equal.
    Where,
    /// `map`: hit fields and their rules.
    Map,
    /// `expose`: `"none"`, `"all"` or tool names.
    Expose,
    /// `params`: short form or a JSON schema.
    Params,
    /// An op's name or an op written in place.
    OpRef,
    /// A table with fields.
    Table(&'static TableSpec),
    /// An array of tables.
    Tables(&'static TableSpec),
    /// Tables under names of the user's choice.
    NamedTables(&'static TableSpec),
}

/// What a plain text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Anything.
    Any,
    /// The name of an environment variable.
    Variable,
    /// A program.
    Program,
    /// A path inside the repository.
    Inside,
    /// A path anywhere.
    Anywhere,
    /// The beginning of URIs.
    UriPrefix,
    /// The name of a published tool.
    ToolName,
    /// What stands before the names of published tools.
    ToolPrefix,
    /// The id of a scope.
    Scope,
}

/// Where the text of a template goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Anywhere.
    Text,
    /// A whole URL.
    Url,
    /// A URL to which paths are appended, when the driver is `http`.
    Base,
    /// The path of a URL.
    UrlPath,
    /// A directory.
    Directory,
    /// A file, `*` and `?` allowed at its end.
    File,
}

/// What the keys of a table of templates name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Variables of templates.
    Vars,
    /// Environment variables.
    Env,
    /// HTTP headers.
    Headers,
    /// Parameters of a URL.
    Query,
}
