use super::*;
use crate::path::{Machine, Workspace};

const NOTES: &str = "\
<!-- section:active-scope -->
current: web
<!-- /section:active-scope -->
<!-- section:scope-web -->
The web app talks to the Billing service.
<!-- /section:scope-web -->
<!-- section:billing -->
Invoices. Rate limits apply.
<!-- /section:billing -->
<!-- section:zoo -->
billing billing billing
<!-- /section:zoo -->
<!-- section:other -->
nothing to see
<!-- /section:other -->
";

fn route(query: &str, sections: usize, chars: usize, notes: &str) -> RouteContext {
    let workspace = Workspace::new(None, None, Machine::default());
    let limits = Limits { max_sections: sections, max_chars: chars };
    let ask = Ask { active_scope: None, workspace: &workspace };
    route_context(query, limits, ask, &Scopes::default(), &Document::parse(notes).unwrap())
}

fn scores(query: &str) -> Vec<(String, usize)> {
    route(query, 20, 40000, NOTES).selected.into_iter().map(|one| (one.id, one.score)).collect()
}

fn expected(table: &[(&str, usize)]) -> Vec<(String, usize)> {
    table.iter().map(|&(id, score)| (id.to_owned(), score)).collect()
}

#[test]
fn scores_are_those_of_the_contract() {
    // scope-web: 4 + 24, and 28 because it is the second hot section; billing: the id only; active-scope: hot.
    let table = [("scope-web", 56), ("zoo", 28), ("billing", 24), ("active-scope", 0)];
    assert_eq!(scores("  Billing "), expected(&table));
    let table = [("scope-web", 36), ("billing", 8), ("zoo", 4), ("active-scope", 0)];
    assert_eq!(scores("billing, BILLING of limits; talks"), expected(&table));
    assert_eq!(scores("WEB app")[0], ("scope-web".into(), 4 * 3 + 24 + 28));
    assert_eq!(scores("active-scope")[0], ("active-scope".into(), 4 + 20 + 4 + 30));
}

#[test]
fn a_short_query_counts_as_a_whole() {
    assert_eq!(scores("to"), expected(&[("scope-web", 28 + 28), ("other", 28), ("active-scope", 0)]));
    assert_eq!(scores("to be")[0].1, 0, "no word of three letters: the whole is looked for");
    let hot = [("active-scope", 0), ("scope-web", 0)];
    assert_eq!(scores(""), expected(&hot));
    assert_eq!(scores(" \t"), expected(&hot));
    let unicode = route("ŽLUŤOUČKÝ", 5, 1000, "<!-- section:a -->žluťoučký<!-- /section:a -->");
    assert_eq!(
        (unicode.selected[0].score, unicode.selected[0].matches.as_slice()),
        (28, ["žluťoučký".to_owned()].as_slice())
    );
}

#[test]
fn what_does_not_fit_is_skipped() {
    let long = format!(
        "<!-- section:a -->needle {}<!-- /section:a -->\n<!-- section:b -->needle<!-- /section:b -->",
        "é".repeat(2000)
    );
    let answer = route("needle", 5, 1000, &long);
    assert!(answer.truncated);
    assert_eq!((answer.total_candidates, answer.selected.len()), (2, 1));
    assert_eq!(answer.content, "<!-- section:b -->needle<!-- /section:b -->");
    let chars = |id: &str, n: usize| 35 + 2 * id.len() + n;
    let exact = |n: usize| {
        let (one, two) = ("x".repeat(400), "x".repeat(n));
        route(
            "xxx",
            5,
            1000,
            &format!("<!-- section:a -->{one}<!-- /section:a --> <!-- section:b -->{two}<!-- /section:b -->"),
        )
    };
    let rest = 1000 - chars("a", 400) - 2 - chars("b", 0);
    let answer = exact(rest);
    assert!(!answer.truncated, "{:?}", answer.selected);
    assert_eq!(answer.selected.iter().map(|one| one.chars).sum::<usize>(), 1000);
    assert_eq!(answer.content.chars().count(), 1000);
    assert!(exact(rest + 1).truncated);
}

#[test]
fn no_more_sections_than_asked_for() {
    let answer = route("billing", 2, 40000, NOTES);
    assert_eq!((answer.selected.len(), answer.total_candidates, answer.truncated), (2, 4, false));
    assert_eq!(answer.content.matches("\n\n").count(), 1);
}

#[test]
fn limits_have_ranges() {
    assert_eq!(Limits::new(None, None).unwrap(), Limits { max_sections: 5, max_chars: 12000 });
    assert!(Limits::new(Some(1), Some(1000)).is_ok() && Limits::new(Some(20), Some(40000)).is_ok());
    for (sections, chars) in [(0, 1000), (21, 1000), (1, 999), (1, 40001)] {
        assert!(Limits::new(Some(sections), Some(chars)).is_err());
    }
    assert_eq!(Limits::new(Some(21), None).unwrap_err(), "`max_sections` is 21, outside 1 to 20");
}

#[test]
fn an_answer_has_exactly_its_fields() {
    let answer = serde_json::to_value(route("invoices", 1, 1000, NOTES)).unwrap();
    let block = "<!-- section:billing -->\nInvoices. Rate limits apply.\n<!-- /section:billing -->";
    let mut expected = serde_json::json!({
        "query": "invoices", "scope": null, "total_candidates": 3, "truncated": false, "content": block,
        "selected": [{
            "id": "billing", "score": 28, "matches": ["invoices"], "chars": block.len(), "lines": 3,
            "preview": "Invoices. Rate limits apply."
        }]
    });
    assert_eq!(answer["scope"]["scope"], "web");
    expected["scope"] = answer["scope"].clone();
    assert_eq!(answer, expected);
}

#[test]
fn a_preview_is_one_short_line() {
    assert_eq!(preview("a\n\n b  c"), "a b c");
    let long = preview(&"word ".repeat(100));
    assert!(long.ends_with('…') && long.chars().count() <= 161 && long.starts_with("word word"), "{long}");
    assert_eq!(preview(&"é".repeat(161)).chars().count(), 161);
    assert_eq!(preview(&"é".repeat(160)), "é".repeat(160));
}

#[test]
fn nothing_comes_of_nothing() {
    let answer = route("billing", 5, 1000, " \n");
    assert_eq!((answer.total_candidates, answer.truncated, answer.content.as_str()), (0, false, ""));
}
