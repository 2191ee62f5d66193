//! Calls seen from outside: a line each in the log, and counts. Both hold names of the plan, sizes, times and ids of
//! errors, and nothing that was sent or answered.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tracing::{Span, debug, info, info_span};

use crate::error::Failure;
use crate::metrics::{InFlight, Metrics};

/// What stands for the name of a tool that there is not: it is the caller's text.
const UNKNOWN: &str = "(unknown)";
/// How a call ends that nobody waited for.
const CANCELLED: &str = "cancelled";
/// How a call ends that gave an answer.
const OK: &str = "ok";
/// How one ends whose tool says itself that it failed.
const TOOL_ERROR: &str = "tool-error";

/// What a call gives, as it is seen from outside.
pub(crate) trait Seen {
    /// About how many bytes it is.
    fn size(&self) -> usize;

    /// It says itself that the call failed.
    fn is_complaint(&self) -> bool {
        false
    }
}

/// How a call ended that gave this.
fn outcome(answer: &impl Seen) -> &'static str {
    if answer.is_complaint() { TOOL_ERROR } else { OK }
}

/// Sees calls. Clones are the same one.
#[derive(Debug, Clone)]
pub(crate) struct Observer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Counts are kept once somebody can ask for them.
    metrics: OnceLock<Metrics>,
    /// How many calls of tools run.
    running: watch::Sender<usize>,
}

impl Default for Observer {
    fn default() -> Observer {
        Observer(Arc::new(Inner { metrics: OnceLock::new(), running: watch::Sender::new(0) }))
    }
}

impl Observer {
    /// Counts from now on.
    pub(crate) fn count(&self) -> &Metrics {
        self.0.metrics.get_or_init(Metrics::default)
    }

    /// Waits until no call of a tool runs.
    pub(crate) async fn idle(&self) {
        let mut running = self.0.running.subscribe();
        let _ = running.wait_for(|running| *running == 0).await;
    }

    /// Sees a call of an adapter's op or tool.
    pub(crate) async fn call<T: Seen>(
        &self,
        (adapter, op): (&str, &str),
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let logged = tracing::enabled!(tracing::Level::DEBUG);
        let metrics = self.0.metrics.get();
        if !logged && metrics.is_none() {
            return work.await;
        }
        let running = metrics.map(|metrics| metrics.begin(adapter));
        let mut seen = AdapterCall {
            metrics,
            _running: running,
            adapter,
            op,
            begin: Instant::now(),
            outcome: CANCELLED,
            bytes: 0,
        };
        let result = work.await;
        seen.outcome = match &result {
            Ok(answer) => {
                seen.bytes = if logged { answer.size() } else { 0 };
                outcome(answer)
            }
            Err(failure) => failure.id,
        };
        result
    }

    /// Sees a call of a tool by an agent, from now until the answer is dropped.
    pub(crate) fn tool(&self) -> ToolCall {
        self.0.running.send_modify(|running| *running += 1);
        ToolCall {
            observer: self.clone(),
            begin: Instant::now(),
            known: OnceLock::new(),
            outcome: OnceLock::new(),
        }
    }
}

/// A call of an adapter that runs.
struct AdapterCall<'a> {
    metrics: Option<&'a Metrics>,
    _running: Option<InFlight>,
    adapter: &'a str,
    op: &'a str,
    begin: Instant,
    outcome: &'static str,
    bytes: usize,
}

impl Drop for AdapterCall<'_> {
    fn drop(&mut self) {
        let (time, outcome) = (self.begin.elapsed(), self.outcome);
        if let Some(metrics) = self.metrics {
            metrics.ended(self.adapter, time, (outcome != OK).then_some(outcome));
        }
        debug!(adapter = self.adapter, op = self.op, ms = millis(time), bytes = self.bytes, outcome, "call");
    }
}

/// A call of a tool that runs.
pub(crate) struct ToolCall {
    observer: Observer,
    begin: Instant,
    known: OnceLock<Known>,
    outcome: OnceLock<(&'static str, usize)>,
}

/// What tool it is.
struct Known {
    tool: String,
    adapter: Option<String>,
    span: Span,
}

impl ToolCall {
    /// The tool is one of the plan's; its adapter when it has one. What is done for the call belongs into this span.
    pub(crate) fn known(&self, tool: &str, adapter: Option<String>) -> Span {
        let make = || Known { tool: tool.to_owned(), adapter, span: info_span!("tool", tool) };
        self.known.get_or_init(make).span.clone()
    }

    /// It ended with an answer.
    pub(crate) fn answered(&self, answer: &impl Seen) {
        let bytes = if tracing::enabled!(tracing::Level::INFO) { answer.size() } else { 0 };
        let _ = self.outcome.set((outcome(answer), bytes));
    }

    /// It ended with an error, told in so many bytes.
    pub(crate) fn failed(&self, id: &'static str, bytes: usize) {
        let _ = self.outcome.set((id, bytes));
    }
}

impl Drop for ToolCall {
    fn drop(&mut self) {
        self.observer.0.running.send_modify(|running| *running = running.saturating_sub(1));
        let time = self.begin.elapsed();
        let (outcome, bytes) = self.outcome.get().copied().unwrap_or((CANCELLED, 0));
        let known = self.known.get();
        let (tool, adapter) =
            (known.map(|known| known.tool.as_str()), known.and_then(|known| known.adapter.as_deref()));
        if let Some(metrics) = self.observer.0.metrics.get() {
            metrics.tool(tool, outcome);
        }
        info!(tool = tool.unwrap_or(UNKNOWN), adapter, ms = millis(time), bytes, outcome, "tool call");
    }
}

/// Milliseconds with three digits behind the point.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a tool gave; true when it complained.
    #[derive(Debug, PartialEq)]
    struct Given(bool);

    impl Seen for Given {
        fn size(&self) -> usize {
            1
        }

        fn is_complaint(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn a_call_that_is_dropped_was_cancelled() {
        let observer = Observer::default();
        observer.count();
        let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        reactor.block_on(async {
            let answer = observer.call(("a", "search"), async { Ok(Given(false)) }).await;
            assert_eq!(answer, Ok(Given(false)));
            assert!(observer.call(("a", "search"), async { Ok(Given(true)) }).await.is_ok());
            let answer: Result<Given, _> =
                observer.call(("a", "search"), async { Err(Failure::call("no")) }).await;
            assert!(answer.is_err());
            let never = observer.call(("a", "search"), std::future::pending::<Result<Given, Failure>>());
            let waited = tokio::time::timeout(Duration::from_millis(1), never).await;
            assert!(waited.is_err());
            let running = observer.tool();
            let waited = tokio::time::timeout(Duration::from_millis(1), observer.idle()).await;
            assert!(waited.is_err());
            drop(running);
            observer.idle().await;
        });
        let text = observer.count().text(true);
        for line in [
            "kontext_calls_total{adapter=\"a\"} 4",
            "kontext_call_failures_total{adapter=\"a\",id=\"tool-error\"} 1",
            "kontext_call_failures_total{adapter=\"a\",id=\"call-failed\"} 1",
            "kontext_call_failures_total{adapter=\"a\",id=\"cancelled\"} 1",
            "kontext_calls_in_flight{adapter=\"a\"} 0",
            "kontext_tool_calls_total{tool=\"other\",outcome=\"cancelled\"} 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }
}
