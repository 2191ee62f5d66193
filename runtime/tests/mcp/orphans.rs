//! Nothing of a server outlives kontext, however either of them ends.

use std::io::BufRead;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::life::op;
use crate::plans::{adapter, but, calling, fake, program, runtime};
use crate::support::plan_of;

/// How long a killed kontext's servers may take to end: the guard asks before it forces.
const PATIENCE: Duration = Duration::from_secs(8);

/// Whether processes can be looked at here.
fn can_look() -> bool {
    std::path::Path::new("/proc/self/cmdline").exists()
}

/// A process that hosts a server as kontext does: calls it once, says so, and then waits to be killed, or ends.
pub fn host(words: &[String]) {
    let server: Value = serde_json::from_str(&words[0]).unwrap();
    let ends = words[1] == "ends";
    crate::harness::block_on(async {
        let mut adapter = adapter(server, calling("pid", json!({})));
        adapter["ops"]["deaf"] = but(calling("deaf", json!({})), json!({ "timeout_ms": 50 }));
        adapter["ops"]["large"] = calling("echo", json!({ "large": "x".repeat(1_000_000) }));
        let (_machine, runtime) = runtime(plan_of(json!({ "a": adapter })));
        let said = op(&runtime, "go").await;
        if words[1] == "stuck" {
            let _ = op(&runtime, "deaf").await;
            println!("deaf");
            let _ = op(&runtime, "large").await;
        }
        println!("{}", said.unwrap_or_else(|error| error.message));
        if ends {
            runtime.close().await;
        } else {
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
    });
}

/// Processes with the mark in their command lines.
fn marked(mark: &str) -> Vec<(i32, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(mark) && pid != i32::try_from(std::process::id()).unwrap() {
            found.push((pid, line));
        }
    }
    found
}

fn assert_nothing_left(mark: &str, what: &str) {
    let started = Instant::now();
    loop {
        let left = marked(mark);
        if left.is_empty() {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: {left:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// kontext lives and ends what a killed guard left.
fn assert_gone(mark: &str, before: &[(i32, String)], number: usize) {
    let started = Instant::now();
    while marked(mark).iter().any(|process| before.contains(process)) {
        assert!(started.elapsed() < PATIENCE, "round {number}: {before:#?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How a server is set up; the mark is in every command line.
fn server(kind: usize, mark: &str) -> Value {
    let itself = std::env::current_exe().unwrap().display().to_string();
    let launcher = |script: &str, mode: &[&str]| {
        let words = ["/bin/sh", "-c", script, mark, itself.as_str(), "fake", mark];
        program(&words.into_iter().chain(mode.iter().copied()).collect::<Vec<_>>())
    };
    match kind % 7 {
        0 => fake(&[mark, "modern"]),
        1 => fake(&[mark, "legacy", "ignores-eof"]),
        2 => launcher("sleep 600.$0 & \"$@\"; wait", &["legacy"]),
        3 => launcher("exec 3<&0; \"$@\" <&3 & wait", &["modern"]),
        4 => launcher("trap '' TERM HUP INT; \"$@\"; sleep 600.$0", &["legacy", "ignores-eof"]),
        5 => but(fake(&[mark, "hangs"]), json!({ "start_timeout_ms": 60 })),
        _ => but(launcher("\"$@\" & sleep 600.$0", &["hangs"]), json!({ "start_timeout_ms": 60 })),
    }
}

fn start(server: &Value, end: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["host", &server.to_string(), end]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// One round: a host with a server of some kind, ended in some way at some moment.
fn round(number: usize) {
    let mark = format!("1{:07}{:05}", std::process::id(), number);
    let (kind, way) = (number, (number / 7) % 3);
    let server = server(kind, &mark);
    let mut host = start(&server, if way == 0 { "ends" } else { "stays" });
    // From before the guard is there until long after the handshake.
    let moment = Duration::from_millis(u64::try_from(number * 7 % 120).unwrap());
    std::thread::sleep(moment);
    match way {
        0 => {}
        1 => {
            host.kill().unwrap();
        }
        _ => {
            let before: Vec<(i32, String)> =
                marked(&mark).into_iter().filter(|(_, line)| !line.contains(" host ")).collect();
            for (pid, _) in before.iter().filter(|(_, line)| line.contains(" guard -- ")) {
                let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
            }
            if before.iter().any(|(_, line)| line.contains(" guard -- ")) {
                assert_gone(&mark, &before, number);
            }
            host.kill().unwrap();
        }
    }
    host.wait().unwrap();
    assert_nothing_left(&mark, &format!("round {number}, kind {}, way {way}", kind % 7));
}

fn rounds(count: usize, side_by_side: usize) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    round(number);
                }
            });
        }
    });
}

pub async fn nothing_is_left() {
    if can_look() {
        rounds(42, 6);
    }
}

pub async fn nothing_is_left_in_500_rounds() {
    if can_look() {
        rounds(500, 8);
    }
}

/// While kontext lives, a killed guard takes its server with it, and the next call starts both again.
pub async fn a_killed_guard_is_noticed() {
    if !can_look() {
        return;
    }
    let mark = format!("2{:012}", std::process::id());
    let plan = plan_of(json!({ "a": adapter(server(4, &mark), calling("pid", json!({}))) }));
    let (_machine, runtime) = runtime(plan);
    let first = op(&runtime, "go").await.unwrap();
    let guards: Vec<i32> = marked(&mark)
        .into_iter()
        .filter(|(_, line)| line.contains(" guard -- "))
        .map(|(pid, _)| pid)
        .collect();
    assert_eq!(guards.len(), 1);
    kill(Pid::from_raw(guards[0]), Signal::SIGKILL).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(marked(&mark).is_empty(), "{:?}", marked(&mark));
    assert_ne!(op(&runtime, "go").await.unwrap(), first);
    runtime.close().await;
    assert!(marked(&mark).is_empty(), "{:?}", marked(&mark));
}

/// The guard sees kontext's end also while its server does not take what kontext said before.
pub async fn a_deaf_server_does_not_outlive_kontext() {
    if !can_look() {
        return;
    }
    let mark = format!("4{:012}", std::process::id());
    let mut host = start(&server(0, &mark), "stuck");
    let mut lines = std::io::BufReader::new(host.stdout.take().unwrap()).lines();
    while lines.next().unwrap().unwrap() != "deaf" {}
    std::thread::sleep(Duration::from_millis(200));
    host.kill().unwrap();
    host.wait().unwrap();
    assert!(!marked(&mark).is_empty());
    assert_nothing_left(&mark, "deaf");
}

/// A runtime that is dropped, as Ctrl-C drops it, leaves nothing.
pub async fn a_dropped_runtime_leaves_nothing() {
    if !can_look() {
        return;
    }
    let mark = format!("3{:012}", std::process::id());
    for kind in 0..5 {
        let plan = plan_of(json!({ "a": adapter(server(kind, &mark), calling("pid", json!({}))) }));
        let (_machine, runtime) = runtime(plan);
        op(&runtime, "go").await.unwrap();
        assert!(!marked(&mark).is_empty());
        drop(runtime);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(marked(&mark).is_empty(), "kind {kind}: {:?}", marked(&mark));
    }
}
