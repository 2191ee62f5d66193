//! Finds JSON in an answer, with the tolerance that programs which also log need.

use serde_json::{Deserializer, Value};

/// How many lines, as a multiple of all, may be read in vain before the search for JSON ends.
const PATIENCE: usize = 4;

/// The whole as JSON; else two or more lines that are JSON; else the first object or array that begins a line.
/// What was skipped is noted.
pub(super) fn whole_or_part(text: &str, notes: &mut Vec<String>) -> Result<Value, String> {
    let error = match parse(text, notes) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    match each_line(text).or_else(|| first(text)) {
        Some((value, skipped)) => {
            if skipped > 0 {
                notes.push(format!("{} around the JSON {} skipped", count(skipped), was(skipped)));
            }
            Ok(value)
        }
        None => Err(reason(text, &error)),
    }
}

/// One value a line; lines that are none are counted.
pub(super) fn lines(text: &str, notes: &mut Vec<String>) -> Value {
    let mut skipped = 0;
    let mut values = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match parse(line, notes) {
            Ok(value) => values.push(value),
            Err(_) => skipped += 1,
        }
    }
    if skipped > 0 {
        notes.push(format!("{} that {} not JSON {} skipped", count(skipped), is(skipped), was(skipped)));
    }
    Value::Array(values)
}

/// JSON text as a value. A lone surrogate, which JSON allows and text does not, is replaced.
fn parse(text: &str, notes: &mut Vec<String>) -> Result<Value, serde_json::Error> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    match without_lone_surrogates(text) {
        Some(mended) => {
            let value = serde_json::from_str(&mended)?;
            let note = "lone surrogates in JSON text were replaced";
            if !notes.iter().any(|known| known == note) {
                notes.push(note.to_owned());
            }
            Ok(value)
        }
        None => Err(error),
    }
}

/// The text with `\ufffd` for every surrogate escape that is no half of a pair; none when there is no such escape.
fn without_lone_surrogates(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some((before, after)) = rest.split_once('\\') {
        mended.push_str(before);
        let taken = match (surrogate(after), after.get(5..).and_then(|next| next.strip_prefix('\\'))) {
            (Some(Half::High), Some(next)) if surrogate(next) == Some(Half::Low) => 11,
            (Some(_), _) => {
                changed = true;
                mended.push_str("\\ufffd");
                rest = after.get(5..).unwrap_or_default();
                continue;
            }
            (None, _) => after.chars().next().map_or(0, char::len_utf8),
        };
        mended.push('\\');
        mended.push_str(after.get(..taken).unwrap_or_default());
        rest = after.get(taken..).unwrap_or_default();
    }
    mended.push_str(rest);
    changed.then_some(mended)
}

/// A half of a surrogate pair.
#[derive(PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Which half the escape behind a `\` is.
fn surrogate(escape: &str) -> Option<Half> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

/// The lines that are an object or array each, when there are two or more, and how many others there are.
fn each_line(text: &str) -> Option<(Value, usize)> {
    let mut values: Vec<Value> = Vec::new();
    let mut skipped = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let parsed = if opens(line) { parse(line, &mut Vec::new()).ok() } else { None };
        match parsed {
            Some(value) => values.push(value),
            None => skipped += 1,
        }
    }
    (values.len() >= 2).then_some((Value::Array(values), skipped))
}

/// The first object or array that begins a line, and how many lines around it hold anything.
fn first(text: &str) -> Option<(Value, usize)> {
    let mut patience = text.lines().count().saturating_mul(PATIENCE);
    let mut above = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = text.get(at..).unwrap_or_default();
        at += line.len();
        if opens(line.trim_start()) {
            let mut stream = Deserializer::from_str(rest).into_iter::<Value>();
            match stream.next() {
                Some(Ok(value)) => {
                    let below = rest.get(stream.byte_offset()..).unwrap_or_default();
                    return Some((value, above + not_blank(below)));
                }
                Some(Err(error)) => patience = patience.checked_sub(error.line())?,
                None => {}
            }
        }
        above += usize::from(!line.trim().is_empty());
    }
    None
}

fn opens(line: &str) -> bool {
    line.starts_with(['{', '['])
}

fn not_blank(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

/// What is wrong and where: line and column from 1, columns in characters.
fn reason(text: &str, error: &serde_json::Error) -> String {
    let full = error.to_string();
    let what = full.split(" at line ").next().unwrap_or_default();
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = line.char_indices().take_while(|(at, _)| at + 1 < error.column()).count();
    format!("line {}, column {}: {what}", error.line(), before + 1)
}

fn count(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

fn is(lines: usize) -> &'static str {
    if lines == 1 { "is" } else { "are" }
}

fn was(lines: usize) -> &'static str {
    if lines == 1 { "was" } else { "were" }
}
