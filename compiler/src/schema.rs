//! The JSON schema of a layer, for editors, from the same tables that `check` reads.
//!
//! One file is one layer: what another layer may give (an adapter's `driver`, say) is not required here.

use serde_json::{Map, Value, json};

use crate::fields::tables::{ROOT, TABLES};
use crate::fields::{DRIVERS, Field, Names, TableSpec, Type, Word};
use crate::types::Kind;

/// The name of an adapter or an op.
const NAME: &str = "^[a-z0-9][a-z0-9_-]{0,63}$";

/// The JSON schema (2020-12) of a configuration file.
#[must_use]
pub fn config_schema() -> Value {
    let mut definitions = Map::new();
    for (_, spec) in TABLES.iter().filter(|(_, spec)| spec.name != ROOT.name) {
        definitions.insert(spec.name.to_owned(), table(spec));
    }
    definitions.insert("where".to_owned(), conditions());
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("kontext configuration"));
    if let Value::Object(root) = table(&ROOT) {
        schema.extend(root);
    }
    schema.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(schema)
}

/// The JSON schema (2020-12) of an event's payload: the note that `kontext run event` reads.
#[must_use]
pub fn event_schema() -> Value {
    let text = || json!({"type": "string"});
    let member = |doc: &str, kind: Kind| match kind {
        Kind::List(_) => json!({"type": "array", "items": text(), "description": doc}),
        Kind::Object(Some(fields)) => {
            let fields: Map<String, Value> = fields.into_keys().map(|field| (field, text())).collect();
            json!({"type": "object", "properties": fields, "additionalProperties": false, "description": doc})
        }
        _ => json!({"type": "string", "description": doc}),
    };
    let members: Map<String, Value> =
        crate::check::ways::event_payload().map(|(name, doc, kind)| (name, member(doc, kind))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kontext event",
        "description": "The note of an event: every member is a variable of the op that is called.",
        "type": "object",
        "properties": members,
        "additionalProperties": false,
    })
}

/// A table with its fields; `unset` removes what lower layers gave.
fn table(spec: &TableSpec) -> Value {
    let mut properties: Map<String, Value> =
        spec.fields.iter().map(|field| (field.name.to_owned(), described(field))).collect();
    if matches!(spec.name, "adapter" | "op") {
        properties.insert("unset".to_owned(), unset());
    }
    let mut schema = json!({
        "description": spec.doc,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    let Some(object) = schema.as_object_mut() else { return schema };
    let required: Vec<&str> =
        spec.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    if matches!(spec.name, "on" | "tool" | "read_only") {
        object.insert("required".to_owned(), json!(required));
    }
    if spec.name == "adapter" {
        object.insert("allOf".to_owned(), drivers(spec));
    }
    schema
}

/// A field with its line of the docs.
fn described(field: &Field) -> Value {
    let mut schema = of_type(&field.ty);
    if let Some(object) = schema.as_object_mut() {
        object.insert("description".to_owned(), json!(field.doc));
    }
    schema
}

/// What a type accepts.
fn of_type(ty: &Type) -> Value {
    match ty {
        Type::Bool => json!({ "type": "boolean" }),
        Type::Version => json!({ "const": 1 }),
        Type::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Type::Positive { max } => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": max }),
        Type::Choice(words) => json!({ "enum": words }),
        Type::Text(word) => text(*word),
        Type::Texts(Word::Scope) => json!({ "type": "array", "items": text(Word::Scope), "minItems": 1 }),
        Type::Texts(word) => json!({ "type": "array", "items": text(*word) }),
        Type::TextTable(word) => json!({ "type": "object", "additionalProperties": text(*word) }),
        Type::Integers { min, max } => json!({
            "type": "array",
            "items": { "type": "integer", "minimum": min, "maximum": max },
            "minItems": 1,
        }),
        Type::Template(_) | Type::Path | Type::Regex => json!({ "type": "string" }),
        Type::Argv => json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        Type::TemplateTable(names) => templates(*names),
        // Said although it is the default: in tombi's strict mode a table is closed unless its schema says otherwise.
        Type::Json => json!({ "additionalProperties": true }),
        Type::JsonTable | Type::Params => json!({ "type": "object", "additionalProperties": true }),
        Type::Where => json!({ "$ref": "#/$defs/where" }),
        Type::Map => map(),
        Type::Expose => json!({ "anyOf": [
            { "enum": ["none", "all"] },
            { "type": "array", "items": { "type": "string" } },
        ] }),
        Type::OpRef => json!({ "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/op" }] }),
        Type::Table(spec) => json!({ "$ref": reference(spec) }),
        Type::Tables(spec) => json!({ "type": "array", "items": { "$ref": reference(spec) } }),
        Type::NamedTables(spec) => json!({
            "type": "object",
            "propertyNames": { "pattern": NAME },
            "additionalProperties": { "$ref": reference(spec) },
        }),
    }
}

/// Where a table stands among the definitions.
fn reference(spec: &TableSpec) -> String {
    format!("#/$defs/{}", spec.name)
}

/// A plain text.
fn text(word: Word) -> Value {
    match word {
        Word::Any | Word::ToolPrefix => json!({ "type": "string" }),
        Word::Variable => json!({ "type": "string", "pattern": "^[^=${}\\s]+$" }),
        Word::Program | Word::Inside | Word::Anywhere => json!({ "type": "string", "minLength": 1 }),
        Word::UriPrefix => json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:\\S*$" }),
        Word::ToolName => json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" }),
        Word::Scope => json!({ "type": "string", "pattern": "^[A-Za-z0-9._-]+$" }),
    }
}

