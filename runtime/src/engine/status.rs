//! Which adapters are active, and the error of calling one that is not.

use kontext_plan::{Adapter, Driver, EventKind};

use super::Runtime;
use crate::answer::AdapterStatus;
use crate::error::RunError;
use crate::when::{self, Inactive, Machine};

impl Runtime {
    /// Every adapter of the plan by name.
    #[must_use]
    pub fn status(&self) -> Vec<AdapterStatus> {
        self.plan.adapters.iter().map(|(name, adapter)| self.status_of(name, adapter)).collect()
    }

    /// Whether any active adapter has an op of this name; the notes can be searched too.
    #[must_use]
    pub fn can(&self, op: &str) -> bool {
        if op == "search" && self.has_notes() {
            return true;
        }
        let mut having = self.plan.adapters.iter().filter(|(_, adapter)| adapter.ops.contains_key(op));
        having.any(|(name, adapter)| self.reason(name, adapter).is_none())
    }

    fn status_of(&self, name: &str, adapter: &Adapter) -> AdapterStatus {
        let reason = self.reason(name, adapter).map(str::to_owned);
        AdapterStatus {
            name: name.to_owned(),
            driver: driver(adapter),
            description: adapter.description.clone(),
            layers: adapter.layers.clone(),
            active: reason.is_none(),
            reason,
            trusted: self.trust.covers(adapter),
            ops: adapter.ops.keys().cloned().collect(),
            tools: adapter.tools.iter().map(|tool| tool.name.clone()).collect(),
            events: adapter.events.iter().map(|event| event_name(event.event)).collect(),
        }
    }

    /// Why the adapter is inactive, in words.
    pub(super) fn reason(&self, name: &str, adapter: &Adapter) -> Option<&str> {
        self.inactive(name, adapter).map(|inactive| inactive.reason.as_str())
    }

    /// Why the adapter is inactive; found out before its first call and kept.
    fn inactive(&self, name: &str, adapter: &Adapter) -> Option<&Inactive> {
        let machine = Machine { env: &self.env, repository: &self.repository, facts: self.facts() };
        let find_out = || when::inactive(machine, name, adapter, self.trust.covers(adapter));
        self.reasons.get(name)?.get_or_init(find_out).as_ref()
    }

    /// An adapter that can be called.
    pub(super) fn active(&self, name: &str) -> Result<&Adapter, RunError> {
        let adapter = self.adapter(name)?;
        match self.inactive(name, adapter) {
            None => Ok(adapter),
            Some(Inactive { reason, at }) => {
                let untrusted = adapter.enabled && !self.trust.covers(adapter);
                let id = if untrusted { "not-trusted" } else { "inactive" };
                let hint = if untrusted {
                    "; `KONTEXT_TRUST_REPO_ADAPTERS=1` trusts it for one process"
                } else {
                    ""
                };
                let message = format!("the adapter `{name}` is inactive: {reason}{hint}");
                Err(RunError::new(id, message).at(&self.plan, *at))
            }
        }
    }
}

fn driver(adapter: &Adapter) -> &'static str {
    match adapter.driver {
        Driver::Http => "http",
        Driver::Command => "command",
        Driver::Mcp { .. } => "mcp",
    }
}

fn event_name(event: EventKind) -> &'static str {
    match event {
        EventKind::Capture => "capture",
        EventKind::Promote => "promote",
        EventKind::Sync => "sync",
    }
}
