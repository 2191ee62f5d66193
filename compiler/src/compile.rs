//! The phases, one after the other.

use std::collections::BTreeSet;

use kontext_plan::{Plan, Profile};

use crate::check::{self, Checked, Constants};
use crate::config::{Adapter, Config};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, lint};
use crate::layer::Loaded;
use crate::merge::Document;
use crate::parse::Cell;
use crate::pin::{LockUse, Pins};
use crate::source::{FileId, FileSpan, Sources};
use crate::world::World;
use crate::{allow, flow, layer, lower, mask, merge, parse, pin, project, scope, validate};

/// How to compile.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Which layers, under which rules.
    pub profile: Profile,
    /// What is done with the lock.
    pub lock: LockUse,
}

/// What came of it.
#[derive(Debug)]
pub struct Compilation {
    /// Every text that was read.
    pub sources: Sources,
    /// Every finding, sorted.
    pub diagnostics: Vec<Diagnostic>,
    /// The plan; none when any finding is an error, or none was asked for.
    pub plan: Option<Plan>,
    /// The merged layers, with the origin of every value.
    pub document: Document,
    /// Secrets that stand in the files: masked wherever a source line is shown.
    pub masked: Vec<FileSpan>,
    /// What the locks hold of its MCP servers, and where their entries belong.
    pub pins: Pins,
    /// What the phases made on the way. To give it back piece by piece takes a tenth of a check: a process that ends
    /// anyway forgets its compilation.
    _made: (Config<Cell>, Checked),
}

/// Findings that may be due to what a broken layer would have said.
static FOLLOW_ON: [&lint::Lint; 8] = [
    &lint::UNKNOWN_VARIABLE,
    &lint::UNKNOWN_OP,
    &lint::UNUSED_OP,
    &lint::INPUT_NOT_AVAILABLE,
    &lint::UNOWNED_URI,
    &lint::UNLOCKED_TOOL,
    &lint::LOCK_DRIFT,
    &lint::UNREACHABLE_SCOPE,
];

/// Compiles all layers.
pub fn compile(world: &dyn World, options: &Options) -> Compilation {
    through(world, options, true)
}

/// Says what is wrong in all layers. There is no plan, and the time of making one is saved.
pub fn diagnose(world: &dyn World, options: &Options) -> Compilation {
    through(world, options, false)
}

fn through(world: &dyn World, options: &Options, plan: bool) -> Compilation {
    let mut diagnostics = Diagnostics::default();
    let mut loaded = layer::load(world, options.profile, &mut diagnostics);
    let document = merge::merge(std::mem::take(&mut loaded.layers), &loaded.sources, &mut diagnostics);
    validate::validate(&document, &loaded.sources, loaded.broken, &mut diagnostics);
    let mut later = Diagnostics::default();
    let config = parse::parse(&document, &loaded.sources, &mut later);
    let constants = if names_project(&loaded) {
        project::constants(&config.project, world)
    } else {
        Constants::default()
    };
    let checked = check::check(&config, &constants, &mut later);
    let pins = pin::pin(&checked, &mut loaded, world, options.lock, &mut later);
    let masked = flow::flow(&checked, &document, &loaded.sources, options.profile, &mut later);
    let mut notes = scope::scope(&config, &mut loaded, world, options.profile, &mut later);
    if loaded.broken {
        later.retain(|diagnostic| !FOLLOW_ON.iter().any(|lint| lint.id == diagnostic.lint.id));
    }
    unused_where_broken(&config.adapters, &diagnostics, &mut later);
    diagnostics.append(later);
    allow::allow(&loaded.sources, loaded.broken, &mut diagnostics);
    scope::forget_allowed(&mut notes, &diagnostics);
    let masked = mask::places(&loaded.sources, masked);
    let plan = plan && !diagnostics.has_errors();
    let plan = plan.then(|| lower::lower(&checked, &loaded, &pins, notes, options.profile));
    let diagnostics = diagnostics.into_sorted(&loaded.sources);
    let sources = loaded.sources;
    Compilation { sources, diagnostics, plan, document, masked, pins, _made: (config, checked) }
}

/// An op that uses no input, or says nothing of `ok_exit`, is nobody's mistake while its adapter has errors: what is
/// broken may be what does.
fn unused_where_broken(adapters: &[Adapter<Cell>], found: &Diagnostics, later: &mut Diagnostics) {
    let minor = |finding: &Diagnostic| {
        finding.lint.id == lint::UNUSED_INPUT.id || finding.lint.id == lint::EXIT_STATUS.id
    };
    let errors = found.has_errors() || later.has_errors();
    if !errors || !later.list().iter().any(minor) {
        return;
    }
    let starts: BTreeSet<(FileId, usize)> =
        adapters.iter().map(|adapter| (adapter.key.file, adapter.key.start)).collect();
    let adapter = |at: FileSpan| starts.range(..=(at.file, at.start)).next_back().copied();
    let all = found.list().iter().chain(later.list());
    let errors = all.filter(|finding| finding.severity == Severity::Error);
    let broken: BTreeSet<_> = errors.map(|finding| adapter(finding.primary)).collect();
    later.retain(|finding| !minor(finding) || !broken.contains(&adapter(finding.primary)));
}

/// Manifests are read only for configurations that name the project.
fn names_project(loaded: &Loaded) -> bool {
    loaded.sources.files().any(|(_, file)| file.text.contains("project"))
}
