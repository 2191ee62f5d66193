//! The keeper: a process beside a server that ends the programs of its calls when kontext is gone, however it went.
//!
//! kontext tells it of each process group, when it begins and when it is over; that nobody can tell it anything any more
//! is the end of kontext. It is started with the first program, and again when it was killed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::unistd::Pid;

/// How long programs may take to end after they were asked to.
const AFTER_TERM: Duration = Duration::from_millis(500);
/// How often a keeper is started: what is always killed is not wanted here.
const STARTS: u8 = 8;

static KEEPER: Mutex<Keeper> = Mutex::new(Keeper { starts: 0, process: None, groups: BTreeSet::new() });

struct Keeper {
    /// How often one may be started yet.
    starts: u8,
    process: Option<(Child, ChildStdin)>,
    groups: BTreeSet<i32>,
}

/// From now on the programs of calls do not outlive this process.
pub fn keep_commands() {
    keeper().starts = STARTS;
}

fn keeper() -> MutexGuard<'static, Keeper> {
    KEEPER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A group that the keeper knows of until this is dropped.
#[derive(Debug)]
pub(super) struct Kept(Option<i32>);

impl Kept {
    /// The group that a child started with `process_group(0)` leads.
    pub(super) fn of(child: &tokio::process::Child) -> Kept {
        let mut keeper = keeper();
        if keeper.starts == 0 && keeper.process.is_none() {
            return Kept(None);
        }
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(id) = id {
            keeper.groups.insert(id);
            keeper.tell(&format!("+{id}\n"));
        }
        Kept(id)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(id) = self.0 {
            let mut keeper = keeper();
            keeper.groups.remove(&id);
            if keeper.process.is_some() {
                keeper.tell(&format!("-{id}\n"));
            }
        }
    }
}

impl Keeper {
    /// Says a line; to a new keeper everything that it must know.
    fn tell(&mut self, line: &str) {
        if let Some((process, words)) = &mut self.process {
            match words.write_all(line.as_bytes()) {
                Ok(()) => return,
                // One that does not listen must not hold a call.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => _ = process.kill().and_then(|()| process.wait()),
            }
        }
        self.process = None;
        if self.starts == 0 {
            return;
        }
        self.starts -= 1;
        // A call is none the worse for a keeper that could not be started.
        let Ok((process, mut words)) = start() else { return };
        let all: String = self.groups.iter().map(|id| format!("+{id}\n")).collect();
        let _ = words.write_all(all.as_bytes());
        self.process = Some((process, words));
    }
}

fn start() -> io::Result<(Child, ChildStdin)> {
    let mut command = Command::new(own_program()?);
    command.arg0("kontext").args(["guard", "--commands"]).env_clear().current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn()?;
    let words = process.stdin.take().ok_or_else(|| io::Error::other("it has no pipe"))?;
    fcntl(&words, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok((process, words))
}

/// kontext itself, also when its file was replaced while it runs. Under this name, where there is one, a process of ours
/// is not among those called `kontext`, so that whoever kills all of those leaves it to its work.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    let itself = PathBuf::from("/proc/self/exe");
    if itself.exists() { Ok(itself) } else { std::env::current_exe() }
}

/// Keeps the groups it is told of until nobody is there to tell more, then ends those that are left.
#[must_use]
pub fn keep() -> u8 {
    hold_signals_back();
    let mut groups = BTreeSet::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let id = line.get(1..).and_then(|id| id.parse::<i32>().ok()).filter(|id| *id > 1);
        match (line.as_bytes().first(), id) {
            (Some(b'+'), Some(id)) => _ = groups.insert(id),
            (Some(b'-'), Some(id)) => _ = groups.remove(&id),
            _ => {}
        }
    }
    end(&groups);
    0
}

/// What asks kontext to end is meant for it; the keeper sees it through.
pub(crate) fn hold_signals_back() {
    let mut held = SigSet::empty();
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT] {
        held.add(signal);
    }
    let _ = held.thread_block();
}

/// Ends the groups: asked first, then forced.
fn end(groups: &BTreeSet<i32>) {
    let signal = |signal: Option<Signal>| {
        groups.iter().filter(|id| killpg(Pid::from_raw(**id), signal).is_ok()).count()
    };
    signal(Some(Signal::SIGTERM));
    let patience = Instant::now() + AFTER_TERM;
    while signal(None) > 0 && Instant::now() < patience {
        sleep(Duration::from_millis(5));
    }
    signal(Some(Signal::SIGKILL));
}
