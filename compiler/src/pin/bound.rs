//! Arguments bound by name: whether a tool gets all that it requires, and all that a caller passes.

use kontext_plan::binding::{self, Bound, ByName, From};
use kontext_plan::lock::LockedTool;
use serde_json::Value;

use super::schema;
use crate::check::ways::Way;
use crate::diagnostic::fields::written;
use crate::diagnostic::{Diagnostics, lock as report};
use crate::source::FileSpan;

/// Reports every required parameter that no value of the op goes to, or only one that it may not take or that a caller
/// may leave out, and every parameter of a declared tool that goes nowhere.
pub(super) fn check(
    rule: &ByName,
    tool: &LockedTool,
    at: FileSpan,
    way: Option<&Way>,
    diagnostics: &mut Diagnostics,
) {
    let root = &tool.input_schema;
    let bound = binding::bind(root, rule);
    for name in binding::unplaced(rule, &bound) {
        let known: Vec<&str> = properties(root).map(|(name, _)| name.as_str()).collect();
        diagnostics.push(report::report_unplaced(at, &tool.name, name, &known));
    }
    for name in required(root) {
        if let Some(parameter) = left_out(root, name, &bound, way) {
            diagnostics.push(report::report_left_out(
                at,
                &tool.name,
                name,
                parameter,
                way.and_then(|way| way.tool),
            ));
        }
    }
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

fn properties(root: &Value) -> impl Iterator<Item = (&String, &Value)> {
    root.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// The parameter of a declared tool that goes to a required one and that callers may leave out.
fn left_out<'b>(root: &Value, name: &str, bound: &'b [Bound], way: Option<&Way>) -> Option<&'b str> {
    if has_default(root, name) {
        return None;
    }
    let input = match &bound.iter().find(|bound| bound.parameter == name)?.from {
        From::Input(input) => input.as_str(),
        From::Role(role) => role.input()?,
    };
    way.filter(|way| way.tool.is_some())?
        .input(input)
        .filter(|input| input.ty.optional && input.default.is_none())?;
    Some(input)
}

fn has_default(root: &Value, name: &str) -> bool {
    property(root, name).is_some_and(|property| property.get("default").is_some())
}

fn property<'v>(root: &'v Value, name: &str) -> Option<&'v Value> {
    root.get("properties")?.get(name)
}

/// Whether a parameter gets a value: a text of the caller's is none of the few that an enumeration takes.
fn is_filled(root: &Value, name: &str, bound: &[Bound]) -> bool {
    if has_default(root, name) {
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
