//! Programs: what they get, how they end, and that nothing of them is left.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Machine, adapter, command, named, plan, plan_of, text, with};

fn sh(script: &str) -> serde_json::Value {
    command(&["/bin/sh", "-c", script, "sh", "{{query}}"], json!({}))
}

#[tokio::test]
async fn arguments_are_no_shell_text() {
    let machine = Machine::new(&[]);
    let op = command(&["printf", "%s|", "{{query}}", "{{uri}}", "$HOME *"], json!({}));
    assert_eq!(text(&machine, plan(op), "a b; $(id)").await.unwrap(), "a b; $(id)|$HOME *|");
}

#[tokio::test]
async fn without_stdin_there_is_the_null_device() {
    assert_eq!(text(&Machine::new(&[]), plan(sh("cat; echo done")), "x").await.unwrap(), "done\n");
}

#[tokio::test]
async fn ten_megabytes_go_in_while_output_is_read() {
    let machine = Machine::new(&[]);
    let stdin = json!({ "stdin": { "expr": { "from": { "input": [{ "key": "query" }] }, "at": 0 } } });
    let big = "0123456789abcdef".repeat(7 * 65536);
    assert_eq!(text(&machine, plan(command(&["cat"], stdin.clone())), &big).await.unwrap().len(), big.len());
    let huge = "0123456789abcdef".repeat(10 * 65536);
    let count = command(&["wc", "-c"], stdin.clone());
    assert_eq!(text(&machine, plan(count), &huge).await.unwrap().trim(), huge.len().to_string());
    let error = text(&machine, plan(command(&["cat"], stdin.clone())), &huge).await.unwrap_err();
    assert_eq!(error.id, "too-large");
    let early = command(&["/bin/sh", "-c", "exec <&-; echo enough"], stdin);
    assert_eq!(text(&machine, plan(early), &big).await.unwrap(), "enough\n");
}

