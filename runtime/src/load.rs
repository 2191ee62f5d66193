//! Reading a plan and deciding whether it may be executed: its format, its digest, its age, and whom it is from.

mod fresh;

use std::path::Path;

use kontext_host::{Env, Places};
use kontext_plan::{Adapter, LayerName, Origin, Plan, PlanError};

use self::fresh::{Change, Inputs};
use crate::error::RunError;

/// Larger than any plan that a configuration within its limits compiles to.
const PLAN_LIMIT: u64 = 256 * 1024 * 1024;

/// A plan that may be executed.
#[derive(Debug)]
pub struct Loaded {
    /// The plan.
    pub plan: Plan,
    /// Which of its adapters are trusted.
    pub trust: Trust,
}

/// Reads the plan from `file`, or from its default place. A stale plan is refused unless `allow_stale`.
///
/// # Errors
/// `no-plan`, `plan-format`, `plan-digest` and `stale-plan`.
pub fn load(env: &Env, places: &Places, file: Option<&Path>, allow_stale: bool) -> Result<Loaded, RunError> {
    let default = places.plan();
    let path = file.unwrap_or(&default);
    let text = read(places, path)?;
    let plan = kontext_plan::parse(&text).map_err(|error| refused(places, path, &error))?;
    let trust = Trust::new(env, is_same_file(path, &default));
    if !allow_stale {
        fresh(&plan, places, trust)?;
    }
    Ok(Loaded { plan, trust })
}

fn read(places: &Places, path: &Path) -> Result<String, RunError> {
    let shown = places.display(path);
    let bytes = kontext_host::read_limited(path, PLAN_LIMIT).map_err(|error| {
        let lost = RunError::new("no-plan", format!("there is no plan that can be read: {error}"));
        lost.mended("; run `kontext build`")
    })?;
    let Some(bytes) = bytes else {
        let absent = RunError::new("no-plan", format!("there is no plan at `{shown}`"));
        return Err(absent.mended(": run `kontext build`"));
    };
    String::from_utf8(bytes).map_err(|_| {
        let strange = format!("`{shown}` is not a kontext plan: it is not UTF-8 text");
        let refused = RunError::new("plan-format", strange).mended("; run `kontext build`");
        RunError { at: Some(top(&shown)), ..refused }
    })
}

fn refused(places: &Places, path: &Path, error: &PlanError) -> RunError {
    let id = if matches!(error, PlanError::Digest) { "plan-digest" } else { "plan-format" };
    let shown = places.display(path);
    let refused = RunError::new(id, format!("`{shown}`: {error}")).mended("; run `kontext build`");
    RunError { at: Some(top(&shown)), ..refused }
}

/// Both paths lead to the same file, however they are written.
fn is_same_file(path: &Path, other: &Path) -> bool {
    match (fs_err::canonicalize(path), fs_err::canonicalize(other)) {
        (Ok(path), Ok(other)) => path == other,
        _ => path == other,
    }
}

/// Every input is as it was when the plan was built.
fn fresh(plan: &Plan, places: &Places, trust: Trust) -> Result<(), RunError> {
    let notes = plan.scope.clone().unwrap_or_default();
    let roots = crate::engine::roots(&notes, places, trust);
    match Inputs::new(places, &notes, &roots).change(plan) {
        None => same_repository(plan, places).and_then(|()| explicit_is_known(plan, places)),
        Some(Change { what, file }) => Err(RunError { at: Some(top(&file)), ..stale(&what) }),
    }
}

fn stale(change: &str) -> RunError {
    let stale = RunError::new("stale-plan", format!("the plan is stale: {change}"));
    stale.mended("; run `kontext build`, or pass `--allow-stale`")
}

/// The top of a file, by the name that people know.
fn top(shown: &str) -> Origin {
    Origin { file: shown.to_owned(), line: 1, column: 1 }
}

/// A repository that got another name, or a remote, has another layer of the user's.
fn same_repository(plan: &Plan, places: &Places) -> Result<(), RunError> {
    let built = plan.inputs.iter().find(|input| input.name.starts_with("user:repos/"));
    match (built, places.user_repo()) {
        (Some(built), Some(now)) if built.name != now => Err(stale(&format!(
            "it was built with `{}`, and this repository's is `{}` now",
            places.display_logical(&built.name),
            places.display_logical(&now)
        ))),
        _ => Ok(()),
    }
}

/// A configuration file that is named now must have been named for the build.
fn explicit_is_known(plan: &Plan, places: &Places) -> Result<(), RunError> {
    let known = plan.inputs.iter().any(|input| input.name == "explicit");
    match places.input("explicit") {
        // To build would be refused too.
        Some(path) if !known && !path.exists() => {
            let shown = places.display(&path);
            let lost = format!("`{shown}` does not exist, and the plan was built without it");
            Err(RunError::new("stale-plan", lost)
                .mended("; write another path behind `--config`, or leave it out"))
        }
        Some(path) if !known => {
            Err(stale(&format!("it was built without `{}`, which is named now", places.display(&path))))
        }
        _ => Ok(()),
    }
}

/// Which adapters may be used although another's file decided what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trust {
    everything: bool,
    layers_count: bool,
}

impl Trust {
    /// For a plan whose claims about layers count (`at_its_place`: it was made here), or do not.
    #[must_use]
    pub fn new(env: &Env, at_its_place: bool) -> Self {
        let everything = env.non_empty("KONTEXT_TRUST_REPO_ADAPTERS").is_some_and(|value| value == "1");
        Self { everything, layers_count: at_its_place }
    }

    /// Whether what the plan says about layers counts.
    pub(crate) fn believes_layers(self) -> bool {
        self.layers_count
    }

    /// Whether the adapter may be called, and its conditions looked at.
    #[must_use]
    pub fn covers(self, adapter: &Adapter) -> bool {
        self.everything || (self.layers_count && !adapter.layers.contains(&LayerName::Shared))
    }
}
