//! Values of the wrong kind.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::fields::written;
use crate::diagnostic::lint::WRONG_TYPE;
use crate::fields::Type;
use crate::source::Sources;
use crate::tree::{Node, Value};

/// A value whose kind its field does not take. `key` is the field's, or none for an element of a list.
#[must_use]
pub fn report_wrong_type(sources: &Sources, node: &Node, key: Option<&str>, ty: &Type) -> Diagnostic {
    let expected = expected(ty);
    let found = node.kind();
    let subject = key.map_or_else(|| "this element".to_owned(), |key| format!("`{key}`"));
    let message = format!("{subject} expects {expected}, found {found}");
    let finding = Diagnostic::new(&WRONG_TYPE, node.span, message).note(found.to_string());
    let Some(mend) = mend(sources, node, ty) else { return shape(finding, key, ty) };
    let shown = key.map_or_else(|| mend.text.clone(), |key| format!("{key} = {}", mend.text));
    let finding = finding.help(format!("write `{shown}`"));
    if mend.exact {
        finding.fix(format!("write `{shown}`"), mend.safe, node.span, mend.text)
    } else {
        finding
    }
}

/// Something else where a table was expected.
#[must_use]
pub fn report_not_a_table(node: &Node, key: &str) -> Diagnostic {
    let message = format!("`{key}` expects a table, found {}", node.kind());
    Diagnostic::new(&WRONG_TYPE, node.span, message)
        .note(node.kind())
        .help(format!("write `{key} = {{ … }}`"))
}

/// What a type takes, in TOML's words.
fn expected(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "a boolean",
        Type::Version | Type::Integer { .. } => "an integer",
        Type::Positive { .. } => "a number",
        Type::Choice(_) | Type::Text(_) | Type::Template(_) | Type::Path | Type::Regex => "a string",
        Type::Texts(_) | Type::Argv => "an array of strings",
        Type::Integers { .. } => "an array of integers",
        Type::Expose => "`\"none\"`, `\"all\"` or an array of tool names",
        Type::OpRef => "the name of an op or a table",
        Type::Tables(_) => "an array of tables",
        Type::TextTable(_) | Type::TemplateTable(_) | Type::Map | Type::Where => "a table of strings",
        Type::Params | Type::JsonTable | Type::Table(_) | Type::NamedTables(_) => "a table",
        Type::Json => "a value",
    }
}

/// Help where the value itself gives no mend: the form of the type.
fn shape(finding: Diagnostic, key: Option<&str>, ty: &Type) -> Diagnostic {
    let Some(key) = key else { return finding };
    let form = match ty {
        Type::Bool => "true",
        Type::Version => "1",
        Type::Integer { .. } => "10000",
        Type::Positive { .. } => "0.9",
        Type::Argv => "[\"program\", \"argument\"]",
        Type::Texts(_) => "[\"…\"]",
        Type::Integers { .. } => "[0, 1]",
        Type::Expose => "\"all\"",
        Type::Choice(words) => {
            return finding.help(format!("write `{key} = \"{}\"`", words.first().copied().unwrap_or("")));
        }
        Type::Tables(_) => return finding.help(format!("write it as `[[…{key}]]`, one header for each")),
        Type::OpRef => return finding.help(format!("write `{key} = \"search\"` or `{key} = {{ … }}`")),
        Type::Params => "{ q = \"string!\" }",
        Type::TextTable(_)
        | Type::TemplateTable(_)
        | Type::Map
        | Type::Where
        | Type::JsonTable
        | Type::Table(_)
        | Type::NamedTables(_) => "{ name = \"…\" }",
        Type::Text(_) | Type::Template(_) | Type::Path | Type::Regex | Type::Json => "\"…\"",
    };
    finding.help(format!("write `{key} = {form}`"))
}

/// What the value would be in the right kind.
struct Mend {
    text: String,
    exact: bool,
    safe: bool,
}

