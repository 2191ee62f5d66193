//! Many sources at once: merging, slow and failing ones, and reading by prefix.

use std::time::{Duration, Instant};

use kontext_runtime::Question;
use serde_json::{Value, json};

use crate::support::{Machine, adapter, command, plan_of, with};

/// A `search` op that prints this.
fn printing(script: &str) -> Value {
    let op = command(&["/bin/sh", "-c", script, "sh", "{{query}}"], json!({}));
    with(op, json!({ "format": "auto", "result": { "hits": { "items": "auto" } } }))
}

fn search(script: &str) -> Value {
    adapter(json!({ "search": printing(script) }))
}

fn question(text: &str, sources: &[&str]) -> Question {
    Question {
        text: Some(text.to_owned()),
        limit: 10,
        sources: sources.iter().map(|name| (*name).to_owned()).collect(),
    }
}

#[tokio::test]
async fn hits_merge_and_failures_are_notes() {
    let plan = plan_of(json!({
        "good": search(r#"echo '[{"title":"one '$1'","uri":"u:1"},{"title":"two","uri":"u:2"}]'"#),
        "more": search(r#"echo '[{"title":"again","uri":"u:2"}]'"#),
        "bad": search("echo broken >&2; exit 9"),
        "slow": adapter(json!({ "search": with(printing("sleep 60"), json!({ "timeout_ms": 200 })) })),
        "off": with(search("echo '[{\"title\":\"never\"}]'"), json!({ "enabled": false })),
    }));
    let machine = Machine::new(&[]);
    let runtime = machine.runtime(plan);
    let answer = runtime.hits("search", &question("q", &[])).await.unwrap();
    let titles: Vec<_> =
        answer.hits.iter().map(|hit| (hit.source.as_str(), hit.title.as_deref().unwrap())).collect();
    assert_eq!(titles, [("more", "again"), ("good", "one q")]);
    let notes: Vec<_> = answer.notes.iter().map(|note| note.source.as_str()).collect();
    assert_eq!(notes, ["bad", "slow"]);
    assert!(answer.notes[0].message.contains("exit status 9: broken"));

    let started = Instant::now();
    let again = runtime.hits("search", &question("q", &[])).await.unwrap();
    assert!(again.notes.iter().all(|note| note.message.contains("rests for")), "{:?}", again.notes);
    assert!(again.notes[0].message.ends_with("sh` ended with exit status 9: broken"), "{:?}", again.notes);
    assert!(started.elapsed() < Duration::from_millis(1500));
}

#[tokio::test]
async fn sources_are_chosen_by_name() {
    let plan = plan_of(json!({
        "alpha": search(r#"echo '[{"title":"a"}]'"#),
        "beta": search(r#"echo '[{"title":"b"}]'"#),
        "off": with(search("true"), json!({ "enabled": false })),
    }));
    let machine = Machine::new(&[]);
    let runtime = machine.runtime(plan);
    let answer = runtime.hits("search", &question("q", &["beta", "off"])).await.unwrap();
    assert_eq!(answer.hits.len(), 1);
    assert_eq!(answer.notes[0].message, "inactive: `enabled = false`");
    let error = runtime.hits("search", &question("q", &["bta"])).await.unwrap_err();
    assert_eq!(
        (error.id, error.message.as_str()),
        ("unknown-adapter", "there is no source `bta`; did you mean `beta`?")
    );
    assert_eq!(runtime.hits("code", &question("q", &[])).await.unwrap().hits, []);
}

#[tokio::test]
async fn all_failing_is_a_failure() {
    let machine = Machine::new(&[]);
    let one = machine.runtime(plan_of(json!({ "a": search("exit 1") })));
    assert_eq!(
        one.hits("search", &question("q", &[])).await.unwrap_err().message,
        "`a.search`: `/bin/sh` ended with exit status 1"
    );
    let two = machine.runtime(plan_of(json!({ "a": search("exit 1"), "b": search("exit 2") })));
    let error = two.hits("search", &question("q", &[])).await.unwrap_err();
    assert!(error.message.starts_with("all 2 sources failed:\n  `a.search`"), "{}", error.message);
}

#[tokio::test]
async fn briefs_are_parts_and_run_side_by_side() {
    let brief = |script: &str| adapter(json!({ "brief": command(&["/bin/sh", "-c", script], json!({})) }));
    let plan = plan_of(
        json!({ "b": brief("sleep 0.3; echo second"), "a": brief("sleep 0.3; echo first"), "c": brief("true") }),
    );
    let machine = Machine::new(&[]);
    let started = Instant::now();
    let answer = machine.runtime(plan).brief(&Question::default()).await.unwrap();
    assert!(started.elapsed() < Duration::from_millis(6000), "{:?}", started.elapsed());
    let parts: Vec<_> = answer.parts.iter().map(|part| (part.source.as_str(), part.text.as_str())).collect();
    assert_eq!(parts, [("a", "first\n"), ("b", "second\n")]);
}

#[tokio::test]
async fn the_longest_prefix_reads() {
    let read = |word: &str, owns: &[&str]| {
        let op = with(command(&["echo", word, "{{uri}}"], json!({})), json!({ "owns": owns }));
        adapter(json!({ "read": op }))
    };
    let plan = plan_of(json!({
        "a": read("a", &["x:"]), "b": read("b", &["x:deep/"]), "c": read("c", &["x:deep/"]),
        "off": with(read("off", &["y:"]), json!({ "enabled": false })),
    }));
    let machine = Machine::new(&[]);
    let runtime = machine.runtime(plan);
    assert_eq!(runtime.read("x:1", None).await.unwrap().text, "a x:1\n");
    let deep = runtime.read("x:deep/1", Some(1)).await.unwrap();
    assert_eq!((deep.source.as_str(), deep.text.as_str()), ("b", "b x:deep/1\n"));
    assert_eq!(runtime.read("y:1", None).await.unwrap_err().id, "inactive");
    let error = runtime.read("z:1", None).await.unwrap_err();
    assert!(error.message.contains("no adapter reads `z:1`"), "{}", error.message);
    let given = kontext_runtime::Given::Text(vec![("uri".to_owned(), "x:1".to_owned())]);
    let error = runtime.op("b", "read", &given).await.unwrap_err();
    assert!(error.message.contains("`x:1` does not begin with `x:deep/`"), "{}", error.message);
}
