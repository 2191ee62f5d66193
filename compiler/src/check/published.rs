//! The names agents see: each stands for one tool.

use std::collections::BTreeMap;

use super::Typed;
use crate::config::{Config, Spanned};
use crate::diagnostic::{Diagnostics, tools};
use crate::pin::Pins;
use kontext_plan::{OWN_TOOLS, is_tool_name, published_name};

/// Reports declared and re-published names that are taken: by kontext, or by a tool before it. An adapter that is
/// switched off publishes nothing.
pub fn names(config: &Config<Typed>, pins: &Pins, diagnostics: &mut Diagnostics) {
    let mut taken: BTreeMap<String, Published<'_>> = BTreeMap::new();
    for adapter in config.adapters.iter().filter(|adapter| adapter.enabled) {
        let prefix = adapter.prefix();
        let declared = adapter.tools.iter().map(|tool| (tool.name.value.clone(), tool.name.clone(), false));
        let exposed = pins.exposed(adapter).into_iter();
        let exposed = exposed.map(|tool| (published_name(&prefix, &tool.value), tool, true));
        for (name, written, exposed) in declared.filter(|(name, ..)| is_tool_name(name)).chain(exposed) {
            let tool = Published { adapter: &adapter.name, written, exposed };
            let written = &tool.written;
            if OWN_TOOLS.contains(&name.as_str()) {
                diagnostics.push(tools::report_own_name(written.span, &name, &written.value, &adapter.name));
                continue;
            }
            match taken.get(&name) {
                Some(first) if first.is_exposed_as(&tool) => {
                    let first = first.written.span;
                    diagnostics.push(tools::report_exposed_twice(written.span, &written.value, first));
                }
                Some(first) => {
                    let first = first.written.span;
                    diagnostics.push(tools::report_collision(written.span, &name, &written.value, first));
                }
                None => _ = taken.insert(name, tool),
            }
        }
    }
}

/// A tool that is published.
struct Published<'a> {
    adapter: &'a str,
    /// Its name in the configuration.
    written: Spanned<String>,
    /// It is a server's, and `expose` names it.
    exposed: bool,
}

impl Published<'_> {
    /// Whether both are one tool of one server.
    fn is_exposed_as(&self, other: &Published<'_>) -> bool {
        self.exposed
            && other.exposed
            && self.adapter == other.adapter
            && self.written.value == other.written.value
    }
}
