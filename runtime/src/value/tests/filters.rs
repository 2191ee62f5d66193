use serde_json::json;

use super::*;

fn run(value: Value, filters: &[Filter]) -> Result<Value, String> {
    let world = World::new(json!({"v": value}));
    template(&world.scope(), &one(input("v"), filters))
        .map(|found| found.value)
        .map_err(|error| error.message)
}

fn s(text: &str) -> String {
    text.to_owned()
}

#[test]
fn every_filter() {
    let ninety = "ab ".repeat(45);
    let table: Vec<(Value, Filter, Value)> = vec![
        (json!("a b/é~_-."), Filter::Urlencode, json!("a%20b%2F%C3%A9~_-.")),
        (json!(1.5), Filter::Urlencode, json!("1.5")),
        (json!({"b": 1, "a": [true, null]}), Filter::Json, json!("{\"b\":1,\"a\":[true,null]}")),
        (json!("é\n"), Filter::Json, json!("\"é\\n\"")),
        (json!("ÄẞΣ ΟΔΟΣ"), Filter::Lower, json!("äßς οδος")),
        (json!("straße"), Filter::Upper, json!("STRASSE")),
        (json!(true), Filter::Upper, json!("TRUE")),
        (json!("\u{a0}\u{2003} x\u{85}"), Filter::Trim, json!("x")),
        (json!("  Ünïcode -- Title! "), Filter::Slug, json!("n-code-title")),
        (json!("---"), Filter::Slug, json!("")),
        (json!(ninety), Filter::Slug, json!("ab-".repeat(26) + "ab")),
        (json!("a\nb"), Filter::FirstLine, json!("a")),
        (json!("a\r\nb"), Filter::FirstLine, json!("a")),
        (json!("a\rb"), Filter::FirstLine, json!("a\rb")),
        (json!(["a", null, 1, false]), Filter::Join(s(",")), json!("a,,1,false")),
        (json!([]), Filter::Join(s(",")), json!("")),
        (json!("äöü"), Filter::Truncate(2), json!("äö")),
        (json!(12345), Filter::Truncate(2), json!("12")),
        (json!("a"), Filter::Truncate(u64::MAX), json!("a")),
        (json!("p://x://y"), Filter::After(s("://")), json!("x://y")),
        (json!("p"), Filter::After(s("://")), json!("p")),
        (json!("abc"), Filter::After(s("")), json!("abc")),
        (json!("p://x://y"), Filter::Before(s("://")), json!("p")),
        (json!("p"), Filter::Before(s("://")), json!("p")),
        (json!("abc"), Filter::Before(s("")), json!("")),
        (json!(null), Filter::Default(json!(5)), json!(5)),
        (json!(""), Filter::Default(json!("x")), json!("x")),
        (json!([]), Filter::Default(json!("x")), json!("x")),
        (json!(" "), Filter::Default(json!("x")), json!(" ")),
        (json!(0), Filter::Default(json!(1)), json!(0)),
        (json!(false), Filter::Default(json!(true)), json!(false)),
        (json!("007"), Filter::Int, json!(7)),
        (json!("+5"), Filter::Int, json!(5)),
        (json!("-0"), Filter::Int, json!(0)),
        (json!(2.0), Filter::Int, json!(2)),
        (json!(-3), Filter::Int, json!(-3)),
        (json!({"a": 1}), Filter::Raw, json!({"a": 1})),
    ];
    for (value, filter, wanted) in table {
        assert_eq!(
            run(value.clone(), std::slice::from_ref(&filter)),
            Ok(wanted),
            "{value} through {filter:?}"
        );
    }
}

#[test]
fn integers_of_any_length() {
    let digits = "9".repeat(60);
    assert_eq!(run(json!(format!("-{digits}")), &[Filter::Int]).unwrap().to_string(), format!("-{digits}"));
    let number: Value = serde_json::from_str("1.20e3").unwrap();
    assert_eq!(run(number, &[Filter::Int]).unwrap().to_string(), "1200");
    for bad in
        [json!(""), json!(" 5"), json!("5.0"), json!("1e3"), json!("٣"), json!(2.5), json!("-"), json!(true)]
    {
        assert!(run(bad.clone(), &[Filter::Int]).is_err(), "{bad}");
    }
    let huge: Value = serde_json::from_str("1e999999999").unwrap();
    assert!(run(huge, &[Filter::Int]).is_err());
}

