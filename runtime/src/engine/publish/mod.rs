//! Everything that is published as a tool, in one place and one order: kontext's own tools, those over notes, declared
//! ones by name, and those of MCP servers by adapter. It depends on the plan and the machine, never on who asks.

mod built_in;
mod fit;
mod learn;
mod upstream;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use kontext_plan::{Driver, OWN_TOOLS, Published};
use serde_json::{Map, Value};

use self::built_in::BuiltIn;
pub(super) use self::fit::{ONLY_AS_TASK, arguments as fit_arguments, is_only_a_task};
pub(super) use self::learn::Learnt;
use super::Runtime;
use super::tool::ToolInfo;
use crate::answer::ToolAnswer;
use crate::error::RunError;
use crate::exec::ending;
use crate::mcp::ProgressSink;
use crate::suggest;

/// The published tools, in the order in which agents are told of them.
#[derive(Debug, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
    places: HashMap<String, usize>,
    warnings: Vec<String>,
}

#[derive(Debug)]
struct Entry {
    info: ToolInfo,
    leads: Leads,
}

/// Where a tool leads.
#[derive(Debug)]
enum Leads {
    BuiltIn(BuiltIn),
    Notes,
    Declared,
    Upstream(Upstream),
}

/// A tool of an MCP server.
#[derive(Debug)]
struct Upstream {
    adapter: String,
    tool: String,
}

impl Catalogue {
    /// The tools.
    pub fn tools(&self) -> impl Iterator<Item = &ToolInfo> {
        self.entries.iter().map(|entry| &entry.info)
    }

    /// A tool by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolInfo> {
        self.entry(name).map(|entry| &entry.info)
    }

    /// Tools that were left out, each with the reason.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(*self.places.get(name)?)
    }

    fn add(&mut self, info: ToolInfo, leads: Leads) {
        self.places.insert(info.name.clone(), self.entries.len());
        self.entries.push(Entry { info, leads });
    }

    /// A tool of a server, unless its name is taken: the names of kontext's own always are.
    fn add_upstream(&mut self, adapter: &str, tool: &str, published: &Published) {
        let name = &published.name;
        let taken = match self.entry(name) {
            Some(Entry { leads: Leads::Upstream(other), .. }) => {
                Some(format!("a tool of `{}` is published under it", other.adapter))
            }
            Some(_) => Some("another tool is published under it".to_owned()),
            None if OWN_TOOLS.contains(&name.as_str()) => Some("it is one of kontext's own".to_owned()),
            None => None,
        };
        let fit = match taken {
            Some(why) => Err(format!("its name would be `{name}`, and {why}; `prefix` keeps them apart")),
            None => upstream::info(published),
        };
        match fit {
            Err(why) => {
                self.warnings.push(format!("the tool `{tool}` of `{adapter}` is left out: {why}"));
            }
            Ok(info) => {
                let upstream = Upstream { adapter: adapter.to_owned(), tool: tool.to_owned() };
                self.add(info, Leads::Upstream(upstream));
            }
        }
    }
}

impl Runtime {
    /// The published tools as far as they are known now.
    #[must_use]
    pub fn catalogue(&self) -> Arc<Catalogue> {
        let mut learnt = self.learnt.lock();
        if let Some(catalogue) = &learnt.catalogue {
            return Arc::clone(catalogue);
        }
        let catalogue = Arc::new(self.published(&learnt));
        learnt.catalogue = Some(Arc::clone(&catalogue));
        catalogue
    }

