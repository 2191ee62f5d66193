//! The words of `invalid-toml`: what was written, and what TOML wants instead.

use super::lint::INVALID_TOML;
use super::{Diagnostic, Diagnostics};
use crate::source::FileSpan;

/// A finding of this module.
pub(super) fn new(at: FileSpan, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&INVALID_TOML, at, message)
}

/// User text for a message: short, on one line, without control characters.
pub(super) fn shown(text: &str) -> String {
    at_most(text, 40)
}

/// The same for what is to be written: cut only where nobody would copy it.
pub(super) fn exact(text: &str) -> String {
    at_most(text, 200)
}

fn at_most(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).flat_map(visible).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

fn visible(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = (!c.is_control()).then_some(c);
    escaped.into_iter().flatten().chain(plain)
}

/// A text in the quotes that need no escape in it.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['\\', '"']) && !text.contains('\'') {
        format!("'{text}'")
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// A backslash that begins no escape. `written` is the string with its quotes.
pub fn report_escape(
    at: FileSpan,
    string: FileSpan,
    escape: &str,
    written: &str,
    diagnostics: &mut Diagnostics,
) {
    let multi_line = written.starts_with("\"\"\"");
    let content = written.trim_matches('"');
    let literal = format!("'{content}'");
    let message = match escape {
        "\\" => "the backslash makes the closing quote part of the text".to_owned(),
        escape => format!("`{}` is no escape in a double-quoted string", shown(escape)),
    };
    let mut finding = new(at, message);
    let drive = content.as_bytes().get(1..3) == Some(b":\\".as_slice());
    finding = if drive || content.starts_with("\\\\") {
        let slashes = content.replace("\\\\", "\\").replace('\\', "/");
        finding.help(format!(
            "write the path in single quotes, `{}`, or with forward slashes, `\"{}\"`",
            shown(&literal),
            shown(&slashes)
        ))
    } else if escape.starts_with("\\u") || escape.starts_with("\\U") || escape.starts_with("\\x") {
        finding.help(
            "`\\x` takes two hexadecimal digits, `\\u` four and `\\U` eight; a backslash itself is `\\\\`",
        )
    } else {
        let example = if multi_line || content.contains('\'') { "'…'".to_owned() } else { shown(&literal) };
        finding.help(format!(
            "in single quotes a backslash is a backslash: `{example}`; or double it: `\\{}`",
            shown(escape)
        ))
    };
    if !multi_line && !content.contains('\'') && !content.contains("\\\\") {
        finding = finding.fix("write it in single quotes", drive || !has_escape(content), string, literal);
    }
    diagnostics.push(finding);
}

/// Whether a text holds an escape that is one: in single quotes it would be something else.
fn has_escape(content: &str) -> bool {
    let after = content.split('\\').skip(1).filter_map(|rest| rest.chars().next());
    after.into_iter().any(|c| matches!(c, 'b' | 't' | 'n' | 'f' | 'r' | 'e' | '"' | 'x' | 'u' | 'U'))
}

/// A string that has no end.
pub fn report_unclosed_string(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let quote =
        ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| written.starts_with(quote)).unwrap_or("\"");
    let other = if quote == "\"" { '\'' } else { '"' };
    let mixed = quote.len() == 1 && written.len() > 2 && written.ends_with(other);
    let help = if mixed {
        let text = written.trim_start_matches(quote).trim_end_matches(other);
        format!("it begins with `{quote}` and ends with `{other}`: write `{}`", exact(&quoted(text)))
    } else if quote == "\"" && written.trim_end_matches([']', '}', ',', ' ']).ends_with("\\\"") {
        "the backslash escapes the closing quote: write the text in single quotes, `'C:\\dir\\'`".to_owned()
    } else if quote.len() == 1 {
        format!(
            "end it with `{quote}` on the same line; a text of several lines stands in `{0}{0}{0}`",
            quote
        )
    } else {
        format!("end it with `{quote}`")
    };
    diagnostics.push(new(at, "this string is never closed").help(help));
}