#[test]
fn null_goes_through_all_but_default() {
    let all = [
        Filter::Urlencode,
        Filter::Json,
        Filter::Lower,
        Filter::Upper,
        Filter::Trim,
        Filter::Slug,
        Filter::FirstLine,
        Filter::Join(s(",")),
        Filter::Truncate(1),
        Filter::After(s("x")),
        Filter::Before(s("x")),
        Filter::Int,
        Filter::Raw,
        Filter::Within(s(".")),
    ];
    assert_eq!(run(json!(null), &all), Ok(Value::Null));
    assert_eq!(run(json!(null), &[Filter::Trim, Filter::Default(json!("d"))]), Ok(json!("d")));
}

#[test]
fn a_value_a_filter_does_not_take_fails_the_call_by_name() {
    let list = json!(["secret-value"]);
    let table = [
        (list.clone(), Filter::Urlencode, "`urlencode` takes text, the value is a list"),
        (list.clone(), Filter::Lower, "`lower` takes text, the value is a list"),
        (list.clone(), Filter::Slug, "`slug` takes text, the value is a list"),
        (list.clone(), Filter::Truncate(1), "`truncate` takes text, the value is a list"),
        (list, Filter::Int, "`int` takes text or a number, the value is a list"),
        (json!(5), Filter::FirstLine, "`first_line` takes text, the value is a number"),
        (json!(5), Filter::After(s("x")), "`after` takes text, the value is a number"),
        (json!(true), Filter::Before(s("x")), "`before` takes text, the value is a boolean"),
        (json!("a"), Filter::Join(s(",")), "`join` takes a list, the value is text"),
        (json!(1), Filter::Within(s(".")), "`within` takes text, the value is a number"),
    ];
    for (value, filter, wanted) in table {
        assert_eq!(run(value, &[filter]), Err(s(wanted)));
    }
}

#[test]
fn within_follows_symbolic_links() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let place = |name: &str| root.join(name);
    std::fs::create_dir_all(place("docs/inner")).unwrap();
    std::fs::create_dir_all(place("other/deep")).unwrap();
    std::fs::write(place("docs/a.md"), "").unwrap();
    std::os::unix::fs::symlink(place("other/deep"), place("docs/out")).unwrap();
    std::os::unix::fs::symlink(place("docs/inner"), place("docs/in")).unwrap();
    std::os::unix::fs::symlink(place("gone"), place("docs/dangling")).unwrap();
    std::os::unix::fs::symlink(place("docs"), place("alias")).unwrap();
    let mut world = World::new(json!({}));
    world.facts = Facts::new(root.clone());
    let inside = root.join("docs/a.md").to_string_lossy().into_owned();
    let table = [
        ("docs", "docs/a.md", true),
        ("docs", "./docs/../docs/a.md", true),
        ("docs", inside.as_str(), true),
        ("docs", "docs", true),
        ("docs", "docs/new/file.md", true),
        ("docs", "docs/in/x", true),
        ("docs", "docs/in/../a.md", true),
        ("alias", "docs/a.md", true),
        ("docs", "alias/a.md", true),
        (".", "anything", true),
        ("docs", "docs/../other/x", false),
        ("docs", "docs/out/x", false),
        ("docs", "docs/out/../x", false),
        ("docs", "docs/dangling", false),
        ("docs", "docs-2/a.md", false),
        ("docs", "/etc/passwd", false),
        ("docs", "docs/new/../../other", false),
        ("docs", "a\0b", false),
    ];
    for (directory, path, allowed) in table {
        world.inputs.insert("v".to_owned(), json!(path));
        let found = world.value(&one(input("v"), &[Filter::Within(s(directory))]));
        assert_eq!(found.is_ok(), allowed, "{path} within {directory}");
        if allowed {
            assert_eq!(found, Ok(json!(path)), "the text comes back as it came");
        }
    }
}
