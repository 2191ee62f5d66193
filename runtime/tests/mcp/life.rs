//! Servers over more than one call: started once, shared, started again, ended.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use kontext_runtime::answer::OpResult;
use kontext_runtime::{Given, Question, RunError, Runtime};
use serde_json::{Value, json};

use crate::plans::{adapter, binding, but, calling, fake, runtime};
use crate::support::{Machine, named, plan_of, template};

/// A runtime for adapter `a` with these ops.
pub fn with_ops(mode: &[&str], ops: &[(&str, Value)]) -> (Machine, Runtime) {
    let mut adapter = adapter(fake(mode), Value::Null);
    adapter["ops"] = ops.iter().map(|(name, op)| ((*name).to_owned(), op.clone())).collect();
    runtime(plan_of(json!({ "a": adapter })))
}

pub async fn op(runtime: &Runtime, op: &str) -> Result<String, RunError> {
    let answer = runtime.op("a", op, &Given::none()).await?;
    match answer.result {
        OpResult::Text(text) => Ok(text),
        OpResult::Hits(hits) => Ok(format!("{hits:?}")),
    }
}

pub async fn one_process_serves_all_calls() {
    let (_machine, runtime) = with_ops(&["legacy"], &[("pid", calling("pid", json!({})))]);
    let pids = join_all((0..20).map(|_| op(&runtime, "pid"))).await;
    let pids: Vec<String> = pids.into_iter().map(Result::unwrap).collect();
    assert!(pids.iter().all(|pid| *pid == pids[0]), "{pids:?}");
    runtime.close().await;
}

pub async fn it_is_started_again_after_it_died() {
    let ops = [("pid", calling("pid", json!({}))), ("die", calling("die", json!({})))];
    let (_machine, runtime) = with_ops(&["modern"], &ops);
    let first = op(&runtime, "pid").await.unwrap();
    let error = op(&runtime, "die").await.unwrap_err();
    let said = "ended with exit status 3 during the call of the tool `die`: out of luck";
    assert!(error.message.contains(said), "{}", error.message);
    let second = op(&runtime, "pid").await.unwrap();
    assert_ne!(first, second);
    runtime.close().await;
}

pub async fn the_older_era_is_told_the_root() {
    let (machine, runtime) = with_ops(&["legacy"], &[("roots", calling("roots", json!({})))]);
    let uri = op(&runtime, "roots").await.unwrap();
    let root = std::fs::canonicalize(machine.directory.path()).unwrap();
    assert_eq!(uri, format!("file://{}", root.display()));
    runtime.close().await;
}

pub async fn a_slow_call_is_cancelled_and_costs_no_other() {
    let slow = but(calling("slow", json!({ "ms": 3000 })), json!({ "timeout_ms": 200 }));
    let ops =
        [("slow", slow), ("cancelled", calling("cancelled", json!({}))), ("pid", calling("pid", json!({})))];
    for era in ["legacy", "modern"] {
        let (_machine, runtime) = with_ops(&[era], &ops);
        let before = op(&runtime, "pid").await.unwrap();
        let started = Instant::now();
        let error = op(&runtime, "slow").await.unwrap_err();
        assert_eq!(error.id, "timed-out");
        assert!(error.message.contains("the tool `slow` of"), "{}", error.message);
        assert!(error.message.contains("gave no answer within 200 ms"), "{}", error.message);
        assert!(started.elapsed() < Duration::from_millis(9000));
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(op(&runtime, "cancelled").await.unwrap(), "cancelled: 1", "{era}");
        assert_eq!(op(&runtime, "pid").await.unwrap(), before);
        runtime.close().await;
    }
}

pub async fn starting_has_its_own_time() {
    let quick = but(calling("echo", json!({})), json!({ "timeout_ms": 300 }));
    let (_machine, runtime) = with_ops(&["modern", "boot=900"], &[("quick", quick)]);
    assert_eq!(op(&runtime, "quick").await.unwrap(), "{}");
    runtime.close().await;
}

