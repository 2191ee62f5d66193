//! Answers as JSON and as people read them.

use kontext_runtime::answer::{BriefAnswer, HitsAnswer, Note, OpAnswer, OpResult, ReadAnswer, ToolAnswer};
use kontext_runtime::list;
use serde::Serialize;

/// An answer in both forms.
#[derive(Debug)]
pub struct Rendered {
    /// JSON of the published form.
    pub json: String,
    /// The text alone.
    pub text: String,
    /// Remarks for people, which are in the JSON too.
    pub notes: Vec<String>,
}

impl Rendered {
    /// The answer of one op.
    pub fn op(answer: &OpAnswer) -> Rendered {
        Rendered::new(answer, text_of(&answer.result), &answer.notes)
    }

    /// Merged hits.
    pub fn hits(answer: &HitsAnswer) -> Rendered {
        Rendered::new(answer, list(&answer.hits), &answer.notes)
    }

    /// The parts of a brief.
    pub fn brief(answer: &BriefAnswer) -> Rendered {
        let parts = answer.parts.iter().map(|part| format!("## {}\n\n{}", part.source, part.text.trim_end()));
        Rendered::new(answer, parts.collect::<Vec<_>>().join("\n\n"), &answer.notes)
    }

    /// The text behind an address.
    pub fn read(answer: &ReadAnswer) -> Rendered {
        Rendered::new(answer, answer.text.clone(), &answer.notes)
    }

    /// What a tool gave.
    pub fn tool(answer: &ToolAnswer) -> Rendered {
        Rendered::new(answer, answer.text().to_owned(), &answer.notes)
    }

    fn new(answer: &impl Serialize, text: String, notes: &[Note]) -> Rendered {
        // Text, lists and numbers always have a JSON form.
        let json = serde_json::to_string_pretty(answer).unwrap_or_default();
        let notes = notes.iter().map(|note| format!("{}: {}", note.source, note.message)).collect();
        Rendered { json, text, notes }
    }
}

/// The text of a result; hits as a numbered list.
fn text_of(result: &OpResult) -> String {
    match result {
        OpResult::Text(text) => text.clone(),
        OpResult::Hits(hits) => list(hits),
    }
}
