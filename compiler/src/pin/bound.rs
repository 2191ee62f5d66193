//! Arguments bound by name: whether a tool gets all that it requires.

use kontext_plan::binding::{self, Bound, ByName, From};
use kontext_plan::lock::LockedTool;
use serde_json::Value;

use super::schema;
use crate::diagnostic::fields::written;
use crate::diagnostic::{Diagnostics, lock as report};
use crate::source::FileSpan;

/// Reports every required parameter that no value of the op goes to, or only one that it may not take.
pub(super) fn check(rule: &ByName, tool: &LockedTool, at: FileSpan, diagnostics: &mut Diagnostics) {
    let root = &tool.input_schema;
    let bound = binding::bind(root, rule);
    let missing: Vec<&str> = required(root).filter(|name| !is_filled(root, name, &bound)).collect();
    for name in &missing {
        let wanted = property(root, name).map_or_else(|| "a value".to_owned(), |it| schema::wanted(root, it));
        let example = example(root, &bound, &missing);
        diagnostics.push(report::report_unfilled(at, &tool.name, name, &wanted, &example));
    }
}

fn required(root: &Value) -> impl Iterator<Item = &str> {
    root.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn property<'v>(root: &'v Value, name: &str) -> Option<&'v Value> {
    root.get("properties")?.get(name)
}

/// Whether a parameter gets a value: a text of the caller's is none of the few that an enumeration takes.
fn is_filled(root: &Value, name: &str, bound: &[Bound]) -> bool {
    if property(root, name).is_some_and(|property| property.get("default").is_some()) {
        return true;
    }
    let bound = bound.iter().find(|bound| bound.parameter == name);
    bound.is_some_and(|bound| bound.allowed.is_empty() || matches!(bound.from, From::Input(_)))
}

/// Arguments to begin with: what would be bound, and a value for each that is missing.
fn example(root: &Value, bound: &[Bound], missing: &[&str]) -> String {
    let given = bound.iter().filter(|bound| !missing.contains(&bound.parameter.as_str())).map(|bound| {
        let name = match &bound.from {
            From::Input(name) => name.as_str(),
            From::Role(role) => role.input().unwrap_or("repo.root"),
        };
        format!("{} = \"{{{{{name}}}}}\"", written::key(&bound.parameter))
    });
    let open = missing.iter().map(|name| {
        let value = property(root, name).map_or_else(|| "…".to_owned(), |it| schema::example(root, it));
        format!("{} = {value}", written::key(name))
    });
    format!("args = {{ {} }}", given.chain(open).collect::<Vec<_>>().join(", "))
}
