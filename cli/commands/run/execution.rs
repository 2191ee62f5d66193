//! The bridge to the runtime: a plan made ready, one future driven to its end or to a signal.

use std::path::Path;

use kontext_runtime::{RunError, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use super::RunArgs;
use crate::commands::adapters::started;
use crate::commands::build::again;
use crate::commands::{Context, Failure};
use crate::compile::Machine;

/// The runtime of the plan that the arguments name.
pub fn runtime(context: &Context, args: &RunArgs, machine: &Machine) -> Result<Runtime, Failure> {
    let file = args.plan.as_ref().map(|plan| machine.resolve(context, plan));
    let loaded = loaded(context, machine, file.as_deref(), args.allow_stale);
    told(
        machine,
        loaded.map_err(|error| error.built_by(|| again::here(context, machine, args.plan.as_deref()))),
    )
}

/// The runtime of the plan in a file, else in its place.
///
/// # Errors
/// `no-plan`, `plan-format`, `plan-digest` and `stale-plan`.
pub fn loaded(
    context: &Context,
    machine: &Machine,
    file: Option<&Path>,
    allow_stale: bool,
) -> Result<Runtime, RunError> {
    let loaded = kontext_runtime::load(&machine.env, &machine.places, file, allow_stale)?;
    let runtime = Runtime::new(loaded.plan, machine.env.clone(), machine.repository.clone(), loaded.trust);
    Ok(started(context, runtime))
}

/// The runtime's result with its error as a command's.
pub fn told<T>(machine: &Machine, result: Result<T, RunError>) -> Result<T, Failure> {
    result.map_err(|error| {
        let at = error.at.as_ref();
        let at =
            at.map(|at| format!("{}:{}:{}", machine.places.display_logical(&at.file), at.line, at.column));
        Failure { status: error.exit_status(), ..Failure::failed(error.message) }.id(error.id).at(at)
    })
}

/// Drives a future on this thread. Ctrl-C and other requests to end drop it, which ends every program it started.
///
/// # Errors
/// Status 2 when the system gives no event queue; 128 and the signal's number when one came.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let result = drive(async {
        tokio::select! {
            result = future => Ok(result),
            number = ended() => Err(number),
        }
    })?;
    result.map_err(|number| Failure { status: 128 + number, ..Failure::failed("interrupted") })
}

/// Drives a future to its end on this thread.
///
/// # Errors
/// Status 2 when the system gives no event queue.
pub fn drive<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::refused(format!("no event queue can be made: {error}")))?;
    let result = runtime.block_on(future);
    // A host name that is still being looked up, or a read of standard input, must not hold the process.
    runtime.shutdown_background();
    Ok(result)
}

/// The number of the first signal that asks the process to end.
pub async fn ended() -> u8 {
    let streams =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()));
    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) = streams else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => 2,
        _ = terminate.recv() => 15,
        _ = hangup.recv() => 1,
    }
}
