//! A command op with every template evaluated: which program, where, with which environment and input.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kontext_plan::{CommandCall, NamedTemplate};
use tokio::process::Command;

use super::environment::Environment;
use crate::error::Failure;
use crate::exec::{Task, evaluation};
use crate::value;

/// Everything needed to start a program.
#[derive(Debug)]
pub(crate) struct Invocation {
    /// The program as the configuration names it.
    pub(crate) name: String,
    program: PathBuf,
    arguments: Vec<String>,
    directory: PathBuf,
    pub(crate) environment: Environment,
    pub(crate) stdin: Option<Vec<u8>>,
}

impl Invocation {
    /// Evaluates the call's templates and looks the program up.
    pub(crate) fn new(task: &Task<'_>, call: &CommandCall) -> Result<Self, Failure> {
        let mut arguments = value::argv(task.scope, &call.command).map_err(evaluation)?.into_iter();
        let name = arguments.next().unwrap_or_default();
        let additions = additions(task, &call.env)?;
        let environment = Environment::new(task.env, &task.withheld, additions);
        let directory = directory(task, call)?;
        let program = find(task, &name, &environment, &directory)?;
        let stdin = match &call.stdin {
            Some(input) => {
                Some(value::text(task.scope, input).map_err(evaluation)?.unwrap_or_default().into_bytes())
            }
            None => None,
        };
        Ok(Self {
            name: task.masked(&name),
            program,
            arguments: arguments.collect(),
            directory,
            environment,
            stdin,
        })
    }

    /// The command, without its streams.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.directory)
            .env_clear()
            .envs(&self.environment.variables);
        command
    }

    /// Why the system did not start a program that is there.
    pub(crate) fn not_started(&self, error: &io::Error) -> String {
        let program = self.program.display();
        match error.kind() {
            ErrorKind::NotFound if !self.directory.is_dir() => {
                let directory = self.directory.display();
                format!(
                    "`{}` could not be started: there is no directory `{directory}` to work in",
                    self.name
                )
            }
            ErrorKind::NotFound => {
                format!(
                    "`{}` could not be started: the interpreter that `{program}` names is not there",
                    self.name
                )
            }
            ErrorKind::ArgumentListTooLong => {
                format!(
                    "`{}` could not be started: its arguments are too long, `stdin` takes more",
                    self.name
                )
            }
            ErrorKind::PermissionDenied => {
                format!("`{}` could not be started: no permission to execute `{program}`", self.name)
            }
            _ => format!("`{}` could not be started: {error}", self.name),
        }
    }
}

fn additions(task: &Task<'_>, env: &[NamedTemplate]) -> Result<Vec<(String, String)>, Failure> {
    let mut additions = Vec::with_capacity(env.len());
    for NamedTemplate { name, value: slot, at } in env {
        let value = value::text(task.scope, slot).map_err(|error| evaluation(error.or_at(*at)))?;
        let Some(value) = value else { continue };
        if value.contains('\0') {
            return Err(Failure::unsent(
                "call-failed",
                format!("the variable `{name}` would hold a NUL character"),
            )
            .at(*at));
        }
        additions.push((name.clone(), value));
    }
    Ok(additions)
}

/// The working directory: the repository root, or what the call says, relative to it.
fn directory(task: &Task<'_>, call: &CommandCall) -> Result<PathBuf, Failure> {
    let root = task.repository.root();
    let Some(slot) = &call.cwd else { return Ok(root.to_owned()) };
    let Some(text) = value::text(task.scope, slot).map_err(evaluation)? else { return Ok(root.to_owned()) };
    let directory = root.join(expand(task, &text)?);
    if directory.is_dir() {
        return Ok(directory);
    }
    let shown = task.masked(&directory.display().to_string());
    Err(Failure::call(format!("the working directory `{shown}` is not there")))
}

fn expand(task: &Task<'_>, path: &str) -> Result<PathBuf, Failure> {
    task.env
        .expand_home(path)
        .ok_or_else(|| Failure::call("`~` cannot be expanded: the home directory is not known"))
}

/// The program by the search path that it will get itself.
fn find(
    task: &Task<'_>,
    name: &str,
    environment: &Environment,
    directory: &Path,
) -> Result<PathBuf, Failure> {
    let expanded = expand(task, name)?;
    let path = environment.path();
    let root = task.repository.root();
    let found =
        expanded.to_str().and_then(|program| kontext_host::find_program(program, path.as_deref(), root));
    found.ok_or_else(|| {
        let directory = directory.display();
        let message = if name.contains('/') {
            let tried = root.join(&expanded);
            let problem = if tried.exists() { "cannot be executed" } else { "is not there" };
            format!(
                "the program `{name}` was not found: `{}` {problem} (working directory `{directory}`)",
                tried.display()
            )
        } else {
            let path = path.as_deref().unwrap_or("not set");
            format!("the program `{name}` was not found on PATH (`{path}`; working directory `{directory}`)")
        };
        Failure::call(task.masked(&message))
    })
}
