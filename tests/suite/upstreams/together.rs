//! ripgrep, git and json-server behind one configuration, as a person would have them.

use serde_json::{Value, json};

use super::git::LOG;
use super::json_server::WIKI;
use super::ripgrep::DOCS;
use super::server::Server;
use super::{CLONE, Place, USER, column};

fn data() -> Value {
    let article = |id: &str, uri: &str, title: &str| {
        json!({
            "id": id, "uri": uri, "title": title, "body": "A page on the tide",
            "meta": { "rank": 0.5, "updated": "2026-04-01" }
        })
    };
    json!({ "spaces": [], "articles": [
        article("t1", "wiki://t1", "Tides"),
        article("t2", "docs:pages/b.md#2", "Page b, linked"),
        article("t3", "wiki://t3", "More tides"),
    ] })
}

/// The wiki in the user's layer, the pages and the log in the clone's.
fn place() -> (Place, Server) {
    let place = Place::new();
    let server = Server::start(place.path(), &data());
    let place = place.with("WIKI_URL", server.url());
    place.write("repo/pages/a.md", "# Page a\n\nOn every tide\n");
    place.commit("Ana", "2026-01-05", "Write down the tide");
    place.write("repo/pages/b.md", "# Page b\nA tide as well\n");
    place.commit("Ana", "2026-01-06", "The other tide");
    place.write(USER, WIKI);
    place.write(CLONE, format!("{DOCS}{LOG}"));
    place.build();
    (place, server)
}

/// The source and the address of every hit; addresses of commits by their place in the log, newest first.
fn order(place: &Place, answer: &Value) -> Vec<String> {
    let commits = place.git(&["log", "--format=git:%h"]);
    let commits: Vec<&str> = commits.lines().collect();
    let hits = answer["hits"].as_array().unwrap();
    let shown =
        column(hits, "source").into_iter().zip(column(hits, "uri")).map(|(source, uri)| {
            match commits.iter().position(|commit| *commit == uri) {
                Some(age) => format!("{source} commit {age}"),
                None => format!("{source} {uri}"),
            }
        });
    shown.collect()
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn all_three_are_listed_and_answer() {
    let (place, _server) = place();
    assert_eq!(place.run(&["build", "--check"]).status, 0);
    let list = place.json(&["adapters", "list", "--format", "json"]);
    let list = list.as_array().unwrap();
    let row = |adapter: &Value| {
        let fields = ["name", "driver", "layers", "active", "reason", "trusted", "ops"];
        Value::from(fields.map(|field| adapter[field].clone()).to_vec())
    };
    let expected = [
        json!(["docs", "command", ["clone"], true, null, true, ["search"]]),
        json!(["log", "command", ["clone"], true, null, true, ["code", "history", "search"]]),
        json!(["wiki", "http", ["user"], true, null, true, ["code", "read", "search", "store"]]),
    ];
    assert_eq!(list.iter().map(row).collect::<Vec<_>>(), expected);
    assert_eq!(
        (&list[2]["description"], &list[2]["events"]),
        (&json!("The crew's wiki"), &json!(["capture"]))
    );
    let uris = |op: &str| place.hits(op, &["query=tide"]).len();
    assert_eq!([uris("docs.search"), uris("log.search"), uris("wiki.search")], [2, 2, 3]);
    let read = place.json(&["run", "read", "wiki://t1"]);
    assert_eq!((&read["source"], &read["text"]), (&json!("wiki"), &json!("A page on the tide")));
    let history = place.json(&["run", "history", "pages/b.md"]);
    assert_eq!(order(&place, &history), ["log commit 0"]);
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn their_hits_merge_by_weight_and_rank() {
    let (place, _server) = place();
    let answer = place.json(&["run", "search", "tide"]);
    // The wiki counts 1.5 and the others 0.9 over 8 + rank; the second page is found by two, so it has
    // 1.5 / 10 + 0.9 / 10 and is shown as the wiki has it, which ranks it higher.
    let merged = [
        "wiki docs:pages/b.md#2",
        "wiki wiki://t1",
        "wiki wiki://t3",
        "docs docs:pages/a.md#3",
        "log commit 0",
        "log commit 1",
    ];
    assert_eq!(order(&place, &answer), merged);
    assert_eq!(answer["notes"], json!([]));
    let first = json!({
        "source": "wiki", "title": "Page b, linked", "snippet": "A page on the tide",
        "uri": "docs:pages/b.md#2", "score": 0.5, "kind": "page", "date": "2026-04-01"
    });
    assert_eq!(answer["hits"][0], first);
    let answer = place.json(&["run", "search", "tide", "-n", "2"]);
    assert_eq!(answer["hits"].as_array().unwrap().len(), 2);
    let answer = place.json(&["run", "search", "tide", "--source", "log", "docs"]);
    let two = ["docs docs:pages/a.md#3", "log commit 0", "docs docs:pages/b.md#2", "log commit 1"];
    assert_eq!(order(&place, &answer), two, "ties go by the name of the source");
    let answer = place.json(&["run", "search", "nobody wrote this"]);
    assert_eq!(answer, json!({"hits": [], "notes": []}));
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn one_that_is_down_is_a_note_beside_the_others() {
    let (place, mut server) = place();
    server.stop();
    let answer = place.json(&["run", "search", "tide"]);
    let others = ["docs docs:pages/a.md#3", "log commit 0", "docs docs:pages/b.md#2", "log commit 1"];
    assert_eq!(order(&place, &answer), others);
    let notes = answer["notes"].as_array().unwrap();
    assert_eq!(column(notes, "source"), ["wiki"]);
    let message = notes[0]["message"].as_str().unwrap();
    assert!(message.contains(&server.authority()) && message.contains("refused the connection"), "{message}");
    // An expression that ripgrep refuses is no spoiler either: git takes it as it is.
    let answer = place.json(&["run", "search", "tide("]);
    assert_eq!(column(answer["notes"].as_array().unwrap(), "source"), ["docs", "wiki"]);
    let message = place.failure("call-failed", &["run", "search", "tide(", "--source", "docs", "wiki"]);
    assert!(message.contains("unclosed group") && message.contains("refused the connection"), "{message}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn programs_that_are_not_installed_leave_the_rest_at_work() {
    let (place, _server) = place();
    let place = place.with("PATH", String::new());
    let list = place.json(&["adapters", "list", "--format", "json"]);
    let reasons = column(list.as_array().unwrap(), "reason");
    assert!(
        reasons[0].contains("`rg`") && reasons[1].contains("`git`") && reasons[2].is_empty(),
        "{reasons:?}"
    );
    let answer = place.json(&["run", "search", "tide"]);
    assert_eq!(column(answer["hits"].as_array().unwrap(), "source"), ["wiki"; 3]);
}
