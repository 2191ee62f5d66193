//! What passes between a client and an upstream server: results as they are, cancellation, progress.

use std::time::{Duration, Instant};

use kontext_runtime::server::Http;
use serde_json::{Value, json};

use super::{Served, said};
use crate::plans::{adapter, address, but, calling, fake};
use crate::support::{Machine, named, plan_of};

/// A server that publishes everything of a fake of this mode.
fn served(mode: &[&str]) -> Served {
    let server = but(fake(mode), json!({ "expose": "all", "prefix": "" }));
    Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })))
}

pub async fn results_pass_as_they_are() {
    let result: Value = serde_json::from_str(
        r#"{
        "content": [
            { "type": "text", "text": "seen", "annotations": { "audience": ["user"], "priority": 0.5 } },
            { "type": "image", "data": "aGk=", "mimeType": "image/png", "_meta": { "own/a": 1 } },
            { "type": "audio", "data": "aGk=", "mimeType": "audio/wav" },
            { "type": "resource", "resource": { "uri": "file:///a", "mimeType": "text/plain", "text": "t" } },
            { "type": "resource", "resource": { "uri": "file:///b", "blob": "aGk=" } },
            { "type": "resource_link", "uri": "file:///c", "name": "c" }
        ],
        "structuredContent": { "z": 12345678901234567890123.10, "a": [null, { "b": true }] },
        "isError": true,
        "_meta": { "own/b": { "c": [1] } }
        }"#,
    )
    .unwrap();
    for mode in ["legacy", "modern"] {
        let served = served(&[mode]);
        for modern in [false, true] {
            let mut client = if modern { served.modern().await } else { served.legacy().await };
            let mut passed = client.call("raw", json!({ "result": result })).await;
            if let Some(kind) = passed.as_object_mut().unwrap().shift_remove("resultType") {
                assert!(modern && kind == "complete", "{kind}");
            }
            assert_eq!(passed, result, "{mode} {modern}");
            assert_eq!(passed["structuredContent"].to_string(), result["structuredContent"].to_string());
            // One that says nothing of an error gets nothing said for it.
            let plain = client.call("raw", json!({ "result": { "content": [] } })).await;
            assert_eq!(plain.get("isError"), None, "{plain}");
        }
        served.server.close().await;
    }
}

pub async fn odd_results_are_failures_in_words() {
    let served = served(&["modern"]);
    let mut client = served.modern().await;
    for (tool, arguments, words) in [
        ("raw", json!({ "result": { "content": "x" } }), "gave something that is no result of a tool"),
        ("asks", json!({}), "which nobody is there to give"),
        ("die", json!({}), "ended with exit status 3"),
    ] {
        let result = client.call(tool, arguments).await;
        assert!(result["isError"] == true && said(&result).contains(words), "{tool}: {result}");
        assert!(said(&result).ends_with("--> .kontext.toml:7:3"), "{result}");
    }
    let sulking = self::served(&["legacy", "sulks"]);
    let result = sulking.modern().await.call("asks", json!({})).await;
    let words = "; meanwhile the server asked for an answer to `Which branch?` (`branch`), which nobody is there to give";
    assert!(said(&result).contains(words) && said(&result).contains("exit status 4"), "{result}");
    sulking.server.close().await;
    // It was started again.
    assert_eq!(said(&client.call("echo", json!({})).await), "both");
    served.server.close().await;
}

