use super::*;

fn kinds(rule: FieldRule) -> HitsMap {
    map(Items::Auto, &[(HitField::Kind, rule)])
}

/// The `kind` that a rule gives for an item.
fn kind(item: Value, rule: FieldRule) -> Option<String> {
    let mut item = item;
    if let Value::Object(members) = &mut item {
        members.entry("title").or_insert(json!("T"));
    }
    run(&json!([item]), &kinds(rule)).unwrap().hits.remove(0).kind
}

#[test]
fn a_path_gives_the_first_that_is_not_null_else_the_literal() {
    let table = [
        (json!({"a": null, "b": "B"}), "a|b", Some("x"), Some("B")),
        (json!({"a": null}), "a|b", Some("x|y "), Some("x|y ")),
        (json!({}), "", Some("only"), Some("only")),
        (json!({"l": [null, "second", "third"]}), "l.[*]", None, Some("second")),
        (json!({"l": ["a", null, 1]}), "l", None, Some("a, , 1")),
        (json!({"o": {"b": 1, "a": [2]}}), "o", None, Some("{\"b\":1,\"a\":[2]}")),
        (json!({"a": ""}), "a", Some("x"), None),
        (json!({"a": 0}), "a", Some("x"), Some("0")),
        (json!({"a": " k\n"}), "a", None, Some(" k\n")),
        (json!({"kind": "not a fallback"}), "a", None, None),
        (json!({"issue-title": "D", "名称": "K"}), "名称", Some("none"), Some("K")),
    ];
    for (item, place, literal, wanted) in table {
        assert_eq!(kind(item.clone(), by_path(place, literal)).as_deref(), wanted, "{item} at {place}");
    }
}

