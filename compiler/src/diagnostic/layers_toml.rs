//! The words of `invalid-toml`: what was written, and what TOML wants instead.

use super::lint::INVALID_TOML;
use super::{Diagnostic, Diagnostics};
use crate::source::FileSpan;

/// A finding of this module.
fn new(at: FileSpan, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&INVALID_TOML, at, message)
}

/// User text for a message: short, on one line, without control characters.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(visible).collect();
    if text.chars().nth(MOST).is_some() {
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
fn quoted(text: &str) -> String {
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
    let help = if quote == "\"" && written.trim_end_matches([']', '}', ',', ' ']).ends_with("\\\"") {
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
            .help(format!("write `{}`", shown(&quoted(text)))),
    );
}

/// Typographic quotes.
pub fn report_smart_quotes(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let text = written.trim_matches(|c: char| "“”„‟‘’«»".contains(c));
    diagnostics.push(
        new(at, "typographic quotes are no quotes in TOML")
            .help(format!("write straight quotes: `{}`", shown(&quoted(text)))),
    );
}

/// Text without quotes.
pub fn report_unquoted(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    if let Some(value) = switch(written) {
        let message = format!("`{}` is no value; TOML says `true` and `false`", shown(written));
        let finding = new(at, message)
            .help(format!("write `{value}`, or `{}` if it is a text", shown(&quoted(written))))
            .fix(format!("write `{value}`"), false, at, value);
        return diagnostics.push(finding);
    }
    diagnostics.push(
        new(at, format!("`{}` is text and needs quotes", shown(written)))
            .help(format!("write `{}`", shown(&quoted(written))))
            .fix("put quotes round it", true, at, quoted(written)),
    );
}

/// What other languages call true and false.
fn switch(written: &str) -> Option<&'static str> {
    match written.trim().to_ascii_lowercase().as_str() {
        "yes" | "on" => Some("true"),
        "no" | "off" => Some("false"),
        _ => None,
    }
}

/// `True`, `FALSE`.
pub fn report_boolean_case(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let right = written.to_ascii_lowercase();
    diagnostics.push(
        new(at, format!("`{}` is no value; booleans are lower case", shown(written)))
            .help(format!("write `{right}`"))
            .fix(format!("write `{right}`"), true, at, right),
    );
}

/// `null` and its kin.
pub fn report_null(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    diagnostics
        .push(new(at, format!("`{}` is no value: TOML has none for nothing", shown(written))).help(
            "leave the key out; to drop a value of a lower layer, list its key in `unset = [\"key\"]`",
        ));
}

/// A number that begins with zeros.
pub fn report_leading_zero(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let digits = written.trim_start_matches('0');
    let number = if digits.is_empty() { "0" } else { digits };
    diagnostics.push(new(at, format!("`{}` begins with a zero", shown(written))).help(format!(
        "write `{}`, or `\"{}\"` if it is a text",
        shown(number),
        shown(written)
    )));
}

/// Something that begins like a number and is none.
pub fn report_no_number(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    let (sign, digits) = written.split_at(written.len() - written.trim_start_matches(['+', '-']).len());
    let bare = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && digits.len() > 1;
    let whole = match (digits.strip_prefix('.'), digits.strip_suffix('.')) {
        (Some(rest), None) if bare && !rest.contains('.') => Some(format!("{sign}0.{rest}")),
        (None, Some(rest)) if bare && !rest.contains('.') && (rest == "0" || !rest.starts_with('0')) => {
            Some(format!("{sign}{rest}.0"))
        }
        _ => None,
    };
    if let Some(whole) = whole {
        let message = format!("`{}` is no number: digits stand on both sides of the point", shown(written));
        let finding = new(at, message).help(format!("write `{}`", shown(&whole)));
        return diagnostics.push(finding.fix(format!("write `{whole}`"), true, at, whole));
    }
    diagnostics.push(
        new(at, format!("`{}` is no number", shown(written)))
            .help(format!("if it is a text, write `{}`", shown(&quoted(written)))),
    );
}

/// A number that does not fit.
pub fn report_number_range(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, format!("`{}` is too large a number", shown(written))).help(
        "integers go from -9223372036854775808 to 9223372036854775807; write a longer one as a string",
    ));
}

/// Something that begins like a date and is none.
pub fn report_no_date(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, format!("`{}` is no date or time", shown(written))).help(format!(
        "a date is `2026-11-30`, a date with a time `2026-11-30T09:00:00Z`; a text is `{}`",
        shown(&quoted(written))
    )));
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

/// `:` where `=` should be.
pub fn report_colon(at: FileSpan, diagnostics: &mut Diagnostics) {
    diagnostics.push(new(at, "`:` between key and value; TOML has `=`").help("write `key = value`").fix(
        "write `=`",
        false,
        at,
        " =",
    ));
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
    diagnostics.push(new(at, message).help(format!("quote the key: `{}`", shown(&quoted(key)))));
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
    let name = line.trim().trim_matches(['[', ']']).trim();
    let help = if name.contains([' ', '\t']) && !name.contains('#') {
        "a part with a blank in it needs quotes: `[adapters.\"my notes\"]`".to_owned()
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