    fn published(&self, learnt: &Learnt) -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (info, built_in) in self.built_ins() {
            catalogue.add(info, Leads::BuiltIn(built_in));
        }
        for info in self.notes_tools() {
            catalogue.add(info, Leads::Notes);
        }
        for info in self.tools() {
            catalogue.add(info, Leads::Declared);
        }
        for (name, adapter) in &self.plan.adapters {
            let Driver::Mcp(server) = &adapter.driver else { continue };
            let known = || server.tools.iter().flatten();
            if known().all(|tool| tool.published.is_none()) && !learnt.tools.contains_key(name) {
                continue;
            }
            if self.reason(name, adapter).is_some() {
                continue;
            }
            let pinned = known().filter_map(|tool| Some((tool.name.as_str(), tool.published.as_ref()?)));
            let reported = learnt.tools.get(name).into_iter().flatten();
            let reported = reported.map(|(tool, published)| (tool.as_str(), published));
            for (tool, published) in pinned.chain(reported) {
                catalogue.add_upstream(name, tool, published);
            }
        }
        catalogue
    }

    /// Whether there is a tool of this name, published or not at the moment.
    #[must_use]
    pub fn knows_tool(&self, name: &str) -> bool {
        self.catalogue().get(name).is_some() || self.is_declared(name)
    }

    /// Calls any published tool. Servers whose tools are not known yet are asked when
    /// none is known by this name.
    ///
    /// # Errors
    /// `unknown-tool` with the nearest name; `unknown-argument`, `missing-argument` or `argument-type` with every
    /// argument that is wrong; `tool-changed`; and what calling an op gives.
    pub async fn tool(&self, name: &str, args: Map<String, Value>) -> Result<ToolAnswer, RunError> {
        if !self.knows_tool(name) {
            let failed = self.learn_of(name).await;
            if !self.knows_tool(name) {
                let mut error = self.unknown_tool(name);
                error.message.extend(failed.iter().map(|error| format!("\n  {}", error.message)));
                return Err(error);
            }
        }
        self.call_tool(name, args, None).await
    }

    /// Calls a tool that is known; `progress` hears of what an upstream server says meanwhile.
    ///
    /// # Errors
    /// As [`Runtime::tool`].
    pub async fn call_tool(
        &self,
        name: &str,
        args: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> Result<ToolAnswer, RunError> {
        let catalogue = self.catalogue();
        match catalogue.entry(name) {
            Some(Entry { leads: Leads::BuiltIn(built_in), info }) => {
                self.call_built_in(built_in, info, args).await
            }
            Some(Entry { leads: Leads::Upstream(upstream), .. }) => {
                self.call_upstream(&upstream.adapter, &upstream.tool, args, progress).await
            }
            Some(Entry { leads: Leads::Notes | Leads::Declared, .. }) | None => {
                self.declared_tool(name, args).await
            }
        }
    }

    /// The answer of a tool that says it failed, as the error which that is to whoever is no agent.
    #[must_use]
    pub fn tool_failure(&self, name: &str, answer: &ToolAnswer) -> Option<RunError> {
        let why = ending(&answer.complaint()?, usize::MAX);
        let error = RunError::new("call-failed", format!("the tool `{name}` failed: {why}"));
        let adapter = self.adapter_of_tool(name).and_then(|adapter| self.plan.adapters.get(&adapter));
        Some(match adapter {
            Some(adapter) => error.at(&self.plan, adapter.at),
            None => error,
        })
    }

    /// The adapter whose system a tool leads to; none for kontext's own.
    #[must_use]
    pub fn adapter_of_tool(&self, name: &str) -> Option<String> {
        let catalogue = self.catalogue();
        match &catalogue.entry(name)?.leads {
            Leads::Upstream(upstream) => Some(upstream.adapter.clone()),
            Leads::Declared => self.declaring(name).map(str::to_owned),
            Leads::BuiltIn(_) | Leads::Notes => None,
        }
    }

    /// The error of calling a tool that is not there.
    #[must_use]
    pub fn unknown_tool(&self, name: &str) -> RunError {
        let catalogue = self.catalogue();
        let mut known: Vec<&str> = catalogue.tools().map(|tool| tool.name.as_str()).collect();
        known.extend(self.declared_names().filter(|name| catalogue.get(name).is_none()));
        let hint = suggest::among(name, &known, "tools");
        let silent: Vec<String> = self.silent(name).map(|adapter| format!("`{adapter}`")).collect();
        let silence = match silent.as_slice() {
            [] => String::new(),
            names => format!(" (the tools of {} are not known: no answer yet)", names.join(", ")),
        };
        // A name may be a secret that stood in the wrong place.
        let name = self.mask().text(name).into_owned();
        RunError::new("unknown-tool", format!("the plan has no tool `{name}`{silence}; {hint}"))
    }
}

/// What servers without pins reported, behind a lock.
#[derive(Debug, Default)]
pub(super) struct Shelf(std::sync::Mutex<Learnt>);

impl Shelf {
    fn lock(&self) -> std::sync::MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