pub async fn changed_tools_are_listed_again() {
    let ops = [("late", binding("late", &["query"])), ("grow", calling("grow", json!({})))];
    let (_machine, runtime) = with_ops(&["legacy"], &ops);
    assert_eq!(op(&runtime, "late").await.unwrap_err().id, "unknown-tool");
    op(&runtime, "grow").await.unwrap();
    assert_eq!(op(&runtime, "late").await.unwrap(), "late");
    runtime.close().await;
}

pub async fn servers_start_side_by_side() {
    let hits = json!({ "result": { "hits": { "items": "auto" } } });
    let result = json!({ "structuredContent": [{ "title": "t" }] });
    let search = but(calling("raw", json!({ "result": result })), hits);
    let server = |boot: &str| {
        let mut adapter = adapter(fake(&["modern", boot]), Value::Null);
        adapter["ops"] = json!({ "search": search });
        adapter
    };
    let (_machine, runtime) = runtime(plan_of(
        json!({ "a": server("boot=300"), "b": server("boot=600"), "c": server("boot=900") }),
    ));
    let started = Instant::now();
    let question = Question { text: Some("x".to_owned()), limit: 10, sources: Vec::new() };
    let answer = runtime.hits("search", &question).await.unwrap();
    assert_eq!(answer.hits.len(), 3, "{:?}", answer.notes);
    assert!(started.elapsed() < Duration::from_millis(17000), "{:?}", started.elapsed());
    let started = Instant::now();
    runtime.close().await;
    assert!(started.elapsed() < Duration::from_millis(5000), "{:?}", started.elapsed());
}

pub async fn a_bad_server_costs_only_itself() {
    let result = json!({ "structuredContent": [{ "title": "t" }] });
    let search = but(
        calling("raw", json!({ "result": result })),
        json!({ "result": { "hits": { "items": "auto" } } }),
    );
    let server = |mode: &[&str], time: u64| {
        let mut adapter = adapter(but(fake(mode), json!({ "start_timeout_ms": time })), Value::Null);
        adapter["ops"] = json!({ "search": search });
        adapter
    };
    let (_machine, runtime) = runtime(plan_of(json!({
        "good": server(&["modern"], 5000), "hangs": server(&["hangs"], 300), "dies": server(&["exit=3"], 5000),
    })));
    let question = Question { text: Some("x".to_owned()), limit: 10, sources: Vec::new() };
    let answer = runtime.hits("search", &question).await.unwrap();
    assert_eq!(answer.hits.len(), 1);
    let sources: Vec<&str> = answer.notes.iter().map(|note| note.source.as_str()).collect();
    assert_eq!(sources, ["dies", "hangs"], "{:?}", answer.notes);
    runtime.close().await;
}

pub async fn a_stubborn_server_delays_the_end_by_a_second_at_most() {
    let ops = [("pid", calling("pid", json!({})))];
    let (_machine, runtime) = with_ops(&["modern", "ignores-eof"], &ops);
    let pid = op(&runtime, "pid").await.unwrap();
    let started = Instant::now();
    runtime.close().await;
    assert!(started.elapsed() < Duration::from_millis(13000), "{:?}", started.elapsed());
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
}

pub async fn secrets_stay_hidden() {
    let machine = Machine::new(&[("KX_TOKEN", "s3cr3t-token-42")]);
    let script = "echo \"token $TOKEN is not valid\" >&2; echo \"hello $TOKEN\"; exit 4";
    let command: Vec<Value> = ["/bin/sh", "-c", script].iter().map(|word| template(word)).collect();
    let stdio = json!({ "stdio": { "command": command, "cwd": null,
        "env": named(&[("TOKEN", "{{env.KX_TOKEN}}")]) } });
    let server = but(fake(&[]), json!({ "connect": stdio }));
    let runtime = machine.runtime(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let error = op(&runtime, "go").await.unwrap_err();
    assert!(error.message.contains("token *** is not valid"), "{}", error.message);
    assert!(error.message.contains("hello ***") && !error.message.contains("s3cr3t"), "{}", error.message);
}
