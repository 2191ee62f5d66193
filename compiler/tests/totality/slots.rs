//! Every place of a configuration where a text can stand, made from the tables the compiler itself reads, so that a
//! new field is tried without anybody's help.

use kontext_compiler::fields::tables::{ADAPTER, OP, ROOT};
use kontext_compiler::fields::{DRIVERS, Field, TableSpec, Type};

/// Where a text stands as a value.
const VALUE: char = '@';
/// Where a text stands as a key.
const KEY: char = '%';

/// A configuration with one place left open.
pub struct Slot {
    /// The line with the open place; names the slot in messages.
    pub line: String,
    context: String,
}

/// How a text is written as a TOML string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `"…"` with as few escapes as can be.
    Basic,
    /// `"…"` with nothing but escapes.
    Escaped,
    /// `"""…"""` with a line-ending backslash in front.
    Lines,
    /// `'…'` when the text allows it.
    Literal,
}

/// Every style.
pub const STYLES: [Style; 4] = [Style::Basic, Style::Escaped, Style::Lines, Style::Literal];

impl Slot {
    /// The configuration with a text in the open place.
    pub fn config(&self, text: &str, style: Style) -> String {
        let key = if style == Style::Lines { Style::Basic } else { style };
        let (value, key) = (written(text, style), written(text, key));
        let mut out = self.context.clone();
        for c in self.line.chars() {
            match c {
                VALUE => out.push_str(&value),
                KEY => out.push_str(&key),
                c => out.push(c),
            }
        }
        out.push('\n');
        out
    }
}

/// A text as a TOML string.
fn written(text: &str, style: Style) -> String {
    let escape = |c: char| format!("\\U{:08X}", u32::from(c));
    match style {
        Style::Literal
            if !text.contains(['\'', '\r']) && !text.contains(|c: char| c < ' ' || c == '\u{7f}') =>
        {
            format!("'{text}'")
        }
        Style::Basic | Style::Literal => format!("\"{}\"", basic(text, false)),
        Style::Escaped => format!("\"{}\"", text.chars().map(escape).collect::<String>()),
        Style::Lines => format!("\"\"\"\\\n   {}\"\"\"", basic(text, true)),
    }
}

