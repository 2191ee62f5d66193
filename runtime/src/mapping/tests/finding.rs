use proptest::prelude::*;

use super::*;

#[test]
fn paths_select_in_document_order() {
    let root = json!({
        "a": [{"b": 1}, {"b": null}, {"c": 2}, {"b": [3]}],
        "o": {"z": 1, "y": 2},
        "created at": "t", "名称": "K", "a.b": "dotted", "n": null, "e": []
    });
    let table = [
        ("$", json!([root])),
        ("a.[*].b", json!([1, null, [3]])),
        ("a.0.b", json!([1])),
        ("a.-1.b.0", json!([3])),
        ("a.-4.b", json!([1])),
        ("a.-5", json!([])),
        ("a.4", json!([])),
        ("o.*", json!([1, 2])),
        ("o.[*]", json!([])),
        ("a.*.c", json!([2])),
        ("created at", json!(["t"])),
        ("名称", json!(["K"])),
        ("n|名称", json!(["K"])),
        ("a.[*].x|o.y", json!([2])),
        ("n", json!([])),
        ("a.b", json!([])),
        ("o.0", json!([])),
        ("e.[*]", json!([])),
    ];
    for (text, wanted) in table {
        let found: Vec<Value> = select::all(&root, &path(text)).into_iter().cloned().collect();
        assert_eq!(Value::Array(found), wanted, "{text}");
    }
    let dotted = [Step::Key("a.b".to_owned())];
    assert_eq!(select::first(&root, &dotted), Some(&json!("dotted")));
}

#[test]
fn items_by_path_by_usual_names_or_the_whole() {
    let hit = json!([{"title": "T"}]);
    let list = json!([{"title": "T"}]);
    for (payload, map) in [
        (list.clone(), auto()),
        (json!({"data": {}, "hits": list, "memories": []}), auto()),
        (json!({"title": "T"}), auto()),
        (json!({"a": list}), map(items_at("a"), &[])),
        (json!({"a": list}), map(items_at("a.[*]"), &[])),
        (json!({"a": [[{"title": "T"}]]}), map(items_at("a.[*]"), &[])),
        (json!({"a": {"title": "T"}}), map(items_at("a"), &[])),
    ] {
        assert_eq!(plain(payload.clone(), &map), hit, "{payload}");
    }
    for nothing in [json!(null), json!(""), json!([]), json!({"hits": []})] {
        let mapped = run(&nothing, &auto()).unwrap();
        assert_eq!((mapped.hits.len(), mapped.notes.len()), (0, 0), "{nothing}");
    }
}

#[test]
fn texts_are_items_with_a_title() {
    let table = [
        ("\n\n## # Title  \nrest\nmore", json!([{"title": "Title", "snippet": "rest more"}])),
        ("one line", json!([{"title": "one line"}])),
        ("##\nrest", json!([{"snippet": "rest"}])),
        ("  \n ", json!([])),
    ];
    for (text, wanted) in table {
        assert_eq!(plain(json!([text]), &auto()), wanted, "{text:?}");
    }
    assert_eq!(plain(json!("# T\r\nx"), &auto()), json!([{"title": "T", "snippet": "x"}]));
    let raw =
        map(Items::Auto, &[(HitField::Uri, by_path("raw", None)), (HitField::Kind, by_path("text", None))]);
    assert_eq!(
        plain(json!(["# T\nx"]), &raw),
        json!([{"title": "T", "snippet": "x", "uri": "# T\nx", "kind": "x"}])
    );
}

#[test]
fn split_cuts_at_lines_that_start_with_the_prefix() {
    let split = map(Items::Split("## ".to_owned()), &[(HitField::Uri, by_path("raw", None))]);
    let text = "dropped\n## One\na\n\nb\n\n\n ## no\n## Two\r\n## \nonly text\r\n\n";
    let wanted = json!([
        {"title": "One", "snippet": "a b ## no", "uri": "## One\na\n\nb\n\n\n ## no"},
        {"title": "Two", "uri": "## Two"},
        {"snippet": "only text", "uri": "## \nonly text"},
    ]);
    assert_eq!(plain(json!(text), &split), wanted);
    for (payload, notes) in [(json!("none"), 1), (json!([1]), 1), (json!(null), 0), (json!(""), 0)] {
        let mapped = run(&payload, &split).unwrap();
        assert_eq!((mapped.hits.len(), mapped.notes.len()), (0, notes), "{payload}");
    }
}

