//! The guard: a process between kontext and an MCP server that ends the server, and all that it started, when
//! kontext is gone, however it went.
//!
//! It leads a process group of its own. kontext holds the other end of its standard input: that it lets go is the end
//! of kontext, or its wish to close. What the guard leaves undone when it is killed itself, kontext does. When both
//! are killed in the same moment, the server is left with the end of its input.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, getpgrp, getpid, setpgid};

use crate::exec::command::hold_signals_back;

/// How long a server may take to end after its standard input did.
const AFTER_INPUT: Duration = Duration::from_secs(1);
/// How long it may take after it was asked to.
const AFTER_TERM: Duration = Duration::from_secs(2);
/// How long the report may wait for somebody to read it.
const REPORT_TIME: Duration = Duration::from_millis(200);
/// What a line to kontext on standard error begins with.
const MARK: &str = "\u{1}kontext-guard ";

/// What the guard says last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Report {
    /// The server ended.
    Ended(ExitStatus),
    /// The system did not start it: the error's number.
    NotStarted(i32),
}

enum Event {
    Closed,
    Ended(Option<ExitStatus>),
}

/// Runs a program under guard until it ended or kontext did. Returns only when the program could not be started.
#[must_use]
pub fn guard(program: &OsStr, arguments: &[OsString]) -> u8 {
    lead_a_group();
    let mut command = Command::new(program);
    let mut child = match command.args(arguments).stdin(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => {
            tell(Report::NotStarted(error.raw_os_error().unwrap_or(0)));
            return 127;
        }
    };
    // After the start: a program would inherit what is held back here.
    // What asks the group to end is meant for the server; the guard sees it through.
    hold_signals_back();
    let (sender, events) = mpsc::channel();
    let stdin = child.stdin.take();
    let (closed, fed) = (sender.clone(), sender.clone());
    thread::spawn(move || watch(&closed));
    thread::spawn(move || feed(stdin, &fed));
    thread::spawn(move || wait(child, &sender));
    if let Some(status) = follow(&events) {
        tell(Report::Ended(status));
    }
    let _ = killpg(getpgrp(), Signal::SIGKILL);
    0
}

/// A guard started by hand must not take the group of the shell with it. Who leads already cannot fail to.
fn lead_a_group() {
    if getpgrp() != getpid() {
        let _ = setpgid(Pid::from_raw(0), Pid::from_raw(0));
    }
}

/// Waits until kontext lets go of its end, even while the server does not take what was said before.
fn watch(closed: &Sender<Event>) {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::empty())];
    loop {
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) if watched.iter().any(|end| end.any() != Some(false)) => break,
            Ok(_) | Err(Errno::EINTR) => {}
            // The end of what kontext says must do.
            Err(_) => return,
        }
    }
    let _ = closed.send(Event::Closed);
}

/// Copies kontext's words to the server until kontext closes. A server that stopped listening is no reason to stop
/// watching for that.
fn feed(mut to: Option<ChildStdin>, closed: &Sender<Event>) {
    let mut from = io::stdin().lock();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                let words = buffer.get(..count).unwrap_or_default();
                if to.as_mut().is_some_and(|pipe| pipe.write_all(words).is_err()) {
                    to = None;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    drop(to);
    let _ = closed.send(Event::Closed);
}

fn wait(mut child: Child, ended: &Sender<Event>) {
    let _ = ended.send(Event::Ended(child.wait().ok()));
}

/// How the server ended; none when it had to be forced.
fn follow(events: &Receiver<Event>) -> Option<ExitStatus> {
    if let Ok(Event::Ended(status)) = events.recv() {
        return status;
    }
    let ended = end_within(events, AFTER_INPUT).or_else(|| {
        let _ = killpg(getpgrp(), Signal::SIGTERM);
        end_within(events, AFTER_TERM)
    });
    ended.flatten()
}

/// The server's end, if it comes in time.
fn end_within(events: &Receiver<Event>, time: Duration) -> Option<Option<ExitStatus>> {
    let deadline = Instant::now() + time;
    loop {
        match events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Event::Ended(status)) => return Some(status),
            Ok(Event::Closed) => {}
            Err(_) => return None,
        }
    }
}

/// A line on standard error, if somebody reads there.
fn tell(report: Report) {
    let line = match report {
        Report::Ended(status) => format!("\n{MARK}ended {}\n", status.into_raw()),
        Report::NotStarted(error) => format!("\n{MARK}not-started {error}\n"),
    };
    let (sender, told) = mpsc::channel();
    thread::spawn(move || {
        let _ = io::stderr().write_all(line.as_bytes());
        let _ = sender.send(());
    });
    let _ = told.recv_timeout(REPORT_TIME);
}

/// Takes the guard's report off the end of what came on standard error.
pub(super) fn split_report(stderr: &str) -> (&str, Option<Report>) {
    let Some((before, line)) = stderr.rsplit_once(MARK) else { return (stderr, None) };
    let mut words = line.split_whitespace();
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<i32>().ok());
    let report = match words.next() {
        Some("ended") => number(words.next()).map(|raw| Report::Ended(ExitStatus::from_raw(raw))),
        Some("not-started") => number(words.next()).map(Report::NotStarted),
        _ => None,
    };
    (before.strip_suffix('\n').unwrap_or(before), report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_taken_off_the_end() {
        let (rest, report) = split_report("no token\n\n\u{1}kontext-guard ended 768\n");
        assert_eq!(rest, "no token\n");
        assert_eq!(report, Some(Report::Ended(ExitStatus::from_raw(768))));
        let (rest, report) = split_report("\n\u{1}kontext-guard not-started 2\n");
        assert_eq!((rest, report), ("", Some(Report::NotStarted(2))));
        assert_eq!(split_report("plain"), ("plain", None));
    }
}