/// A table of templates.
fn templates(names: Names) -> Value {
    let entries = json!({ "type": "string" });
    match names {
        Names::Vars => json!({
            "type": "object",
            "properties": { "unset": unset() },
            "additionalProperties": entries,
        }),
        Names::Env => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[^=${}\\s]+$" },
            "additionalProperties": entries,
        }),
        Names::Headers => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
            "additionalProperties": entries,
        }),
        Names::Query => json!({ "type": "object", "additionalProperties": entries }),
    }
}

/// The rules of the fields of a hit.
fn map() -> Value {
    let fields = ["title", "snippet", "uri", "score", "kind", "date"];
    let properties: Map<String, Value> =
        fields.iter().map(|field| ((*field).to_owned(), json!({ "type": "string" }))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// `where`: texts, or tables of them.
fn conditions() -> Value {
    json!({
        "description": "Paths and the texts their values must equal.",
        "type": "object",
        "additionalProperties": { "anyOf": [
            { "type": ["string", "number", "boolean"] },
            { "$ref": "#/$defs/where" },
        ] },
    })
}

/// `unset`.
fn unset() -> Value {
    json!({
        "description": "keys that lower layers set and this one removes",
        "type": "array",
        "items": { "type": "string" },
    })
}

/// For each driver, the keys it does not have: of the adapter, of its ops and of its tools' ops.
fn drivers(adapter: &TableSpec) -> Value {
    let foreign = |spec: &TableSpec, driver: &str| -> Map<String, Value> {
        let fields = spec.fields.iter().filter(|field| !field.drivers.has(driver));
        fields.map(|field| (field.name.to_owned(), Value::Bool(false))).collect()
    };
    let conditions: Vec<Value> = DRIVERS
        .iter()
        .map(|driver| {
            let mut then = foreign(adapter, driver);
            let op = json!({ "properties": foreign(&crate::fields::tables::OP, driver) });
            then.insert("ops".to_owned(), json!({ "additionalProperties": op }));
            then.insert("tools".to_owned(), json!({ "items": { "properties": { "op": op } } }));
            json!({
                "if": { "properties": { "driver": { "const": driver } }, "required": ["driver"] },
                "then": { "properties": then },
            })
        })
        .collect();
    Value::Array(conditions)
}

/// The tables of the docs: every field with its drivers, type and meaning.
#[must_use]
pub fn fields_markdown() -> String {
    let mut out = String::from(
        "# Fields\n\nEvery key a layer may hold. This page is generated from the tables that `kontext check` reads.\n\n\
         `unset = [\"key\"]` in an adapter, an op or a `vars` table removes keys that lower layers set.\n",
    );
    for (written, spec) in TABLES {
        let title = if *written == "top level" { "Top level".to_owned() } else { format!("`{written}`") };
        let several = spec.fields.iter().any(|field| field.drivers != crate::fields::Drivers::ALL);
        out.push_str(&format!("\n## {title}\n\n{}\n\n", spec.doc));
        out.push_str(if several {
            "| field | drivers | type | meaning |\n|---|---|---|---|\n"
        } else {
            "| field | type | meaning |\n|---|---|---|\n"
        });
        for field in spec.fields {
            out.push_str(&row(field, several));
        }
    }
    out
}

/// One line of a table of the docs.
fn row(field: &Field, several: bool) -> String {
    let drivers = if field.drivers == crate::fields::Drivers::ALL {
        "all".to_owned()
    } else {
        field.drivers.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
    };
    let drivers = if several { format!(" {drivers} |") } else { String::new() };
    let required = if field.required { " (required)" } else { "" };
    let cell = |text: &str| text.replace('|', "\\|");
    format!("| `{}` |{drivers} {}{required} | {} |\n", field.name, cell(&words(&field.ty)), cell(field.doc))
}

/// A type as the docs call it.
fn words(ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Version => "`1`".to_owned(),
        Type::Integer { min, max } => format!("integer {min} to {max}"),
        Type::Positive { max } => format!("number above 0, at most {max}"),
        Type::Choice(choices) => choices.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" "),
        Type::Text(_) => "text".to_owned(),
        Type::Texts(_) => "array of texts".to_owned(),
        Type::TextTable(_) => "table of texts".to_owned(),
        Type::Integers { min, max } => format!("array of integers {min} to {max}"),
        Type::Template(_) => "template".to_owned(),
        Type::Argv => "array of templates".to_owned(),
        Type::TemplateTable(_) => "table of templates".to_owned(),
        Type::Json => "any value, its strings are templates".to_owned(),
        Type::JsonTable => "table, its strings are templates".to_owned(),
        Type::Path => "path".to_owned(),
        Type::Regex => "regular expression".to_owned(),
        Type::Where => "table of texts by path".to_owned(),
        Type::Map => "table of rules".to_owned(),
        Type::Expose => "`\"none\"`, `\"all\"` or array of texts".to_owned(),
        Type::Params => "table of types, or JSON schema".to_owned(),
        Type::OpRef => "name of an op, or an op table".to_owned(),
        Type::Table(spec) => format!("table `{}`", spec.name),
        Type::Tables(spec) => format!("array of `{}` tables", spec.name),
        Type::NamedTables(spec) => format!("tables `{}` by name", spec.name),
    }
}
