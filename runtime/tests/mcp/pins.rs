//! Pins: what a server offers is held fast, and what differs is not called.

use kontext_runtime::RunError;
use serde_json::{Value, json};

use crate::plans::{adapter, binding, but, calling, fake, once, plan, runtime, text};
use crate::support::plan_of;

/// The pins of the tools that a server of this mode has.
async fn pins(mode: &[&str], pin: &str) -> Vec<Value> {
    let server = but(fake(mode), json!({ "pin": pin }));
    let (_machine, runtime) = runtime(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let mut offers = runtime.offers(&["a"], |_| {}).await;
    runtime.close().await;
    let offer = offers.remove(0).1.unwrap();
    offer.tools.iter().map(|tool| json!({ "name": tool.name, "digest": tool.digest })).collect()
}

async fn call(mode: &[&str], pin: &str, pins: &[Value], op: Value) -> Result<String, RunError> {
    let server = but(fake(mode), json!({ "pin": pin, "tools": pins }));
    let (_machine, runtime) = runtime(plan_of(json!({ "a": adapter(server, op) })));
    let said = text(&runtime, "words").await;
    runtime.close().await;
    said
}

pub async fn a_tool_that_is_what_it_was_is_called() {
    for (era, pin) in [("modern", "full"), ("legacy", "schema")] {
        let pins = pins(&[era], pin).await;
        for op in [binding("find", &["query"]), calling("find", json!({ "query": "{{query}}" }))] {
            assert_eq!(call(&[era], pin, &pins, op).await.unwrap(), r#"{"query":"words"}"#, "{era}");
        }
    }
}

pub async fn a_changed_tool_is_not_called() {
    let full = pins(&["legacy"], "full").await;
    let schema = pins(&["legacy"], "schema").await;
    let find = || binding("find", &["query"]);
    for (mode, pin, pins) in
        [("reworded", "full", &full), ("retyped", "full", &full), ("retyped", "schema", &schema)]
    {
        let error = call(&["legacy", mode], pin, pins, find()).await.unwrap_err();
        assert_eq!(error.id, "tool-changed", "{mode}: {}", error.message);
        let words = "the tool `find` was changed since the tools of `a` were locked and is not called";
        let named =
            error.message.contains(words) && error.message.contains("`kontext lock --diff --adapter a`");
        assert!(named && error.at.is_some(), "{}", error.message);
        // It costs no other tool.
        let said = call(&["legacy", mode], pin, pins, calling("echo", json!({ "q": 1 }))).await;
        assert_eq!(said.unwrap(), r#"{"q":1}"#, "{mode}");
    }
    let server = but(fake(&["legacy", "retyped"]), json!({ "pin": "full", "tools": full }));
    let (_machine, runtime) = runtime(plan_of(json!({ "a": adapter(server, find()) })));
    let found = runtime.inspect("a").await.unwrap();
    runtime.close().await;
    let problem = found.ops[0].problem.as_deref();
    assert!(problem.is_some_and(|problem| problem.contains("`find` was changed")), "{problem:?}");
    let said = call(&["legacy", "reworded"], "schema", &schema, find()).await;
    assert_eq!(said.unwrap(), r#"{"query":"words"}"#, "descriptions are not held fast");
    let said = call(&["legacy", "retyped"], "off", &full, find()).await;
    assert_eq!(said.unwrap(), r#"{"query":"words"}"#, "nothing is");
}

pub async fn tools_that_came_or_went_are_told_apart() {
    let mut pins = pins(&["modern"], "full").await;
    pins.retain(|pin| pin["name"] != "echo");
    pins.push(json!({ "name": "gone", "digest": "sha256:0" }));
    for (tool, id, word) in [
        ("echo", "tool-changed", "`echo` was added since"),
        ("gone", "tool-changed", "`gone` was removed since"),
        ("fnd", "unknown-tool", "did you mean `find`?"),
    ] {
        let error = call(&["modern"], "full", &pins, calling(tool, json!({}))).await.unwrap_err();
        assert!(error.id == id && error.message.contains(word), "{}: {}", error.id, error.message);
    }
}

pub async fn what_cannot_be_locked_is_a_note() {
    let (_machine, runtime) = runtime(plan(&["modern", "noise"], calling("echo", json!({}))));
    let heard = std::cell::RefCell::new(Vec::new());
    let offers = runtime.offers(&["a", "b"], |name| heard.borrow_mut().push(name.to_owned())).await;
    runtime.close().await;
    heard.borrow_mut().sort();
    assert_eq!(*heard.borrow(), ["a", "b"]);
    assert_eq!(offers[1].1.as_ref().unwrap_err().id, "unknown-adapter");
    let offer = offers[0].1.as_ref().unwrap();
    assert_eq!(offer.server.as_ref().map(|server| server.name.as_str()), Some("fake"));
    assert!(offer.tools.is_sorted_by(|a, b| a.name < b.name) && offer.tools.len() > 15, "{:?}", offer.tools);
    assert!(offer.notes.iter().any(|note| note.contains("no name")), "{:?}", offer.notes);
    let error = once(&["modern", "exit=3"], calling("echo", json!({}))).await.unwrap_err();
    assert_eq!(error.id, "call-failed");
}