#[test]
fn conditions_compare_as_text() {
    let items = json!([
        {"title": "a", "type": "match", "n": 1, "d": {"t": "x"}, "l": ["p", "q"]},
        {"title": "b", "type": "other", "n": 1.0, "d": null, "l": []},
        {"title": "c", "type": null, "n": true},
    ]);
    let table = [
        ("type", "match", vec!["a"]),
        ("type", "", vec![]),
        ("n", "1", vec!["a"]),
        ("n", "1.0", vec!["b"]),
        ("n", "true", vec!["c"]),
        ("d.t", "x", vec!["a"]),
        ("l.[*]", "q", vec!["a"]),
        ("gone", "null", vec![]),
    ];
    for (place, value, wanted) in table {
        let found = run(&items, &with_conditions(vec![equals(place, value)])).unwrap();
        let titles: Vec<String> = found.hits.into_iter().filter_map(|hit| hit.title).collect();
        assert_eq!(titles, wanted, "{place} = {value}");
    }
    let both = with_conditions(vec![equals("type", "match"), equals("n", "2")]);
    assert!(run(&items, &both).unwrap().hits.is_empty());
    let text = with_conditions(vec![equals("title", "b")]);
    assert_eq!(plain(json!(["a", "b"]), &text), json!([{"title": "b"}]));
}

#[test]
fn nothing_selected_is_explained() {
    let payload = json!({"data": {"search_results": [], "total": 0}, "hits": [], "none": null, "l": [1]});
    let table = [
        ("data.search-results.[*]", Some("keys at `data`: `search_results`, `total`")),
        ("dta", Some("keys at the root: `data`, `hits`, `none`, `l`")),
        ("x|data.y", Some("keys at `data`: `search_results`, `total`")),
        ("l.[*].x", Some("`l[*]` is a number")),
        ("none.[*]", Some("`none` is null")),
        ("hits.[*]", None),
        ("hits", None),
        ("data.search_results.[*].x", None),
    ];
    for (text, wanted) in table {
        let mapped = run(&payload, &map(items_at(text), &[])).unwrap();
        let wanted = wanted.map(|rest| format!("`items` path `{text}` selected nothing; {rest}"));
        assert_eq!(mapped.notes, Vec::from_iter(wanted), "{text}");
    }
    for empty in [json!(null), json!(""), json!({}), json!([])] {
        assert!(run(&empty, &map(items_at("a"), &[])).unwrap().notes.is_empty(), "{empty}");
    }
    let note = run(&json!("some text"), &map(items_at("a.[*]"), &[])).unwrap().notes;
    assert_eq!(note, ["`items` path `a.[*]` selected nothing; the payload is text"]);
}

#[test]
fn texts_of_a_payload() {
    let table = [
        (json!("as it is\n"), None, "as it is\n"),
        (json!(null), None, ""),
        (json!({"content": "", "text": null, "result": "r"}), None, ""),
        (json!({"message": "m", "text": 5}), None, "m"),
        (json!({"a": 1}), None, "{\n  \"a\": 1\n}"),
        (json!([1]), None, "[\n  1\n]"),
        (json!(1.0), None, "1.0"),
        (json!({"a": [1, null, "x", {"b": [2]}]}), Some("a.[*]"), "1\n\nx\n{\"b\":[2]}"),
        (json!({"a": "x"}), Some("b|a"), "x"),
        (json!({"a": "x"}), Some("b"), ""),
        (json!(null), Some("b"), ""),
    ];
    for (payload, place, wanted) in table {
        assert_eq!(text(&payload, place.map(path).as_ref()), wanted, "{payload} at {place:?}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-c# \n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-c]|title|text|score", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        "[a-c]".prop_map(Step::Key),
        any::<i64>().prop_map(Step::Index),
        (-3i64..3).prop_map(Step::Index),
        Just(Step::Each),
        Just(Step::Any),
    ];
    prop::collection::vec(step, 0..5)
}

proptest! {
    #[test]
    fn any_path_can_be_evaluated(root in any_json(), alternatives in prop::collection::vec(any_steps(), 1..3)) {
        let path = Path { alternatives };
        let selected = select::all(&root, &path);
        let first = path.alternatives.iter().find_map(|steps| select::first(&root, steps));
        prop_assert_eq!(selected.iter().copied().find(|value| !value.is_null()), first);
        prop_assert_eq!(why_nothing(&root, &path).is_some() && !selected.is_empty(), false);
        let _ = text(&root, Some(&path));
        let items = Items::Path { path, text: String::new() };
        run(&root, &map(items, &[])).unwrap();
    }
}
