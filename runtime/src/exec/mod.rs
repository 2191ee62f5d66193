//! Carrying out one call: from an op's templates to the bytes of an answer. One driver per module.

pub(crate) mod command;
pub(crate) mod http;
mod mcp;

use std::path::Path;
use std::time::Duration;

use kontext_host::{Env, Repository};
use kontext_plan::{Adapter, Call, Op};

use crate::error::Failure;
use crate::mcp::Pool;
use crate::payload::{self, Payload};
use crate::value::{EvalError, EvalErrorKind, Scope};

/// The most that is read of one answer, in bytes.
pub(crate) const ANSWER_LIMIT: usize = 8 * 1024 * 1024;

/// What a system answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    /// Who answered and how, for the message about an answer that cannot be read.
    pub(crate) described: String,
}

/// Everything a driver needs for one call.
pub(crate) struct Task<'a> {
    pub(crate) env: &'a Env,
    pub(crate) repository: &'a Repository,
    pub(crate) clients: &'a http::Clients,
    pub(crate) servers: &'a Pool,
    pub(crate) adapter: &'a Adapter,
    pub(crate) op: &'a Op,
    pub(crate) scope: &'a Scope<'a>,
    /// Where the program is to write its answer.
    pub(crate) output_file: Option<&'a Path>,
    /// Secret variables that only other adapters name.
    pub(crate) withheld: Vec<&'a str>,
    /// How long the call may take.
    pub(crate) time: Duration,
    /// How long it may take with everything before it, such as the start of a server.
    pub(crate) most: Option<Duration>,
}

impl Task<'_> {
    /// A foreign text, or one with evaluated values in it, with every secret known by now masked.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.scope.facts.mask().text(text).into_owned()
    }
}

/// How many characters of an answer that cannot be read are shown.
const SHOWN: usize = 200;

/// Makes the call and reads the answer. Secrets in the payload are not masked yet.
pub(crate) async fn call(task: &Task<'_>) -> Result<Payload, Failure> {
    let answer = match &task.op.call {
        Call::Http(call) => http::call(task, call).await?,
        Call::Command(call) => command::call(task, call).await?,
        Call::Mcp(call) => return mcp::call(task, call).await,
    };
    payload::read(&answer.bytes, task.op.format)
        .map_err(|bad| unreadable(task, &answer.described, &bad, &answer.bytes))
}

/// The failure of an answer that is not what its format says.
fn unreadable(task: &Task<'_>, described: &str, bad: &payload::BadPayload, bytes: &[u8]) -> Failure {
    let start = excerpt(&task.masked(&String::from_utf8_lossy(bytes)), SHOWN);
    Failure::system("bad-payload", format!("{described}: {bad}; it begins: {start}"))
}

/// A value that could not be computed, as the failure of the call.
pub(crate) fn evaluation(error: EvalError) -> Failure {
    let id = match error.kind {
        EvalErrorKind::MissingVariable { .. } => "missing-variable",
        EvalErrorKind::TooLarge => "too-large",
        _ => "call-failed",
    };
    let failure = Failure::unsent(id, error.message);
    match error.at {
        Some(at) => failure.at(at),
        None => failure,
    }
}

/// The start of a foreign text on one line, without control characters that a terminal would obey.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|character| !character.is_control()).collect();
    if line.chars().count() <= characters {
        return line;
    }
    line.chars().take(characters).chain(['…']).collect()
}

/// The end of a foreign text, its lines kept, without control characters that a terminal would obey.
pub(crate) fn ending(text: &str, characters: usize) -> String {
    let kept = |character: &char| !character.is_control() || matches!(character, '\n' | '\t');
    let text: String = text.trim().chars().filter(kept).collect();
    let surplus = text.chars().count().saturating_sub(characters);
    if surplus == 0 {
        return text;
    }
    ['…'].into_iter().chain(text.chars().skip(surplus)).collect()
}
