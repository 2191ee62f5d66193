//! One question to every active adapter that can answer it, all at once and under a deadline.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value};

use super::merge::{Found, merge};
use super::notes::SOURCE;
use super::op::{Outcome, Target};
use super::{Given, Runtime};
use crate::answer::{BriefAnswer, HitsAnswer, Note, OpResult, Part};
use crate::error::RunError;
use crate::exec::excerpt;
use crate::mapping::Hit;
use crate::suggest;

/// How long a search may take in all.
const SEARCH_TIME: Duration = Duration::from_secs(12);
/// How long a brief may take in all.
const BRIEF_TIME: Duration = Duration::from_secs(8);
/// How much of the reason is shown why an adapter rests, in characters.
const REASON: usize = 200;
/// The inputs that carry the question; each op declares those it has.
const PRIMARY: [&str; 3] = ["query", "target", "focus"];

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The words, the path or the symbol; none asks in general.
    pub text: Option<String>,
    /// At most so many hits.
    pub limit: usize,
    /// Only these adapters; empty asks all.
    pub sources: Vec<String>,
}

/// What every source gave.
struct Gathered<'a> {
    answers: Vec<(Target<'a>, Outcome)>,
    notes: Vec<Note>,
}

impl Runtime {
    /// Asks for hits; `op` is `search`, `history` or `code`.
    ///
    /// # Errors
    /// An unknown name in `sources`, or the failure of every source.
    pub async fn hits(&self, op: &str, question: &Question) -> Result<HitsAnswer, RunError> {
        let own = self.own_hits(op, question);
        let gathered = self.gather(op, question, SEARCH_TIME).await;
        let Gathered { answers, mut notes } = match (gathered, &own) {
            // Not every source failed.
            (Err(error), Some(Ok(hits))) if !hits.is_empty() && error.id != "unknown-adapter" => {
                Gathered { answers: Vec::new(), notes: vec![note("search", error.message)] }
            }
            (gathered, _) => gathered?,
        };
        let mut found = Vec::new();
        match own {
            Some(Ok(hits)) => found.push(Found { weight: 1.0, hits }),
            Some(Err(remark)) => notes.push(remark),
            None => {}
        }
        for (target, outcome) in answers {
            notes.extend(outcome.notes);
            if let OpResult::Hits(hits) = outcome.result {
                found.push(Found { weight: target.adapter.weight, hits });
            }
        }
        notes.sort_by(|note, other| note.source.cmp(&other.source));
        Ok(HitsAnswer { hits: merge(found, question.limit), notes })
    }

    /// Hits in the hot document, when it is asked.
    fn own_hits(&self, op: &str, question: &Question) -> Option<Result<Vec<Hit>, Note>> {
        let asked = question.sources.is_empty() || question.sources.iter().any(|name| name == SOURCE);
        let words = question.text.as_deref().filter(|_| op == "search" && asked)?;
        Some(self.hits_in_notes(words))
    }

    /// Asks what there is to know before work begins.
    ///
    /// # Errors
    /// As [`Runtime::hits`].
    pub async fn brief(&self, question: &Question) -> Result<BriefAnswer, RunError> {
        let Gathered { answers, mut notes } = self.gather("brief", question, BRIEF_TIME).await?;
        let mut parts = Vec::new();
        for (target, outcome) in answers {
            notes.extend(outcome.notes);
            if let OpResult::Text(text) = outcome.result
                && !text.trim().is_empty()
            {
                parts.push(Part { source: target.name.to_owned(), text });
            }
        }
        notes.sort_by(|note, other| note.source.cmp(&other.source));
        Ok(BriefAnswer { parts, notes })
    }

