//! What `kontext.lock` says about the tools of MCP servers, and the configuration checked against it: before anything
//! is started, every name and argument that can be known to be wrong is.

mod arguments;
mod bound;
mod connection;
mod read;
pub mod rule;
mod schema;
mod tools;

use std::collections::BTreeMap;

use kontext_plan::lock::{LockedAdapter, LockedTool};
use kontext_plan::{Expose, LayerName, Pin, PinnedTool, publish};

use crate::check::{Checked, Typed, published};
use crate::config::{Adapter, DriverKind, Op, Spanned, ToolOp};
use crate::diagnostic::{Diagnostics, Severity, lock as report};
use crate::layer::Loaded;
use crate::world::World;

/// What is done with the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LockUse {
    /// What it holds is checked; what it does not hold is told.
    #[default]
    Follow,
    /// What it does not hold is an error.
    Require,
    /// It is not read: a plan that finds out what to write into it.
    Ignore,
}

/// What the locks hold.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    /// By adapter: where its entry belongs, for all MCP servers that are pinned.
    pub places: BTreeMap<String, Place>,
    entries: BTreeMap<String, LockedAdapter>,
}

/// Where an adapter's entry belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Logical name of the file: `repo:…/kontext.lock` for what every clone shares, else `clone:kontext.lock`.
    pub file: String,
    /// Digest of the compiled `command` or `url`, to which the entry is bound.
    pub connection: String,
}

/// Reads the locks and checks the configuration against them.
pub fn pin(
    checked: &Checked,
    loaded: &mut Loaded,
    world: &dyn World,
    lock: LockUse,
    diagnostics: &mut Diagnostics,
) -> Pins {
    let servers = || checked.config.adapters.iter().filter(|adapter| is_pinned(adapter));
    let mut pins = Pins::default();
    for adapter in servers() {
        if let Some(place) = connection::place(adapter, &checked.config.vars, loaded) {
            pins.places.insert(adapter.name.clone(), place);
        }
    }
    if lock != LockUse::Ignore {
        let files = read::files(&pins, loaded, world, diagnostics);
        for adapter in servers() {
            if let Some(entry) = pins.entry_for(adapter, &files, lock, diagnostics) {
                pins.entries.insert(adapter.name.clone(), entry);
            }
        }
    }
    for adapter in &checked.config.adapters {
        if let Some(entry) = pins.entry(&adapter.name) {
            tools::check(adapter, entry, diagnostics);
        }
    }
    published::names(&checked.config, &pins, diagnostics);
    pins
}

/// Whether an adapter is an MCP server whose tools are held fast.
fn is_pinned(adapter: &Adapter<Typed>) -> bool {
    adapter.driver == Some(DriverKind::Mcp) && adapter.mcp.pin != Pin::Off
}

/// Whether anything of the server is called or published.
fn is_used(adapter: &Adapter<Typed>) -> bool {
    adapter.mcp.expose != Expose::None || ops(adapter).next().is_some()
}

/// The ops of an adapter, its tools' own too.
fn ops(adapter: &Adapter<Typed>) -> impl Iterator<Item = &Op<Typed>> {
    let inline = adapter.tools.iter().filter_map(|tool| match &tool.op {
        ToolOp::Inline(op) => Some(op.as_ref()),
        ToolOp::Named(_) => None,
    });
    adapter.ops.iter().chain(inline)
}

impl Pins {
    /// What the lock holds for an adapter.
    #[must_use]
    pub fn entry(&self, adapter: &str) -> Option<&LockedAdapter> {
        self.entries.get(adapter)
    }

    /// The tool an op calls, when its name is written out and the lock holds it.
    #[must_use]
    pub fn tool(&self, adapter: &str, op: &Op<Typed>) -> Option<&LockedTool> {
        let name = op.tool.as_ref()?.literal()?;
        self.entry(adapter)?.tool(&name)
    }

    /// The shared layer, when an adapter's entry comes from it: it decides which tools are called.
    #[must_use]
    pub fn layer(&self, adapter: &str) -> Option<LayerName> {
        self.entry(adapter)?;
        let place = self.places.get(adapter)?;
        place.file.starts_with("repo:").then_some(LayerName::Shared)
    }

    /// The upstream tools that are published again, as far as they are known, each with the place that says so.
    #[must_use]
    pub fn exposed(&self, adapter: &Adapter<Typed>) -> Vec<Spanned<String>> {
        match (&adapter.mcp.expose, self.entry(&adapter.name)) {
            (Expose::All, Some(entry)) => {
                let span = adapter.mcp.expose_at.unwrap_or(adapter.key);
                entry.tools.iter().map(|tool| Spanned { value: tool.name.clone(), span }).collect()
            }
            _ => adapter.mcp.exposed.clone(),
        }
    }

    /// What the plan holds of an adapter's tools; none when the lock holds nothing of it.
    #[must_use]
    pub fn of(&self, adapter: &Adapter<Typed>) -> Option<Vec<PinnedTool>> {
        let entry = self.entry(&adapter.name)?;
        let exposed = self.exposed(adapter);
        let called: Vec<Option<String>> =
            ops(adapter).filter_map(|op| op.tool.as_ref()).map(Typed::literal).collect();
        // A name that only a caller gives may be any.
        let any = called.contains(&None);
        let is_exposed = |tool: &LockedTool| exposed.iter().any(|name| name.value == tool.name);
        let is_called = |tool: &LockedTool| any || called.iter().flatten().any(|name| *name == tool.name);
        let used = entry.tools.iter().filter(|tool| is_exposed(tool) || is_called(tool));
        let pinned = used.map(|tool| PinnedTool {
            name: tool.name.clone(),
            // A tool in a lock that was read has a digest by every pin.
            digest: tool.digest(adapter.mcp.pin).unwrap_or_else(|_| tool.digest.clone()),
            published: is_exposed(tool).then(|| publish(&adapter.name, &adapter.prefix(), tool)),
        });
        Some(pinned.collect())
    }

    /// The entry of an adapter, or why there is none.
    fn entry_for(
        &self,
        adapter: &Adapter<Typed>,
        files: &BTreeMap<String, read::File>,
        lock: LockUse,
        diagnostics: &mut Diagnostics,
    ) -> Option<LockedAdapter> {
        let place = self.places.get(&adapter.name)?;
        let file = files.get(&place.file)?;
        let read::Content::Read(lock_file) = &file.content else {
            if file.content == read::Content::Absent {
                unlocked(adapter, file, lock, diagnostics);
            }
            return None;
        };
        let Some(entry) = lock_file.lock.adapters.get(&adapter.name) else {
            unlocked(adapter, file, lock, diagnostics);
            return None;
        };
        if entry.connection == place.connection {
            return Some(entry.clone());
        }
        let (at, what) = connection::shown(adapter);
        let locked = file.place(&adapter.name);
        diagnostics.push(report::report_drift(at, &adapter.name, what, &file.display, locked));
        None
    }
}

fn unlocked(adapter: &Adapter<Typed>, file: &read::File, lock: LockUse, diagnostics: &mut Diagnostics) {
    if !is_used(adapter) {
        return;
    }
    let required = lock == LockUse::Require && adapter.enabled;
    if file.id.is_some() || file.possible || required {
        let found = report::report_unlocked(adapter.key, &adapter.name, &file.display, file.possible);
        diagnostics.push(if required { found.severity(Severity::Error) } else { found });
    }
}
