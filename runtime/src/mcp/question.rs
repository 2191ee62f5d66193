//! What a server wants to know of whoever called it, in words: kontext has nobody to ask and no model of its own, so a
//! call that needs an answer fails, and says what the question was.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::error::Failure;
use crate::exec::excerpt;

/// How many characters of a question are shown.
const SHOWN: usize = 200;
/// How many fields of a form are named.
const FIELDS: usize = 10;
/// How many questions of one call are told of, and how many of a server are kept.
const MOST: usize = 5;

/// The questions of a server of the older era, which come beside its answers.
#[derive(Debug, Clone, Default)]
pub(super) struct Questions(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    count: u64,
    last: VecDeque<String>,
}

impl Questions {
    /// Keeps a question.
    pub(super) fn keep(&self, method: &str, params: &Value) {
        let mut kept = self.kept();
        kept.count += 1;
        kept.last.push_back(words(method, params));
        if kept.last.len() > MOST {
            kept.last.pop_front();
        }
    }

    /// How many there were.
    pub(super) fn count(&self) -> u64 {
        self.kept().count
    }

    /// Those that came after so many, as far as they are kept.
    pub(super) fn since(&self, count: u64) -> Vec<String> {
        let kept = self.kept();
        let new = usize::try_from(kept.count.saturating_sub(count)).unwrap_or(usize::MAX);
        kept.last.iter().skip(kept.last.len().saturating_sub(new)).cloned().collect()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The questions inside a result that is none, in words.
pub(crate) fn all(requests: Option<&Value>) -> String {
    let requests = requests.and_then(Value::as_object);
    let questions = requests.into_iter().flat_map(|requests| requests.values()).map(|request| {
        let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
        words(method, request.get("params").unwrap_or(&Value::Null))
    });
    let questions: Vec<String> = questions.take(MOST).collect();
    if questions.is_empty() { "something that it does not name".to_owned() } else { questions.join(" and ") }
}

/// The failure of a tool that wants an answer first. That is no sign of a sick server.
pub(crate) fn asking(tool: &str, question: &str) -> Failure {
    let message = format!("the tool `{tool}` asks for {question}, which nobody is there to give");
    Failure::unsent("call-failed", message)
}

/// What is said beside a failure about questions that came meanwhile; nothing when there were none.
pub(crate) fn unanswered(questions: &[String]) -> String {
    match questions {
        [] => String::new(),
        some => {
            format!("; meanwhile the server asked for {}, which nobody is there to give", some.join(" and "))
        }
    }
}

/// One question in words.
fn words(method: &str, params: &Value) -> String {
    let text = |member: &str| params.get(member).and_then(Value::as_str).map(|text| excerpt(text, SHOWN));
    match method {
        "elicitation/create" => {
            let message = text("message").unwrap_or_default();
            match text("url") {
                Some(url) => format!("somebody to visit `{url}`: `{message}`"),
                None => format!("an answer to `{message}`{}", fields(params)),
            }
        }
        "sampling/createMessage" => match last_message(params) {
            Some(message) => format!("what a language model says to `{message}`"),
            None => "what a language model says".to_owned(),
        },
        "roots/list" => "the roots of the workspace".to_owned(),
        other => format!("`{}`", excerpt(other, SHOWN)),
    }
}

/// The fields of a form.
fn fields(params: &Value) -> String {
    let form = params.get("requestedSchema").and_then(|schema| schema.get("properties"));
    let names = form.and_then(Value::as_object).into_iter().flat_map(|form| form.keys());
    let names: Vec<String> = names.take(FIELDS).map(|name| format!("`{}`", excerpt(name, SHOWN))).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn last_message(params: &Value) -> Option<String> {
    let content = params.get("messages")?.as_array()?.last()?.get("content")?;
    let text = |part: &Value| part.get("text").and_then(Value::as_str).map(|text| excerpt(text, SHOWN));
    text(content).or_else(|| content.as_array()?.iter().find_map(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn questions_are_told_in_words() {
        let form = json!({ "method": "elicitation/create", "params": { "message": "Which\u{1b} branch?",
            "requestedSchema": { "properties": { "branch": {}, "force": {} } } } });
        let link = json!({ "method": "elicitation/create",
            "params": { "mode": "url", "url": "https://id.example.test/x", "message": "Sign in" } });
        let model = json!({ "method": "sampling/createMessage", "params": { "messages": [
            { "role": "user", "content": { "type": "text", "text": "Sum it up" } } ] } });
        let requests = json!({ "a": form, "b": link, "c": model, "d": { "method": "roots/list" }, "e": 5 });
        assert_eq!(
            all(Some(&requests)),
            "an answer to `Which branch?` (`branch`, `force`) and somebody to visit `https://id.example.test/x`: \
             `Sign in` and what a language model says to `Sum it up` and the roots of the workspace and ``"
        );
        assert_eq!(all(None), "something that it does not name");
        assert_eq!(all(Some(&json!({}))), "something that it does not name");
    }

    #[test]
    fn only_the_last_are_kept() {
        let questions = Questions::default();
        let before = questions.count();
        for number in 0..7 {
            questions.keep("elicitation/create", &json!({ "message": number.to_string() }));
        }
        let said = questions.since(before);
        assert_eq!((said.len(), said[0].as_str()), (5, "an answer to `2`"));
        assert_eq!(questions.since(6), ["an answer to `6`"]);
        assert!(questions.since(7).is_empty());
    }
}
