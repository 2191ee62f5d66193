use kontext_plan::url::{UrlPiece, UrlTemplate};
use serde_json::json;

use super::*;

fn fixed(text: &str) -> UrlPiece {
    UrlPiece::Text(text.to_owned())
}

fn coded(name: &str) -> UrlPiece {
    UrlPiece::Encoded(expr(input(name), &[]))
}

fn raw(name: &str) -> UrlPiece {
    UrlPiece::Raw(expr(input(name), &[Filter::Raw]))
}

fn url(prefix: &str, segments: Vec<Vec<UrlPiece>>, query: Option<Vec<UrlPiece>>) -> UrlTemplate {
    UrlTemplate { prefix: Template::Text(prefix.to_owned()), segments, query, at: OriginId(5) }
}

fn rendered(template: &UrlTemplate, inputs: Value) -> Result<String, EvalErrorKind> {
    let world = World::new(inputs);
    url_segments(&world.scope(), template).map(|url| url.to_string()).map_err(|error| error.kind)
}

fn notes(piece: UrlPiece) -> UrlTemplate {
    url("https://p.test/api", vec![vec![fixed("notes")], vec![piece], vec![fixed("body")]], None)
}

#[test]
fn an_expression_is_one_segment() {
    let table = [
        ("a/b", Ok("a%2Fb")),
        ("a?x=1#y", Ok("a%3Fx%3D1%23y")),
        ("a b", Ok("a%20b")),
        ("%2e%2e", Ok("%252e%252e")),
        ("é", Ok("%C3%A9")),
        ("...", Ok("...")),
        ("", Err(EvalErrorKind::EmptySegment)),
        (".", Err(EvalErrorKind::DotSegment)),
        ("..", Err(EvalErrorKind::DotSegment)),
        ("../../admin", Err(EvalErrorKind::DotSegment)),
        ("a\\..\\b", Err(EvalErrorKind::DotSegment)),
    ];
    for (value, wanted) in table {
        let wanted = wanted.map(|segment| format!("https://p.test/api/notes/{segment}/body"));
        assert_eq!(rendered(&notes(coded("v")), json!({"v": value})), wanted, "{value}");
    }
    assert_eq!(rendered(&notes(coded("v")), json!({"v": null})), Err(EvalErrorKind::EmptySegment));
    assert_eq!(
        rendered(&notes(coded("v")), json!({"v": 7})),
        Ok("https://p.test/api/notes/7/body".to_owned())
    );
    assert_eq!(rendered(&notes(coded("v")), json!({"v": [1]})), Err(EvalErrorKind::Type));
    let split = url("https://p.test", vec![vec![coded("a"), coded("b")]], None);
    assert_eq!(rendered(&split, json!({"a": ".", "b": "."})), Err(EvalErrorKind::DotSegment));
}

#[test]
fn raw_is_sent_as_it_is_but_stays_below_the_base() {
    let table = [
        ("a/b%20c", Ok("a/b%20c")),
        ("a/../b", Err(EvalErrorKind::DotSegment)),
        ("a/%2e%2E/b", Err(EvalErrorKind::DotSegment)),
        ("a/.%2e/b", Err(EvalErrorKind::DotSegment)),
        ("a\\..\\b", Err(EvalErrorKind::DotSegment)),
        ("a//b", Err(EvalErrorKind::EmptySegment)),
        ("/a", Err(EvalErrorKind::EmptySegment)),
        ("", Err(EvalErrorKind::EmptySegment)),
        ("a/.\t./b", Err(EvalErrorKind::Value)),
    ];
    for (value, wanted) in table {
        let wanted = wanted.map(|segment| format!("https://p.test/api/notes/{segment}/body"));
        assert_eq!(rendered(&notes(raw("v")), json!({"v": value})), wanted, "{value}");
    }
}

