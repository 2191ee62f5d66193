use super::*;
use crate::path::{Machine, Workspace};
use crate::scopes::MapNote;

fn with<T>(notes: &str, run: impl Fn(Ask, &Document) -> T) -> T {
    let workspace = Workspace::new(None, None, Machine::default());
    run(Ask { active_scope: Some("web"), workspace: &workspace }, &Document::parse(notes).unwrap())
}

fn health(notes: &str, scopes: &Scopes) -> MemoryHealth {
    with(notes, |ask, document| memory_health(ask, scopes, document))
}

const NOTES: &str = "\u{FEFF}<!-- section:active-scope -->\nx\n<!-- /section:active-scope -->\n<!-- section:scope-web -->é<!-- /section:scope-web -->\n";

#[test]
fn hot_context_in_its_order() {
    let scopes = Scopes {
        hot_sections: ["scope-web", "b", "active-scope", "b"].map(str::to_owned).to_vec(),
        ..Scopes::default()
    };
    let hot = with(NOTES, |ask, document| read_hot_context(ask, &scopes, document));
    let expected = "<!-- section:scope-web -->é<!-- /section:scope-web -->\n\n<!-- section:active-scope -->\nx\n<!-- /section:active-scope -->";
    assert_eq!(hot.loaded_sections, ["scope-web", "active-scope"]);
    assert_eq!(hot.missing, ["b"]);
    assert_eq!(hot.content, expected);
    let answer = serde_json::to_value(&hot).unwrap();
    let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["scope", "loaded_sections", "missing", "content"]);
}

#[test]
fn a_good_document() {
    let health = health(NOTES, &Scopes::default());
    assert_eq!(health.level, Level::Good);
    assert_eq!((health.exists, health.total_lines, health.section_count), (true, 4, 2));
    assert_eq!(health.total_chars, NOTES.chars().count() - 1);
    assert_eq!(health.hot.sections, ["active-scope", "scope-web"]);
    assert_eq!(health.hot.chars, 62 + 2 + 54);
    assert_eq!(health.largest[0], SectionSize { id: "active-scope".into(), chars: 62 });
    assert_eq!((health.problems.len(), health.recommendations.len()), (0, 0));
}

#[test]
fn an_absent_document_is_a_normal_state() {
    for notes in ["", " \n\t", "\u{FEFF}"] {
        let health = health(notes, &Scopes::default());
        assert_eq!(
            (health.exists, health.level, health.problems.len()),
            (false, Level::Good, 0),
            "{notes:?}"
        );
        assert_eq!((health.section_count, health.hot.chars, health.largest.len()), (0, 0, 0));
        assert!(health.recommendations.is_empty());
    }
}

#[test]
fn problems_make_a_warning() {
    let scopes = Scopes {
        problems: vec![MapNote { id: "ignored-line".into(), message: "m".into(), line: Some(3) }],
        ..Scopes::default()
    };
    let health =
        health("<!-- section:a -->\n<!-- section:scope-web -->x<!-- /section:scope-web -->", &scopes);
    let problems: Vec<_> = health.problems.iter().map(|one| (one.id.as_str(), one.line)).collect();
    assert_eq!(
        problems,
        [("section-unclosed", Some(1)), ("ignored-line", Some(3)), ("section-missing", None)]
    );
    assert_eq!(health.level, Level::Warning);
    assert_eq!(health.recommendations.len(), 3);
    let json = serde_json::to_value(&health).unwrap();
    assert_eq!(json["problems"][0]["message"], "the section `a` is never closed");
    assert!(json["problems"][2].get("line").is_none());
    let fields: Vec<&String> = json.as_object().unwrap().keys().collect();
    let expected = [
        "scope",
        "exists",
        "total_chars",
        "total_lines",
        "section_count",
        "hot",
        "largest",
        "problems",
        "level",
        "recommendations",
    ];
    assert_eq!(fields, expected);
    assert_eq!(json["level"], "warning");
}

#[test]
fn budgets() {
    let scopes =
        Scopes { hot_sections: vec![], hot_budget_warning: 60, hot_budget_critical: 70, ..Scopes::default() };
    let level = |chars: usize| {
        let notes =
            format!("<!-- section:scope-web -->{}<!-- /section:scope-web -->", "é".repeat(chars - 53));
        let health = health(&notes, &scopes);
        assert_eq!(health.hot.chars, chars);
        (health.level, health.problems.len())
    };
    assert_eq!(level(60), (Level::Good, 0));
    assert_eq!(level(61), (Level::Warning, 1));
    assert_eq!(level(70), (Level::Warning, 1));
    assert_eq!(level(71), (Level::Critical, 1));
}

#[test]
fn the_largest_five() {
    let notes: String = (0..9)
        .map(|n| format!("<!-- section:s{n} -->{}<!-- /section:s{n} -->\n", "x".repeat(n % 4)))
        .collect();
    let ids: Vec<String> = health(&notes, &Scopes::default()).largest.into_iter().map(|one| one.id).collect();
    assert_eq!(ids, ["s3", "s7", "s2", "s6", "s1"]);
}
