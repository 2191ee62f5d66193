//! Values of the wrong kind.

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::fields::{times, written};
use crate::diagnostic::lint::WRONG_TYPE;
use crate::fields::{Names, Type};
use crate::placeholders;
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
    let Some(mend) = mend(sources, node, key.unwrap_or(""), ty) else { return shape(finding, key, ty) };
    let shown = key.map_or_else(|| mend.text.clone(), |key| format!("{key} = {}", mend.text));
    let finding = match mend.why {
        Some(why) => finding.help(format!("{why}: write `{shown}`")),
        None => finding.help(format!("write `{shown}`")),
    };
    if mend.exact {
        finding.fix(format!("write `{shown}`"), mend.safe, node.span, mend.text)
    } else {
        finding
    }
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
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            return finding.help(format!("write one of {}", words.join(", ")));
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
    why: Option<Cow<'static, str>>,
}

impl Mend {
    /// What surely was meant.
    fn certain(text: String) -> Option<Mend> {
        Some(Mend { text, exact: true, safe: true, why: None })
    }

    /// What most likely was meant.
    fn likely(text: String) -> Option<Mend> {
        Some(Mend { text, exact: true, safe: false, why: None })
    }
}

/// The value in the right kind, where it can be told from the wrong one.
fn mend(sources: &Sources, node: &Node, key: &str, ty: &Type) -> Option<Mend> {
    let raw = sources.text(node.span);
    match (ty, &node.value) {
        (Type::Argv, Value::String(line)) => Some(words(line)),
        (Type::Expose, Value::String(_)) | (Type::Texts(_), Value::String(_)) => {
            Mend::certain(format!("[{raw}]"))
        }
        (Type::Integers { .. }, Value::Integer(0)) => Mend::certain("[0]".to_owned()),
        (Type::Integers { .. }, Value::Integer(status)) => Mend::likely(format!("[0, {status}]")),
        (Type::Expose, Value::Table(table)) if !table.entries.is_empty() => {
            Mend::likely(written::array(table.entries.keys().map(String::as_str)))
        }
        (Type::Where, Value::String(text)) => condition(text),
        (Type::Map, Value::String(_)) => Mend::likely(format!("{{ title = {raw} }}")),
        (Type::Expose, Value::Bool(all)) => Mend::likely(written::string(if *all { "all" } else { "none" })),
        (Type::Bool, Value::String(text)) => switch(text),
        (Type::Bool, Value::Integer(number @ (0 | 1))) => Mend::likely((*number == 1).to_string()),
        (Type::Integer { max, .. }, _) if key.ends_with("_ms") => times::read(node, *max).map(|time| Mend {
            why: (!time.certain).then(|| format!("it {}", time.counts()).into()),
            text: time.milliseconds,
            exact: true,
            safe: time.certain,
        }),
        (Type::Version | Type::Integer { .. } | Type::Positive { .. }, Value::String(text)) => {
            number(text, ty)
        }
        (Type::Version | Type::Integer { .. }, Value::Float(number)) if number.fract() == 0.0 => {
            Mend::certain(format!("{number:.0}"))
        }
        (Type::Choice(words), Value::Bool(on)) => choice(words, *on),
        (Type::TemplateTable(names), Value::Array(items)) => pairs(items, *names),
        (
            Type::Text(_) | Type::Template(_),
            Value::Integer(_) | Value::Float(_) | Value::Bool(_) | Value::Datetime(_),
        ) => {
            // `1_000` and `0x3e8` are numbers of another spelling than the text would be.
            let plain = raw.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-')
                || matches!(raw, "true" | "false");
            Some(Mend {
                text: format!("\"{raw}\""),
                exact: true,
                safe: plain && matches!(ty, Type::Template(_)),
                why: None,
            })
        }
        _ => None,
    }
}

/// `type == 'match'`: the table it stands for.
fn condition(text: &str) -> Option<Mend> {
    let (path, value) = text.split_once("==").or_else(|| text.split_once('='))?;
    let path = path.trim().trim_start_matches('.');
    let value = value.trim().trim_matches(['\'', '"']);
    let plain =
        !path.is_empty() && !path.contains(['(', '"', '\'', '!', ' ']) && !value.contains(['"', '\'']);
    plain.then(|| Mend::likely(format!("{{ {path} = {} }}", written::string(value)))).flatten()
}

