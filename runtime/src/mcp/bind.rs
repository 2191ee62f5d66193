//! Arguments by name: what an op has to give, as the parameters of a tool take it.

use kontext_plan::binding::{self, Bound, ByName, From, convert};
use serde_json::{Map, Value};

use super::tools::Tool;
use crate::error::Failure;
use crate::value::Scope;

/// References and branches that are followed; a circle ends here.
const DEEPEST: usize = 16;
/// How many allowed values are named.
const NAMED: usize = 20;

/// The values of parameters that are bound already; absent and null are left out, and what a parameter does not take.
pub(crate) fn values(scope: &Scope<'_>, bound: &[Bound]) -> Map<String, Value> {
    let mut arguments = given(scope, bound);
    for bound in bound.iter().filter(|bound| !bound.allowed.is_empty()) {
        if arguments.get(&bound.parameter).is_some_and(|value| !bound.allowed.contains(value)) {
            arguments.remove(&bound.parameter);
        }
    }
    arguments
}

fn given(scope: &Scope<'_>, bound: &[Bound]) -> Map<String, Value> {
    let mut arguments = Map::new();
    for bound in bound {
        if let Some(value) = source(scope, &bound.from) {
            arguments.insert(bound.parameter.clone(), convert(value, &bound.takes));
        }
    }
    arguments
}

fn source(scope: &Scope<'_>, from: &From) -> Option<Value> {
    let name = match from {
        From::Input(name) => name.as_str(),
        From::Role(role) => match role.input() {
            Some(name) => name,
            None => return Some(Value::from(scope.facts.root().to_string_lossy())),
        },
    };
    scope.inputs.get(name).filter(|value| !value.is_null()).cloned()
}

/// The arguments of a tool by the schema its server reports, and remarks. A parameter that takes only certain values
/// never gets another one.
pub(crate) fn bind(
    scope: &Scope<'_>,
    tool: &Tool,
    rule: &ByName,
) -> Result<(Map<String, Value>, Vec<String>), Failure> {
    let schema = tool.schema();
    let bound = binding::bind(schema, rule);
    let mut arguments = given(scope, &bound);
    let passed = |name: &&str| scope.inputs.get(*name).is_some_and(|value| !value.is_null());
    let mut notes: Vec<String> = binding::unplaced(rule, &bound)
        .into_iter()
        .filter(passed)
        .map(|name| format!("the tool `{}` has no parameter `{name}`: its value went nowhere", tool.name))
        .collect();
    for (parameter, property) in properties(schema) {
        let Some(allowed) = allowed(schema, property, DEEPEST) else { continue };
        let fits = |value: &Value| allowed.contains(&value);
        match arguments.get(parameter) {
            Some(value) if fits(value) => {}
            None if !is_required(schema, parameter) || property.get("default").is_some() => {}
            Some(_) if !is_required(schema, parameter) => {
                arguments.remove(parameter);
                notes.push(format!("`{parameter}` takes only {}; it was left out", named(&allowed)));
            }
            _ => return Err(unfilled(tool, parameter, &allowed)),
        }
    }
    Ok((arguments, notes))
}

fn unfilled(tool: &Tool, parameter: &str, allowed: &[&Value]) -> Failure {
    Failure::unsent("missing-argument", unfilled_words(tool, parameter, allowed))
}

fn unfilled_words(tool: &Tool, parameter: &str, allowed: &[&Value]) -> String {
    format!(
        "the tool `{}` requires `{parameter}`, which takes only {}: say which in `args`",
        tool.name,
        named(allowed)
    )
}

/// Why a tool cannot be called with arguments by name: it requires a choice that no name makes. A parameter of a
/// declared tool may make it.
pub(crate) fn unfillable(tool: &Tool, bound: &[Bound]) -> Option<String> {
    let schema = tool.schema();
    let chosen = |parameter: &str| {
        bound.iter().any(|bound| bound.parameter == parameter && matches!(bound.from, From::Input(_)))
    };
    properties(schema).find_map(|(parameter, property)| {
        let allowed = allowed(schema, property, DEEPEST)?;
        let open = is_required(schema, parameter) && property.get("default").is_none() && !chosen(parameter);
        open.then(|| unfilled_words(tool, parameter, &allowed))
    })
}

fn named(allowed: &[&Value]) -> String {
    let names: Vec<String> = allowed.iter().take(NAMED).map(|value| format!("`{}`", plain(value))).collect();
    let more = if allowed.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The parameters of a schema.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// Whether the schema requires a parameter.
pub(super) fn is_required(schema: &Value, parameter: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(parameter)))
}

/// The values a parameter is confined to; none when it takes others too.
pub(super) fn allowed<'v>(root: &'v Value, property: &'v Value, depth: usize) -> Option<Vec<&'v Value>> {
    if depth == 0 {
        return None;
    }
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        return Some(values.iter().collect());
    }
    if let Some(value) = property.get("const") {
        return Some(vec![value]);
    }
    if let Some(target) = resolved(root, property) {
        return allowed(root, target, depth - 1);
    }
    let branches = ["anyOf", "oneOf"].into_iter().find_map(|key| property.get(key)?.as_array())?;
    let mut all = Vec::new();
    for branch in branches.iter().filter(|branch| branch.get("type").and_then(Value::as_str) != Some("null"))
    {
        all.extend(allowed(root, branch, depth - 1)?);
    }
    (!all.is_empty()).then_some(all)
}

/// The schema a local reference leads to; nothing outside the document is ever looked at.
pub(super) fn resolved<'v>(root: &'v Value, property: &Value) -> Option<&'v Value> {
    let pointer = property.get("$ref")?.as_str()?.strip_prefix('#')?;
    if pointer.is_empty() { Some(root) } else { root.pointer(pointer) }
}
