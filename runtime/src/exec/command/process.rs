//! One program run to its end, with bounded memory, bounded time, and nothing of it left behind.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::group::Group;
use super::keeper::Kept;

/// How much of standard error is kept.
pub(crate) const STDERR_KEPT: usize = 8 * 1024;
/// How long a program may take to end after it was asked to.
const GRACE: Duration = Duration::from_millis(500);
/// How long pipes are read that something else still holds after the program ended.
const LINGER: Duration = Duration::from_millis(500);

/// What a program left when it ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    /// The end of standard error, at most [`STDERR_KEPT`] bytes.
    pub(crate) stderr: Vec<u8>,
}

/// Why a program did not come to its end by itself.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// It could not be started, or waited for.
    Start(std::io::Error),
    /// The time was up; the end of what it had written to standard error.
    TimedOut(Vec<u8>),
    /// It wrote more than the limit to standard output.
    TooLarge,
}

/// What is kept of standard output.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keep {
    /// All of it; more bytes than this stop the program.
    All(usize),
    /// The last of these many bytes.
    End(usize),
}

/// Runs a command.
pub(crate) async fn run(
    command: &mut Command,
    stdin: Option<Vec<u8>>,
    keep: Keep,
    time: Duration,
) -> Result<Finished, Stopped> {
    let deadline = Instant::now() + time;
    command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(Stopped::Start)?;
    // Dropped after the group: it is known as long as it may be there.
    let _kept = Kept::of(&child);
    let group = Group::of(&child);
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let end = follow(&mut child, &group, stdin, (&mut stdout, keep), &mut stderr);
    let end = timeout_at(deadline, end).await;
    stop(&mut child, group).await;
    match end {
        Err(_) => Err(Stopped::TimedOut(stderr)),
        Ok(Err(stopped)) => Err(stopped),
        Ok(Ok(status)) => Ok(Finished { status, stdout, stderr }),
    }
}

/// Feeds and reads the program until it ended and its pipes are closed, or were held by others for too long.
async fn follow(
    child: &mut Child,
    group: &Group,
    stdin: Option<Vec<u8>>,
    (stdout, keep): (&mut Vec<u8>, Keep),
    stderr: &mut Vec<u8>,
) -> Result<ExitStatus, Stopped> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let flow = async {
        tokio::try_join!(
            feed(pipes.0, stdin),
            collect(pipes.1, stdout, keep),
            collect(pipes.2, stderr, Keep::End(STDERR_KEPT))
        )
        .map(|_| ())
    };
    tokio::pin!(flow);
    tokio::select! {
        flowed = &mut flow => {
            flowed?;
            child.wait().await.map_err(Stopped::Start)
        }
        status = child.wait() => {
            let status = status.map_err(Stopped::Start)?;
            if let Ok(flowed) = timeout(LINGER, &mut flow).await {
                flowed?;
                return Ok(status);
            }
            group.terminate();
            match timeout(LINGER / 5, &mut flow).await {
                Ok(Err(stopped)) => Err(stopped),
                _ => Ok(status),
            }
        }
    }
}

/// Writes the input. A program that stops reading early has what it wants.
async fn feed(pipe: Option<ChildStdin>, input: Option<Vec<u8>>) -> Result<(), Stopped> {
    if let (Some(mut pipe), Some(input)) = (pipe, input) {
        let _ = pipe.write_all(&input).await;
        let _ = pipe.shutdown().await;
    }
    Ok(())
}

async fn collect(
    pipe: Option<impl AsyncRead + Unpin>,
    into: &mut Vec<u8>,
    keep: Keep,
) -> Result<(), Stopped> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        into.extend_from_slice(buffer.get(..count).unwrap_or_default());
        match keep {
            Keep::All(limit) if into.len() > limit => return Err(Stopped::TooLarge),
            Keep::All(_) => {}
            Keep::End(kept) => {
                into.drain(..into.len().saturating_sub(kept));
            }
        }
    }
    Ok(())
}

/// Ends whatever of the group is still there: asked first, then forced.
async fn stop(child: &mut Child, group: Group) {
    group.terminate();
    let patience = Instant::now() + GRACE;
    loop {
        let ended = !matches!(child.try_wait(), Ok(None));
        if (ended && !group.exists()) || Instant::now() >= patience {
            break;
        }
        sleep(Duration::from_millis(5)).await;
    }
    group.kill();
    let _ = timeout(GRACE, child.wait()).await;
    group.forget();
}