/// What other languages call true and false, in quotes.
fn switch(text: &str) -> Option<Mend> {
    match text.trim().to_ascii_lowercase().as_str() {
        word @ ("true" | "false") => Mend::certain(word.to_owned()),
        "yes" | "on" | "1" => Mend::likely("true".to_owned()),
        "no" | "off" | "0" => Mend::likely("false".to_owned()),
        _ => None,
    }
}

/// A word for a switch, where the choices have one for each position: `pin`.
fn choice(words: &[&str], on: bool) -> Option<Mend> {
    let off = words.iter().find(|word| matches!(**word, "off" | "none"))?;
    let word = if on { words.first()? } else { off };
    Mend::likely(written::string(word))
}

/// `["NAME=value"]` and `["Name: value"]`: the table it stands for.
fn pairs(items: &[Node], names: Names) -> Option<Mend> {
    let sign = match names {
        Names::Headers => ':',
        _ => '=',
    };
    let mut entries = Vec::new();
    for item in items {
        let (name, value) = item.as_str()?.split_once(sign)?;
        entries.push(format!("{} = {}", written::key(name.trim()), written::string(value.trim())));
    }
    let some = !entries.is_empty();
    some.then(|| Mend::likely(format!("{{ {} }}", entries.join(", ")))).flatten()
}

/// A number written as a text.
fn number(text: &str, ty: &Type) -> Option<Mend> {
    let comma = text.trim().replacen(',', ".", 1);
    let digits = comma.as_str();
    digits.parse().ok().filter(|value: &f64| value.is_finite())?;
    let whole =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    let plain =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.ends_with(|c: char| c.is_ascii_digit());
    match ty {
        Type::Positive { .. } if plain && !digits.contains(['e', 'E']) && (whole || digits.contains('.')) => {
            let safe = !text.contains(',');
            Some(Mend { text: digits.to_owned(), exact: true, safe, why: None })
        }
        _ if whole => Mend::certain(digits.to_owned()),
        _ => None,
    }
}

/// A command line as a list of words; certain only without quotes and signs that a shell would read.
fn words(line: &str) -> Mend {
    let signs =
        ['\'', '"', '\\', '$', '|', '&', ';', '*', '<', '>', '`', '(', '{', '[', '?', '!', '#', '~', '\n'];
    let plain =
        !line.contains(signs) && !line.split_whitespace().next().is_some_and(|word| word.contains('='));
    let words = split(line);
    if words.iter().any(|word| matches!(word.as_str(), "|" | "||" | "&&" | ";" | ">" | ">>" | "<")) {
        return through_shell(line);
    }
    let items: Vec<String> =
        words.iter().map(|word| written::string(&placeholders::mended(word, ""))).collect();
    let empty = items.is_empty();
    let text =
        if empty { "[\"program\", \"argument\"]".to_owned() } else { format!("[{}]", items.join(", ")) };
    Mend { text, exact: !empty, safe: plain && !empty, why: None }
}

/// A line with signs of a shell: one that reads it, with the values as its arguments.
fn through_shell(line: &str) -> Mend {
    let mut script = String::new();
    let mut arguments: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    while let Some((before, expression)) = rest.split_once("{{") {
        let Some((inner, after)) = expression.split_once("}}") else { break };
        // Quotes round the expression would be round `"$1"`.
        let quote =
            ['\'', '"'].into_iter().find(|quote| before.ends_with(*quote) && after.starts_with(*quote));
        let before = quote.and_then(|quote| before.strip_suffix(quote)).unwrap_or(before);
        rest = quote.and_then(|quote| after.strip_prefix(quote)).unwrap_or(after);
        script.push_str(before);
        arguments.push(inner);
        script.push_str(&format!("\"${}\"", arguments.len()));
    }
    script.push_str(rest);
    let mut items = vec!["\"sh\"".to_owned(), "\"-c\"".to_owned(), written::string(&script)];
    if !arguments.is_empty() {
        items.push("\"sh\"".to_owned());
        items.extend(arguments.iter().map(|inner| written::string(&format!("{{{{{inner}}}}}"))));
    }
    Mend {
        text: format!("[{}]", items.join(", ")),
        exact: true,
        safe: false,
        why: Some("no shell reads it".into()),
    }
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
