//! Every field of the plan is acted on: for each, two plans that differ in it alone and behave differently.
//!
//! The rows are in `fixtures/plan_fields`; the fields are those of the published schema, so that one that is added
//! to the plan needs a row or a reason here.

#[path = "plan_fields/host.rs"]
mod host;
#[path = "plan_fields/mcp.rs"]
mod mcp;
#[path = "plan_fields/row.rs"]
mod row;
#[path = "plan_fields/server.rs"]
mod server;

use std::collections::BTreeSet;

use serde_json::Value;

use self::row::{Section, members};
use crate::markdown::CaseFile;
use crate::root;

const OWN_TOOL: &str =
    "is of the very tool that a server has: `pins.rs` of the runtime's tests locks one and changes it";
const EVENTS: &str = "events are delivered when the outbox is there";

/// Fields whose change cannot be seen, each with the reason; `X.*` is every field of `X`.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("Plan.kontext", "says who wrote the plan; `format` decides who can read it"),
    ("Plan.profile", "says under which rules it was compiled; the rules have been applied"),
    ("Profile.*", "as `Plan.profile`"),
    ("Plan.capabilities", "a list for people who decide about trust; nothing is executed by it"),
    ("Capability.*", "as `Plan.capabilities`"),
    ("CapabilityKind.*", "as `Plan.capabilities`"),
    ("PathTable.home_folded", "is looked at where the home directory is one of Windows only"),
    (
        "Adapter.timeout_ms",
        "each op holds its own limit, the adapter's filled in; this one is shown to people",
    ),
    ("Var.at", "every failure of a variable has a narrower place, but for a text of more than 8 MiB"),
    ("Filter.raw", "only marks the expression, which `UrlPiece.raw` acts on"),
    (
        "Connection.stdio.env",
        "is that of a program, which starts under kontext itself: the runtime's tests are one",
    ),
    ("PinnedTool.digest", OWN_TOOL),
    ("Pin.full", OWN_TOOL),
    ("Pin.schema", OWN_TOOL),
    ("Event.op", EVENTS),
    ("Event.visibility", EVENTS),
    ("Event.kinds", EVENTS),
    ("Event.at", EVENTS),
    ("Visibility.*", EVENTS),
];

#[test]
fn every_field_is_acted_on() {
    let sections = sections();
    let (one, other): (Vec<_>, Vec<_>) = sections.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let problems = |half: Vec<(usize, &Section)>| -> Vec<String> {
        half.into_iter().flat_map(|(_, section)| section.problems()).collect()
    };
    let found = std::thread::scope(|scope| {
        let other = scope.spawn(|| problems(other));
        [problems(one), other.join().unwrap()].concat()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_field_has_a_row_or_a_reason() {
    let sections = sections();
    let rows: BTreeSet<&str> = sections.iter().flat_map(Section::fields).collect();
    let fields = fields();
    let is_excepted = |field: &str| EXCEPTIONS.iter().any(|(pattern, _)| covers(pattern, field));
    let mut problems = Vec::new();
    for field in &fields {
        match (rows.contains(field.as_str()), is_excepted(field)) {
            (false, false) => problems.push(format!("`{field}` has no row in fixtures/plan_fields")),
            (true, true) => problems.push(format!("`{field}` has a row: take it off the exceptions")),
            _ => {}
        }
    }
    let known = |field: &str| fields.contains(field);
    problems.extend(rows.iter().filter(|row| !known(row)).map(|row| format!("the plan has no `{row}`")));
    let stale = EXCEPTIONS.iter().filter(|(pattern, _)| !fields.iter().any(|field| covers(pattern, field)));
    problems.extend(stale.map(|(pattern, _)| format!("the plan has nothing like `{pattern}`")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn covers(pattern: &str, field: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => field.starts_with(start),
        None => pattern == field,
    }
}

fn sections() -> Vec<Section> {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("fixtures/plan_fields")).unwrap().flatten().map(|e| e.path()).collect();
    files.sort();
    let mut sections = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        sections.extend(CaseFile::parse(&name, &text).unwrap().cases.iter().map(Section::read));
    }
    sections
}

/// Every property of every definition of the plan's schema, and every alternative of those that have some.
fn fields() -> BTreeSet<String> {
    let schema = serde_json::to_value(schemars::schema_for!(kontext_plan::Plan)).unwrap();
    let mut fields = BTreeSet::new();
    collect("Plan", &schema, &mut fields);
    for (name, definition) in members(&schema["$defs"]) {
        collect(name, definition, &mut fields);
    }
    fields
}

fn collect(prefix: &str, schema: &Value, fields: &mut BTreeSet<String>) {
    for (name, property) in members(&schema["properties"]) {
        let field = format!("{prefix}.{name}");
        // An alternative may have members of its own.
        collect(&field, property, fields);
        fields.insert(field);
    }
    for alternative in schema["oneOf"].as_array().into_iter().flatten() {
        collect(prefix, alternative, fields);
        fields.extend(alternative["const"].as_str().map(|word| format!("{prefix}.{word}")));
    }
    let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    fields.extend(words.map(|word| format!("{prefix}.{word}")));
}
