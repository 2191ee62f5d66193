//! Every field of every table: its good values are taken, each wrong kind is one `wrong-type` at the value.

use super::said_in;
use crate::fields::tables::{
    ADAPTER, KNOWLEDGE, ON, OP, PROJECT, READ_ONLY, ROOT, STORE, TOOL, WHEN, WORKSPACE,
};
use crate::fields::{DRIVERS, Drivers, Field, Slot, TableSpec, Type, Word};

/// The findings of a private layer: a shared one may not hold every field.
fn said(text: &str) -> String {
    said_in(&[("explicit", text)])
}

/// A layer in which a field of a table has a value; other required keys are there.
fn layer(spec: &TableSpec, field: &Field, driver: &str, value: &str) -> String {
    let key = field.name;
    let base = |without: &[&str]| -> String {
        let way = match driver {
            "http" => "base_url = \"https://a.test\"\n",
            _ => "command = [\"tool\"]\n",
        };
        let way = if without.iter().any(|key| way.starts_with(key)) { "" } else { way };
        let driver =
            if without.contains(&"driver") { String::new() } else { format!("driver = \"{driver}\"\n") };
        format!("[adapters.a]\n{driver}{way}")
    };
    match spec.name {
        "configuration" => format!("{key} = {value}\n"),
        "project" | "store" | "knowledge" | "workspace" => format!("[{}]\n{key} = {value}\n", spec.name),
        "read_only" => with_rest("[[knowledge.read_only]]\n", spec, field, driver, value),
        "adapter" => {
            let url = key == "url" || key == "headers" && driver == "mcp";
            let clash: &[&str] = if url { &["command", "base_url"] } else { &[] };
            let extra = if key == "headers" && driver == "mcp" { "url = \"https://a.test\"\n" } else { "" };
            format!("{}{extra}{key} = {value}\n", base(&[&[key][..], clash].concat()))
        }
        "when" => format!("{}when.{key} = {value}\n", base(&[])),
        "op" => {
            let name = if key == "owns" || key == "text" { "read" } else { "search" };
            let tool = if driver == "mcp" && key != "tool" { "tool = \"t\"\n" } else { "" };
            format!("{}[adapters.a.ops.{name}]\n{tool}{key} = {value}\n", base(&[]))
        }
        "on" => with_rest(&format!("{}[[adapters.a.on]]\n", base(&[])), spec, field, driver, value),
        "tool" => with_rest(&format!("{}[[adapters.a.tools]]\n", base(&[])), spec, field, driver, value),
        other => panic!("no layer for `{other}`"),
    }
}

/// A table with its other required fields.
fn with_rest(head: &str, spec: &TableSpec, field: &Field, driver: &str, value: &str) -> String {
    let others = spec.fields.iter().filter(|other| other.required && other.name != field.name);
    let rest: String = others.map(|other| format!("{} = {}\n", other.name, good(other, driver)[0])).collect();
    format!("{head}{rest}{} = {value}\n", field.name)
}

