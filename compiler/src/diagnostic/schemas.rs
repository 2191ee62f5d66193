//! The words about the parameters of tools: short types and JSON schemas.

use super::fields::written;
use super::{Diagnostic, Severity, lint};
use crate::source::FileSpan;
use crate::suggest;

fn invalid(at: FileSpan, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_SCHEMA, at, message)
}

/// The word another language has for a type.
fn alias(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "str" | "text" | "varchar" | "char" | "date" | "path" | "url" => Some("string"),
        "int" | "i32" | "i64" | "u32" | "u64" | "long" => Some("integer"),
        "float" | "double" | "f64" | "decimal" => Some("number"),
        "bool" => Some("boolean"),
        "list" | "vec" | "tuple" => Some("array"),
        "dict" | "map" | "table" | "hash" => Some("object"),
        "none" | "nil" => Some("null"),
        _ => None,
    }
}

fn meant<'a>(word: &str, types: &[&'a str]) -> Option<&'a str> {
    let alias = alias(word).and_then(|alias| types.iter().copied().find(|ty| *ty == alias));
    alias.or_else(|| suggest::nearest(word, types.iter().copied()))
}

/// A parameter type of the short form that there is not.
pub fn report_short_type(at: FileSpan, key: &str, text: &str, types: &[&str]) -> Diagnostic {
    let list = types.join("`, `");
    let finding = invalid(at, format!("`{text}` is no type of a parameter"))
        .help(format!("write `{list}`, with `[]` for a list of them and `!` when it is required"));
    let word = text.strip_suffix('!').unwrap_or(text);
    let element = word.strip_suffix("[]").unwrap_or(word);
    match meant(element, types).filter(|near| *near != element) {
        Some(near) => {
            let mended = text.replacen(element, near, 1);
            let title = format!("write `{} = \"{mended}\"`", written::key(key));
            finding.note(format!("did you mean `{mended}`?")).fix(title, false, at, format!("\"{mended}\""))
        }
        None => finding,
    }
}

/// A schema among short types.
pub fn report_short_table(at: FileSpan, key: &str, ty: Option<&str>) -> Diagnostic {
    let name = written::key(key);
    let finding = invalid(at, format!("`{key}` is a table among types that are words"));
    let finding = match ty {
        Some(ty) => finding.help(format!("write `{name} = \"{ty}\"`, or `\"{ty}!\"` when it is required")),
        None => finding,
    };
    finding.help(format!(
        "with more to say, write all of `params` as a JSON schema: `{{ type = \"object\", properties = {{ {name} = {{ … }} }} }}`"
    ))
}

/// A root that is no object.
pub fn report_root_type(at: FileSpan, given: bool) -> Diagnostic {
    let message = if given {
        "the arguments of a tool are an object: its schema can have no other `type`"
    } else {
        "this JSON schema does not say that the arguments are an object"
    };
    let finding = invalid(at, message).help("write `type = \"object\"` beside `properties`");
    if given { finding.fix("write `\"object\"`", false, at, "\"object\"") } else { finding }
}

/// A type that JSON does not have.
pub fn report_type(at: FileSpan, word: &str, types: &[&str]) -> Diagnostic {
    let finding = invalid(at, format!("`{word}` is no type of JSON"));
    if let Some(element) = word.strip_suffix("[]").filter(|element| types.contains(element)) {
        return finding.help(format!(
            "in a JSON schema a list is written `type = \"array\", items = {{ type = \"{element}\" }}`"
        ));
    }
    if let Some(bare) = word.strip_suffix('!').filter(|bare| types.contains(bare)) {
        let help = format!("write `\"{bare}\"`, and the parameter's name in `required`");
        return finding.help(help);
    }
    if word == "any" {
        return finding.help("leave `type` out: then any value is taken");
    }
    match meant(word, types) {
        Some(near) => finding.meant(false, at, near),
        None => finding.help(format!("types are `{}`", types.join("`, `"))),
    }
}

/// A key that means nothing and is nearly one that does.
pub fn report_keyword(at: FileSpan, key: &str, near: &str) -> Diagnostic {
    let key_text = written::key(near);
    invalid(at, format!("`{key}` is no keyword of JSON schema: it changes nothing"))
        .severity(Severity::Warning)
        .help(format!("did you mean `{near}`?"))
        .fix(format!("write `{key_text}`"), false, at, key_text)
}