/// A string whose opening quote is missing.
pub fn report_missing_opening_quote(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let text = written.trim_end_matches(['"', '\'']);
    diagnostics.push(
        new(at, format!("`{}` has a closing quote and no opening one", shown(written)))
            .help(format!("write `{}`", exact(&quoted(text)))),
    );
}

/// Typographic quotes.
pub fn report_smart_quotes(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let text = written.trim_matches(|c: char| "“”„‟‘’«»".contains(c));
    diagnostics.push(
        new(at, "typographic quotes are no quotes in TOML")
            .help(format!("write straight quotes: `{}`", exact(&quoted(text)))),
    );
}

/// Nothing behind `=`.
pub fn report_missing_value(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "there is no value after `=`").help("write a value, such as `\"text\"`, or delete the line"),
    );
}

/// A key alone.
pub fn report_no_value(at: FileSpan, key: &str, diagnostics: &mut Diagnostics) {
    diagnostics
        .push(new(at, format!("`{}` has no value", shown(key))).help(format!("write `{} = …`", shown(key))));
}

/// A key and a value without `=`.
pub fn report_missing_equals(at: FileSpan, key: &str, value: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("there is no `=` between `{}` and `{}`", shown(key), shown(value))).help(format!(
            "write `{} = {}`",
            shown(key),
            shown(value)
        )),
    );
}

/// `:` where `=` should be; `entry` is the key and the value around it, when they stand alone on their line.
pub fn report_colon(at: FileSpan, entry: Option<(&str, &str)>, diagnostics: &mut Diagnostics) {
    let help = match entry.and_then(|(key, value)| Some((key, as_toml(value)?))) {
        Some((key, value)) => {
            format!("write `{} = {}`", exact(&super::fields::written::key(key)), exact(&value))
        }
        None => "write `key = value`".to_owned(),
    };
    diagnostics.push(new(at, "`:` between key and value; TOML has `=`").help(help).fix(
        "write `=`",
        false,
        at,
        " =",
    ));
}

/// A value of JSON or YAML on one line as TOML has it; none for one that goes on or begins a table. What stands behind it
/// is left out.
fn as_toml(value: &str) -> Option<String> {
    let value = value.trim();
    let end = match value.chars().next()? {
        quote @ ('"' | '\'') => 2 + value.get(1..)?.find(quote)?,
        '[' => 1 + value.split_once(" #").map_or(value, |(value, _)| value).rfind(']')?,
        '{' | '|' | '>' | '&' | '*' => return None,
        _ => {
            let value = value.split_once(" #").map_or(value, |(value, _)| value);
            let value = value.trim().trim_end_matches(',').trim_end();
            return Some(if is_plain(value) { value.to_owned() } else { quoted(value) });
        }
    };
    value.get(..end).map(str::to_owned)
}

/// A number or a boolean.
fn is_plain(value: &str) -> bool {
    matches!(value, "true" | "false") || value.parse::<i64>().is_ok()
}

/// `=` in a place that has none.
pub fn report_stray_equals(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "this `=` does not belong here").help(
            "an entry is `key = value`, once; an array holds values only, a table is `{ key = value }`",
        ),
    );
}

/// A key without a character.
pub fn report_empty_key(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "a key is missing here").help("write a name; between two parts of a key stands one `.`"),
    );
}

/// A character that needs quotes in a key.
pub fn report_bare_key(at: FileSpan, odd: &str, key: &str, diagnostics: &mut Diagnostics) {
    let message = format!("`{}` may not stand in a key without quotes", shown(odd));
    let key = key.trim_matches('"');
    diagnostics.push(new(at, message).help(format!("quote the key: `{}`", exact(&quoted(key)))));
}

/// A key that stands twice.
pub fn report_duplicate(
    at: FileSpan,
    key: &str,
    first: FileSpan,
    header: bool,
    diagnostics: &mut Diagnostics,
) {
    let (what, help) = if header {
        (
            "the table",
            "put all its entries under one header; several of a kind have headers such as `[[adapters.notes.on]]`",
        )
    } else {
        ("the key", "keep one of the two")
    };
    diagnostics.push(
        new(at, format!("{what} `{}` is defined twice", shown(key)))
            .label(first, "first defined here")
            .help(help),
    );
}

