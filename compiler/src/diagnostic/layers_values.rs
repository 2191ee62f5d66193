//! The words of `invalid-toml` for values that are none.

use super::Diagnostics;
use super::fields::times::Time;
use super::layers_toml::{exact, new, quoted, shown};
use crate::source::FileSpan;

/// Text without quotes.
pub fn report_unquoted(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    if let Some(value) = switch(written) {
        let message = format!("`{}` is no value; TOML says `true` and `false`", shown(written));
        let finding = new(at, message)
            .help(format!("write `{value}`, or `{}` if it is a text", exact(&quoted(written))))
            .fix(format!("write `{value}`"), false, at, value);
        return diagnostics.push(finding);
    }
    diagnostics.push(
        new(at, format!("`{}` is text and needs quotes", shown(written)))
            .help(format!("write `{}`", exact(&quoted(written))))
            .fix("put quotes round it", true, at, quoted(written)),
    );
}

/// A time with a unit and without quotes. `field` counts milliseconds; `key` is what was written for it.
pub fn report_unquoted_time(
    at: FileSpan,
    written: &str,
    (key, field): (&str, &str),
    time: &Time,
    diagnostics: &mut Diagnostics,
) {
    let (number, counts) = (&time.milliseconds, time.counts());
    let mend = format!("write `{field} = {number}`");
    let message = if key == field {
        format!("`{}` is no number; `{field}` {counts}", shown(written))
    } else {
        format!("`{}` is no number; `{}` is called `{field}` and {counts}", shown(written), shown(key))
    };
    let finding = new(at, message).help(mend.as_str());
    // Under another key the number alone would not be the whole mend.
    let finding = if key == field { finding.fix(mend, false, at, number.as_str()) } else { finding };
    diagnostics.push(finding);
}

/// A template without quotes.
pub fn report_unquoted_template(at: FileSpan, written: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        new(at, format!("`{}` is a template, and a template stands in quotes", shown(written)))
            .help(format!("write `{}`", exact(&quoted(written))))
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
            .help(format!("if it is a text, write `{}`", exact(&quoted(written)))),
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
        exact(&quoted(written))
    )));
}
