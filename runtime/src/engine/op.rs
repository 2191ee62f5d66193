//! One op of one adapter: inputs in, hits or text out.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use kontext_plan::result::ResultMap;
use kontext_plan::{Adapter, Call, Op};
use serde_json::{Map, Value};

use super::{Given, Runtime, inputs};
use crate::answer::{Note, OpAnswer, OpResult};
use crate::error::{Failure, RunError};
use crate::exec::{self, Task};
use crate::mapping::{self, Hit};
use crate::observe::Seen;
use crate::payload::Payload;
use crate::suggest;
use crate::value::Scope;

/// An op and where it is, for the time of a call.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) name: &'a str,
    pub(super) adapter: &'a Adapter,
    pub(super) op_name: &'a str,
    pub(super) op: &'a Op,
    /// It is a tool's own.
    pub(super) inline: bool,
}

/// What a call gave, secrets masked.
pub(super) struct Outcome {
    pub(super) result: OpResult,
    pub(super) notes: Vec<Note>,
}

impl Seen for Outcome {
    fn size(&self) -> usize {
        match &self.result {
            OpResult::Text(text) => text.len(),
            OpResult::Hits(hits) => serde_json::to_vec(hits).map_or(0, |json| json.len()),
        }
    }
}

impl Runtime {
    /// Calls one op.
    ///
    /// # Errors
    /// Every run-time id but those of loading a plan.
    pub async fn op(&self, adapter: &str, op: &str, given: &Given) -> Result<OpAnswer, RunError> {
        let target = self.target(adapter, op)?;
        self.active(adapter)?;
        let outcome =
            self.perform(target, given, None).await.map_err(|failure| self.error(target, failure))?;
        Ok(OpAnswer {
            adapter: adapter.to_owned(),
            op: op.to_owned(),
            result: outcome.result,
            notes: outcome.notes,
        })
    }

