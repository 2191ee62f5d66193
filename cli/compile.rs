//! From the command line to a compilation: where we are, what the layers hold, what the compiler says.

use std::path::{Path, PathBuf};

use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::{Compilation, Options};
use kontext_host::{Env, Places, Repository};
use kontext_plan::{Plan, Profile};

use crate::commands::{Context, Failure};
use crate::world::MachineWorld;
use crate::{output, render};

/// Where the command works.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The environment.
    pub env: Env,
    /// The repository, or a plain directory.
    pub repository: Repository,
    /// Where layers, the plan and everything else are.
    pub places: Places,
}

impl Machine {
    /// Finds the repository of the directory that `-C` names, else of the current one.
    ///
    /// # Errors
    /// Status 2 when there is no such directory, or it cannot be read.
    pub fn discover(context: &Context) -> Result<Machine, Failure> {
        Machine::at(context, context.globals.directory.as_deref())
    }

    /// The same for a given directory.
    ///
    /// # Errors
    /// As [`Machine::discover`].
    pub fn at(context: &Context, directory: Option<&Path>) -> Result<Machine, Failure> {
        let directory = directory.unwrap_or(Path::new("."));
        let repository = Repository::discover(directory).map_err(|e| Failure::refused(e.to_string()))?;
        let explicit = context.globals.config.as_ref().map(|config| directory.join(config));
        let places = Places::new(&context.env, &repository, explicit);
        Ok(Machine { env: context.env.clone(), repository, places })
    }

    /// The path relative to the directory the command works in.
    pub fn resolve(&self, context: &Context, path: &Path) -> PathBuf {
        context.globals.directory.as_deref().unwrap_or(Path::new("")).join(path)
    }

    /// The file of a diagnostic on this machine.
    pub fn file(&self, display: &str) -> PathBuf {
        self.repository.root().join(display)
    }
}

/// A text that stands in for a file's: what an editor holds unsaved.
#[derive(Debug)]
pub struct Unsaved {
    /// The file.
    pub path: PathBuf,
    /// The text, as bytes.
    pub bytes: Vec<u8>,
}

/// Compiles every layer of the options' profile.
///
/// # Errors
/// As [`Machine::discover`]; what is wrong in the layers is in the compilation's diagnostics.
pub fn compile(context: &Context, options: Options) -> Result<(Compilation, Machine), Failure> {
    let machine = Machine::discover(context)?;
    let world = MachineWorld::new(&machine.repository, &machine.places);
    let compilation = kontext_compiler::compile(&world, &options);
    Ok((compilation, machine))
}

/// The plan. Without one every error is told; programs get them from `check`, in a form of their own.
///
/// # Errors
/// When the layers do not compile.
pub fn planned<'a>(context: &Context, compilation: &'a Compilation) -> Result<&'a Plan, Failure> {
    compilation.plan.as_ref().ok_or_else(|| {
        if !context.json {
            let errors = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
            let errors: Vec<&Diagnostic> = compilation.diagnostics.iter().filter(errors).collect();
            output::say(&render::human(&compilation.sources, &compilation.masked, &errors, context.colour()));
        }
        Failure::failed("the configuration does not compile").help("`kontext check` shows everything")
    })
}

/// What is wrong in the layers of a machine that is known, with a text that stands in for a file's. There is no plan.
pub fn diagnose_on(machine: &Machine, profile: Profile, unsaved: Option<Unsaved>) -> Compilation {
    let mut world = MachineWorld::new(&machine.repository, &machine.places);
    if let Some(unsaved) = unsaved {
        world = world.with_unsaved(unsaved.path, unsaved.bytes);
    }
    kontext_compiler::diagnose(&world, &Options { profile, ..Options::default() })
}
