//! The variables a plan reads, for clients that start servers with few of theirs.

use std::collections::BTreeSet;
use std::path::Path;

use kontext_plan::CapabilityKind;

/// The most that is read of a plan here.
const LIMIT: u64 = 64 << 20;

/// What Codex gives a server without being told.
const GIVEN: [&str; 10] =
    ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/// The variables the plan reads, without those every server gets; none when there is no plan that can be read, which is
/// another's to say.
pub fn read_by(plan: &Path) -> Vec<String> {
    let text = kontext_host::read_limited(plan, LIMIT).ok().flatten();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(plan) = text.and_then(|text| kontext_plan::parse(&text).ok()) else { return Vec::new() };
    let variables = plan.capabilities.iter().filter(|one| one.kind == CapabilityKind::Env);
    let names = variables.filter_map(|one| one.value.split_whitespace().next());
    let names: BTreeSet<&str> = names.filter(|name| !GIVEN.contains(name)).collect();
    names.into_iter().map(str::to_owned).collect()
}