/// Good values of a field.
fn good(field: &Field, driver: &str) -> Vec<String> {
    let texts: &[&str] = match &field.ty {
        Type::Bool => &["true", "false"],
        Type::Version => &["1"],
        Type::Integer { min, max } => return vec![min.to_string(), max.to_string()],
        Type::Positive { .. } => &["0.1", "1", "10"],
        Type::Choice(words) => {
            let own = |word: &&&str| field.name != "driver" || **word == driver;
            return words.iter().filter(own).map(|word| format!("\"{word}\"")).collect();
        }
        Type::Text(Word::UriPrefix) => &["\"notes://\""],
        Type::Texts(Word::UriPrefix) => &["[]", "[\"notes://\", \"urn:x:\"]"],
        Type::Texts(Word::Variable) => &["[]"],
        Type::Texts(Word::Scope) => &["[\"web\"]", "[\"Web\", \"a.b-c_d\"]"],
        Type::Text(_) => &["\"text\"", "'''text'''"],
        Type::Texts(_) => &["[]", "[\"a\", \"b\"]"],
        Type::TextTable(_) => &["{}", "{ main = \"~/notes\", other = \"docs\" }"],
        Type::Integers { .. } => &["[0]", "[0, 255]"],
        Type::Template(Slot::Url | Slot::Base) => {
            &["\"https://a.test/x\"", "\"{{env.URL}}\"", "\"http{{env.S}}://x\""]
        }
        Type::Template(_) => &["\"text\"", "\"{{vars.x}}/y\""],
        Type::Argv => &["[\"rg\"]", "[\"rg\", \"--json\", \"{{query}}\"]"],
        Type::TemplateTable(_) => &["{}", "{ a = \"{{repo.id}}\" }"],
        Type::Json => &["\"x\"", "1", "[1, { a = true }]", "{ a = 1.5, b = 2026-01-01 }"],
        Type::JsonTable => &["{}", "{ a = [1, 2], b = { c = \"{{query}}\" } }"],
        Type::Path => &["\"data.items[*]\"", "\"$\""],
        Type::Regex => &["\"github.com/(a|b)\""],
        Type::Where => &["{ type = \"match\" }", "{ data.type = \"x\", n = 1, on = true }"],
        Type::Map => &["{}", "{ title = \"name\", uri = \"tpl:notes://{{id}}\" }"],
        Type::Expose => &["\"none\"", "\"all\"", "[\"search\"]"],
        Type::Params => &[
            "{}",
            "{ q = \"string!\", n = \"integer\", tags = \"string[]\" }",
            "{ type = \"object\", properties = { q = { type = \"string\" } } }",
        ],
        Type::OpRef => return vec!["\"search\"".to_owned(), op(driver).to_owned()],
        Type::Table(_) | Type::NamedTables(_) => &["{}"],
        Type::Tables(_) => &["[]"],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// An op in place.
fn op(driver: &str) -> &'static str {
    match driver {
        "mcp" => "{ tool = \"t\" }",
        "http" => "{ path = \"/x\" }",
        _ => "{ command = [\"x\"] }",
    }
}

/// One value of each kind that a type does not take.
fn wrong(ty: &Type) -> Vec<&'static str> {
    let takes: &[&str] = match ty {
        Type::Bool => &["true"],
        Type::Version | Type::Integer { .. } => &["5"],
        Type::Positive { .. } => &["5", "5.5"],
        Type::Choice(_) | Type::Text(_) | Type::Template(_) | Type::Path | Type::Regex => &["\"x\""],
        Type::Texts(_) | Type::Integers { .. } | Type::Argv | Type::Tables(_) => &["[]"],
        Type::Expose => &["\"x\"", "[]"],
        Type::OpRef => &["\"x\"", "{}"],
        Type::Json => return Vec::new(),
        _ => &["{}"],
    };
    let all = ["true", "5", "5.5", "2026-01-01", "\"x\"", "[]", "{}"];
    all.into_iter().filter(|value| !takes.contains(value)).collect()
}

/// Every field with every driver that has it.
fn each(mut look: impl FnMut(&'static TableSpec, &'static Field, &'static str)) {
    let tables: [&'static TableSpec; 11] =
        [&ROOT, &PROJECT, &STORE, &KNOWLEDGE, &READ_ONLY, &WORKSPACE, &ADAPTER, &WHEN, &OP, &ON, &TOOL];
    for spec in tables {
        for field in spec.fields {
            for driver in DRIVERS.iter().filter(|driver| field.drivers.has(driver)) {
                look(spec, field, driver);
            }
        }
    }
}

#[test]
fn every_field_takes_its_good_values() {
    each(|spec, field, driver| {
        for value in good(field, driver) {
            let text = layer(spec, field, driver, &value);
            assert_eq!(said(&text), "", "in\n{text}");
        }
    });
}

#[test]
fn every_field_refuses_each_wrong_kind_once_and_there() {
    each(|spec, field, driver| {
        for value in wrong(&field.ty) {
            let text = layer(spec, field, driver, value);
            let said = said(&text);
            let expected = format!("error wrong-type|{value}");
            assert!(said.lines().any(|line| line == expected), "wanted `{expected}`, got\n{said}in\n{text}");
            let others = said.lines().filter(|line| **line != expected);
            assert_eq!(others.count(), 0, "only `{expected}`, got\n{said}in\n{text}");
            assert_eq!(said.lines().count(), 1, "once, got\n{said}in\n{text}");
        }
    });
}

#[test]
fn every_field_of_another_driver_is_named() {
    for (spec, driver) in
        [&ADAPTER, &OP].into_iter().flat_map(|spec| DRIVERS.iter().map(move |driver| (spec, *driver)))
    {
        for field in
            spec.fields.iter().filter(|field| !field.drivers.has(driver) && field.drivers != Drivers::ALL)
        {
            let owner = field.drivers.names().next().unwrap();
            let text = layer(spec, field, driver, &good(field, owner)[0]);
            let expected = format!("error wrong-driver-key|{}\n", field.name);
            assert_eq!(said(&text), expected, "in\n{text}");
        }
    }
}

#[test]
fn no_two_fields_of_a_table_share_a_name() {
    each(|spec, field, _| {
        assert_eq!(spec.fields.iter().filter(|other| other.name == field.name).count(), 1, "{}", field.name);
        assert!(!field.doc.ends_with('.'), "{}", field.doc);
    });
}