/// A part of a key that holds something else than a table that can be added to.
pub fn report_not_a_table(at: FileSpan, key: &str, first: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("`{}` cannot be added to: it is complete where it first stands", shown(key)))
            .label(first, "complete here")
            .help("write all of it there, or make it a table with a header of its own"),
    );
}

/// A header that is not `[…]`.
pub fn report_header(at: FileSpan, line: &str, diagnostics: &mut Diagnostics) {
    let name = line.trim().trim_start_matches('[');
    let name = name.split_once(']').map_or(name, |(name, _)| name).trim();
    let help = if name.contains([' ', '\t']) && !name.contains('#') {
        match name
            .strip_prefix("adapters.")
            .filter(|name| !name.contains(['.', '"', '\'']) && name.is_ascii())
        {
            Some(adapter) => format!(
                "the name of an adapter has no blanks: write `[adapters.{}]`",
                shown(&adapter.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase())
            ),
            None => "a part with a blank in it needs quotes: `[vars.\"my notes\"]`".to_owned(),
        }
    } else {
        format!("write `[{}]`, or `[[{}]]` for one of several", shown(name), shown(name))
    };
    diagnostics.push(new(at, "this table header is not complete").help(help));
}

/// Two values without a comma.
pub fn report_missing_comma(at: FileSpan, word: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("there is no `,` before `{}`", shown(word)))
            .help("separate elements and entries with `,`"),
    );
}

/// Two commas in a row, or one at the start.
pub fn report_extra_comma(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, "there is nothing before this `,`").help("delete it").fix(
        "delete the comma",
        true,
        at,
        "",
    ));
}

/// A comma at the end of a line, as in JSON.
pub fn report_line_comma(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "a `,` stands behind the value; the end of the line ends an entry")
            .help("delete it; commas stand inside `[…]` and `{…}` only"),
    );
}

/// A quote in the middle of a string.
pub fn report_quote_inside(at: FileSpan, quote: char, diagnostics: &mut Diagnostics) {
    let help = if quote == '\'' {
        "write a text that has `'` in it in double quotes: `\"it's\"`"
    } else {
        "write a text with `\"` in it, or with `\\` at its end, in single quotes: `'say \"hi\"'`"
    };
    diagnostics.push(new(at, format!("the string ends at the `{quote}` before this")).help(help));
}

/// A comment of another language.
pub fn report_foreign_comment(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, "this is no TOML; was a comment meant?").help("a comment begins with `#`"));
}

/// Something behind a value.
pub fn report_after_value(at: FileSpan, word: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("`{}` stands behind a value that has ended", shown(word)))
            .help("write one entry on each line; a comment begins with `#`"),
    );
}

/// A closing bracket that nothing opened.
pub fn report_stray_bracket(at: FileSpan, word: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("nothing opened this `{}`", shown(word))).help("delete it, or write the opening one"),
    );
}

/// `[` or `{` without an end.
pub fn report_unclosed_bracket(
    at: FileSpan,
    array: bool,
    next: Option<FileSpan>,
    diagnostics: &mut Diagnostics,
) {
    let (what, close) = if array { ("array", "]") } else { ("inline table", "}") };
    let mut finding = new(at, format!("this {what} is never closed"))
        .help(format!("write `{close}` behind its last entry"));
    if let Some(next) = next {
        finding = finding.label(next, format!("this is still read as part of the {what}"));
    }
    diagnostics.push(finding);
}

/// Nesting beyond the limit.
pub fn report_too_deep(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, "tables and arrays are nested more than 100 deep here").help("make the structure flatter"),
    );
}

/// Anything else that is not TOML.
pub fn report_unexpected(at: FileSpan, word: &str, diagnostics: &mut Diagnostics) {
    let message = match word {
        "" => "something is missing here".to_owned(),
        word => format!("`{}` is not TOML here", shown(word)),
    };
    diagnostics.push(
        new(at, message)
            .help("an entry is `key = value`, a table begins with a header such as `[adapters.notes]`"),
    );
}
