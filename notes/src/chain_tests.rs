use super::*;
use crate::alias::{AliasLine, Aliases};
use crate::path::{KeyLine, Machine, PathTable};

const MACHINE: Machine = Machine { current_dir: Some("/work/here"), home: Some("/u/me") };

fn scopes(map: &[(&str, &str)], aliases: &[(&str, &str)]) -> Scopes {
    let map: Vec<KeyLine> =
        map.iter().zip(1..).map(|(&(key, scope), line)| KeyLine { key, scope, line }).collect();
    let aliases: Vec<AliasLine> = aliases.iter().map(|&(alias, scope)| AliasLine { alias, scope }).collect();
    let map_file = (!map.is_empty()).then(|| "map.md".to_owned());
    Scopes {
        map: PathTable::compile(&map).0,
        map_file,
        aliases: Aliases::compile(&aliases).0,
        ..Scopes::default()
    }
}

fn ask(
    active: Option<&str>,
    workspace: &str,
    resolved: Option<&str>,
    scopes: &Scopes,
    notes: &str,
) -> ScopeAnswer {
    let workspace = Workspace::new(Some(workspace), resolved, MACHINE);
    resolve(Ask { active_scope: active, workspace: &workspace }, scopes, &Document::parse(notes).unwrap())
}

fn place(file: &str, line: usize) -> Option<Place> {
    Some(Place { file: file.to_owned(), line })
}

const NOTES: &str = "# x\n<!-- section:active-scope -->\n\n- current: WWW # now\n<!-- /section:active-scope -->\n<!-- section:scope-web -->w<!-- /section:scope-web -->\n";

#[test]
fn an_explicit_scope_goes_first_and_through_the_aliases() {
    let scopes = scopes(&[("/srv", "map")], &[("www", "site"), ("site", "web")]);
    let answer = ask(Some("  WWW "), "/srv", None, &scopes, NOTES);
    assert_eq!((answer.scope.as_str(), answer.step), ("web", Step::Explicit));
    assert_eq!(answer.section.as_deref(), Some("scope-web"));
    assert_eq!((&answer.matched, &answer.from), (&None, &None));
    assert_eq!(answer.notes, ["`www` is an alias of `web`"]);
    let answer = ask(Some("Nowhere at all"), "/srv", None, &scopes, NOTES);
    assert_eq!(answer.scope, "nowhere at all");
    assert_eq!(answer.section, None);
    assert_eq!(answer.notes, ["the hot document has no section `scope-nowhere at all`"]);
}

#[test]
fn the_map_answers_with_key_and_line() {
    let scopes = scopes(&[("/srv", "a"), ("/srv/app", "www")], &[("www", "web")]);
    for blank in [None, Some(""), Some(" \t")] {
        let answer = ask(blank, "/srv/app/api", None, &scopes, NOTES);
        assert_eq!((answer.scope.as_str(), answer.step), ("web", Step::Map));
        assert_eq!(answer.matched.as_deref(), Some("/srv/app"));
        assert_eq!(answer.from, place("map.md", 2));
    }
    let answer = ask(None, "/link", Some("/srv/x"), &scopes, NOTES);
    assert_eq!((answer.scope.as_str(), answer.matched.as_deref()), ("a", Some("/srv")));
    assert_eq!(
        answer.notes,
        ["matched with symbolic links resolved: `/srv/x`", "the hot document has no section `scope-a`"]
    );
}

#[test]
fn without_a_workspace_the_current_directory_stands() {
    let scopes = scopes(&[("/work", "w")], &[]);
    for workspace in [None, Some(" ")] {
        let workspace = Workspace::new(workspace, None, MACHINE);
        let answer =
            resolve(Ask { active_scope: None, workspace: &workspace }, &scopes, &Document::default());
        assert_eq!(answer.scope, "w");
    }
}

#[test]
fn the_document_answers_after_the_map() {
    let answer = ask(None, "/SRV/x", None, &scopes(&[("/srv", "a")], &[("www", "web")]), NOTES);
    assert_eq!((answer.scope.as_str(), answer.step), ("web", Step::Current));
    assert_eq!(answer.from, place("agent-notes.md", 4));
    assert_eq!(
        answer.notes,
        ["the key `/srv` in line 1 would match `/SRV/x` if case did not count", "`www` is an alias of `web`"]
    );
    let one_line = "a <!-- section:active-scope -->current: x<!-- /section:active-scope -->";
    assert_eq!(ask(None, "/x", None, &scopes(&[], &[]), one_line).from, place("agent-notes.md", 1));
    let broken = "<!-- section:active-scope -->\ncurrent: a b\n<!-- /section:active-scope -->";
    let answer = ask(None, "/x", None, &scopes(&[], &[]), broken);
    assert_eq!(answer.step, Step::Default);
    assert_eq!(answer.notes, ["line 2 of the hot document begins with `current:` and names no scope"]);
}

#[test]
fn the_default_comes_last_and_through_the_aliases() {
    let answer = ask(None, "/x", None, &Scopes::default(), "");
    assert_eq!((answer.scope.as_str(), answer.step), ("door-to-singularity", Step::Default));
    assert_eq!(answer.notes, [""; 0]);
    let from = place("kontext.toml", 3);
    let scopes =
        Scopes { default_scope: "WWW".into(), default_from: from.clone(), ..scopes(&[], &[("www", "web")]) };
    let answer = ask(None, "/x", None, &scopes, "");
    assert_eq!((answer.scope.as_str(), answer.from), ("web", from));
}

#[test]
fn what_nearly_matched_is_said() {
    let map = scopes(&[("/srv/app", "a")], &[]);
    let answer = ask(None, "/srv/application", None, &map, "");
    assert_eq!(
        answer.notes,
        ["`/srv/application` begins like the key `/srv/app` in line 1, but is another directory"]
    );
    let answer = ask(None, "//host", None, &map, "");
    assert_eq!(answer.notes, ["the workspace `//host` is no path that the map could match"]);
    let ignored = Scopes { ignored_sources: vec!["the section `x` is ignored".into()], ..map };
    assert_eq!(ask(None, "/srv/app", None, &ignored, "").notes.len(), 1);
}

#[test]
fn an_answer_has_exactly_its_fields() {
    let answer =
        serde_json::to_value(ask(None, "/srv", None, &scopes(&[("/srv", "web")], &[]), NOTES)).unwrap();
    let expected = serde_json::json!({
        "scope": "web", "step": "map", "matched": "/srv", "from": {"file": "map.md", "line": 1},
        "section": "scope-web", "notes": []
    });
    assert_eq!(answer, expected);
}
