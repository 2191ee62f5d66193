//! Starts a server under the guard, and ends everything of it.

use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::time::timeout;

use super::diary::Diary;
use crate::exec::command::{Group, Invocation, own_program};

/// How long standard error is read after the guard is gone.
const LINGER: Duration = Duration::from_millis(200);
/// How long a server may take to end by itself once its input did.
const AFTER_INPUT: Duration = Duration::from_millis(250);
/// How long it may take after it was asked to.
const AFTER_TERM: Duration = Duration::from_millis(700);

/// A running server and the guard before it: one process group.
#[derive(Debug)]
pub(super) struct Process {
    group: Arc<Members>,
    gone: watch::Receiver<bool>,
}

/// Its pipes.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

/// The group, until it is known to be over: its number may be another's then.
#[derive(Debug)]
struct Members(Mutex<Option<Group>>);

impl Members {
    fn with(&self, act: impl FnOnce(&Group)) {
        if let Some(group) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            act(group);
        }
    }

    fn over(&self) {
        if let Some(group) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            group.kill();
            group.forget();
        }
    }
}

/// Starts the program of an invocation. What it writes to standard error goes into the diary.
pub(super) fn start(invocation: &Invocation, diary: &Arc<Diary>) -> std::io::Result<(Process, Pipes)> {
    let mut command = guarded(invocation)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let group = Arc::new(Members(Mutex::new(Some(Group::of(&child)))));
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(std::io::Error::other("it has no pipes"));
    };
    let (sender, gone) = watch::channel(false);
    tokio::spawn(watch_over(child, stderr, Arc::clone(&group), Arc::clone(diary), sender));
    Ok((Process { group, gone }, Pipes { stdin, stdout }))
}

/// The command that starts the guard, which starts the program.
fn guarded(invocation: &Invocation) -> std::io::Result<Command> {
    let command = invocation.command();
    let program = command.as_std();
    let mut guarded = Command::new(own_program()?);
    guarded
        .arg0("kontext")
        .arg("guard")
        .arg("--")
        .arg(program.get_program())
        .args(program.get_args())
        .env_clear();
    let variables = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
    guarded.envs(variables.map(|(name, value)| (OsString::from(name), OsString::from(value))));
    if let Some(directory) = program.get_current_dir() {
        guarded.current_dir(directory);
    }
    Ok(guarded)
}

/// Waits for the guard, does what it left undone, and says so.
async fn watch_over(
    mut child: Child,
    stderr: ChildStderr,
    group: Arc<Members>,
    diary: Arc<Diary>,
    gone: watch::Sender<bool>,
) {
    let reading = read(stderr, &diary);
    tokio::pin!(reading);
    let ended = tokio::select! {
        _ = child.wait() => false,
        () = &mut reading => true,
    };
    if ended {
        let _ = child.wait().await;
    }
    group.over();
    if !ended {
        let _ = timeout(LINGER, &mut reading).await;
    }
    let _ = gone.send(true);
}

async fn read(mut stderr: ChildStderr, diary: &Diary) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
        diary.stderr(buffer.get(..count).unwrap_or_default());
    }
}

impl Process {
    /// Whether it is over.
    pub(super) fn is_gone(&self) -> bool {
        *self.gone.borrow()
    }

    /// Waits until it is over, at most so long.
    pub(super) async fn wait(&self, time: Duration) -> bool {
        let mut gone = self.gone.clone();
        timeout(time, async move { gone.wait_for(|gone| *gone).await.is_ok() }).await.unwrap_or(false)
    }

    /// Forces its end.
    pub(super) fn kill(&self) {
        self.group.with(Group::kill);
    }

    /// Ends it, its standard input being closed: by itself, else asked, else forced.
    pub(super) async fn end(&self) {
        if self.wait(AFTER_INPUT).await {
            return;
        }
        self.group.with(Group::terminate);
        if self.wait(AFTER_TERM).await {
            return;
        }
        self.group.with(Group::kill);
        self.wait(LINGER).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.with(Group::kill);
    }
}
