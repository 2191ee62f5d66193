//! Anything at all as a layer: no panic, every place inside the text, no walk that grows faster than it.

use super::*;

#[test]
fn places() {
    let (loaded, found) = of("[a.\"b c\"]\nd = 'x'\ne.f = [1]\n[[g]]\nh = { i = true }\n[[g]]\n");
    assert!(found.is_empty());
    let root = &loaded.layers[0].root;
    let text = |node: &Node| loaded.sources.text(node.span).to_owned();
    let b = root.get("a").unwrap().as_table().unwrap().entry("b c").unwrap();
    assert_eq!((loaded.sources.text(b.key), text(&b.node).as_str()), ("\"b c\"", "[a.\"b c\"]"));
    let b = b.node.as_table().unwrap();
    assert_eq!(text(b.get("d").unwrap()), "'x'");
    let e = b.get("e").unwrap();
    assert_eq!((text(e).as_str(), text(e.as_table().unwrap().get("f").unwrap()).as_str()), ("e", "[1]"));
    let g = root.get("g").unwrap().as_array().unwrap();
    assert_eq!((g.len(), text(&g[1]).as_str()), (2, "[[g]]"));
    assert_eq!(text(g[0].as_table().unwrap().get("h").unwrap()), "{ i = true }");
}

fn check_spans(table: &Table, sources: &Sources) {
    for entry in table.entries.values() {
        check_node(&entry.node, sources);
        assert!(sources.file(entry.key.file).text.get(entry.key.range()).is_some());
    }
}

fn check_node(node: &Node, sources: &Sources) {
    assert!(sources.file(node.span.file).text.get(node.span.range()).is_some());
    match &node.value {
        Value::Table(table) => check_spans(table, sources),
        Value::Array(items) => items.iter().for_each(|item| check_node(item, sources)),
        _ => {}
    }
}

fn check_all(bytes: Vec<u8>) {
    let (loaded, found) = of(bytes);
    loaded.layers.iter().for_each(|layer| check_spans(&layer.root, &loaded.sources));
    assert_eq!(loaded.broken, found.iter().any(|finding| finding.lint.id != "invalid-value"));
    for finding in &found {
        let spans = finding.labels.iter().map(|label| label.span).chain([finding.primary]);
        for span in spans.chain(finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span)) {
            assert!(loaded.sources.file(span.file).text.get(span.range()).is_some(), "{span:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_all(bytes);
    }

    #[test]
    fn anything_like_toml(text in r#"([a-c]|[\[\]{}=.,"'#:\\/é“ ]|\r|\n|\t|\u{feff}|1|0|true|null|"""|'''|\\u00|-){0,60}"#) {
        check_all(text.into_bytes());
    }

    /// The rules about tables are those of the `toml` crate, except that it lets a dotted key reach through an array
    /// of tables, which TOML forbids.
    #[test]
    fn the_same_documents_are_accepted(
        lines in prop::collection::vec(
            r"(\[(a|b|c)(\.(a|b|c)){0,2}\]|\[\[(a|b|c)(\.(a|b|c)){0,2}\]\]|(a|b|c)(\.(a|b|c)){0,2} = (1|\{\}|\[\]|\{a\.b = 1\}|\[\{\}\]|'x'))",
            0..8,
        )
    ) {
        let text = lines.join("\n");
        let theirs = toml::de::DeTable::parse(&text);
        let ours = said(text.as_str());
        let stricter = text.contains("[[") && ours.contains("cannot be added to");
        prop_assert!(theirs.is_ok() == ours.is_empty() || stricter, "{}\n{:?}\n{}", text, theirs.map(|_| ()), ours);
    }
}

/// A quadratic walk would need minutes for these.
#[test]
fn no_walk_is_quadratic() {
    let walk = |text: String| {
        let world = MapWorld::default().with("repo:.kontext.toml", text);
        let (found, _) = loaded(&world, Profile::Shared);
        let mut diagnostics = Diagnostics::default();
        crate::merge::merge(found.layers, &found.sources, &mut diagnostics);
    };
    let kinds: [fn(usize) -> String; 6] = [
        |count| (0..count).map(|n| format!("[adapters.a{n}]\nx = 'y'\nz.w = {{ a = [1, 2] }}\n")).collect(),
        |count| "[[a]]\nx = 1\n".repeat(count),
        |count| "a b\n".repeat(count),
        |count| format!("a = [{}]\n", "1 2,".repeat(count)),
        |count| format!("a = [{}", "{b\n".repeat(count)),
        |count| format!("[vars]\nunset = [{}]\n", "'a',".repeat(count)),
    ];
    for kind in kinds {
        walk(kind(40_000));
    }
}
