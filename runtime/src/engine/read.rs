//! The text behind a URI, from whichever adapter owns it.

use serde_json::{Map, Value};

use super::op::Target;
use super::{Given, Runtime};
use crate::answer::{OpResult, ReadAnswer};
use crate::error::RunError;

impl Runtime {
    /// Reads a URI: a section or a file of the notes (`notes:…`); else the op with the longest prefix of it answers, of equal ones the first by the adapter's name.
    ///
    /// # Errors
    /// `unowned-uri` when no adapter answers for it, `inactive` when only inactive ones do, and what the call gives.
    pub async fn read(&self, uri: &str, level: Option<u64>) -> Result<ReadAnswer, RunError> {
        if let Some(answer) = self.read_notes(uri) {
            return answer;
        }
        let target = self.owner(uri)?;
        let mut inputs = Map::new();
        inputs.insert("uri".to_owned(), Value::from(uri));
        if target.op.inputs.iter().any(|input| input.name == "level") {
            inputs.extend(level.map(|level| ("level".to_owned(), Value::from(level))));
        }
        let outcome = self.perform(target, &Given::Json(inputs), None).await;
        let outcome = outcome.map_err(|failure| self.error(target, failure))?;
        let text = match outcome.result {
            OpResult::Text(text) => text,
            // Only a hand-made plan maps a `read` to hits.
            OpResult::Hits(_) => String::new(),
        };
        Ok(ReadAnswer { source: target.name.to_owned(), uri: uri.to_owned(), text, notes: outcome.notes })
    }

    fn owner(&self, uri: &str) -> Result<Target<'_>, RunError> {
        let mut best: Option<(usize, Target<'_>)> = None;
        let mut inactive = None;
        for (name, adapter) in &self.plan.adapters {
            let Some(op) = adapter.ops.get("read") else { continue };
            let matching = op.owns.iter().filter(|prefix| uri.starts_with(prefix.as_str()));
            let Some(length) = matching.map(String::len).max() else { continue };
            if self.reason(name, adapter).is_some() {
                inactive.get_or_insert(name);
            } else if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
                best = Some((length, Target { name, adapter, op_name: "read", op, inline: false }));
            }
        }
        match (best, inactive) {
            (Some((_, target)), _) => Ok(target),
            (None, Some(name)) => Err(self.active(name).err().unwrap_or_else(|| self.unowned(uri))),
            (None, None) => Err(self.unowned(uri)),
        }
    }

    fn unowned(&self, uri: &str) -> RunError {
        if let Some(hint) = self.nearest_notes(uri) {
            return RunError::new("unowned-uri", format!("the notes have no `{uri}`; {hint}"));
        }
        let prefixes = self.plan.adapters.values().filter_map(|adapter| adapter.ops.get("read"));
        let known: Vec<String> =
            prefixes.flat_map(|op| &op.owns).map(|prefix| format!("`{prefix}`")).collect();
        let hint = if known.is_empty() {
            "no `read` op has `owns`".to_owned()
        } else {
            format!("what can be read begins with {}", known.join(", "))
        };
        RunError::new("unowned-uri", format!("no adapter reads `{uri}`; {hint}"))
    }
}