/// A key of another schema language.
pub fn report_foreign_keyword(at: FileSpan, key: &str, help: &str) -> Diagnostic {
    invalid(at, format!("`{key}` is no keyword of JSON schema (2020-12): it changes nothing"))
        .severity(Severity::Warning)
        .help(help)
}

/// `required = true` or `optional = true` in a property.
pub fn report_flag(at: FileSpan, key: &str) -> Diagnostic {
    let message = match key {
        "required" => "`required` is a list of names in JSON schema, not a mark of one property",
        _ => "`optional` is no keyword of JSON schema: a property may be left out unless `required` names it",
    };
    invalid(at, message)
        .help("write `required = [\"…\"]` beside `properties`, with the names that must be given")
}

/// A name twice in `required`.
pub fn report_required_twice(at: FileSpan, name: &str) -> Diagnostic {
    invalid(at, format!("`required` names `{name}` twice")).help("take one of the two out")
}

/// A required name that is no property.
pub fn report_required_unknown(at: FileSpan, name: &str, near: Option<&str>) -> Diagnostic {
    let finding = invalid(at, format!("`required` names `{name}`, which `properties` does not have"));
    match near {
        Some(near) => finding.meant(false, at, near),
        None => finding.help("declare it under `properties`, or take it out"),
    }
}

/// A regular expression that is none.
pub fn report_pattern(at: FileSpan, pattern: &str) -> Diagnostic {
    invalid(at, format!("`{pattern}` is no regular expression"))
        .help("a character that stands for itself is written with `\\` before it, in single quotes: `'\\('`")
}

/// Another draft than ours.
pub fn report_draft(at: FileSpan, draft: &str, ours: &str) -> Diagnostic {
    invalid(at, format!("`{draft}` is not the draft of JSON schema that tools are described in"))
        .help(format!("write the schema for `{ours}`, or leave `$schema` out"))
}

/// A base inside the schema.
pub fn report_inner_id(at: FileSpan) -> Diagnostic {
    invalid(at, "`$id` inside a schema changes what `#` means below it, which is not supported")
        .help("take it out, and refer to the schema by `#/$defs/…`")
}

/// A reference to somewhere else.
pub fn report_remote(at: FileSpan, text: &str) -> Diagnostic {
    invalid(at, format!("`{text}` is outside this schema, and schemas are never fetched"))
        .help("copy what it names under `$defs` and write `\"#/$defs/NAME\"`")
}

/// A reference to nothing.
pub fn report_lost(at: FileSpan, text: &str, near: Option<&str>) -> Diagnostic {
    let finding = invalid(at, format!("`{text}` leads to no schema"));
    match near {
        Some(near) => finding.meant(false, at, near),
        None => finding.help("definitions stand under `\"$defs\"` and are named `\"#/$defs/NAME\"`"),
    }
}

/// A reference that leads to itself before any value is looked at.
pub fn report_endless(at: FileSpan, text: &str) -> Diagnostic {
    invalid(at, format!("`{text}` leads back to this place: no value could ever be checked"))
        .help("a schema may hold itself only inside `properties`, `items` and their like")
}

/// Schemas in schemas, too many of them.
pub fn report_too_deep(at: FileSpan, deepest: usize) -> Diagnostic {
    invalid(at, format!("more than {deepest} schemas stand in one another here"))
        .help("agents do not fill in such arguments: flatten them")
}

/// References that multiply.
pub fn report_too_large(at: FileSpan, most: u64) -> Diagnostic {
    invalid(at, format!("with its references followed this is more than {most} schemas for one value"))
        .help("refer to each definition once")
}

/// What the schema of schemas does not allow.
pub fn report_meta(at: FileSpan, subject: &str, wanted: &str, hint: Option<&str>) -> Diagnostic {
    let finding = invalid(at, format!("{subject} must {wanted}"));
    match hint {
        Some(hint) => finding.help(hint),
        None => finding,
    }
}

/// A schema that is valid and that no validator can be made of.
pub fn report_unusable(at: FileSpan, why: &str) -> Diagnostic {
    invalid(at, format!("arguments cannot be checked against this schema: `{why}`"))
}

/// A default that its own schema refuses.
pub fn report_default(at: FileSpan, name: &str) -> Diagnostic {
    invalid(at, format!("the default of `{name}` is no value that its own schema takes"))
        .help("it is used whenever an agent leaves the parameter out: write one that fits")
}