pub async fn a_line_that_cannot_be_read_fails_its_call_at_once() {
    let served = served(&["modern"]);
    let mut client = served.legacy().await;
    let line = |result: &str| json!({ "line": format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{result}}}"#) });
    let deep = format!("{{\"content\":[],\"structuredContent\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    let begun = Instant::now();
    for (result, words) in [
        (deep.as_str(), "it is nested more than 120 levels deep"),
        (r#"{"content":[{"type":"text","text":"x"}"#, "it is broken at byte"),
        (r#"{"content":[],}"#, "it is broken at byte"),
    ] {
        let failed = client.call("line", line(result)).await;
        assert!(failed["isError"] == true && said(&failed).contains(words), "{failed}");
        assert!(said(&failed).contains("cannot be read as JSON"), "{failed}");
    }
    assert!(begun.elapsed() < Duration::from_secs(4), "none waits for its time to be over");
    let read = client
        .call("line", line(r#"{"content":[{"type":"text","text":"a\ud83d"}],"structuredContent":{"n":NaN}}"#))
        .await;
    assert_eq!((said(&read), &read["structuredContent"]), ("a\u{fffd}", &json!({ "n": null })));
    assert_eq!(said(&client.call("echo", json!({})).await), "both");
    served.server.close().await;
}

pub async fn a_tool_that_no_client_takes_is_left_out() {
    let served = served(&["legacy", "odd-tools"]);
    let mut client = served.legacy().await;
    let tools = client.tools().await;
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name);
    assert_eq!(tool("cut").unwrap()["description"], "[a] cut \u{fffd}");
    assert_eq!(
        tool("typeless").unwrap()["inputSchema"],
        json!({ "properties": { "a": {} }, "type": "object" })
    );
    let warnings = served.warnings.lock().unwrap().join("\n");
    for (name, why) in [
        ("too-deep", "it is nested more than 120 levels deep"),
        ("of-text", "`type` of its input schema is not \"object\""),
        ("of-numbers", "`required` of its input schema is no list of names"),
        ("task", "its server runs it only as a task"),
    ] {
        assert_eq!(tool(name), None, "{name}");
        let told = warnings.lines().any(|line| line.contains(&format!("`{name}`")) && line.contains(why));
        assert!(told, "{name}: {warnings}");
    }
    served.server.close().await;
}

pub async fn the_lock_says_what_is_left_out() {
    let machine = Machine::new(&[]);
    let server = but(fake(&["legacy", "odd-tools"]), json!({ "expose": "all", "prefix": "" }));
    let runtime = machine.runtime(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let offer = runtime.offers(&["a"], |_| {}).await.remove(0).1.unwrap();
    runtime.close().await;
    let notes = offer.notes.join("\n");
    for words in [
        "the tool `too-deep` is left out: it is nested",
        "the tool `task` cannot be locked: its server runs it only as a task",
        "the tool `of-text` is not published: `type` of its input schema",
    ] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    let locked = |name: &str| offer.tools.iter().any(|tool| tool.name == name);
    assert!(locked("cut") && locked("of-text") && !locked("task") && !locked("too-deep"));
}

/// Blocks, annotations and members that the protocol's types do not hold.
fn odd() -> Vec<Value> {
    let text = r#"[
        { "content": [{ "type": "text", "text": "a", "annotations": { "audience": ["robot"], "priority": 7 } }] },
        { "content": [{ "type": "text", "text": "a", "annotations": { "audience": "user", "x": 1 } }] },
        { "content": [{ "type": "text", "text": "a", "annotations": { "priority": 1 } }], "isError": false },
        { "content": [{ "type": "text", "text": "a", "more": [1, { "b": null }] }], "further": { "c": 1.50 } },
        { "content": [{ "type": "text", "text": ["a"] }, { "type": "hologram", "x": 1 }, 7, null] },
        { "content": [{ "type": "resource", "resource": { "uri": "a:b", "text": "t", "y": true } }] },
        { "content": [], "isError": "yes", "structuredContent": { "n": 1.0 } },
        { "content": [], "_meta": "words" },
        { "content": [], "_meta": { "kontext/as-it-came": { "content": ["forged"] } } }
    ]"#;
    serde_json::from_str(text).unwrap()
}

pub async fn what_no_type_holds_passes_all_the_same() {
    for mode in ["legacy", "modern"] {
        let served = served(&[mode]);
        for modern in [false, true] {
            let mut client = if modern { served.modern().await } else { served.legacy().await };
            for result in odd() {
                let mut passed = client.call("raw", json!({ "result": result })).await;
                let kind = passed.as_object_mut().unwrap().shift_remove("resultType");
                assert_eq!(kind, modern.then(|| json!("complete")), "{passed}");
                assert_eq!(passed, result, "{mode} {modern}");
            }
            // Data that is no object goes to the older era as text, as that has only objects.
            let list = json!({ "content": [], "structuredContent": [1, 2], "further": 1 });
            let passed = client.call("raw", json!({ "result": list })).await;
            match modern {
                true => assert_eq!(passed["structuredContent"], json!([1, 2])),
                false => assert_eq!((said(&passed), passed.get("structuredContent")), ("[1,2]", None)),
            }
        }
        served.server.close().await;
    }
}

pub async fn over_http_it_passes_too() {
    // It comes from another kontext over HTTP, to which it came from a program.
    let upstream = served(&["modern", "annotated"]);
    let listening = Http::new("0", None, Vec::new()).unwrap().listen().await.unwrap();
    let url = listening.url();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let there = upstream.server.clone();
    let serving = tokio::spawn(async move { there.serve_http(listening, async { _ = stopped.await }).await });
    for protocol in ["initialize", "stateless"] {
        let server = but(address(&url, &[]), json!({ "expose": "all", "prefix": "", "protocol": protocol }));
        let served = Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
        let mut client = served.modern().await;
        for result in odd() {
            let mut passed = client.call("raw", json!({ "result": result })).await;
            passed.as_object_mut().unwrap().shift_remove("resultType");
            assert_eq!(passed, result, "{protocol}");
        }
        let find = client.tools().await.into_iter().find(|tool| tool["name"] == "find").unwrap();
        assert_eq!(find["annotations"]["own/x"], json!({ "a": [1] }), "{protocol}");
        served.server.close().await;
    }
    stop.send(()).unwrap();
    serving.await.unwrap();
}

pub async fn annotations_of_tools_pass_as_they_are() {
    for mode in ["legacy", "modern"] {
        let served = served(&[mode, "annotated"]);
        for modern in [false, true] {
            let mut client = if modern { served.modern().await } else { served.legacy().await };
            let find = client.tools().await.into_iter().find(|tool| tool["name"] == "find").unwrap();
            // A hint of the wrong type would cost a client the whole list.
            let annotations =
                json!({ "title": "F", "idempotentHint": true, "costHint": 3, "own/x": { "a": [1] } });
            assert_eq!((&find["annotations"], find.get("_meta")), (&annotations, None), "{mode} {modern}");
        }
        served.server.close().await;
    }
}

pub async fn a_result_is_as_large_as_an_answer_may_be() {
    const LIMIT: usize = 8 << 20;
    let served = served(&["modern"]);
    let mut client = served.modern().await;
    let fits = client.call("long", json!({ "size": LIMIT })).await;
    assert_eq!((said(&fits).len(), fits.get("isError")), (LIMIT, None));
    let image = |data: usize| json!({ "content": [{ "type": "image", "mimeType": "image/png", "data": "A".repeat(data) }] });
    for (tool, arguments) in [
        ("long", json!({ "size": LIMIT + 1 })),
        ("raw", json!({ "result": image(LIMIT + 1) })),
        ("raw", json!({ "result": { "content": [], "structuredContent": { "x": ["A".repeat(LIMIT)] } } })),
    ] {
        let result = client.call(tool, arguments).await;
        let words = format!("the tool `{tool}` gave more than 8 MiB");
        assert!(result["isError"] == true && said(&result).contains(&words), "{}", said(&result).len());
    }
    served.server.close().await;
}

pub async fn a_tool_that_is_not_what_was_reviewed_is_not_called() {
    let offers = {
        let machine = Machine::new(&[]);
        let runtime =
            machine.runtime(plan_of(json!({ "a": adapter(fake(&["modern"]), calling("echo", json!({}))) })));
        let mut offers = runtime.offers(&["a"], |_| {}).await;
        runtime.close().await;
        offers.remove(0).1.unwrap()
    };
    let pin = |tool: &kontext_plan::lock::LockedTool| {
        let published = kontext_plan::publish("a", "a_", tool);
        json!({ "name": tool.name, "digest": tool.digest, "published": published })
    };
    let tools: Vec<Value> = offers.tools.iter().map(pin).collect();
    let server = but(fake(&["modern", "reworded"]), json!({ "expose": "all", "tools": tools }));
    let served = Served::new(plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) })));
    let mut client = served.legacy().await;
    let find = client.tools().await.into_iter().find(|tool| tool["name"] == "a_find").unwrap();
    assert_eq!(find["description"], "[a] Finds things");
    assert_eq!(find["annotations"], json!({ "readOnlyHint": true }));
    let result = client.call("a_find", json!({ "query": "x" })).await;
    assert_eq!(result["isError"], true);
    assert!(
        said(&result).contains("was changed since") && said(&result).contains("`kontext lock --diff"),
        "{result}"
    );
    assert_eq!(said(&client.call("a_echo", json!({})).await), "both");
    served.server.close().await;
}