/// The value in the right kind, where it can be told from the wrong one.
fn mend(sources: &Sources, node: &Node, ty: &Type) -> Option<Mend> {
    let certain = |text: String| Some(Mend { text, exact: true, safe: true });
    match (ty, &node.value) {
        (Type::Argv, Value::String(line)) => Some(words(line)),
        (Type::Texts(_) | Type::Expose, Value::String(_)) | (Type::Integers { .. }, Value::Integer(_)) => {
            certain(format!("[{}]", sources.text(node.span)))
        }
        (Type::Bool, Value::String(text)) => {
            let word = text.trim().to_ascii_lowercase();
            matches!(word.as_str(), "true" | "false").then_some(Mend { text: word, exact: true, safe: true })
        }
        (Type::Version | Type::Integer { .. } | Type::Positive { .. }, Value::String(text)) => {
            number(text, ty)
        }
        (Type::Version | Type::Integer { .. }, Value::Float(number)) if number.fract() == 0.0 => {
            certain(format!("{number:.0}"))
        }
        (
            Type::Text(_) | Type::Template(_) | Type::Choice(_),
            Value::Integer(_) | Value::Float(_) | Value::Bool(_) | Value::Datetime(_),
        ) => {
            let raw = sources.text(node.span);
            // `1_000` and `0x3e8` are numbers of another spelling than the text would be.
            let plain = raw.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-')
                || matches!(raw, "true" | "false");
            Some(Mend {
                text: format!("\"{raw}\""),
                exact: true,
                safe: plain && matches!(ty, Type::Template(_)),
            })
        }
        _ => None,
    }
}

/// A number written as a text.
fn number(text: &str, ty: &Type) -> Option<Mend> {
    let trimmed = text.trim();
    let digits = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = trimmed.get(digits.len()..).unwrap_or("").trim();
    let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
    let text = match (unit, ty) {
        ("", _) => digits.to_owned(),
        ("ms", Type::Integer { .. }) => digits.to_owned(),
        ("s" | "sec", Type::Integer { .. }) => format!("{:.0}", value * 1000.0),
        ("m" | "min", Type::Integer { .. }) => format!("{:.0}", value * 60_000.0),
        _ => return None,
    };
    let whole = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    (whole || matches!(ty, Type::Positive { .. })).then_some(Mend {
        text,
        exact: true,
        safe: unit.is_empty() && whole,
    })
}

/// A command line as a list of words; certain only without quotes and signs that a shell would read.
fn words(line: &str) -> Mend {
    let signs =
        ['\'', '"', '\\', '$', '|', '&', ';', '*', '<', '>', '`', '(', '{', '[', '?', '!', '#', '~', '\n'];
    let plain =
        !line.contains(signs) && !line.split_whitespace().next().is_some_and(|word| word.contains('='));
    let items: Vec<String> = split(line).iter().map(|word| written::string(word)).collect();
    let empty = items.is_empty();
    let text =
        if empty { "[\"program\", \"argument\"]".to_owned() } else { format!("[{}]", items.join(", ")) };
    Mend { text, exact: !empty, safe: plain && !empty }
}

/// The words of a line: blanks part them, quotes and expressions hold them together.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut depth = 0_usize;
    for c in line.chars() {
        match c {
            '\'' | '"' if depth == 0 && quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            c if quote == Some(c) => quote = None,
            c if c.is_whitespace() && quote.is_none() && depth == 0 => words.extend(word.take()),
            c => {
                depth = if c == '{' {
                    depth + 1
                } else if c == '}' {
                    depth.saturating_sub(1)
                } else {
                    depth
                };
                word.get_or_insert_default().push(c);
            }
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_line_is_cut_as_a_shell_would() {
        assert_eq!(split("rg --json"), ["rg", "--json"]);
        assert_eq!(split("sh -c 'a b' \"\" {{query | trim}}"), ["sh", "-c", "a b", "", "{{query | trim}}"]);
        assert_eq!(split("  "), Vec::<String>::new());
    }
}
