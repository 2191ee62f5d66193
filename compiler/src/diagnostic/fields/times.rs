//! Times in other spellings: with a unit, in seconds, or under another tool's key.

use crate::fields::tables::TABLES;
use crate::tree::{Node, Value};

/// Nobody waits as few milliseconds: these are seconds.
const SECONDS_BELOW: f64 = 100.0;
/// The longest time a field takes.
const LONGEST_MS: i64 = 3_600_000;

/// A time in milliseconds.
pub struct Time {
    /// The number, as it is to be written.
    pub milliseconds: String,
    /// Nothing else can have been meant.
    pub certain: bool,
    /// It was longer than the field takes: this is the most.
    pub cut: bool,
}

impl Time {
    /// What its field counts.
    #[must_use]
    pub fn counts(&self) -> &'static str {
        if self.cut { "counts milliseconds, up to one hour" } else { "counts milliseconds" }
    }
}

/// The field of milliseconds that a key is, or that another tool's key for a time stands for.
#[must_use]
pub fn milliseconds_key(key: &str) -> Option<&'static str> {
    let meant = match key {
        key if is_time(key) && key.starts_with("start") => "start_timeout_ms",
        key if is_time(key) => "timeout_ms",
        key => key,
    };
    let fields = TABLES.iter().flat_map(|(_, table)| table.fields);
    fields.map(|field| field.name).find(|name| *name == meant && name.ends_with("_ms"))
}

/// Whether a key is another tool's for a time.
#[must_use]
pub fn is_time(name: &str) -> bool {
    matches!(
        name,
        "timeout"
            | "timeoutMs"
            | "timeout_seconds"
            | "timeout_sec"
            | "tool_timeout_sec"
            | "request_timeout"
            | "startup_timeout_sec"
            | "startup_timeout"
            | "start_timeout"
    )
}

/// A time that another tool's key holds, in milliseconds; `seconds` says that the key counts them.
#[must_use]
pub fn milliseconds(node: &Node, seconds: bool) -> Option<String> {
    let value = match &node.value {
        #[expect(clippy::cast_precision_loss, reason = "times are small numbers")]
        Value::Integer(value) => *value as f64,
        Value::Float(value) => *value,
        _ => return read(node, LONGEST_MS).map(|time| time.milliseconds),
    };
    let factor = if seconds || value < SECONDS_BELOW { 1000.0 } else { 1.0 };
    let number = (value * factor).round();
    (number >= 1.0).then(|| format!("{number:.0}"))
}

/// Milliseconds in another spelling: with a unit, or in seconds.
pub(super) fn read(node: &Node, max: i64) -> Option<Time> {
    match &node.value {
        Value::Float(value) => counted(*value, "", max),
        Value::String(text) => {
            let (value, unit) = parts(text)?;
            counted(value, &unit, max)
        }
        _ => None,
    }
}

/// A time that stands without quotes, and so has a unit or a lone point to be no value at all.
#[must_use]
pub fn unquoted(written: &str) -> Option<Time> {
    let (value, unit) = parts(written)?;
    (!unit.is_empty() || written.contains('.')).then(|| counted(value, &unit, LONGEST_MS)).flatten()
}

/// The number and the unit of a text.
fn parts(text: &str) -> Option<(f64, String)> {
    let text = text.trim().replace('_', "");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ').len();
    let (digits, unit) = text.split_at_checked(digits)?;
    Some((digits.parse().ok()?, unit.trim().to_ascii_lowercase()))
}

fn counted(value: f64, unit: &str, max: i64) -> Option<Time> {
    let factor = match unit {
        "" if value < SECONDS_BELOW => 1000.0,
        "" | "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
        "h" | "hour" | "hours" => 3_600_000.0,
        _ => return None,
    };
    #[expect(clippy::cast_precision_loss, reason = "an hour in milliseconds is a small number")]
    let most = max as f64;
    let number = (value * factor).round();
    (number >= 1.0).then(|| Time {
        milliseconds: format!("{:.0}", number.min(most)),
        certain: unit.is_empty() && factor < 2.0 && number <= most,
        cut: number > most,
    })
}
