//! What people read about a change.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use kontext_plan::Pin;
use kontext_plan::lock::{LockedAdapter, LockedTool};
use serde_json::json;

use super::drift::{Row, Status};
use super::report;

fn entry(description: &str) -> LockedAdapter {
    let tool = json!({ "name": "find", "description": description });
    let tools = vec![LockedTool::of_entry(tool.as_object().unwrap(), Pin::Full).unwrap()];
    LockedAdapter { connection: "sha256:0".to_owned(), pin: Pin::Full, server: None, tools }
}

#[test]
fn a_change_deep_in_a_long_text_is_shown() {
    let long = "word ".repeat(200);
    let row = Row::compared(
        "a",
        "kontext.lock",
        Some(&entry(&long)),
        &entry(&format!("{long}\u{e0041}\u{1b}[2J")),
        Vec::new(),
    );
    assert_eq!(row.status, Status::Changed);
    let text = report::human(&[row], false);
    assert!(
        text.starts_with("a: 1 tool changed in `kontext.lock`\n  ~ find\n      /description:\n"),
        "{text}"
    );
    assert!(text.contains(r"+ …") && text.contains(r"word \u{e0041}\u001b[2J"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
}

#[test]
fn a_newer_version_alone_is_no_drift() {
    let (older, mut newer) = (entry("Finds"), entry("Finds"));
    newer.server = Some(kontext_plan::lock::LockedServer { name: "s".to_owned(), version: None });
    let row = Row::compared("a", "kontext.lock", Some(&older), &newer, Vec::new());
    assert!(row.status == Status::Changed && !row.is_drift(), "{row:?}");
    newer.connection.push('1');
    assert!(Row::compared("a", "kontext.lock", Some(&older), &newer, Vec::new()).is_drift());
    assert!(Row::compared("a", "kontext.lock", None, &newer, Vec::new()).is_drift());
}
