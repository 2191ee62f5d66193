//! Answers of tools: text for agents to read, and hits as data beside it.

use serde_json::Value;

use super::super::op::Outcome;
use crate::answer::{HitsAnswer, Note, OpResult, ToolAnswer};
use crate::mapping::Hit;

/// An outcome as an MCP result. Remarks follow as a text of their own.
pub(super) fn answer(outcome: Outcome) -> ToolAnswer {
    let Outcome { result, notes } = outcome;
    let (text, structured_content) = match result {
        OpResult::Text(text) => (text, None),
        OpResult::Hits(hits) if hits.is_empty() => ("no hits".to_owned(), data(hits, &notes)),
        OpResult::Hits(hits) => (list(&hits), data(hits, &notes)),
    };
    ToolAnswer::own(text, structured_content, notes)
}

pub(in crate::engine) fn data(hits: Vec<Hit>, notes: &[Note]) -> Option<Value> {
    // Hits always have a JSON form.
    serde_json::to_value(HitsAnswer { hits, notes: notes.to_vec() }).ok()
}

/// Hits as a numbered list: title, source, kind and date in a line, address and snippet below it.
#[must_use]
pub fn list(hits: &[Hit]) -> String {
    hits.iter().zip(1..).map(|(hit, number)| entry(hit, number)).collect()
}

fn entry(hit: &Hit, number: usize) -> String {
    let headline = hit.title.as_deref().or(hit.uri.as_deref()).unwrap_or("(no title)");
    let headline = headline.split_whitespace().collect::<Vec<_>>().join(" ");
    let details = [hit.kind.as_deref(), hit.date.as_deref()].into_iter().flatten();
    let details: String = details.map(|detail| format!(", {detail}")).collect();
    let mut entry = format!("{number}. {headline}  [{}{details}]\n", hit.source);
    for line in [hit.uri.as_deref(), hit.snippet.as_deref()].into_iter().flatten() {
        entry.push_str(&format!("   {line}\n"));
    }
    entry
}
