//! The one error a caller of the runtime sees, because every failure ends up as an id, a sentence and a place.

use std::borrow::Cow;

use kontext_plan::{Origin, OriginId, Plan};

/// Why a call, or loading the plan, did not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RunError {
    /// One of the run-time diagnostic ids, such as `call-failed`.
    pub id: &'static str,
    /// What happened and what to do, in one lower-case sentence without secrets.
    pub message: String,
    /// The place in the configuration it came from; `file` is the input's logical name.
    pub at: Option<Origin>,
    /// The end of the message that tells a person how to mend it; empty when it has none.
    pub mend: Cow<'static, str>,
    /// The command that mends it, where it is known.
    pub command: Option<String>,
}

/// The command that mends most of what is wrong with a plan, where no more is known of it.
const BUILD: &str = "`kontext build`";

impl RunError {
    /// An error without a place.
    #[must_use]
    pub fn new(id: &'static str, message: impl Into<String>) -> Self {
        Self { id, message: message.into(), at: None, mend: "".into(), command: None }
    }

    /// The same error at a place of the plan's configuration.
    #[must_use]
    pub fn at(mut self, plan: &Plan, at: OriginId) -> Self {
        self.at = origin(plan, at);
        self
    }

    /// The same error, and how a person mends it behind its message.
    #[must_use]
    pub fn mended(mut self, mend: impl Into<Cow<'static, str>>) -> Self {
        self.mend = mend.into();
        self.message.push_str(&self.mend);
        self
    }

    /// The same error with the command that builds this very plan, when that is what mends it.
    #[must_use]
    pub fn built_by(self, command: impl FnOnce() -> String) -> Self {
        if !self.mend.contains(BUILD) {
            return self;
        }
        let command = command();
        let mend = self.mend.replace(BUILD, &format!("`{command}`"));
        let message = self.what().to_owned();
        RunError { message, command: Some(command), ..self }.mended(mend)
    }

    /// How it is mended in words of its own, which are not about a plan to be built.
    pub(crate) fn other_mend(&self) -> Option<&str> {
        let mend = self.mend.trim_start_matches([';', ':', ' ']);
        (!mend.is_empty() && self.command.is_none() && !mend.contains(BUILD)).then_some(mend)
    }

    /// What happened alone, for those who say in other words how it is mended.
    pub(crate) fn what(&self) -> &str {
        self.message.strip_suffix(&*self.mend).unwrap_or(&self.message)
    }

    /// The process's exit status: 2 when there was no plan to work with, else 1.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self.id {
            "no-plan" | "plan-format" | "plan-digest" | "stale-plan" => 2,
            _ => 1,
        }
    }
}

/// The place an instruction points to, when the plan has it.
#[must_use]
pub fn origin(plan: &Plan, at: OriginId) -> Option<Origin> {
    plan.origins.get(usize::try_from(at.0).ok()?).cloned()
}

/// What went wrong inside one call, before it is known which adapter and op it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) id: &'static str,
    pub(crate) message: String,
    pub(crate) at: Option<OriginId>,
    /// The system is at fault, so that trying it again at once is of no use.
    pub(crate) rests: bool,
}

impl Failure {
    /// The system, or the way to it, failed.
    pub(crate) fn call(message: impl Into<String>) -> Self {
        Self::system("call-failed", message)
    }

    /// A failure of the system with another id.
    pub(crate) fn system(id: &'static str, message: impl Into<String>) -> Self {
        Self { id, message: message.into(), at: None, rests: true }
    }

    /// The call could not even be put together.
    pub(crate) fn unsent(id: &'static str, message: impl Into<String>) -> Self {
        Self { id, message: message.into(), at: None, rests: false }
    }

    /// The call took longer than its limit.
    pub(crate) fn timed_out(what: &str, limit: std::time::Duration) -> Self {
        Self::system("timed-out", format!("{what} gave no answer within {} ms", limit.as_millis()))
    }

    /// The same failure at a narrower place than the op.
    pub(crate) fn at(mut self, at: OriginId) -> Self {
        self.at = Some(at);
        self
    }
}
