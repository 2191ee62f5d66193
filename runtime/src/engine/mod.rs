//! The runtime of one process: one plan, one machine, and what was learnt about the adapters so far.

mod federated;
mod inputs;
mod inspect;
mod mappers;
mod merge;
mod notes;
mod offer;
mod op;
mod publish;
mod read;
mod rest;
mod status;
mod tool;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use kontext_host::{Env, Repository};
use kontext_plan::{Adapter, Plan};

pub use self::federated::Question;
pub use self::inputs::Given;
use self::mappers::Mappers;
pub use self::notes::About;
use self::notes::Library;
pub(crate) use self::notes::roots;
pub use self::offer::Offer;
pub use self::publish::Catalogue;
use self::publish::Shelf;
use self::rest::Resting;
use self::tool::Tools;
pub use self::tool::{ToolInfo, list};
use crate::error::RunError;
use crate::exec::http::Clients;
use crate::load::Trust;
use crate::mcp::Pool;
use crate::observe::Observer;
use crate::secret::Mask;
use crate::value::Facts;
use crate::when::Inactive;
use crate::{facts, suggest};

/// Executes one plan.
#[derive(Debug)]
pub struct Runtime {
    plan: Plan,
    env: Env,
    repository: Repository,
    trust: Trust,
    facts: Facts,
    /// Facts that are looked at again for each call.
    moving: Vec<String>,
    mappers: Mappers,
    clients: Clients,
    servers: Pool,
    resting: Resting,
    tools: Tools,
    library: Library,
    /// Tools that only their servers know, and the catalogue of all.
    learnt: Shelf,
    observer: Observer,
    /// Why an adapter is inactive, found out once a process.
    reasons: BTreeMap<String, OnceLock<Option<Inactive>>>,
}

impl Runtime {
    /// A runtime for a plan on this machine. Nothing is contacted and no condition looked at yet.
    #[must_use]
    pub fn new(plan: Plan, env: Env, repository: Repository, trust: Trust) -> Self {
        let facts = facts::gather(&plan, &env, &repository);
        let moving = facts::moving(&plan);
        let reasons = plan.adapters.keys().map(|name| (name.clone(), OnceLock::new())).collect();
        let tools = Tools::of(&plan);
        let library = Library::new(&plan, &env, &repository, trust);
        Self {
            plan,
            env,
            repository,
            trust,
            facts,
            moving,
            mappers: Mappers::default(),
            clients: Clients::default(),
            servers: Pool::default(),
            resting: Resting::default(),
            tools,
            library,
            learnt: Shelf::default(),
            observer: Observer::default(),
            reasons,
        }
    }

    /// The same runtime, its calls seen by another.
    #[must_use]
    pub(crate) fn seen_by(mut self, observer: &Observer) -> Self {
        self.observer = observer.clone();
        self
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The repository that it works for.
    #[must_use]
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The facts. The scope of the start is found out when a plan that needs it is first used.
    fn facts(&self) -> &Facts {
        if self.library.is_asked() {
            self.facts.find_scope(|| self.library.start_scope());
        }
        &self.facts
    }

    /// The facts for a call that is made now.
    fn current_facts(&self) -> Cow<'_, Facts> {
        let facts = self.facts();
        match self.moving.is_empty() {
            true => Cow::Borrowed(facts),
            false => Cow::Owned(facts::current(facts, &self.moving, &self.repository)),
        }
    }

    /// What hides every secret known by now.
    #[must_use]
    pub fn mask(&self) -> std::sync::Arc<Mask> {
        self.facts.mask()
    }

    /// Ends the MCP servers that were started, all at once and within a second or so.
    pub async fn close(&self) {
        self.servers.close().await;
    }

    /// An adapter by name, active or not.
    ///
    /// # Errors
    /// `unknown-adapter`, with the nearest name.
    pub fn adapter(&self, name: &str) -> Result<&Adapter, RunError> {
        self.plan.adapters.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.plan.adapters.keys().map(String::as_str).collect();
            let hint = suggest::among(name, &known, "adapters");
            RunError::new("unknown-adapter", format!("there is no adapter `{name}`; {hint}"))
        })
    }
}
