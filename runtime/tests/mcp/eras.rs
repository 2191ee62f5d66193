//! How a server's era is found out, and what happens when it is not.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::plans::{adapter, but, calling, fake, once, program, runtime, text};
use crate::support::plan_of;

async fn era(mode: &[&str], protocol: &str) -> Result<&'static str, String> {
    let server = but(fake(mode), json!({ "protocol": protocol, "start_timeout_ms": 6000 }));
    let plan = plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) }));
    let (_machine, runtime) = runtime(plan);
    let found = runtime.inspect("a").await.map(|found| found.era).map_err(|error| error.message);
    runtime.close().await;
    found
}

pub async fn each_is_agreed_on() {
    for (mode, found) in [
        (&["modern"][..], "modern"),
        (&["legacy"], "legacy"),
        (&["legacy", "silent"], "legacy"),
        (&["legacy", "dies-on-probe"], "legacy"),
        (&["modern", "noise"], "modern"),
        (&["legacy", "noise"], "legacy"),
        (&["modern", "boot=2700"], "modern"),
        (&["legacy", "boot=2700"], "legacy"),
    ] {
        assert_eq!(era(mode, "auto").await, Ok(found), "{mode:?}");
    }
}

pub async fn the_configuration_decides() {
    assert_eq!(era(&["legacy"], "initialize").await, Ok("legacy"));
    assert_eq!(era(&["modern"], "stateless").await, Ok("modern"));
    let error = era(&["legacy"], "stateless").await.unwrap_err();
    assert!(error.contains("refused the handshake: Method not found (error -32601)"), "{error}");
    let error = era(&["modern"], "initialize").await.unwrap_err();
    assert!(error.contains("refused the handshake"), "{error}");
}

pub async fn a_refusal_is_told() {
    let error = once(&["legacy", "refuses"], calling("echo", json!({}))).await.unwrap_err();
    assert_eq!(error.id, "call-failed");
    assert!(error.message.contains("the licence has expired (error -32000)"), "{}", error.message);
}

pub async fn an_early_end_is_told() {
    let error = once(&["exit=3"], calling("echo", json!({}))).await.unwrap_err();
    let said = "ended with exit status 3 before its handshake was complete: no token in KX_TOKEN";
    assert!(error.message.contains(said), "{}", error.message);
    let plan = |words: &[&str]| plan_of(json!({ "a": adapter(program(words), calling("echo", json!({}))) }));
    let (_machine, missing) = runtime(plan(&["no-such-server"]));
    let error = text(&missing, "x").await.unwrap_err();
    assert!(error.message.contains("`no-such-server` was not found on PATH"), "{}", error.message);
    let script = tempfile::tempdir().unwrap();
    let path = script.path().join("server");
    std::fs::write(&path, "#!/no/such/interpreter\n").unwrap();
    let mut mode = std::fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    let (_machine, broken) = runtime(plan(&[path.to_str().unwrap()]));
    let error = text(&broken, "x").await.unwrap_err();
    assert!(error.message.contains("could not be started"), "{}", error.message);
}

async fn limited(server: Value, op: Value) -> (String, String, Duration) {
    let server = but(server, json!({ "start_timeout_ms": 700 }));
    let (_machine, runtime) = runtime(plan_of(json!({ "a": adapter(server, op) })));
    let started = Instant::now();
    let error = text(&runtime, "x").await.unwrap_err();
    (error.id.to_owned(), error.message, started.elapsed())
}

pub async fn a_hanging_handshake_is_cut() {
    for mode in
        [&["hangs"][..], &["legacy", "hangs-initialize"], &["legacy", "hangs-discover", "hangs-initialize"]]
    {
        let (id, message, time) = limited(fake(mode), calling("echo", json!({}))).await;
        assert_eq!(id, "timed-out", "{message}");
        assert!(message.contains("did not complete its handshake within 700 ms"), "{message}");
        assert!(time < Duration::from_secs(2), "{mode:?} {time:?}");
    }
}

pub async fn a_server_of_noise_is_shown() {
    let shell = |script: &str| program(&["/bin/sh", "-c", script]);
    for script in ["echo one; echo two; sleep 60", "while :; do echo one; echo two; done"] {
        let (id, message, _) = limited(shell(script), calling("echo", json!({}))).await;
        assert_eq!(id, "timed-out");
        assert!(message.contains("no JSON-RPC reply; last stdout lines:"), "{message}");
        assert!(message.contains("\n  one") && message.contains("\n  two"), "{message}");
    }
    let (id, message, time) = limited(shell("yes | tr -d '\\n'"), calling("echo", json!({}))).await;
    assert!(id == "too-large" || id == "timed-out", "{id} {message}");
    assert!(time < Duration::from_secs(2), "{time:?}");
}
