//! `kontext run` without a form: the MCP server that an agent's client starts.

use std::io::IsTerminal;
use std::path::PathBuf;

use kontext_runtime::RunError;
use kontext_runtime::server::{Server, Source};

use super::{RunArgs, execution};
use crate::commands::build::again;
use crate::commands::{Context, OK, Outcome};
use crate::compile::Machine;
use crate::log::LogFormat;
use crate::output;

/// Serves until the client ends its input, or a signal comes.
///
/// # Errors
/// Status 2 when the system gives no event queue.
pub fn run(context: &Context, args: &RunArgs) -> Outcome {
    let server = Server::new(match Machine::discover(context) {
        Ok(machine) => source(context, args, &machine),
        Err(failure) => nowhere(failure.message),
    });
    if std::io::stdin().is_terminal() {
        context
            .say("note: this is an MCP server: an agent's client starts it and speaks to it; Ctrl-D ends it");
    }
    kontext_runtime::keep_commands();
    execution::drive(async {
        server.start();
        server.serve_stdio(async { _ = execution::ended().await }).await;
    })?;
    Ok(OK)
}

/// Where the server gets its plan.
pub(super) fn source(context: &Context, args: &RunArgs, machine: &Machine) -> Source {
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let file = args.plan.as_ref().map(|plan| absolute(machine.resolve(context, plan)));
    let plan = file.clone().unwrap_or_else(|| machine.places.plan());
    let mend = again::anywhere(machine, file.as_deref());
    let places = machine.places.clone();
    let (context, machine, allow_stale) = (context.clone(), machine.clone(), args.allow_stale);
    let load = move || {
        // Where a repository's files are, and what it is called, may have changed since the last plan.
        let now = Machine::discover(&context).unwrap_or_else(|_| machine.clone());
        let loaded = execution::loaded(&context, &now, file.as_deref(), allow_stale);
        loaded.map_err(|error| error.built_by(|| again::anywhere(&now, file.as_deref())))
    };
    Source {
        load: Box::new(load),
        plan: Some(plan),
        place: Box::new(move |at| format!("{}:{}:{}", places.display_logical(&at.file), at.line, at.column)),
        mend,
        warn: match args.log_format {
            Some(LogFormat::Json) => Box::new(|words| tracing::warn!("{words}")),
            _ => Box::new(|words| output::say(&format!("kontext: {words}"))),
        },
    }
}

/// Of a server whose directory is none: it says so, as an agent reads no exit status.
fn nowhere(why: String) -> Source {
    Source {
        load: Box::new(move || Err(RunError::new("no-plan", why.clone()))),
        plan: None,
        place: Box::new(|at| at.display()),
        mend: "kontext -C DIR run".to_owned(),
        warn: Box::new(|words| output::say(&format!("kontext: {words}"))),
    }
}
