//! Which files are layers, and what one broken file does to the others.

use super::*;

#[test]
fn all_errors_of_a_file_and_the_other_layers() {
    let world = MapWorld::default()
        .with("user:config.toml", "a = \n")
        .with("repo:.kontext.toml", "b = mcp\nok = 1\nc = True\n")
        .with("clone:config.toml", "d = 1\n");
    let (loaded, found) = loaded(&world, Profile::Local);
    let ids: Vec<&str> = found.iter().map(|finding| loaded.sources.text(finding.primary)).collect();
    assert_eq!(ids, ["mcp", "True", "="]);
    assert!(loaded.broken);
    let names: Vec<LayerName> = loaded.layers.iter().map(|layer| layer.name).collect();
    assert_eq!(names, [LayerName::User, LayerName::Shared, LayerName::Clone]);
    assert_eq!(loaded.layers[1].root.get("ok").and_then(Node::as_integer), Some(1));
    let many = "x y\n".repeat(500);
    assert!(said(many).contains("400 more lines"));
}

#[test]
fn unreadable_layers() {
    let reason = ReadError { reason: "it is a directory".to_owned(), help: None };
    let mut world = MapWorld { explicit: true, ..MapWorld::default() };
    world.unreadable.insert("user:config.toml".to_owned(), reason);
    let (loaded, found) = loaded(&world, Profile::Local);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        ["`explicit` does not exist", "`user/config.toml` cannot be read: it is a directory"]
    );
    assert!(found.iter().all(|finding| finding.lint.id == "unreadable-layer"));
    assert!(loaded.broken);
    assert!(said(vec![b'#'; 16 * 1024 * 1024 + 1]).contains("larger than 16 MiB"));
}

#[test]
fn profiles_and_inputs() {
    let world =
        MapWorld::default().with("repo:.ai/kontext.toml", "a = 1\n").with("user:config.toml", "b = 1\n");
    let names = |profile| -> Vec<String> {
        loaded(&world, profile).0.inputs.into_iter().map(|input| input.name).collect()
    };
    assert_eq!(names(Profile::Shared), ["repo:.ai/kontext.toml", "repo:.kontext.toml"]);
    assert_eq!(
        names(Profile::Local),
        [
            "clone:config.toml",
            "repo:.ai/kontext.toml",
            "repo:.kontext.toml",
            "user:config.toml",
            "user:repos/example.test-ann-notes.toml"
        ]
    );
    let (loaded, _) = loaded(&world, Profile::Public);
    assert_eq!(loaded.layers.len(), 1);
    assert_eq!(loaded.inputs[1].digest, ABSENT);
    let outside = MapWorld { in_repository: false, ..MapWorld::default() };
    assert_eq!(self::loaded(&outside, Profile::Local).0.inputs.len(), 3);
}

#[test]
fn the_store_directory() {
    let dir = |text: &str| MapWorld::default().with("user:config.toml", format!("store.dir = {text}\n"));
    let (found, _) =
        loaded(&dir("'./notes//x/'").with("repo:notes/x/kontext.toml", "a = 1\n"), Profile::Local);
    assert_eq!((found.store_dir.as_str(), found.layers.len()), ("notes/x", 2));
    let higher = dir("'u'").with("repo:.kontext.toml", "[store]\ndir = 's'\n");
    assert_eq!(loaded(&higher, Profile::Local).0.store_dir, "s");
    assert_eq!(loaded(&higher, Profile::Shared).0.store_dir, "s");
    for bad in ["'/abs'", "'../x'", "'a/../..'", "''", "'~/x'", "'C:\\x'", "'a\\b'"] {
        let (found, list) = loaded(&dir(bad), Profile::Local);
        assert_eq!(found.store_dir, ".ai");
        assert_eq!((list[0].lint.id, found.sources.text(list[0].primary)), ("invalid-value", bad));
    }
    let inside = MapWorld::default().with("repo:.ai/kontext.toml", "[store]\ndir = 'x'\n");
    let (found, list) = loaded(&inside, Profile::Local);
    assert_eq!(
        (list.len(), list[0].lint.id, found.sources.text(list[0].primary)),
        (1, "invalid-value", "dir")
    );
    let two =
        MapWorld::default().with("repo:.ai/kontext.toml", "a = 1\n").with("repo:.kontext.toml", "b = 1\n");
    let (found, list) = loaded(&two, Profile::Local);
    assert_eq!((list[0].lint.id, list[0].labels.len(), found.broken), ("two-shared-files", 1, true));
}
