//! Binding by name: which values an op has to give.

use kontext_plan::binding::{ByName, Role};

use crate::check::Typed;
use crate::check::ways::{STANDARD, Way};
use crate::config::{Adapter, Op};

/// Which values an op that is reached in a way has to give.
#[must_use]
pub fn by_name(adapter: &Adapter<Typed>, op: &Op<Typed>, way: Option<&Way>) -> ByName {
    let name = op.name.as_deref();
    let has = |input: &str| way.is_some_and(|way| way.inputs.iter().any(|known| known.name == input));
    let evented = name == Some("store") || adapter.on.iter().any(|on| Some(on.op.value.as_str()) == name);
    let standard = name.is_some_and(|name| STANDARD.contains(&name));
    let with_query = matches!(name, Some("search" | "code" | "brief")) || (!standard && has("query"));
    let roles = [
        (Role::Query, with_query),
        (Role::Target, name == Some("history")),
        (Role::Uri, name == Some("read")),
        (Role::Content, evented),
        (Role::Title, evented),
        (Role::Tags, evented),
        (Role::Limit, has("limit")),
        (Role::Project, true),
        (Role::Prompt, name == Some("llm")),
    ];
    let parameters = match (name, way) {
        (None, Some(way)) => {
            way.inputs.iter().map(|input| input.name.clone()).filter(|name| name != "args").collect()
        }
        _ => Vec::new(),
    };
    let roles = roles.into_iter().filter_map(|(role, given)| given.then_some(role)).collect();
    ByName { roles, parameters }
}