fn basic(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' if lines && at > 0 => out.push(c),
            // Behind the line-ending backslash blanks would be no part of the text.
            ' ' if lines && at == 0 => out.push_str("\\u0020"),
            c if c < ' ' || c == '\u{7f}' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Every slot, for every driver.
pub fn all() -> Vec<Slot> {
    let mut slots = Walk { driver: "command", lines: Vec::new() };
    slots.table(&ROOT, "", "");
    let outside = slots.lines;
    let mut all: Vec<Slot> = outside.into_iter().map(|line| Slot { line, context: String::new() }).collect();
    for driver in DRIVERS {
        let mut walk = Walk { driver, lines: Vec::new() };
        walk.table(&ADAPTER, "adapters.a.", "");
        for op in ["search", "read", "own"] {
            walk.table(&OP, &format!("adapters.a.ops.{op}."), "");
        }
        let inline =
            "adapters.a.tools = [{ name = \"t\", description = \"d\", params.q = \"string!\", op = { ";
        walk.table(&OP, inline, " } }]");
        walk.lines.extend(names(driver));
        all.extend(walk.lines.into_iter().map(|line| Slot { context: context(driver, &line), line }));
    }
    all
}

/// Names of the user's choice, in whole tables of their own.
fn names(driver: &str) -> Vec<String> {
    vec![
        format!("adapters.% = {{ driver = \"{driver}\" }}"),
        "adapters.a.ops.%.format = \"text\"".to_owned(),
        "adapters.a.ops.search.map.snippet = \"re:(\"\nadapters.a.ops.search.map.title = @".to_owned(),
        "vars.v = @\nadapters.a.ops.search.map.title = \"tpl:{{vars.v}}\"".to_owned(),
        "vars.% = \"{{env.X}}\"\nadapters.a.vars.% = \"{{vars.w}}\"".to_owned(),
    ]
}

/// The lines that make the rest of the configuration right, but for those the open line stands for.
fn context(driver: &str, line: &str) -> String {
    let lines: &[(&str, &str, &[&str])] = match driver {
        "http" => &[
            ("adapters.a.base_url", "\"https://h.example/v1\"", &["adapters.a.url"]),
            ("adapters.a.ops.search.path", "\"/s/{{query}}\"", &["adapters.a.ops.search.url"]),
            ("adapters.a.ops.read.path", "\"/r/{{uri}}\"", &["adapters.a.ops.read.url"]),
            ("adapters.a.ops.own.path", "\"/o\"", &["adapters.a.ops.own.url"]),
        ],
        "mcp" => &[
            ("adapters.a.command", "[\"serve\"]", &["adapters.a.url", "adapters.a.headers"]),
            ("adapters.a.ops.search.tool", "\"find\"", &[]),
            ("adapters.a.ops.read.tool", "\"read\"", &[]),
            ("adapters.a.ops.own.tool", "\"own\"", &[]),
        ],
        _ => &[
            ("adapters.a.command", "[\"find\", \"--\", \"x\"]", &[]),
            ("adapters.a.ops.search.ok_exit", "[0, 1]", &[]),
            ("adapters.a.ops.read.ok_exit", "[0]", &[]),
            ("adapters.a.ops.own.ok_exit", "[0]", &[]),
        ],
    };
    let driver = ("adapters.a.driver", format!("\"{driver}\""), &[][..]);
    let owns = ("adapters.a.ops.read.owns", "[\"a://\"]".to_owned(), &[][..]);
    let tool = "[{ name = \"u\", description = \"d\", params.q = \"string!\", op = \"own\" }]".to_owned();
    let tool = ("adapters.a.tools", tool, &[][..]);
    let lines = lines.iter().map(|(key, value, instead)| (*key, (*value).to_owned(), *instead));
    let below =
        |key: &str, table: &str| key.strip_prefix(table).is_some_and(|rest| rest.starts_with([' ', '.']));
    let written = line.split(" = ").next().unwrap_or("");
    let is_open = |key: &str| below(line, key) || below(key, written);
    std::iter::once(driver)
        .chain(lines)
        .chain([owns, tool])
        .filter(|(key, _, instead)| !is_open(key) && !instead.iter().any(|key| is_open(key)))
        .map(|(key, value, _)| format!("{key} = {value}\n"))
        .collect()
}

/// The lines of a driver's slots.
struct Walk {
    driver: &'static str,
    lines: Vec<String>,
}

impl Walk {
    /// The slots of a table whose fields are written `open field = value close`.
    fn table(&mut self, spec: &'static TableSpec, open: &str, close: &str) {
        self.lines.push(format!("{open}% = 1{close}"));
        self.lines.push(format!("{open}unset = [@]{close}"));
        for field in spec.fields.iter().filter(|field| field.drivers.has(self.driver)) {
            match &field.ty {
                Type::Table(inner) => self.table(inner, &format!("{open}{}.", field.name), close),
                Type::Tables(inner) => self.tables(field, inner, open, close),
                _ => {}
            }
            for value in values(&field.ty) {
                self.lines.push(format!("{open}{} = {value}{close}", field.name));
            }
        }
    }

    /// The slots of an array of tables: of one table that is right but for the open field.
    fn tables(&mut self, field: &Field, inner: &'static TableSpec, open: &str, close: &str) {
        for one in inner.fields {
            let others = inner.fields.iter().filter(|other| other.required && other.name != one.name);
            let others: String =
                others.map(|other| format!("{} = \"{}\", ", other.name, right(other.name))).collect();
            for value in values(&one.ty) {
                self.lines
                    .push(format!("{open}{} = [{{ {others}{} = {value} }}]{close}", field.name, one.name));
            }
        }
        self.lines.push(format!("{open}{} = [{{ % = 1 }}, @]{close}", field.name));
    }
}

/// A text that is right in a required field.
fn right(field: &str) -> &'static str {
    match field {
        "event" => "capture",
        "op" => "own",
        _ => "x",
    }
}

/// The values of a type with a text in them.
fn values(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Texts(_) | Type::Integers { .. } => &["@", "[@, @]"],
        Type::Argv => &["@", "[@]", "[\"sh\", \"-c\", @]", "[\"p\", \"--q={{query}}\", @]"],
        Type::TextTable(_) | Type::TemplateTable(_) => &["@", "{ k = @ }", "{ % = \"x\" }", "{ % = @ }"],
        Type::Json | Type::JsonTable => &["@", "{ a = [1, { b = @ }] }", "{ % = @ }"],
        Type::Where => &["@", "{ % = \"x\" }", "{ a.% = @ }"],
        Type::Map => &["@", "{ title = @, uri = @ }", "{ % = \"x\" }", "{ score = @, date = @, kind = @ }"],
        Type::Params => &[
            "@",
            "{ q = @ }",
            "{ % = \"string!\" }",
            "{ type = \"object\", properties.q = { type = \"string\", pattern = @, default = @ } }",
        ],
        Type::Expose => &["@", "[@]"],
        _ => &["@", "[@]", "{ % = @ }"],
    }
}