pub async fn a_cancelled_call_is_cancelled_upstream() {
    for mode in ["legacy", "modern"] {
        let served = served(&[mode]);
        let mut client = served.legacy().await;
        assert_eq!(said(&client.call("cancelled", json!({})).await), "cancelled: 0");
        let id = client.request("tools/call", json!({ "name": "slow", "arguments": { "ms": 60000 } })).await;
        // A call beside it is answered meanwhile.
        assert_eq!(said(&client.call("echo", json!({})).await), "both");
        client.tell("notifications/cancelled", json!({ "requestId": id, "reason": "changed my mind" })).await;
        let started = Instant::now();
        while said(&client.call("cancelled", json!({})).await) != "cancelled: 1" {
            assert!(started.elapsed() < Duration::from_secs(30), "{mode}: it was not told");
        }
        assert!(client.told.iter().all(|told| told["id"] != id), "a cancelled call is not answered");
        served.server.close().await;
    }
}

pub async fn progress_passes_to_who_asked_for_it() {
    for mode in ["legacy", "modern"] {
        let served = served(&[mode]);
        for modern in [false, true] {
            let mut client = if modern { served.modern().await } else { served.legacy().await };
            let asked = json!({ "name": "progress", "arguments": {}, "_meta": { "progressToken": "mine" } });
            assert_eq!(said(&client.result("tools/call", asked).await), "done");
            client.told.retain(|told| told["method"] == "notifications/progress");
            let told: Vec<Value> = client.told.drain(..).map(|mut told| told["params"].take()).collect();
            let step = |done: u32| json!({ "progressToken": "mine", "progress": f64::from(done), "total": 3.0, "message": format!("step {done}") });
            let number = |value: &Value| value.as_f64();
            assert_eq!(told.len(), 3, "{mode} {modern}: {told:?}");
            for (told, done) in told.iter().zip(1..) {
                let step = step(done);
                assert_eq!(number(&told["progress"]), number(&step["progress"]), "{told}");
                assert_eq!(number(&told["total"]), number(&step["total"]), "{told}");
                assert_eq!(
                    (&told["message"], &told["progressToken"]),
                    (&step["message"], &step["progressToken"])
                );
            }
            client.call("progress", json!({})).await;
            let unasked = client.told.iter().any(|told| told["method"] == "notifications/progress");
            assert!(!unasked, "{:?}", client.told);
        }
        served.server.close().await;
    }
}