#[test]
fn a_regular_expression_searches_the_items_text() {
    let regex = |text: &str| FieldRule::Regex(text.to_owned());
    let table = [
        (json!({"raw": "id=42"}), r"id=(\d+)", Some("42")),
        (json!({"raw": "b7"}), r"a(\d)|b(\d)", Some("7")),
        (json!({"raw": "id=42"}), r"id=\d+", Some("id=42")),
        (json!({"raw": 1, "text": "x9"}), r"\d", Some("9")),
        (json!({"raw": null, "n": 5}), r#""n":(\d)"#, Some("5")),
        (json!({"raw": "x"}), r"\d", None),
        (json!({"raw": "x"}), r"(\d*)", None),
        (json!("# T\nsee id=7"), r"id=(\d)", Some("7")),
    ];
    for (item, text, wanted) in table {
        assert_eq!(kind(item.clone(), regex(text)).as_deref(), wanted, "{item} by {text}");
    }
    assert_eq!(Mapper::new(&kinds(regex("("))).unwrap_err().kind, EvalErrorKind::Plan);
}

#[test]
fn a_template_sees_the_item() {
    let piece = |text: &str| Piece::Text(text.to_owned());
    let name = Expr { from: Source::Fact("repo.name".to_owned()), filters: Vec::new(), at: OriginId(1) };
    let both = || template_of(vec![Piece::Expr(name.clone()), piece("/"), Piece::Expr(item("a.b", &[]))]);
    assert_eq!(kind(json!({"a": {"b": 3}}), both()).as_deref(), Some("demo/3"));
    assert_eq!(kind(json!({"a": {"b": null}}), both()), None);
    let with_default = template_of(vec![piece("x"), Piece::Expr(item("a", &[Filter::Default(json!("d"))]))]);
    assert_eq!(kind(json!({}), with_default).as_deref(), Some("xd"));
    let alone = FieldRule::Template(Template::Expr(item("l", &[])));
    assert_eq!(kind(json!({"l": ["a", "b"]}), alone.clone()).as_deref(), Some("a, b"));
    assert_eq!(kind(json!({}), alone), None);
    let text = FieldRule::Template(Template::Expr(item("raw", &[Filter::FirstLine])));
    assert_eq!(kind(json!("# T\nx"), text).as_deref(), Some("# T"));
    let list = template_of(vec![piece("x"), Piece::Expr(item("l", &[]))]);
    let error = run(&json!([{"title": "T", "l": []}]), &kinds(list)).unwrap_err();
    assert_eq!((error.kind, error.at), (EvalErrorKind::Type, Some(OriginId(9))));
}

#[test]
fn fields_fall_back_to_the_usual_names() {
    let item = json!({
        "id": 7, "path": "p", "url": "u", "name": "N", "title": "", "heading": "H",
        "body": "B", "description": [], "content": "C", "rank": 2, "similarity": 0.5,
        "category": "c", "type": {}, "timestamp": 1, "created_at": "2026"
    });
    let wanted = json!([{"title": "N", "snippet": "C", "uri": "u", "kind": "c", "date": "2026"}]);
    assert_eq!(plain(json!([item]), &auto()), wanted);
    let hit = run(&json!([item]), &auto()).unwrap().hits.remove(0);
    assert_eq!(hit.score.to_string(), "0.5");
    let table = [
        (json!({"title": " ", "snippet": "s"}), json!([{"title": " ", "snippet": "s"}])),
        (json!({"title": 0}), json!([{"title": "0"}])),
        (json!({"title": false}), json!([{"title": "false"}])),
        (json!({"title": {}, "name": ["a", 1]}), json!([{"title": "a, 1"}])),
        (json!({"id": 5}), json!([{"title": "5", "uri": "5"}])),
        (json!(5), json!([])),
        (json!([1]), json!([])),
        (json!(true), json!([])),
    ];
    for (item, wanted) in table {
        assert_eq!(plain(json!([item]), &auto()), wanted, "{item}");
    }
    let list = map(Items::Auto, &[(HitField::Title, by_path("0", None))]);
    assert_eq!(plain(json!([["first", 2]]), &list), json!([{"title": "first"}]));
}

#[test]
fn items_without_title_and_snippet_are_counted() {
    let mapped = run(&json!([{"title": "a"}, {"x": 1}, null]), &auto()).unwrap();
    assert_eq!(mapped.notes, ["2 items without title and snippet were dropped"]);
    let mapped = run(&json!([{"x": 1}, "b"]), &auto()).unwrap();
    assert_eq!(mapped.notes, ["1 item without title and snippet was dropped"]);
}

#[test]
fn a_score_that_is_no_number_comes_from_the_position() {
    let items = json!([
        {"title": "a"}, {"title": "b", "score": "0.9"}, {"x": 1}, {"title": "d", "score": 12345678901234567890123.5}
    ]);
    let scores: Vec<String> =
        run(&items, &auto()).unwrap().hits.iter().map(|hit| hit.score.to_string()).collect();
    assert_eq!(scores[..2], ["1.0", "0.875"]);
    assert_eq!(scores[2], items[3]["score"].to_string());
    let literal = map(Items::Auto, &[(HitField::Score, by_path("", Some("5")))]);
    assert_eq!(run(&json!([{"title": "a"}]), &literal).unwrap().hits[0].score.to_string(), "1.0");
    let alone = FieldRule::Template(Template::Expr(item("s", &[])));
    let made = map(Items::Auto, &[(HitField::Score, alone)]);
    assert_eq!(run(&json!([{"title": "a", "s": 3}]), &made).unwrap().hits[0].score.to_string(), "3");
}

#[test]
fn snippets_are_one_line_without_the_title() {
    let long = "x".repeat(500);
    let cut = "x".repeat(400);
    let table = [
        ("T", " a \n\n b\tc ", "a b c"),
        ("Title", "Title: the rest", "the rest"),
        ("Title", "Title — - . the rest", "the rest"),
        ("Title", "Titles of others", "Titles of others"),
        ("Title", "title the rest", "title the rest"),
        ("My  title", "My title\nrest", "rest"),
        ("Title", "  Title\n\nrest", "rest"),
        ("Title!", "Title!rest", "rest"),
        ("T", long.as_str(), cut.as_str()),
        ("", "a", "a"),
    ];
    for (title, text, wanted) in table {
        let hits = plain(json!([{"title": title, "snippet": text, "id": ""}]), &auto());
        assert_eq!(hits[0]["snippet"], json!(wanted), "{title:?} {text:?}");
    }
    let hits = plain(json!([{"title": "Title", "snippet": " Title. "}]), &auto());
    assert_eq!(hits, json!([{"title": "Title"}]));
    let spaced = format!("{} y", "x".repeat(399));
    let hits = plain(json!([{"title": "T", "snippet": spaced}]), &auto());
    assert_eq!(hits[0]["snippet"].as_str().unwrap().len(), 399);
}

#[test]
fn a_cut_leaves_no_part_of_a_secret() {
    let text = format!("{}tok-12345678", "x".repeat(395));
    let hits = plain(json!([{"title": "T", "snippet": text}]), &auto());
    assert_eq!(hits[0]["snippet"], json!("x".repeat(395) + "***"));
}

#[test]
fn absent_fields_are_left_out() {
    let mapped = run(&json!([{"title": "a"}]), &auto()).unwrap();
    let text = serde_json::to_string(&mapped.hits).unwrap();
    assert_eq!(text, r#"[{"source":"src","title":"a","score":1.0}]"#);
}

/// What a snippet is, written down without any care for speed.
fn plainly(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(400).collect::<String>().trim_end().to_owned()
}

proptest::proptest! {
    #[test]
    fn fast_shaping_is_shaping(text in "([ab\u{7f}\u{1f}]{0,40}( |  |\n|\u{a0}|é|😀)){0,24}") {
        proptest::prop_assert_eq!(snippet::shape(&text, None), plainly(&text));
    }
}
