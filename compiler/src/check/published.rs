//! The names agents see: each stands for one tool.

use std::collections::BTreeMap;

use super::Typed;
use crate::config::Config;
use crate::diagnostic::{Diagnostics, tools};
use crate::pin::Pins;
use crate::source::FileSpan;
use kontext_plan::{OWN_TOOLS, is_tool_name, published_name};

/// Reports declared and re-published names that are taken: by kontext, or by a tool before it. An adapter that is
/// switched off publishes nothing.
pub fn names(config: &Config<Typed>, pins: &Pins, diagnostics: &mut Diagnostics) {
    let mut taken: BTreeMap<String, FileSpan> = BTreeMap::new();
    for adapter in config.adapters.iter().filter(|adapter| adapter.enabled) {
        let prefix = adapter.prefix();
        let declared = adapter.tools.iter().map(|tool| (tool.name.value.clone(), &tool.name));
        let exposed = pins.exposed(adapter);
        let exposed = exposed.iter().map(|tool| (published_name(&prefix, &tool.value), tool));
        for (name, written) in declared.filter(|(name, _)| is_tool_name(name)).chain(exposed) {
            if OWN_TOOLS.contains(&name.as_str()) {
                diagnostics.push(tools::report_own_name(written.span, &name, &written.value, &adapter.name));
            } else if let Some(first) = taken.get(&name) {
                diagnostics.push(tools::report_collision(written.span, &name, &written.value, *first));
            } else {
                taken.insert(name, written.span);
            }
        }
    }
}