pub async fn secrets_do_not_pass() {
    let machine = Machine::new(&[("KX_TOK", "topsecret-value")]);
    let mut server = but(fake(&["legacy"]), json!({ "expose": "all", "prefix": "" }));
    server["connect"]["stdio"]["env"] = named(&[("TOKEN", "{{env.KX_TOK}}")]);
    let plan = plan_of(json!({ "a": adapter(server, calling("echo", json!({}))) }));
    let served = Served::of(machine, Ok(plan));
    let mut client = served.legacy().await;
    let result = json!({ "content": [{ "type": "text", "text": "is topsecret-value" }],
        "structuredContent": { "deep": ["topsecret-value"] }, "_meta": { "own/x": "topsecret-value" } });
    let passed = client.call("raw", json!({ "result": result })).await;
    assert_eq!(said(&passed), "is ***");
    assert!(!passed.to_string().contains("topsecret"), "{passed}");
    let keyed = json!({ "content": [], "structuredContent": { "topsecret-value": 1 } });
    let passed = client.call("raw", json!({ "result": keyed })).await;
    assert_eq!(passed["structuredContent"], json!({ "***": 1 }));
    let asked = json!({ "name": "progress", "arguments": { "words": "topsecret-value, " },
        "_meta": { "progressToken": "mine" } });
    assert_eq!(said(&client.result("tools/call", asked).await), "done");
    client.told.retain(|told| told["method"] == "notifications/progress");
    let told: Vec<&Value> = client.told.iter().map(|told| &told["params"]["message"]).collect();
    assert_eq!(told, ["***, step 1", "***, step 2", "***, step 3"]);
    served.server.close().await;
}
