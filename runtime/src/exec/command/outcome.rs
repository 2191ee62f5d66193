//! What became of a program, in words: its end, what it wrote last, and what it may have missed.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

use kontext_host::HostError;
use nix::sys::signal::Signal;

use super::invocation::Invocation;
use super::process::{Finished, Stopped};
use crate::error::Failure;
use crate::exec::{ANSWER_LIMIT, Task, ending};

/// How many characters of what a failed program wrote are shown.
const SHOWN: usize = 1500;

/// Whether the program ended by itself with one of the statuses.
pub(crate) fn is_ok(status: ExitStatus, ok_exit: &[u8]) -> bool {
    status.code().is_some_and(|code| ok_exit.iter().any(|ok| i32::from(*ok) == code))
}

/// `exit status 2`, or the signal that killed it.
pub(crate) fn words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => match Signal::try_from(signal) {
            Ok(signal) => format!("signal {}", signal.as_str()),
            Err(_) => format!("signal {signal}"),
        },
        (None, None) => "no exit status".to_owned(),
    }
}

/// The failure of a program that ended with another status than those allowed.
pub(crate) fn failed(invocation: &Invocation, task: &Task<'_>, finished: &Finished) -> Failure {
    let mut message = format!("`{}` ended with {}", invocation.name, words(finished.status));
    let written = if finished.stderr.trim_ascii().is_empty() { &finished.stdout } else { &finished.stderr };
    add_ending(&mut message, task, written);
    let searches =
        ["grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "git"].contains(&invocation.name.as_str());
    if searches && written.is_empty() && finished.status.code() == Some(1) {
        message.push_str("; if that means that nothing was found, write `ok_exit = [0, 1]`");
    }
    add_withheld(&mut message, invocation);
    Failure::call(message)
}

/// The failure of a program that did not come to its end.
pub(crate) fn stopped(invocation: &Invocation, task: &Task<'_>, stopped: &Stopped) -> Failure {
    match stopped {
        Stopped::Start(error) => Failure::call(invocation.not_started(error)),
        Stopped::TooLarge => Failure::system(
            "too-large",
            format!(
                "`{}` wrote more than {} MiB to standard output and was stopped",
                invocation.name,
                ANSWER_LIMIT / 1024 / 1024
            ),
        ),
        Stopped::TimedOut(stderr) => {
            let mut failure = Failure::timed_out(&format!("`{}`", invocation.name), task.time);
            failure.message.push_str(" and was stopped");
            add_ending(&mut failure.message, task, stderr);
            add_withheld(&mut failure.message, invocation);
            failure
        }
    }
}

fn add_ending(message: &mut String, task: &Task<'_>, written: &[u8]) {
    let text = ending(&task.masked(&String::from_utf8_lossy(written)), SHOWN);
    if !text.is_empty() {
        message.push_str(": ");
        message.push_str(&text);
    }
}

fn add_withheld(message: &mut String, invocation: &Invocation) {
    if !invocation.environment.withheld.is_empty() {
        let names: Vec<String> =
            invocation.environment.withheld.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        message.push_str(&format!(
            "\nit did not get {names}, which only other adapters name; `env` can pass them on"
        ));
    }
}

/// What the program wrote into its output file.
pub(crate) fn output(invocation: &Invocation, file: &Path) -> Result<Vec<u8>, Failure> {
    let limit = u64::try_from(ANSWER_LIMIT).unwrap_or(u64::MAX);
    let name = &invocation.name;
    match kontext_host::read_limited(file, limit) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Failure::call(format!("`{name}` ended well but removed its output file"))),
        Err(HostError::TooLarge { .. }) => Err(Failure::system(
            "too-large",
            format!("`{name}` wrote more than {} MiB into its output file", ANSWER_LIMIT / 1024 / 1024),
        )),
        Err(error) => Err(Failure::call(format!("the output file of `{name}` cannot be read: {error}"))),
    }
}
