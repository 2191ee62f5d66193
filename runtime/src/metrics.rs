//! What a server counts, for Prometheus: calls, failures and times by adapter, calls of tools.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// How many names of one kind are told apart; more can only come of many plans, one after the other.
const NAMES: usize = 1000;
/// Stands for all other names.
const OTHER: &str = "other";
/// Upper bounds of the classes of times, in seconds.
const TIMES: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// An adapter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAdapter {
    adapter: String,
}

/// A way an adapter fails.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByFailure {
    adapter: String,
    id: String,
}

/// A tool, and how its calls end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByTool {
    tool: String,
    outcome: String,
}

/// The counts of a server, over all plans it served.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<ByAdapter, Counter>,
    failures: Family<ByFailure, Counter>,
    times: Family<ByAdapter, Histogram, fn() -> Histogram>,
    running: Family<ByAdapter, Gauge>,
    tools: Family<ByTool, Counter>,
    serving: Gauge,
    adapters: Names,
    tool_names: Names,
}

/// Names that were seen.
#[derive(Debug, Default)]
struct Names(Mutex<BTreeSet<String>>);

impl Names {
    /// The name, or what stands for it when there are too many.
    fn keep(&self, name: &str) -> String {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(name) || (seen.len() < NAMES && seen.insert(name.to_owned())) {
            return name.to_owned();
        }
        OTHER.to_owned()
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("kontext");
        let (calls, failures) = (Family::default(), Family::default());
        let times: Family<ByAdapter, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(TIMES));
        let (running, tools, serving) = (Family::default(), Family::default(), Gauge::default());
        registry.register("calls", "Calls of adapters", calls.clone());
        registry.register(
            "call_failures",
            "Calls of adapters that failed, by the id of the error",
            failures.clone(),
        );
        registry.register_with_unit(
            "call_duration",
            "How long calls of adapters took",
            Unit::Seconds,
            times.clone(),
        );
        registry.register("calls_in_flight", "Calls of adapters that run", running.clone());
        registry.register("tool_calls", "Calls of tools by agents, and how they ended", tools.clone());
        registry.register(
            "serving",
            "1 when a plan is served, 0 when only its absence is told",
            serving.clone(),
        );
        let (adapters, tool_names) = (Names::default(), Names::default());
        Metrics { registry, calls, failures, times, running, tools, serving, adapters, tool_names }
    }
}

impl Metrics {
    /// A call of an adapter begins; it is over when the answer is dropped.
    pub(crate) fn begin(&self, adapter: &str) -> InFlight {
        let by = ByAdapter { adapter: self.adapters.keep(adapter) };
        let gauge = self.running.get_or_create(&by).clone();
        gauge.inc();
        InFlight(gauge)
    }

    /// A call of an adapter ended after this time, perhaps with an error.
    pub(crate) fn ended(&self, adapter: &str, time: Duration, failure: Option<&str>) {
        let adapter = self.adapters.keep(adapter);
        let by = ByAdapter { adapter: adapter.clone() };
        self.calls.get_or_create(&by).inc();
        self.times.get_or_create(&by).observe(time.as_secs_f64());
        if let Some(id) = failure {
            self.failures.get_or_create(&ByFailure { adapter, id: id.to_owned() }).inc();
        }
    }

    /// A call of a tool ended. A tool that there is not counts as none of these: its name is the caller's.
    pub(crate) fn tool(&self, name: Option<&str>, outcome: &str) {
        let tool = name.map_or_else(|| OTHER.to_owned(), |name| self.tool_names.keep(name));
        self.tools.get_or_create(&ByTool { tool, outcome: outcome.to_owned() }).inc();
    }

    /// All counts as text.
    pub(crate) fn text(&self, serving: bool) -> String {
        self.serving.set(i64::from(serving));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        sorted(&text)
    }
}

/// The same with the samples of each metric in the order of their labels: two looks can be compared.
fn sorted(text: &str) -> String {
    let mut lines: Vec<(usize, &str, &str)> = Vec::new();
    let mut metric = 0;
    for line in text.lines() {
        metric += usize::from(line.starts_with('#'));
        // The classes of a histogram stay together, in their order.
        let labels = line.split_once('{').map_or("", |(_, labels)| labels);
        let labels =
            labels.strip_prefix("le=").and_then(|rest| rest.split_once(',')).map_or(labels, |(_, rest)| rest);
        lines.push((metric, labels.split('}').next().unwrap_or(""), line));
    }
    lines.sort_by_key(|(metric, labels, _)| (*metric, *labels));
    lines.into_iter().map(|(_, _, line)| format!("{line}\n")).collect()
}

/// A call that runs.
#[derive(Debug)]
pub(crate) struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_for_prometheus() {
        let metrics = Metrics::default();
        let running = metrics.begin("notes");
        metrics.ended("notes", Duration::from_millis(3), None);
        metrics.ended("notes", Duration::from_secs(40), Some("timed-out"));
        metrics.tool(Some("find"), "ok");
        metrics.tool(None, "unknown-tool");
        let text = metrics.text(true);
        for line in [
            "kontext_calls_total{adapter=\"notes\"} 2",
            "kontext_call_failures_total{adapter=\"notes\",id=\"timed-out\"} 1",
            "kontext_call_duration_seconds_bucket{le=\"0.005\",adapter=\"notes\"} 1",
            "kontext_call_duration_seconds_count{adapter=\"notes\"} 2",
            "kontext_calls_in_flight{adapter=\"notes\"} 1",
            "kontext_tool_calls_total{tool=\"find\",outcome=\"ok\"} 1",
            "kontext_tool_calls_total{tool=\"other\",outcome=\"unknown-tool\"} 1",
            "kontext_serving 1",
            "# EOF",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        drop(running);
        assert!(metrics.text(false).contains("kontext_calls_in_flight{adapter=\"notes\"} 0"));
    }

    #[test]
    fn samples_have_an_order() {
        let metrics = Metrics::default();
        for adapter in ["c", "a", "d", "b"] {
            metrics.ended(adapter, Duration::ZERO, Some("call-failed"));
        }
        let text = metrics.text(true);
        let adapters = |metric: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(metric));
            lines
                .filter_map(|line| Some(line.split("adapter=\"").nth(1)?.chars().take(1).collect()))
                .collect()
        };
        assert_eq!(adapters("kontext_calls_total"), ["a", "b", "c", "d"]);
        let times: Vec<&str> =
            text.lines().filter(|line| line.starts_with("kontext_call_duration_seconds_")).collect();
        assert_eq!(times.len(), 4 * (TIMES.len() + 3));
        let of_a = times.get(..TIMES.len() + 3).unwrap();
        assert!(of_a.iter().all(|line| line.contains("adapter=\"a\"")), "{of_a:#?}");
        assert!(of_a.last().unwrap().contains("+Inf"), "{of_a:#?}");
    }

    #[test]
    fn names_do_not_grow_without_end() {
        let metrics = Metrics::default();
        for number in 0..NAMES + 100 {
            metrics.ended(&format!("a{number}"), Duration::ZERO, None);
        }
        let text = metrics.text(true);
        assert_eq!(text.matches("kontext_calls_total{").count(), NAMES + 1);
        assert!(text.contains("kontext_calls_total{adapter=\"other\"} 100"));
    }
}
