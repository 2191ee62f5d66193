use serde_json::json;

use super::*;

#[test]
fn one_expression_keeps_its_type_and_longer_text_does_not() {
    let world = World::new(json!({"limit": 10, "tags": ["a", "b"], "q": "x", "no": null, "o": {"a": 1}}));
    assert_eq!(world.value(&one(input("limit"), &[])), Ok(json!(10)));
    assert_eq!(world.value(&one(input("tags"), &[])), Ok(json!(["a", "b"])));
    assert_eq!(world.value(&longer("n=", input("limit"))), Ok(json!("n=10")));
    assert_eq!(world.value(&longer("n=", input("no"))), Ok(json!("n=")));
    assert_eq!(world.value(&longer("n=", input("absent"))), Ok(json!("n=")));
    for list in ["tags", "o"] {
        assert_eq!(world.value(&longer("n=", input(list))), Err(EvalErrorKind::Type));
        assert_eq!(text(&world.scope(), &one(input(list), &[])).unwrap_err().kind, EvalErrorKind::Type);
    }
    assert_eq!(text(&world.scope(), &one(input("limit"), &[])).unwrap(), Some("10".to_owned()));
    assert_eq!(text(&world.scope(), &one(input("no"), &[])).unwrap(), None);
    let index = Source::Input(vec![Step::Key("tags".to_owned()), Step::Index(9)]);
    assert_eq!(world.value(&one(index, &[])), Ok(Value::Null));
}

#[test]
fn braces_inside_a_value_stay_text() {
    let world = World::new(json!({"q": "{{env.TOKEN}}"}));
    assert_eq!(world.value(&longer("", input("q"))), Ok(json!("{{env.TOKEN}}")));
}

#[test]
fn a_missing_variable_is_never_a_hole() {
    let default = Filter::Default(json!("d"));
    for (name, empty) in [("NONE", false), ("EMPTY", true)] {
        let world = World::new(json!({}))
            .var(one(env(name), &[]))
            .var(longer("Bearer ", env(name)))
            .var(one(Source::Var(0), &[Filter::Trim]));
        let gone = missing(&format!("env.{name}"), empty);
        for slot in [
            one(env(name), &[]),
            one(env(name), &[Filter::Trim]),
            longer("Bearer ", env(name)),
            one(Source::Var(0), &[]),
            longer("x", Source::Var(0)),
            one(Source::Var(1), std::slice::from_ref(&default)),
            one(Source::Var(2), &[]),
        ] {
            assert_eq!(world.value(&slot), Err(gone.clone()), "{slot:?}");
            assert_eq!(text(&world.scope(), &slot).unwrap_err().kind, gone);
        }
        for from in [env(name), Source::Var(0), Source::Var(2)] {
            assert_eq!(world.value(&one(from, std::slice::from_ref(&default))), Ok(json!("d")));
        }
    }
    let error = template(&World::new(json!({})).scope(), &longer("a", env("EMPTY"))).unwrap_err();
    assert_eq!(error.message, "`env.EMPTY` is set but empty");
    assert_eq!(error.at, Some(OriginId(7)));
}

#[test]
fn a_missing_branch_is_dropped_alone_and_an_error_in_longer_text() {
    let world = World::new(json!({}));
    let branch = || Source::Fact("repo.branch".to_owned());
    assert_eq!(world.value(&one(branch(), &[])), Ok(Value::Null));
    assert_eq!(text(&world.scope(), &one(branch(), &[])).unwrap(), None);
    assert_eq!(world.value(&longer("b=", branch())), Err(missing("repo.branch", false)));
    assert_eq!(world.value(&one(branch(), &[Filter::Default(json!("main"))])), Ok(json!("main")));
}

#[test]
fn variables_use_only_those_before_them() {
    let world = World::new(json!({})).var(one(Source::Var(0), &[])).var(one(Source::Var(2), &[]));
    for index in 0..3 {
        assert_eq!(world.value(&one(Source::Var(index), &[])), Err(EvalErrorKind::Plan));
    }
}

#[test]
fn a_tower_of_variables_ends_at_the_limit() {
    let mut world = World::new(json!({})).var(Template::Text("x".repeat(1024)));
    for index in 0..40 {
        let twice = || Piece::Expr(expr(Source::Var(index), &[]));
        world = world.var(Template::Concat(vec![twice(), twice()]));
    }
    assert_eq!(world.value(&one(Source::Var(40), &[])), Err(EvalErrorKind::TooLarge));
}

#[test]
fn the_item_and_the_output_file() {
    let world = World::new(json!({}));
    let item = json!({"a": {"b": 2}, "n": null});
    let scope = world.scope();
    let scope = scope.with_item(&item);
    let field =
        |names: &[&str]| Source::Item(names.iter().map(|name| Step::Key((*name).to_owned())).collect());
    assert_eq!(template(&scope, &one(field(&["a", "b"]), &[])).unwrap().value, json!(2));
    assert_eq!(template(&scope, &longer("x", field(&["n"]))).unwrap().value, Value::Null);
    assert_eq!(template(&scope, &longer("x", field(&["a", "b"]))).unwrap().value, json!("x2"));
    let scope = world.scope();
    assert_eq!(template(&scope, &one(Source::OutputFile, &[])).unwrap_err().kind, EvalErrorKind::Plan);
    let found = template(&scope.with_output_file("/tmp/f"), &one(Source::OutputFile, &[])).unwrap();
    assert_eq!(found.value, json!("/tmp/f"));
}

#[test]
fn numbers_as_text() {
    let table = [
        ("1.0", "1.0"),
        ("1.50", "1.5"),
        ("1e21", "1e21"),
        ("1E21", "1e21"),
        ("10.0e20", "1e21"),
        ("12345678901234567890123456789", "12345678901234567890123456789"),
        ("0.1234567890123456789012345", "0.1234567890123456789012345"),
        ("1e400", "1e400"),
        ("-7", "-7"),
        ("0.0", "0.0"),
    ];
    for (written, wanted) in table {
        let value: Value = serde_json::from_str(written).unwrap();
        assert_eq!(scalar(&value).as_deref(), Some(wanted), "{written}");
    }
    assert_eq!(as_text(&json!([1, null, "a", {"b": [1]}])), "1, , a, {\"b\":[1]}");
}

#[test]
fn what_is_made_of_a_secret_is_secret() {
    let world = World::new(json!({})).var(one(env("TOKEN"), &[]));
    let scope = world.scope();
    assert!(template(&scope, &longer("Bearer ", Source::Var(0))).unwrap().secret);
    let found = template(&scope, &one(Source::Var(0), &[Filter::Upper])).unwrap();
    assert_eq!((found.secret, found.value), (true, json!("TOK-12345678")));
    assert_eq!(world.facts.mask().text("TOK-12345678 tok-12345678"), "*** ***");
    let found = template(&scope, &one(env("NONE"), &[Filter::Default(json!("a-default-text"))])).unwrap();
    assert!(!found.secret);
    template(&scope, &one(env("NONE"), &[Filter::Default(json!("a-default-text")), Filter::Trim])).unwrap();
    assert_eq!(world.facts.mask().text("a-default-text"), "a-default-text");
    assert!(!template(&scope, &one(env("HOST"), &[])).unwrap().secret);
}