#[test]
fn the_templates_own_dots_are_left_to_the_url_below_the_base() {
    let own = |segments: &[&str]| {
        let segments = segments.iter().map(|text| vec![fixed(text)]).collect();
        rendered(&url("https://p.test/api/", segments, None), json!({}))
    };
    assert_eq!(own(&["a", "..", "b"]), Ok("https://p.test/api/b".to_owned()));
    assert_eq!(own(&["", "a"]), Ok("https://p.test/api//a".to_owned()));
    assert_eq!(own(&["a", ""]), Ok("https://p.test/api/a/".to_owned()));
    assert_eq!(own(&["..", "b"]), Err(EvalErrorKind::LeavesBase));
    assert_eq!(own(&["..", "apix"]), Err(EvalErrorKind::LeavesBase));
    assert_eq!(own(&[]), Ok("https://p.test/api/".to_owned()));
}

#[test]
fn exactly_one_slash_joins() {
    for prefix in ["https://p.test/api", "https://p.test/api/", "https://p.test/api//"] {
        let template = url(prefix, vec![vec![fixed("s")]], None);
        assert_eq!(rendered(&template, json!({})), Ok("https://p.test/api/s".to_owned()));
    }
}

#[test]
fn behind_a_question_mark_an_expression_is_a_query_value() {
    let query =
        |piece: UrlPiece| url("https://p.test", vec![vec![fixed("s")]], Some(vec![fixed("q="), piece]));
    let at = |rest: &str| Ok(format!("https://p.test/s?q={rest}"));
    assert_eq!(rendered(&query(coded("v")), json!({"v": "a b/c&d"})), at("a%20b%2Fc%26d"));
    assert_eq!(rendered(&query(coded("v")), json!({"v": ".."})), at(".."));
    assert_eq!(rendered(&query(coded("v")), json!({"v": ""})), at(""));
    assert_eq!(rendered(&query(coded("v")), json!({"v": null})), at(""));
    assert_eq!(rendered(&query(raw("v")), json!({"v": "a&b=1"})), at("a&b=1"));
}

#[test]
fn a_base_must_be_an_http_url() {
    for bad in ["", " ", "ftp://h/", "notes", "http://", "http://h\n/"] {
        assert_eq!(rendered(&url(bad, Vec::new(), None), json!({})), Err(EvalErrorKind::Value), "{bad:?}");
    }
    for bad in ["http://h/?a=1", "http://h/#f"] {
        let template = url(bad, vec![vec![fixed("s")]], None);
        assert_eq!(rendered(&template, json!({})), Err(EvalErrorKind::Value), "{bad:?}");
    }
    let mut whole = url("", Vec::new(), None);
    whole.prefix = one(input("uri"), &[]);
    let uri = "https://p.test/x?a=1";
    assert_eq!(rendered(&whole, json!({"uri": uri})), Ok(uri.to_owned()));
    whole.prefix = one(env("NONE"), &[]);
    assert_eq!(rendered(&whole, json!({})), Err(missing("env.NONE", false)));
    whole.prefix = one(env("HOST"), &[]);
    whole.segments = vec![vec![fixed("s")]];
    assert_eq!(rendered(&whole, json!({})), Ok("http://h.test/api/s".to_owned()));
}

#[test]
fn the_user_info_of_a_url_is_secret() {
    let world = World::new(json!({}));
    url_segments(&world.scope(), &url("http://user:p%40ssword@h.test/a", vec![vec![fixed("s")]], None))
        .unwrap();
    let mask = world.facts.mask();
    assert_eq!(mask.text("http://user:p%40ssword@h.test/a and p@ssword"), "http://***@h.test/a and ***");
    assert_eq!(mask.text("Basic dXNlcjpwQHNzd29yZA=="), "Basic ***");
}

proptest::proptest! {
    #[test]
    fn no_caller_leaves_the_base(value in "[a./\\\\%2eE?#\t ]{0,12}") {
        for piece in [coded("v"), raw("v")] {
            if let Ok(url) = rendered(&notes(piece), json!({"v": value})) {
                proptest::prop_assert!(url.starts_with("https://p.test/api/notes/"), "{}", url);
            }
        }
    }
}
