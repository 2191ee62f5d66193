//! The command driver: an argument vector without a shell, in a process group of its own.

mod environment;
mod group;
mod invocation;
mod keeper;
mod outcome;
mod process;

use kontext_plan::CommandCall;

pub(crate) use self::group::Group;
pub(crate) use self::invocation::Invocation;
pub(crate) use self::keeper::{hold_signals_back, own_program};
pub use self::keeper::{keep, keep_commands};
use self::process::Keep;
use super::{ANSWER_LIMIT, Answer, Task};
use crate::error::Failure;

/// Runs the program and gives what it wrote to standard output, or into its output file.
pub(crate) async fn call(task: &Task<'_>, call: &CommandCall) -> Result<Answer, Failure> {
    let invocation = Invocation::new(task, call)?;
    let keep = if call.output_file { Keep::End(process::STDERR_KEPT) } else { Keep::All(ANSWER_LIMIT) };
    let finished = process::run(&mut invocation.command(), invocation.stdin.clone(), keep, task.time).await;
    let finished = finished.map_err(|stopped| outcome::stopped(&invocation, task, &stopped))?;
    if !outcome::is_ok(finished.status, &call.ok_exit) {
        return Err(outcome::failed(&invocation, task, &finished));
    }
    let described = format!("`{}` ended with {}", invocation.name, outcome::words(finished.status));
    let bytes = match (call.output_file, task.output_file) {
        (true, Some(file)) => outcome::output(&invocation, file)?,
        _ => finished.stdout,
    };
    Ok(Answer { bytes, described })
}
