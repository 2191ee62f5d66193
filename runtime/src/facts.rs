//! Filling in what is known only on this machine, and of that only what the plan needs.

use std::cell::OnceCell;

use jiff::ZonedDateTime;
use kontext_host::{Env, Repository};
use kontext_plan::Plan;

use crate::value::Facts;

/// The facts the plan names, as they are now.
pub(crate) fn gather(plan: &Plan, env: &Env, repository: &Repository) -> Facts {
    let mut facts = Facts::new(repository.root().to_owned());
    let now = Now::default();
    for fact in &plan.facts {
        let value = match fact.name.split_once('.') {
            Some(("env", name)) => env.get(name).map(str::to_owned),
            Some(("repo", name)) => of_repository(repository, name),
            Some(("now", name)) => now.get(name),
            _ => None,
        };
        facts.set(&fact.name, value, fact.secret);
    }
    facts
}

/// The names of the facts that may be others at each call of a process that runs for long: the clock, and the branch.
pub(crate) fn moving(plan: &Plan) -> Vec<String> {
    let moves = |name: &&str| name.starts_with("now.") || *name == "repo.branch";
    plan.facts.iter().map(|fact| fact.name.as_str()).filter(moves).map(str::to_owned).collect()
}

/// The facts for a call that is made now: those of these names anew.
pub(crate) fn current(facts: &Facts, names: &[String], repository: &Repository) -> Facts {
    let now = Now::default();
    facts.with(names.iter().map(|name| {
        let value = match name.strip_prefix("now.") {
            Some(name) => now.get(name),
            None => repository.branch_now(),
        };
        (name.clone(), value)
    }))
}

/// One moment, looked at when it is asked for: a plan that does not ask does not pay for the system's time zones,
/// which are hundreds of files.
#[derive(Default)]
struct Now(OnceCell<ZonedDateTime>);

impl Now {
    fn get(&self, name: &str) -> Option<String> {
        let now = self.0.get_or_init(ZonedDateTime::now);
        match name {
            "date" => Some(now.date().to_string()),
            "iso" => Some(now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()),
            _ => None,
        }
    }
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
