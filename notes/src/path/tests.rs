use kontext_grammar::scope_map::ast::MapKind;
use proptest::prelude::*;

use super::*;

const MACHINE: Machine = Machine { current_dir: Some("/work/here"), home: Some("/u/Me") };
const WINDOWS: Machine = Machine { current_dir: Some("D:\\Work\\Here"), home: Some("C:\\Users\\Me") };

fn table(map: &[(&str, &str)]) -> PathTable {
    let lines: Vec<KeyLine> =
        map.iter().zip(1..).map(|(&(key, scope), line)| KeyLine { key, scope, line }).collect();
    PathTable::compile(&lines).0
}

fn found(map: &[(&str, &str)], workspace: &str, resolved: Option<&str>, machine: Machine) -> Option<String> {
    let workspace = Workspace::new(Some(workspace), resolved, machine);
    table(map).lookup(&workspace).map(|found| found.row.scope.clone())
}

fn located(written: &str, machine: Machine) -> Option<String> {
    Workspace::locate(written, machine).map(|path| path.as_str().to_owned())
}

#[test]
fn the_table_of_the_contract() {
    type Row = (&'static str, &'static [(&'static str, &'static str)], Option<&'static str>);
    let table: [Row; 10] = [
        ("/srv/app/api", &[("/srv", "a"), ("/srv/app", "b")], Some("b")),
        ("/srv/application", &[("/srv/app", "b")], None),
        ("/srv/app/", &[("/srv/app", "b")], Some("b")),
        ("C:/Work/X/y", &[("c:\\work\\x", "b")], Some("b")),
        ("c:\\work\\x", &[("c:\\work\\x", "b")], Some("b")),
        ("/a/b/../c", &[("/a/c", "q")], Some("q")),
        ("/a//b", &[("/a/b", "z")], Some("z")),
        ("\\\\srv\\share\\x", &[("//srv/share", "u")], Some("u")),
        ("/SRV/App", &[("/srv/app", "b")], None),
        ("/anything", &[("/", "root")], Some("root")),
    ];
    for (workspace, map, scope) in table {
        assert_eq!(found(map, workspace, None, MACHINE).as_deref(), scope, "{workspace}");
    }
}

#[test]
fn lines_of_the_contract_through_the_grammar() {
    let lines = [
        ("c:\\work\\x: b", "c:\\work\\x", "b"),
        ("- c:\\work\\x = B", "c:\\work\\x", "b"),
        ("- `/srv/app` => `web` # main", "/srv/app", "web"),
    ];
    for (line, workspace, scope) in lines {
        let map = kontext_grammar::scope_map::parse(line, MapKind::Path);
        let entry = &map.entries[0];
        let map = [(entry.key.as_str(), entry.scope.as_str())];
        assert_eq!(found(&map, workspace, None, MACHINE).as_deref(), Some(scope), "{line}");
    }
}

#[test]
fn paths_normalise() {
    let table = [
        ("/", Some("/")),
        ("//", Some("/")),
        ("///a", Some("/a")),
        ("/a/./b//c/", Some("/a/b/c")),
        ("/../../a", Some("/a")),
        ("/a/..", Some("/")),
        ("/a\\b", Some("/a\\b")),
        ("/ÄB", Some("/ÄB")),
        ("c:\\", Some("c:/")),
        ("C:/..\\..\\X\\.\\Y/", Some("c:/x/y")),
        ("c:\\ÄB", Some("c:/äb")),
        ("//Host/Share", Some("//host/share")),
        ("\\\\Host/Share\\..\\..\\x", Some("//host/share/x")),
        ("\\\\host\\\\share\\\\", Some("//host/share")),
        ("\\\\host\\c$", Some("//host/c$")),
        ("c:", None),
        ("c:x", None),
        ("//host", None),
        ("//host/", None),
        ("\\\\", None),
        ("\\\\\\a\\b", None),
        ("//./x", None),
        ("//host/..", None),
        ("\\x", None),
        ("x/y", None),
        ("~", None),
        ("", None),
    ];
    for (text, expected) in table {
        assert_eq!(Normal::parse(text).as_ref().map(Normal::as_str), expected, "{text:?}");
    }
    assert_eq!(Normal::parse("/a/b").unwrap().depth(), 2);
    assert_eq!(Normal::parse("//h/s").unwrap().depth(), 0);
    assert_eq!(Normal::parse("c:/").unwrap().depth(), 0);
}

#[test]
fn workspaces_as_people_write_them() {
    let table = [
        ("x/../y", Some("/work/here/y")),
        (".", Some("/work/here")),
        ("../..", Some("/")),
        ("~", Some("/u/Me")),
        ("~/x/../y", Some("/u/Me/y")),
        ("~/..", Some("/u")),
        ("~user", Some("/work/here/~user")),
        ("a\\b", Some("/work/here/a\\b")),
        ("file:///srv/app/", Some("/srv/app")),
        ("FILE://LocalHost/srv/a%20b", Some("/srv/a b")),
        ("file:///a%2520b", Some("/a%20b")),
        ("file:///a%zz%4", Some("/a%zz%4")),
        ("file:///C:/Work", Some("c:/work")),
        ("file:///c%3A/Work", Some("c:/work")),
        ("file:///", Some("/")),
        ("file://host/x", None),
        ("file:///%ff", None),
        ("file://", None),
        ("//host", None),
        ("c:x", None),
        ("\\\\?\\C:\\X", Some("c:/x")),
        ("\\\\?\\UNC\\Host\\Share\\X", Some("//host/share/x")),
    ];
    for (text, expected) in table {
        assert_eq!(located(text, MACHINE).as_deref(), expected, "{text:?}");
    }
    let table = [
        ("x\\y", Some("d:/work/here/x/y")),
        ("\\x", Some("d:/x")),
        ("~\\x", Some("c:/users/me/x")),
        ("~/x", Some("c:/users/me/x")),
        ("/x", Some("/x")),
        ("c:", None),
    ];
    for (text, expected) in table {
        assert_eq!(located(text, WINDOWS).as_deref(), expected, "{text:?}");
    }
    assert_eq!(located("~", Machine::default()), None);
    assert_eq!(located("x", Machine::default()), None);
}

#[test]
fn home_is_filled_in_at_run_time() {
    let home: &[(&str, &str)] = &[("~", "h"), ("~/Notes", "n"), ("~/../shared", "s"), ("/", "r")];
    for (workspace, scope) in [
        ("/u/Me", "h"),
        ("/u/Me/x", "h"),
        ("/u/Me/Notes/x", "n"),
        ("/u/Me/notes", "h"),
        ("/u/shared/x", "s"),
        ("/u/x", "r"),
        ("~/Notes", "n"),
    ] {
        assert_eq!(found(home, workspace, None, MACHINE).as_deref(), Some(scope), "{workspace}");
    }
    for (workspace, scope) in
        [("C:\\USERS\\ME\\notes", Some("n")), ("c:\\users\\shared", Some("s")), ("c:\\users", None)]
    {
        assert_eq!(found(home, workspace, None, WINDOWS).as_deref(), scope, "{workspace}");
    }
    assert_eq!(found(&[("~", "h")], "/u/Me", None, Machine::default()), None);
    assert_eq!(found(&[("~/../../..", "r")], "/x", None, MACHINE).as_deref(), Some("r"));
    assert_eq!(found(&[("~/a\\b", "x")], "c:\\users\\me\\A\\B", None, WINDOWS).as_deref(), Some("x"));
    let rooted = Machine { home: Some("/"), ..MACHINE };
    assert_eq!(found(&[("~/x", "x"), ("~", "h")], "/x/y", None, rooted).as_deref(), Some("x"));
    // The same place twice, once as home: the first line counts.
    assert_eq!(found(&[("~/x", "1"), ("/u/Me/x", "2")], "/u/Me/x", None, MACHINE).as_deref(), Some("1"));
    assert_eq!(found(&[("/u/Me/x", "2"), ("~/x", "1")], "/u/Me/x", None, MACHINE).as_deref(), Some("2"));
    assert_eq!(found(&[("/u", "0"), ("~/x", "1")], "/u/Me/x", None, MACHINE).as_deref(), Some("1"));
}

#[test]
fn symbolic_links_count_when_they_match_more() {
    let map: &[(&str, &str)] = &[("/link", "l"), ("/real/deep", "r"), ("/real", "s")];
    assert_eq!(found(map, "/link", Some("/real/deep"), MACHINE).as_deref(), Some("r"));
    assert_eq!(found(map, "/link", Some("/real/x"), MACHINE).as_deref(), Some("l"), "a tie");
    assert_eq!(found(map, "/other", Some("/real/x"), MACHINE).as_deref(), Some("s"));
    let workspace = Workspace::new(Some("/other"), Some("/real"), MACHINE);
    assert!(table(map).lookup(&workspace).unwrap().resolved);
    assert_eq!(found(&[("/", "r")], "//host/share", None, MACHINE), None, "the root of another system");
}

#[test]
fn the_same_key_twice() {
    let keys = [
        ("/a", "x"),
        ("/b", "x"),
        ("/a/", "x"),
        ("C:\\A", "x"),
        ("c:/a", "y"),
        ("~/x", "x"),
        ("~/./x", "z"),
        ("/A", "y"),
        ("/a", "y"),
        ("~/X", "y"),
        ("no", "y"),
    ];
    let lines: Vec<KeyLine> =
        keys.iter().zip(1..).map(|(&(key, scope), line)| KeyLine { key, scope, line }).collect();
    let (table, problems) = PathTable::compile(&lines);
    let problems: Vec<_> = problems.iter().map(|one| (one.id, one.line, one.first)).collect();
    assert_eq!(
        problems,
        [
            ("scope-duplicate", 2, 0),
            ("scope-conflict", 4, 3),
            ("scope-conflict", 6, 5),
            ("scope-conflict", 8, 0),
            ("scope-path", 10, 10),
        ]
    );
    assert_eq!(table.rows().count(), 6);
}

#[test]
fn a_table_reads_back_from_its_json() {
    let table =
        table(&[("/a", "x"), ("/a/b", "y"), ("c:\\X", "z"), ("//h/s", "u"), ("~/N", "n"), ("~/..", "o")]);
    let json = serde_json::to_value(&table).unwrap();
    assert_eq!(
        json["posix"][1],
        serde_json::json!({"key": "/a/b", "path": "/a/b", "scope": "y", "line": 2, "up": 0})
    );
    assert_eq!(serde_json::from_value::<PathTable>(json).unwrap(), table);
    assert_eq!(serde_json::to_string(&PathTable::default()).unwrap(), "{}");
}

#[test]
fn a_broken_table_ends() {
    let mut table = table(&[("/a", "x"), ("/b", "y")]);
    for row in &mut table.posix {
        row.up = Some(1);
    }
    assert!(table.lookup(&Workspace::new(Some("/c"), None, MACHINE)).is_none());
}

#[test]
fn near_misses() {
    let miss = |map: &[(&str, &str)], workspace: &str| {
        let table = table(map);
        let miss = table.near_miss(&Workspace::new(Some(workspace), None, MACHINE))?;
        Some((miss.near, miss.row.key.clone()))
    };
    let case = |key: &str| Some((Near::Case, key.to_owned()));
    let boundary = |key: &str| Some((Near::Boundary, key.to_owned()));
    assert_eq!(miss(&[("/srv/app", "b")], "/SRV/App/x"), case("/srv/app"));
    assert_eq!(miss(&[("/s", "b"), ("/srv", "b"), ("/srv/app", "b")], "/SRV/App/x"), case("/srv/app"));
    assert_eq!(miss(&[("/srv/app", "b")], "/srv/application"), boundary("/srv/app"));
    assert_eq!(miss(&[("/srv/app", "b"), ("/Srv", "c")], "/srv/application"), case("/Srv"));
    assert_eq!(miss(&[("c:\\app", "b")], "C:\\APPLE"), boundary("c:\\app"));
    assert_eq!(miss(&[("~/Notes", "b")], "/u/Me/notes/x"), case("~/Notes"));
    assert_eq!(miss(&[("~/x", "b")], "/U/me/x"), case("~/x"));
    assert_eq!(miss(&[("/srv/app", "b")], "/srv"), None);
    assert_eq!(miss(&[("/srv/app", "b")], "//host"), None);
}

/// Components behind a root, the plain way; the root is its own text.
fn reference(text: &str, home: &str) -> Option<(String, Vec<String>)> {
    let text = match text.strip_prefix('~') {
        Some(tail) => format!("{}/{}", home.trim_end_matches('/'), tail.trim_start_matches('/')),
        None => text.to_owned(),
    };
    let share = text.strip_prefix("\\\\").or_else(|| text.strip_prefix("//").filter(|tail| !tail.is_empty()));
    let share = share.filter(|tail| !(text.starts_with("//") && tail.starts_with('/')));
    let chars: Vec<char> = text.chars().take(3).collect();
    let (root, tail, exact) = if let Some(share) = share {
        let names: Vec<&str> = share.split(['/', '\\']).collect();
        let share = names[1..].iter().position(|name| !name.is_empty())? + 1;
        if names[0].is_empty() || [names[0], names[share]].iter().any(|name| [".", ".."].contains(name)) {
            return None;
        }
        (format!("{}|{}", names[0], names[share]).to_lowercase(), names[share + 1..].join("/"), false)
    } else if text.starts_with('/') {
        (String::new(), text.clone(), true)
    } else if chars.len() > 2 && chars[1] == ':' && ['/', '\\'].contains(&chars[2]) {
        (
            chars[0].to_lowercase().to_string(),
            text.chars().skip(2).collect::<String>().replace('\\', "/"),
            false,
        )
    } else {
        return None;
    };
    let mut names: Vec<String> = Vec::new();
    for name in tail.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name if exact => names.push(name.to_owned()),
            name => names.push(name.to_lowercase()),
        }
    }
    Some((format!("{root}{exact}"), names))
}

