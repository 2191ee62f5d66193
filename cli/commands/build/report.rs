//! What became of the plan, for programs: the contract of `schemas/build.schema.json`.

use kontext_compiler::Compilation;
use kontext_compiler::diagnostic::Diagnostic;
use kontext_plan::Plan;
use serde::Serialize;
use serde_json::Value;

use super::Became;
use crate::commands::{Failure, adapters};
use crate::render;

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<About<'a>>,
    diagnostics: Value,
    summary: Value,
}

#[derive(Serialize)]
struct About<'a> {
    file: &'a str,
    digest: &'a str,
    profile: &'static str,
    adapters: usize,
    ops: usize,
    tools: usize,
}

/// The whole answer; `written` is the plan and the file it belongs in, when there is a plan.
///
/// # Errors
/// Never, as long as JSON can be written.
pub fn json(
    compilation: &Compilation,
    shown: &[&Diagnostic],
    became: Became,
    written: Option<(&Plan, &str)>,
) -> Result<String, Failure> {
    let found = render::json(&compilation.sources, &compilation.masked, shown);
    let mut found: Value = serde_json::from_str(&found).unwrap_or_default();
    let report = Report {
        version: 1,
        status: became.word(),
        plan: written.map(|(plan, file)| About {
            file,
            digest: &plan.digest,
            profile: plan.profile.as_str(),
            adapters: plan.adapters.len(),
            ops: plan.adapters.values().map(|adapter| adapter.ops.len()).sum(),
            tools: plan.adapters.values().map(|adapter| adapter.tools.len()).sum(),
        }),
        diagnostics: found.get_mut("diagnostics").map(Value::take).unwrap_or_default(),
        summary: found.get_mut("summary").map(Value::take).unwrap_or_default(),
    };
    adapters::json(&report)
}
