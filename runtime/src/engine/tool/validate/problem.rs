//! One thing that is wrong with an argument, in words.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::suggest;

/// Characters of a value that are shown.
const SHOWN: usize = 60;
/// Allowed values that are named.
const NAMED: usize = 100;

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    pub(super) text: String,
    pub(super) id: &'static str,
}

/// What the validator found.
pub(super) fn of(error: &ValidationError<'_>, schema: &Value) -> Problem {
    let path = path(&error.instance_path().to_string());
    let subject = if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") };
    let (id, text) = match error.kind() {
        Kind::Required { property } => {
            let name = member(&path, property.as_str().unwrap_or_default());
            ("missing-argument", format!("`{name}` is missing"))
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            ("unknown-argument", unexpected_members(&path, unexpected, error, schema))
        }
        _ => ("argument-type", format!("{subject} {}", must(error))),
    };
    Problem { text, id }
}

/// What the value must be, and what it is.
fn must(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let not = format!("not `{}`", shown(value));
    match error.kind() {
        Kind::Type { kind } => format!("must be {}, {not}", either(&types(kind))),
        Kind::Enum { options } => format!("must be {}, {not}{}", one_of(options), near(options, value)),
        Kind::Constant { expected_value } => format!("must be `{}`, {not}", shown(expected_value)),
        Kind::Minimum { limit } => format!("must be at least {limit}, {not}"),
        Kind::Maximum { limit } => format!("must be at most {limit}, {not}"),
        Kind::ExclusiveMinimum { limit } => format!("must be above {limit}, {not}"),
        Kind::ExclusiveMaximum { limit } => format!("must be below {limit}, {not}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}, {not}"),
        Kind::MinLength { limit } => {
            format!("must have at least {}, not {}", many(*limit, "character"), size(value))
        }
        Kind::MaxLength { limit } => {
            format!("must have at most {}, not {}", many(*limit, "character"), size(value))
        }
        Kind::MinItems { limit } => {
            format!("must have at least {}, not {}", many(*limit, "element"), size(value))
        }
        Kind::MaxItems { limit } => {
            format!("must have at most {}, not {}", many(*limit, "element"), size(value))
        }
        Kind::MinProperties { limit } => {
            format!("must have at least {}, not {}", many(*limit, "member"), size(value))
        }
        Kind::MaxProperties { limit } => {
            format!("must have at most {}, not {}", many(*limit, "member"), size(value))
        }
        Kind::Pattern { pattern } => format!("must match the regular expression `{pattern}`, {not}"),
        Kind::UniqueItems => "must hold nothing twice".to_owned(),
        Kind::FalseSchema => "must not be given".to_owned(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => branches(context, &not),
        Kind::OneOfMultipleValid { .. } => {
            format!("fits more than one of the forms that exclude each other: `{}`", shown(value))
        }
        _ => format!("does not fit its schema: {error}"),
    }
}

/// Several forms of which none fits.
fn branches(context: &[Vec<ValidationError<'static>>], not: &str) -> String {
    let mut names = Vec::new();
    for branch in context {
        match branch.as_slice() {
            [error] => match error.kind() {
                Kind::Type { kind } => names.extend(types(kind).into_iter().map(str::to_owned)),
                Kind::Enum { options } => names.push(one_of(options)),
                Kind::Constant { expected_value } => names.push(format!("`{}`", shown(expected_value))),
                _ => return forms(context),
            },
            _ => return forms(context),
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    format!("must be {}, {not}", either(&names))
}

fn forms(context: &[Vec<ValidationError<'static>>]) -> String {
    let forms = context.iter().zip(1..).filter_map(|(branch, number): (_, usize)| {
        let first = branch.first()?;
        let inner = path(&first.instance_path().to_string());
        let text = match first.kind() {
            Kind::Required { property } => format!("`{}` is missing", property.as_str().unwrap_or_default()),
            _ => format!("`{inner}` {}", must(first)),
        };
        Some(format!("({number}) {text}"))
    });
    format!("fits none of its forms: {}", forms.collect::<Vec<_>>().join("; "))
}

/// Members that an inner object does not take.
fn unexpected_members(path: &str, names: &[String], error: &ValidationError<'_>, schema: &Value) -> String {
    let keyword = error.schema_path().to_string();
    let around = keyword.rsplit_once('/').map_or("", |(around, _)| around);
    let known = schema.pointer(around).and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let known: Vec<String> = known.into_iter().flatten().map(|(name, _)| member(path, name)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let one = |name: &String| {
        let name = member(path, name);
        format!("`{name}` is no parameter; {}", suggest::among(&name, &known, "parameters"))
    };
    names.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What a parameter's schema wants, when a word says it.
pub(super) fn wanted(schema: &Value) -> Option<String> {
    if let Some(options) = schema.get("enum") {
        return Some(one_of(options));
    }
    let words = match schema.get("type")? {
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
        word => vec![word.as_str()?],
    };
    let names: Vec<&str> = words.into_iter().filter_map(|word| word.parse().ok().map(name)).collect();
    Some(either(&names))
}

fn types(kind: &TypeKind) -> Vec<&'static str> {
    match kind {
        TypeKind::Single(ty) => vec![name(*ty)],
        TypeKind::Multiple(types) => types.iter().map(name).collect(),
    }
}

fn name(ty: JsonType) -> &'static str {
    match ty {
        JsonType::Array => "an array",
        JsonType::Boolean => "`true` or `false`",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

fn one_of(options: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let named: Vec<String> = options.iter().take(NAMED).map(|value| format!("`{}`", shown(value))).collect();
    let more = if options.len() > NAMED { ", …" } else { "" };
    match named.as_slice() {
        [one] => one.clone(),
        _ => format!("one of {}{more}", named.join(", ")),
    }
}

/// The allowed text that was probably meant.
fn near(options: &Value, value: &Value) -> String {
    let known: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let near = value.as_str().and_then(|text| suggest::nearest(text, &known));
    near.map(|near| format!("; did you mean `\"{near}\"`?")).unwrap_or_default()
}

fn many(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    }
}

/// A value as compact JSON, cut when it is long.
pub(super) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// A JSON pointer as people write a path: `page.size`, `tags[1]`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) && !path.is_empty() {
            path.push_str(&format!("[{step}]"));
        } else {
            path = member(&path, &step);
        }
    }
    path
}

fn member(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