    async fn gather<'a>(
        &'a self,
        op: &'a str,
        question: &'a Question,
        most: Duration,
    ) -> Result<Gathered<'a>, RunError> {
        let (targets, mut notes) = self.asked(op, question)?;
        let asked = targets.len();
        let calls =
            targets.into_iter().map(|target| async move { (target, self.ask(target, question, most).await) });
        let mut answers = Vec::new();
        let mut failed = Vec::new();
        for (target, answer) in join_all(calls).await {
            match answer {
                Ok(outcome) => answers.push((target, outcome)),
                Err(error) => failed.push((target, error)),
            }
        }
        if asked > 0 && answers.is_empty() {
            return Err(all_failed(failed));
        }
        notes.extend(failed.into_iter().map(|(target, error)| note(target.name, error.message)));
        Ok(Gathered { answers, notes })
    }

    async fn ask(
        &self,
        target: Target<'_>,
        question: &Question,
        most: Duration,
    ) -> Result<Outcome, RunError> {
        if let Some((left, why)) = self.resting.left(target.name) {
            let why = excerpt(&self.mask().string(why), REASON);
            let seconds = left.as_secs() + 1;
            let message =
                format!("`{}` failed a moment ago and rests for {seconds} s more: {why}", target.name);
            return Err(RunError::new("call-failed", message).at(&self.plan, target.op.at));
        }
        let given = given(target, question);
        self.perform(target, &given, Some(most)).await.map_err(|failure| self.error(target, failure))
    }

    /// The active adapters that have the op, and remarks on those asked by name that cannot answer.
    fn asked<'a>(
        &'a self,
        op: &'a str,
        question: &Question,
    ) -> Result<(Vec<Target<'a>>, Vec<Note>), RunError> {
        for name in &question.sources {
            self.known_source(name)?;
        }
        let mut targets = Vec::new();
        let mut notes = Vec::new();
        for (name, adapter) in &self.plan.adapters {
            let named = question.sources.contains(name);
            if !named && !question.sources.is_empty() {
                continue;
            }
            match (adapter.ops.get(op), self.reason(name, adapter)) {
                (Some(call), None) => {
                    targets.push(Target { name, adapter, op_name: op, op: call, inline: false })
                }
                (Some(_), Some(reason)) if named => notes.push(note(name, format!("inactive: {reason}"))),
                (None, _) if named => notes.push(note(name, format!("it has no op `{op}`"))),
                _ => {}
            }
        }
        Ok((targets, notes))
    }

    fn known_source(&self, name: &str) -> Result<(), RunError> {
        if self.plan.adapters.contains_key(name) || name == SOURCE {
            return Ok(());
        }
        let notes = Some(SOURCE).filter(|own| self.has_notes() && !self.plan.adapters.contains_key(*own));
        let known: Vec<&str> = self.plan.adapters.keys().map(String::as_str).chain(notes).collect();
        let hint = suggest::among(name, &known, "sources");
        Err(RunError::new("unknown-adapter", format!("there is no source `{name}`; {hint}")))
    }
}

fn note(source: &str, message: String) -> Note {
    Note { source: source.to_owned(), message }
}

/// The question as the inputs that the op declares.
fn given(target: Target<'_>, question: &Question) -> Given {
    let mut inputs = Map::new();
    for input in &target.op.inputs {
        let value = match input.name.as_str() {
            "limit" => Some(Value::from(question.limit)),
            name if PRIMARY.contains(&name) => question.text.clone().map(Value::String),
            _ => None,
        };
        inputs.extend(value.map(|value| (input.name.clone(), value)));
    }
    Given::Json(inputs)
}

/// The failure of the only source, or one that lists them all.
fn all_failed(mut failed: Vec<(Target<'_>, RunError)>) -> RunError {
    if failed.len() == 1
        && let Some((_, error)) = failed.pop()
    {
        return error;
    }
    let messages: Vec<String> = failed.iter().map(|(_, error)| format!("\n  {}", error.message)).collect();
    let mut error =
        RunError::new("call-failed", format!("all {} sources failed:{}", failed.len(), messages.concat()));
    error.at = failed.into_iter().next().and_then(|(_, error)| error.at);
    error
}
