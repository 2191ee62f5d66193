//! json-server as a wiki with a JSON API: search, read, store, and what is said when it does not answer.

use serde_json::{Value, json};

use super::server::Server;
use super::{Place, USER, column};

/// The wiki; [`super::together`] uses it too.
pub const WIKI: &str = r#"
[adapters.wiki]
driver = "http"
description = "The crew's wiki"
base_url = "{{env.WIKI_URL}}"
when = { env = "WIKI_URL" }
weight = 1.5

[adapters.wiki.ops.search]
path = "/articles"
query = { q = "{{query}}", _limit = "{{limit}}", _expand = "space" }
items = "[*]"
map = { snippet = "body", kind = "space.name|=page", date = "meta.updated", score = "meta.rank", uri = "uri" }

[adapters.wiki.ops.code]
path = "/spaces"
query = { q = "{{query}}", _embed = "articles" }
items = "[*].articles[*]"
map = { title = "title", uri = "tpl:wiki://{{id}}" }

[adapters.wiki.ops.read]
path = "/articles/{{uri|after:wiki://}}"
owns = ["wiki://"]
text = "body"

[adapters.wiki.ops.store]
path = "/articles"
body = { spaceId = 2, id = "{{id}}", title = "{{title}}", body = "{{markdown}}", tags = "{{tags}}" }
text = "id"

[[adapters.wiki.on]]
event = "capture"
visibility = "team"
op = "store"
"#;

/// So many lines that a server would rather send them compressed.
fn long() -> String {
    "The rollback plan stands in the first line, where a skipper finds it at night.\n".repeat(60)
}

fn data() -> Value {
    let article = |id: &str, space: u8, title: &str, body: &str, rank: f64| {
        json!({
            "id": id, "spaceId": space, "uri": format!("wiki://{id}"), "title": title, "body": body,
            "meta": { "rank": rank, "updated": "2026-04-01" }
        })
    };
    json!({
        "spaces": [{ "id": 1, "name": "harbour" }, { "id": 2, "name": "crew" }],
        "articles": [
            article("a1", 1, "Tide table", "High water\n  at the quay", 0.75),
            article("team/deploy notes?#ü%2F", 2, "Deploy notes", "Wait for the tide & go = on", 0.5),
            article("long", 2, "Rollback", &long(), 0.25),
        ]
    })
}

fn place() -> (Place, Server) {
    let place = Place::new();
    let server = Server::start(place.path(), &data());
    let place = place.with("WIKI_URL", server.url());
    place.write(USER, WIKI);
    place.build();
    (place, server)
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn search_maps_what_the_server_found() {
    let (place, _server) = place();
    let hits = place.hits("wiki.search", &["query=tide"]);
    assert_eq!(column(&hits, "title"), ["Tide table", "Deploy notes"]);
    assert_eq!(column(&hits, "snippet"), ["High water at the quay", "Wait for the tide & go = on"]);
    assert_eq!(column(&hits, "uri"), ["wiki://a1", "wiki://team/deploy notes?#ü%2F"]);
    assert_eq!(column(&hits, "kind"), ["harbour", "crew"]);
    assert_eq!(column(&hits, "date"), ["2026-04-01", "2026-04-01"]);
    assert_eq!([&hits[0]["score"], &hits[1]["score"]], [&json!(0.75), &json!(0.5)]);
    assert_eq!(
        place.hits("wiki.search", &["query=tide", "limit=1"]).len(),
        1,
        "the limit reaches the server"
    );
    let hits = place.hits("wiki.search", &["query=tide & go = on"]);
    assert_eq!(column(&hits, "title"), ["Deploy notes"], "a query is one value, whatever is in it");
    assert!(place.hits("wiki.search", &["query=nobody wrote this"]).is_empty());
    let hits = place.hits("wiki.code", &["query=r"]);
    assert_eq!(column(&hits, "title"), ["Tide table", "Deploy notes", "Rollback"], "the lists of two spaces");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn what_a_search_found_can_be_read() {
    let (place, _server) = place();
    let hits = place.hits("wiki.search", &["query=deploy"]);
    let uri = hits[0]["uri"].as_str().unwrap();
    let answer = place.json(&["run", "read", uri]);
    let expected = json!({"source": "wiki", "uri": uri, "text": "Wait for the tide & go = on", "notes": []});
    assert_eq!(answer, expected, "the address is one segment of the path");
    let run = place.run(&["run", "read", "wiki://long", "--text"]);
    assert_eq!((run.status, run.out.trim_end()), (0, long().trim_end()), "compressed or not, it is whole");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn what_is_not_there_fails_with_the_status() {
    let (place, server) = place();
    let message = place.failure("call-failed", &["run", "read", "wiki://nothing"]);
    assert!(message.contains("404") && message.contains(&server.authority()), "{message}");
    // Neither of these may reach another collection.
    for uri in ["wiki://..", "wiki://../spaces/1", "wiki://%2e%2e", "wiki://"] {
        let run = place.run(&["run", "read", uri]);
        assert!(run.status == 1 && run.out.is_empty() && !run.err.contains("harbour"), "{uri}: {run:?}");
    }
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn what_was_stored_can_be_found() {
    let (place, _server) = place();
    let note =
        json!({"id": "n-1", "title": "Fog", "markdown": "# Fog\n\n\"Wait.\"\n", "tags": ["weather", "ü"]});
    let answer = place.json(&["run", "op", "wiki.store", "--json", &note.to_string()]);
    assert_eq!(answer, json!({"adapter": "wiki", "op": "store", "text": "n-1", "notes": []}));
    let answer = place.json(&["run", "read", "wiki://n-1"]);
    assert_eq!(answer["text"], "# Fog\n\n\"Wait.\"\n");
    assert_eq!(column(&place.hits("wiki.search", &["query=weather"]), "title"), ["Fog"]);
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn a_server_that_does_not_answer_is_named() {
    let (place, mut server) = place();
    assert_eq!(place.run(&["adapters", "test", "wiki"]).status, 0);
    let encrypted = place.with("WIKI_URL", format!("https://{}", server.authority()));
    let message = encrypted.failure("call-failed", &["run", "search", "tide"]);
    assert!(message.contains("is `http://` meant?"), "{message}");
    let place = encrypted.with("WIKI_URL", server.url());
    server.stop();
    let message = place.failure("call-failed", &["run", "op", "wiki.search", "--input", "query=tide"]);
    for part in ["`wiki.search`", server.authority().as_str(), "refused the connection"] {
        assert!(message.contains(part), "{part} is missing: {message}");
    }
    let test = place.run(&["adapters", "test", "wiki"]);
    assert!(test.status == 1 && test.err.contains("refused the connection"), "{test:?}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn without_its_address_the_wiki_is_inactive() {
    let place = Place::new();
    place.write(USER, WIKI);
    place.build();
    let list = place.json(&["adapters", "list", "--format", "json"]);
    assert_eq!(list[0]["active"], false);
    assert!(list[0]["reason"].as_str().unwrap().contains("WIKI_URL"), "{list}");
    let message = place.failure("inactive", &["run", "op", "wiki.search", "--input", "query=tide"]);
    assert!(message.contains("WIKI_URL"), "{message}");
}