/// The first of the longest keys, found by looking at all of them.
fn longest(map: &[String], workspace: &str, home: &str) -> Option<usize> {
    let (root, place) = reference(workspace, home)?;
    let mut best: Option<(usize, usize)> = None;
    for (at, key) in map.iter().enumerate() {
        let Some((key_root, names)) = reference(key, home) else { continue };
        if key_root == root
            && place.starts_with(&names)
            && best.is_none_or(|(_, longest)| names.len() > longest)
        {
            best = Some((at, names.len()));
        }
    }
    best.map(|(at, _)| at)
}

const PATH: &str =
    "(/|/|//h/s|\\\\\\\\[hH]/s|[cC]:/|~)(/(a|A|b|\\.|\\.\\.|a!|a b|ab|é|É||a\\\\b|a\\\\\\.\\.)){0,5}/?";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn looking_up_equals_a_plain_loop(
        map in proptest::collection::vec(PATH, 0..12),
        workspace in PATH,
        resolved in proptest::option::of(PATH),
        home in "/u(/a)?|/|c:/U",
    ) {
        let lines: Vec<KeyLine> =
            map.iter().zip(1..).map(|(key, line)| KeyLine { key, scope: "s", line }).collect();
        let (table, problems) = PathTable::compile(&lines);
        let machine = Machine { current_dir: None, home: Some(&home) };
        let given = longest(&map, &workspace, &home);
        let other = resolved.as_ref().and_then(|path| longest(&map, path, &home));
        let depth = |at: Option<usize>| at.and_then(|at| reference(&map[at], &home)).map(|(_, names)| names.len());
        let expected = if other.is_some() && depth(other) > depth(given) { other } else { given };
        let place = Workspace::new(Some(&workspace), resolved.as_deref(), machine);
        let found = table.lookup(&place);
        prop_assert_eq!(found.map(|found| found.row.line - 1), expected);
        prop_assert_eq!(found.map(|found| found.depth), depth(expected));
        prop_assert!(problems.iter().all(|one| one.first < one.line || one.id == "scope-path"));
        if found.is_none() {
            let _ = table.near_miss(&place);
        }
    }

    #[test]
    fn normalising_twice_changes_nothing(path in PATH) {
        if let Some(normal) = Normal::parse(&path) {
            prop_assert_eq!(Normal::parse(normal.as_str()), Some(normal));
        }
    }

    #[test]
    fn any_text_may_be_a_workspace(text in "(file://|~|\\\\\\\\|/|[a-z]:|%[0-9a-f]{0,2}|\\PC){0,12}") {
        for machine in [MACHINE, WINDOWS, Machine::default()] {
            let _ = Workspace::new(Some(&text), Some(&text), machine);
        }
    }

    /// What the grammar takes as a key, the table takes.
    #[test]
    fn grammar_and_table_agree(key in "([~/c:\\\\.ab]|//|\\\\\\\\|\\.\\.){1,9}") {
        let text = format!("{key} => s");
        let accepted = kontext_grammar::scope_map::parse(&text, MapKind::Path).entries.len() == 1;
        let (_, problems) = PathTable::compile(&[KeyLine { key: &key, scope: "s", line: 1 }]);
        prop_assert_eq!(accepted, problems.is_empty(), "{}", key);
    }
}