#[tokio::test]
async fn exit_statuses_are_failures_unless_allowed() {
    let machine = Machine::new(&[("KX_TOK", "topsecret-value")]);
    let nothing = with(sh("exit 1"), json!({}));
    assert_eq!(
        text(&machine, plan(nothing), "x").await.unwrap_err().message,
        "`a.go`: `/bin/sh` ended with exit status 1"
    );
    let allowed = command(&["/bin/sh", "-c", "exit 1"], json!({ "ok_exit": [0, 1] }));
    assert_eq!(text(&machine, plan(allowed), "x").await.unwrap(), "");
    let leaky =
        command(&["/bin/sh", "-c", "echo \"bad token $1\" >&2; exit 2", "sh", "{{env.KX_TOK}}"], json!({}));
    let error = text(&machine, plan(leaky), "x").await.unwrap_err();
    assert_eq!(error.message, "`a.go`: `/bin/sh` ended with exit status 2: bad token ***");
    let killed = text(&machine, plan(sh("kill -9 $$")), "x").await.unwrap_err();
    assert!(killed.message.contains("ended with signal SIGKILL"), "{}", killed.message);
    let on_stdout = text(&machine, plan(sh("echo why; exit 4")), "x").await.unwrap_err();
    assert!(on_stdout.message.ends_with("exit status 4: why"), "{}", on_stdout.message);
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named_with_path_and_directory() {
    let machine = Machine::new(&[("PATH", "/nowhere/bin")]);
    let root = machine.repository().root().display().to_string();
    let error = text(&machine, plan(command(&["no-such-tool"], json!({}))), "x").await.unwrap_err();
    let wanted = format!(
        "the program `no-such-tool` was not found on PATH (`/nowhere/bin`; working directory `{root}`)"
    );
    assert!(error.message.contains(&wanted), "{}", error.message);
    let error = text(&machine, plan(command(&["./tools/graph"], json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains(&format!("`{root}/./tools/graph` is not there")), "{}", error.message);
    let op = command(&["/bin/sh", "-c", "pwd"], json!({ "cwd": { "text": "nope" } }));
    let error = text(&machine, plan(op), "x").await.unwrap_err();
    assert!(
        error.message.contains(&format!("the working directory `{root}/nope` is not there")),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn relative_paths_stand_against_the_root() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new(&[]);
    let root = machine.repository().root().to_owned();
    std::fs::create_dir_all(root.join("tools")).unwrap();
    std::fs::write(root.join("tools/where"), "#!/bin/sh\npwd\n").unwrap();
    std::fs::set_permissions(root.join("tools/where"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let op = command(&["./tools/where"], json!({ "cwd": { "text": "tools" } }));
    assert_eq!(text(&machine, plan(op), "x").await.unwrap().trim(), root.join("tools").display().to_string());
    let op = command(&["tools/where"], json!({}));
    assert_eq!(text(&machine, plan(op), "x").await.unwrap().trim(), root.display().to_string());
}

#[tokio::test]
async fn the_environment_is_inherited_without_the_secrets_of_others() {
    let machine =
        Machine::new(&[("KX_MINE", "mine"), ("KX_OTHER", "other"), ("FORCE_COLOR", "1"), ("PLAIN", "plain")]);
    let script = "echo ${KX_MINE-no} ${KX_OTHER-no} ${FORCE_COLOR-no} $NO_COLOR $PLAIN $MODE; test -n \"$PATH\"; exit $1";
    let op = command(
        &["/bin/sh", "-c", script, "sh", "{{query}}"],
        json!({ "env": named(&[("MODE", "ro"), ("NONE", "{{uri}}")]) }),
    );
    let plan = || {
        let mine = with(adapter(json!({ "go": op.clone() })), json!({ "secrets": ["KX_MINE"] }));
        let other = with(adapter(json!({ "go": sh("true") })), json!({ "secrets": ["KX_MINE", "KX_OTHER"] }));
        plan_of(json!({ "a": mine, "b": other }))
    };
    assert_eq!(text(&machine, plan(), "0").await.unwrap(), "mine no no 1 plain ro\n");
    let error = text(&machine, plan(), "5").await.unwrap_err();
    assert!(
        error.message.contains("it did not get `KX_OTHER`") && !error.message.contains("`KX_MINE`"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn an_output_file_holds_the_answer() {
    let machine = Machine::new(&[]);
    let script = "echo noise; stat -c %a \"$(dirname \"$1\")\" 2>/dev/null || stat -f %Lp \"$(dirname \"$1\")\"; echo answer > \"$1\"; echo \"$1\" > \"$2\"";
    let kept = machine.directory.path().join("kept");
    let op = command(
        &["/bin/sh", "-c", script, "sh", "{{output_file}}", kept.to_str().unwrap()],
        json!({ "output_file": true }),
    );
    assert_eq!(text(&machine, plan(op), "x").await.unwrap(), "answer\n");
    let file = std::fs::read_to_string(kept).unwrap();
    assert!(!std::path::Path::new(file.trim()).exists(), "it is removed");
}

#[tokio::test]
async fn nothing_survives_a_timeout() {
    let machine = Machine::new(&[]);
    let mark = machine.directory.path().join("pids").display().to_string();
    // The grandchild holds the pipes and does not listen to TERM.
    let script =
        "(trap '' TERM; echo $$ > \"$2\"; sleep 61 & echo $! >> \"$2\"; wait; sleep 61) & echo start; wait";
    let op = with(
        command(&["/bin/sh", "-c", script, "sh", "{{query}}", &mark], json!({})),
        json!({ "timeout_ms": 300 }),
    );
    let started = Instant::now();
    let error = text(&machine, plan(op), "x").await.unwrap_err();
    assert_eq!(error.id, "timed-out");
    assert!(started.elapsed() < Duration::from_millis(18000), "{:?}", started.elapsed());
    assert_dead(&mark);
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_hold_the_call() {
    let machine = Machine::new(&[]);
    let mark = machine.directory.path().join("pids").display().to_string();
    let op = command(&["/bin/sh", "-c", "sleep 62 & echo $! > \"$1\"; echo answer", "sh", &mark], json!({}));
    let started = Instant::now();
    assert_eq!(text(&machine, plan(op), "x").await.unwrap(), "answer\n");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_dead(&mark);
}

#[tokio::test]
async fn dropping_a_call_ends_its_programs() {
    let machine = Machine::new(&[]);
    let mark = machine.directory.path().join("pids").display().to_string();
    let op = command(&["/bin/sh", "-c", "sleep 63 & echo $! > \"$1\"; wait", "sh", &mark], json!({}));
    let call = text(&machine, plan(op), "x");
    assert!(tokio::time::timeout(Duration::from_millis(300), call).await.is_err());
    assert_dead(&mark);
}

/// None of the processes in the file runs any more.
fn assert_dead(file: &str) {
    std::thread::sleep(Duration::from_millis(50));
    for pid in std::fs::read_to_string(file).unwrap().lines() {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let gone = state.is_empty() || state.rsplit(')').next().unwrap().trim_start().starts_with('Z');
        assert!(gone, "{pid} still runs: {state}");
    }
}
