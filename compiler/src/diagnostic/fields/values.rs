//! Values of the right kind that their field cannot hold.

use crate::diagnostic::fields::written;
use crate::diagnostic::lint::{INVALID_VALUE, UNKNOWN_EVENT, UNSUPPORTED_VERSION};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{FileSpan, Sources};
use crate::suggest;

/// A version of the language that this kontext does not know.
#[must_use]
pub fn report_unsupported_version(at: FileSpan, version: i64) -> Diagnostic {
    Diagnostic::new(&UNSUPPORTED_VERSION, at, format!("version {version} of the configuration is not known"))
        .help("write `version = 1`, or use the kontext that this file was written for")
}

/// An integer outside its bounds.
#[must_use]
pub fn report_out_of_range(at: FileSpan, key: &str, number: i64, min: i64, max: i64) -> Diagnostic {
    let nearest = number.clamp(min, max);
    Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` is {number}, outside {min} to {max}"))
        .help(format!("write a number from {min} to {max}, such as `{nearest}`"))
}

/// A number that is not above 0, or too large.
#[must_use]
pub fn report_not_positive(sources: &Sources, at: FileSpan, key: &str, max: f64) -> Diagnostic {
    let written = sources.text(at);
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{key}` is `{written}`, and must be above 0 and at most {max}"),
    )
    .help(format!("write a number above 0 and at most {max}, such as `{key} = 0.9`"))
}

/// A word that is none of the choices.
#[must_use]
pub fn report_not_a_choice(at: FileSpan, key: &str, word: &str, words: &[&str]) -> Diagnostic {
    let list: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let (lint, message) = match key {
        "event" => (&UNKNOWN_EVENT, format!("there is no event `{word}`")),
        _ => (&INVALID_VALUE, format!("`{key}` cannot be `{word}`")),
    };
    let finding = Diagnostic::new(lint, at, message).help(format!("write one of `{}`", list.join("`, `")));
    let near = if key == "driver" { driver(word) } else { None };
    match near.or_else(|| suggest::nearest(word, words.iter().copied())) {
        Some(near) => {
            let safe = suggest::is_certain(word, near, words.iter().copied());
            finding.meant(safe, at, near)
        }
        None => finding,
    }
}

/// What other tools call the drivers.
fn driver(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "stdio" | "sse" | "streamable-http" | "streamable_http" | "local" | "remote" => "mcp",
        "shell" | "exec" | "cli" | "process" | "cmd" | "program" => "command",
        "rest" | "https" | "api" | "url" => "http",
        _ => return None,
    })
}

/// A word `expose` does not know.
#[must_use]
pub fn report_expose_word(at: FileSpan, word: &str) -> Diagnostic {
    if matches!(word.trim().to_ascii_lowercase().as_str(), "*" | "all" | "any" | "true" | "everything") {
        return Diagnostic::new(&INVALID_VALUE, at, format!("`expose` cannot be `{word}`"))
            .help("write `expose = \"all\"`")
            .fix("write `expose = \"all\"`", false, at, "\"all\"");
    }
    let list = format!("[{}]", written::string(word));
    Diagnostic::new(&INVALID_VALUE, at, format!("`expose` cannot be `{word}`"))
        .help(format!("write `\"none\"`, `\"all\"`, or a list of tool names: `expose = {list}`"))
        .fix(format!("write `expose = {list}`"), false, at, list)
}

/// A list that must hold something.
#[must_use]
pub fn report_empty_list(at: FileSpan, key: &str, such_as: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` is empty"))
        .help(format!("write at least one element, such as {such_as}, or remove `{key}`"))
}

/// A text that must hold something.
#[must_use]
pub fn report_empty(at: FileSpan, key: &str) -> Diagnostic {
    Diagnostic::new(&INVALID_VALUE, at, format!("`{key}` is empty"))
        .help(format!("write a value, or remove `{key}`"))
}

/// A whole command line in the place of the program.
#[must_use]
pub fn report_command_line(at: FileSpan, text: &str, driver: Option<&str>) -> Diagnostic {
    let words: Vec<String> = text.split_whitespace().map(written::string).collect();
    let shown = words.join(", ");
    let who = if driver == Some("mcp") { "the server" } else { "the program" };
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{text}` is taken as the name of a program, blanks included"),
    )
    .severity(Severity::Warning)
    .note("no shell reads this")
    .help(format!("to start {who} with arguments, write each as an element of its own: `{shown}`"))
    .fix("one element for each word", false, at, shown)
}

/// A number JSON has no way to write.
#[must_use]
pub fn report_no_json_number(sources: &Sources, at: FileSpan, key: &str) -> Diagnostic {
    let written = sources.text(at);
    Diagnostic::new(
        &INVALID_VALUE,
        at,
        format!("`{written}` in `{key}` cannot be sent: JSON has no such number"),
    )
    .help(format!("write a finite number, or the text `\"{written}\"`"))
}
