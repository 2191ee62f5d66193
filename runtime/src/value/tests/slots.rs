use kontext_plan::NamedTemplate;
use kontext_plan::template::{JsonTemplate, Member};
use serde_json::json;

use super::*;

fn leaf(from: Source) -> JsonTemplate {
    JsonTemplate::Template(one(from, &[]))
}

fn member(key: Template, value: JsonTemplate) -> Member {
    Member { key, value }
}

fn key(text: &str) -> Template {
    Template::Text(text.to_owned())
}

#[test]
fn null_drops_members_and_elements() {
    let world = World::new(json!({"q": "say \"hi\"\nC:\\x", "n": 5, "no": null, "o": {"a": null}}));
    let slot = JsonTemplate::Object(vec![
        member(key("q"), leaf(input("q"))),
        member(key("no"), leaf(input("no"))),
        member(key("o"), leaf(input("o"))),
        member(key("branch"), leaf(Source::Fact("repo.branch".to_owned()))),
        member(key("list"), JsonTemplate::Array(vec![leaf(input("no")), leaf(input("n"))])),
        member(key("none"), JsonTemplate::Array(vec![leaf(input("no"))])),
        member(key("empty"), JsonTemplate::Object(vec![member(key("x"), leaf(input("no")))])),
        member(one(input("no"), &[]), leaf(input("n"))),
        member(longer("k", input("n")), JsonTemplate::Scalar(json!(true))),
        member(key("note"), JsonTemplate::Template(longer("q=", input("n")))),
    ]);
    let value = json(&world.scope(), &slot).unwrap().unwrap();
    let wanted = json!({
        "q": "say \"hi\"\nC:\\x", "o": {"a": null}, "list": [5], "none": [], "empty": {}, "k5": true, "note": "q=5"
    });
    assert_eq!(value, wanted);
    assert_eq!(json(&world.scope(), &leaf(input("no"))).unwrap(), None);
    let gone = json(&world.scope(), &leaf(env("NONE"))).unwrap_err();
    assert_eq!(gone.kind, missing("env.NONE", false));
}

#[test]
fn a_later_key_that_renders_the_same_wins() {
    let world = World::new(json!({"k": "a", "list": []}));
    let slot = JsonTemplate::Object(vec![
        member(key("a"), JsonTemplate::Scalar(json!(1))),
        member(one(input("k"), &[]), JsonTemplate::Scalar(json!(2))),
        member(key("a"), leaf(input("absent"))),
    ]);
    assert_eq!(json(&world.scope(), &slot).unwrap(), Some(json!({"a": 2})));
    let slot = JsonTemplate::Object(vec![member(one(input("list"), &[]), JsonTemplate::Scalar(json!(2)))]);
    assert_eq!(json(&world.scope(), &slot).unwrap_err().kind, EvalErrorKind::Type);
}

#[test]
fn argument_vectors() {
    let world =
        World::new(json!({"q": "a b", "no": null, "list": ["x", null, 2], "o": {}, "nul": "a\0", "e": ""}));
    let scope = world.scope();
    let run = |rest: Template| argv(&scope, &[key("rg"), rest]);
    assert_eq!(run(one(input("q"), &[])).unwrap(), ["rg", "a b"]);
    assert_eq!(run(one(input("no"), &[])).unwrap(), ["rg"]);
    assert_eq!(run(one(input("list"), &[])).unwrap(), ["rg", "x", "2"]);
    assert_eq!(run(one(input("e"), &[])).unwrap(), ["rg", ""]);
    assert_eq!(run(longer("-q", input("no"))).unwrap(), ["rg", "-q"]);
    assert_eq!(run(one(input("o"), &[])).unwrap_err().kind, EvalErrorKind::Type);
    assert_eq!(run(longer("-q", input("list"))).unwrap_err().kind, EvalErrorKind::Type);
    assert_eq!(run(one(input("nul"), &[])).unwrap_err().kind, EvalErrorKind::Value);
    assert_eq!(run(one(env("NONE"), &[])).unwrap_err().kind, missing("env.NONE", false));
    let program = |slot: Template| argv(&scope, &[slot]).unwrap_err().kind;
    assert_eq!(program(one(input("list"), &[])), EvalErrorKind::Type);
    assert_eq!(program(one(input("no"), &[])), EvalErrorKind::Value);
    assert_eq!(program(one(input("e"), &[])), EvalErrorKind::Value);
    assert_eq!(argv(&scope, &[]).unwrap_err().kind, EvalErrorKind::Value);
}

#[test]
fn query_parameters() {
    let world = World::new(json!({
        "q": "a b&c", "no": null, "e": "", "list": ["x", "", 2], "none": [], "o": {}, "nested": [[1]], "t": true
    }));
    let named = |name: &str, value: Template| NamedTemplate { name: name.to_owned(), value, at: OriginId(4) };
    let slots: Vec<NamedTemplate> =
        ["q", "no", "e", "list", "none", "t"].map(|name| named(name, one(input(name), &[]))).into();
    let pairs = query(&world.scope(), &slots).unwrap();
    let wanted = [("q", "a b&c"), ("list", "x"), ("list", ""), ("list", "2"), ("t", "true")];
    assert_eq!(pairs, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let mut url: ::url::Url = "http://h.test/s?k=1".parse().unwrap();
    add_query(&mut url, &pairs);
    assert_eq!(url.as_str(), "http://h.test/s?k=1&q=a%20b%26c&list=x&list=&list=2&t=true");
    for bad in ["o", "nested"] {
        let error = query(&world.scope(), &[named(bad, one(input(bad), &[]))]).unwrap_err();
        assert_eq!(error.kind, EvalErrorKind::Type);
        assert!(error.message.starts_with(&format!("query parameter `{bad}`")));
    }
}