    /// An op by the names of its adapter and its own.
    pub(super) fn target<'a>(&'a self, name: &'a str, op_name: &'a str) -> Result<Target<'a>, RunError> {
        let adapter = self.adapter(name)?;
        let op = adapter.ops.get(op_name).ok_or_else(|| {
            let known: Vec<&str> = adapter.ops.keys().map(String::as_str).collect();
            let hint = suggest::among(op_name, &known, "ops");
            let message = format!("the adapter `{name}` has no op `{op_name}`; {hint}");
            RunError::new("unknown-op", message).at(&self.plan, adapter.at)
        })?;
        Ok(Target { name, adapter, op_name, op, inline: false })
    }

    /// A failure as the caller sees it: with the op's name and place, secrets masked once more.
    pub(super) fn error(&self, target: Target<'_>, failure: Failure) -> RunError {
        let message = format!("`{}.{}`: {}", target.name, target.op_name, failure.message);
        let message = self.mask().string(message);
        RunError::new(failure.id, message).at(&self.plan, failure.at.unwrap_or(target.op.at))
    }

    /// Makes the call within its own limit, and within `most` where that is given.
    pub(super) async fn perform(
        &self,
        target: Target<'_>,
        given: &Given,
        most: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let inputs = inputs::complete(&target.op.inputs, given)?;
        self.perform_complete(target, &inputs, most).await
    }

    /// The same with inputs to which nothing is added any more.
    pub(super) async fn perform_complete(
        &self,
        target: Target<'_>,
        inputs: &Map<String, Value>,
        most: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        owned(target, inputs.get("uri").and_then(Value::as_str))?;
        let facts = self.current_facts();
        let scope = Scope::new(target.name, target.adapter, &facts, inputs);
        let work = self.within(target, &scope, most);
        let outcome = self.observer.call((target.name, target.op_name), work).await;
        self.resting.note(target.name, &outcome);
        outcome
    }

    async fn within(
        &self,
        target: Target<'_>,
        scope: &Scope<'_>,
        most: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let time = Duration::from_millis(target.op.timeout_ms);
        let time = most.map_or(time, |most| most.min(time));
        if !wants_file(target.op) {
            let payload = self.call(target, scope, None, (time, most)).await?;
            return self.map(target, scope, payload);
        }
        let private = std::fs::Permissions::from_mode(0o700);
        let directory = tempfile::Builder::new().permissions(private).tempdir().map_err(no_file)?;
        let file = directory.path().join("answer");
        let made = fs_err::os::unix::fs::OpenOptionsExt::mode(&mut fs_err::OpenOptions::new(), 0o600)
            .write(true)
            .create_new(true)
            .open(&file);
        drop(made.map_err(no_file)?);
        let name = file.to_string_lossy();
        let scope = scope.with_output_file(&name);
        let payload = self.call(target, &scope, Some(&file), (time, most)).await?;
        self.map(target, &scope, payload)
    }

    async fn call(
        &self,
        target: Target<'_>,
        scope: &Scope<'_>,
        output_file: Option<&Path>,
        (time, most): (Duration, Option<Duration>),
    ) -> Result<Payload, Failure> {
        let task = Task {
            env: &self.env,
            repository: &self.repository,
            clients: &self.clients,
            servers: &self.servers,
            adapter: target.adapter,
            op: target.op,
            scope,
            output_file,
            withheld: self.withheld(target.adapter),
            time,
            most,
        };
        exec::call(&task).await
    }

    /// Secret variables that other adapters name and this one does not.
    pub(super) fn withheld(&self, adapter: &Adapter) -> Vec<&str> {
        let others = self.plan.adapters.values().flat_map(|other| &other.secrets);
        let mut names: Vec<&str> =
            others.filter(|name| !adapter.secrets.contains(name)).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn map(&self, target: Target<'_>, scope: &Scope<'_>, mut payload: Payload) -> Result<Outcome, Failure> {
        let mask = self.facts.mask();
        // Before mapping, so that no rule can cut a secret out of the reach of the mask.
        if !mask.is_empty() {
            mask.json(&mut payload.value);
        }
        let mut notes = payload.notes;
        let result = match &target.op.result {
            ResultMap::Text(path) => {
                OpResult::Text(mask.string(mapping::text(&payload.value, path.as_ref())))
            }
            ResultMap::Hits(map) => {
                let mapper = self.mappers.of(target, map).map_err(exec::evaluation)?;
                let mapped = mapper.hits(&payload.value, target.name, scope).map_err(exec::evaluation)?;
                notes.extend(mapped.notes);
                let mask = self.facts.mask();
                OpResult::Hits(mapped.hits.into_iter().map(|hit| masked(hit, &mask)).collect())
            }
        };
        let note = |message| Note { source: target.name.to_owned(), message: mask.string(message) };
        Ok(Outcome { result, notes: notes.into_iter().map(note).collect() })
    }
}

fn masked(hit: Hit, mask: &crate::secret::Mask) -> Hit {
    let text = |text: Option<String>| text.map(|text| mask.string(text));
    Hit {
        source: hit.source,
        title: text(hit.title),
        snippet: text(hit.snippet),
        uri: text(hit.uri),
        score: hit.score,
        kind: text(hit.kind),
        date: text(hit.date),
    }
}

/// A `read` op answers only for URIs with one of its prefixes.
fn owned(target: Target<'_>, uri: Option<&str>) -> Result<(), Failure> {
    let owns = &target.op.owns;
    let Some(uri) = uri.filter(|_| target.op_name == "read" && !owns.is_empty()) else { return Ok(()) };
    if owns.iter().any(|prefix| uri.starts_with(prefix)) {
        return Ok(());
    }
    let prefixes: Vec<String> = owns.iter().map(|prefix| format!("`{prefix}`")).collect();
    Err(Failure::unsent("argument-type", format!("`{uri}` does not begin with {}", prefixes.join(" or "))))
}

fn wants_file(op: &Op) -> bool {
    matches!(&op.call, Call::Command(call) if call.output_file)
}

fn no_file(error: std::io::Error) -> Failure {
    Failure::unsent("call-failed", format!("no temporary file can be made for the answer: {error}"))
}
