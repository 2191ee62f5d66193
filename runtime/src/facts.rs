//! Filling in what is known only on this machine, and of that only what the plan needs.

use std::cell::LazyCell;

use jiff::ZonedDateTime;
use kontext_host::{Env, Repository};
use kontext_plan::Plan;

use crate::value::Facts;

/// The facts the plan names. There is one `now` for every call of the process; a plan that does not ask for it does
/// not pay for the system's time zones, which are hundreds of files.
pub(crate) fn gather(plan: &Plan, env: &Env, repository: &Repository) -> Facts {
    let mut facts = Facts::new(repository.root().to_owned());
    let now = LazyCell::new(ZonedDateTime::now);
    for fact in &plan.facts {
        let value = match fact.name.split_once('.') {
            Some(("env", name)) => env.get(name).map(str::to_owned),
            Some(("repo", name)) => of_repository(repository, name),
            Some(("now", "date")) => Some(now.date().to_string()),
            Some(("now", "iso")) => Some(now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
            _ => None,
        };
        facts.set(&fact.name, value, fact.secret);
    }
    facts
}

fn of_repository(repository: &Repository, name: &str) -> Option<String> {
    match name {
        "id" => Some(repository.id()),
        "slug" => Some(repository.slug()),
        "name" => Some(repository.name()),
        "dir" => Some(repository.dir()),
        "root" => Some(repository.root().to_string_lossy().into_owned()),
        "remote" => repository.remote(),
        "branch" => repository.branch(),
        "worktree" => Some(repository.worktree()),
        _ => None,
    }
}
