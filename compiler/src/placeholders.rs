//! Placeholders of other tools in a text: where they are, and what kontext writes instead.

use std::ops::Range;

use crate::diagnostic::fields::placeholders as report;

/// A placeholder of another tool.
pub struct Found {
    /// Its bytes.
    pub range: Range<usize>,
    /// The name in it.
    pub name: String,
}

/// A text with the placeholders of other tools as kontext writes them. `name` is what the text stands under: `${input:x}`
/// asks for a value, and a variable of that name can hold it.
pub fn mended(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for found in find(text) {
        out.push_str(text.get(from..found.range.start).unwrap_or(""));
        let asked = text.get(found.range.clone()).is_some_and(|written| written.starts_with("${input:"));
        let variable = if asked && !name.is_empty() { name } else { &found.name };
        out.push_str(&report::instead(variable));
        from = found.range.end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

/// The placeholders of other tools in a text.
pub fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(offset) = rest.find(['$', '%', '{', '#']) else { break };
        let start = at + offset;
        let mark = text.get(start..).unwrap_or("");
        match asked(mark)
            .or_else(|| braced(mark))
            .or_else(|| percent(mark))
            .or_else(|| dollar(mark))
            .or_else(|| single(mark))
        {
            Some((length, name)) => {
                found.push(Found { range: start..start + length, name });
                at = start + length;
            }
            None => at = start + 1,
        }
    }
    found
}

/// `${input:name}`: a value that an editor asks for.
fn asked(text: &str) -> Option<(usize, String)> {
    let inner = head(text.strip_prefix("${input:")?).split_once('}')?.0;
    let name: String =
        inner.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    is_identifier(&name).then(|| ("${input:".len() + inner.len() + 1, name))
}

/// `${NAME}` and `${env:NAME}`: how long, and the name.
fn braced(text: &str) -> Option<(usize, String)> {
    let inner = head(text.strip_prefix("${")?).split_once('}')?.0;
    let name = inner.strip_prefix("env:").or_else(|| inner.strip_prefix("env.")).unwrap_or(inner);
    let name = name.split_once(":-").map_or(name, |(name, _)| name);
    is_identifier(name).then(|| (inner.len() + 3, name.to_owned()))
}

/// `%NAME%` for the names `$NAME` is looked for: `%H%x09` is a format, `%20%AB` percent-encoding.
fn percent(text: &str) -> Option<(usize, String)> {
    let (name, rest) = head(text.strip_prefix('%')?).split_once('%')?;
    let encoded = starts_with_hex(name) && starts_with_hex(rest);
    (is_shouted(name) && !encoded).then(|| (name.len() + 2, name.to_owned()))
}

/// `$NAME` for names of three or more capitals, digits and `_`.
fn dollar(text: &str) -> Option<(usize, String)> {
    let rest = text.strip_prefix('$')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let name = rest.get(..end)?;
    is_shouted(name).then(|| (name.len() + 1, name.to_owned()))
}

/// `{query}`, `#{query}`, `{ {query} }`: an input in the braces of another language. Other words in braces are text.
fn single(text: &str) -> Option<(usize, String)> {
    const INPUTS: [&str; 6] = ["query", "limit", "target", "uri", "focus", "prompt"];
    let start = text.strip_prefix('#').unwrap_or(text);
    let mut inner = head(start.strip_prefix('{')?);
    let mut length = text.len() - start.len() + 1;
    let doubled = inner.trim_start().strip_prefix('{');
    if let Some(rest) = doubled {
        length += inner.len() - rest.len();
        inner = rest;
    }
    let (name, rest) = inner.split_once('}')?;
    length += name.len() + 1;
    if doubled.is_some() {
        length += rest.len() - rest.trim_start().strip_prefix('}')?.len();
    }
    INPUTS.contains(&name.trim()).then(|| (length, name.trim().to_owned()))
}

/// Three or more capitals, digits and `_`, no digit first.
fn is_shouted(name: &str) -> bool {
    name.len() >= 3
        && name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// As much of a text as a placeholder may take: a text full of `${` is looked through once, not once for each.
fn head(text: &str) -> &str {
    const LONGEST: usize = 128;
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or("")
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn starts_with_hex(text: &str) -> bool {
    matches!(text.as_bytes(), [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn forms_of_other_tools_are_found_and_look_alikes_are_not() {
        let names = |text: &str| -> Vec<String> { find(text).into_iter().map(|found| found.name).collect() };
        assert_eq!(names("${TOKEN} ${env:TOKEN} $TOKEN %TOKEN%"), ["TOKEN"; 4]);
        assert_eq!(names("a${workspaceFolder}b"), ["workspaceFolder"]);
        for quiet in [
            "$5",
            "${1}",
            "%20",
            "a%20b%20c",
            "$a",
            "$AB",
            "100%",
            "$ref",
            "$.a",
            "%AB%CD",
            "$Foo",
            "%H%x09%s",
            "%an%n",
            "%Path%",
        ] {
            assert_eq!(names(quiet), Vec::<String>::new(), "{quiet}");
        }
    }
}
