//! Laws of scopes and notes: maps say what they hold at its place, documents are cut into parts that do not overlap, and
//! the tools keep to their budgets.

use kontext_grammar::scope_map::ast::{Map, MapKind};
use kontext_grammar::scope_map::parse;
use kontext_notes::alias::{AliasLine, Aliases};
use kontext_notes::path::{KeyLine, Machine};
use kontext_notes::{
    Ask, Document, Limits, PathTable, Scopes, Workspace, is_scope, matching, memory_health, private_places,
    read_hot_context, resolve, route_context,
};

const MACHINE: Machine<'static> = Machine { current_dir: Some("/work/here"), home: Some("/home/ann") };
/// Keys of one map that are looked up.
const LOOKED_UP: usize = 40;

/// A text as both maps.
pub fn maps(text: &str) {
    let path = twice(|| map(text, MapKind::Path));
    let alias = twice(|| map(text, MapKind::Alias));
    let scopes = Scopes { map: paths(&path), aliases: aliases(&alias), ..Scopes::default() };
    for entry in path.entries.iter().take(LOOKED_UP) {
        let workspace = Workspace::new(Some(&entry.key), None, MACHINE);
        let answer =
            resolve(Ask { active_scope: None, workspace: &workspace }, &scopes, &Document::default());
        assert!(is_scope(&answer.scope), "`{}` is no scope", answer.scope);
        assert_eq!(scopes.aliases.resolve(&answer.scope), answer.scope, "an alias as the answer");
        let below =
            Workspace::new(Some(&format!("{}/below", entry.key.trim_end_matches('/'))), None, MACHINE);
        if workspace.given().is_some() {
            let found = scopes.map.lookup(&workspace).expect("a key does not match itself");
            let inside = scopes.map.lookup(&below).expect("a key does not match what is below it");
            assert!(found.depth <= inside.depth, "a shorter key answers deeper down");
        }
        let _ = scopes.map.near_miss(&workspace);
    }
}

fn map(text: &str, kind: MapKind) -> Map {
    let map = parse(text, kind);
    let line = |at: usize| text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1;
    for entry in &map.entries {
        assert!(is_scope(&entry.scope) && entry.scope == entry.scope.to_lowercase(), "{entry:?}");
        assert!(!entry.key.trim().is_empty(), "an entry without a key");
        assert!(entry.scope_span.of(text).eq_ignore_ascii_case(&entry.scope), "{entry:?}");
        let written = entry.key_span.of(text);
        assert!(written == entry.key || written.to_ascii_lowercase() == entry.key, "{entry:?}: {written:?}");
        if text.is_ascii() && !text.contains('\r') {
            assert_eq!(line(entry.key_span.start), entry.line, "{entry:?}");
        }
    }
    for problem in &map.problems {
        assert!(text.get(problem.span.start..problem.span.end).is_some(), "{problem:?} is at no place");
        assert!(!problem.message.trim().is_empty() && !problem.help.trim().is_empty(), "{problem:?}");
    }
    assert!(map.entries.is_sorted_by_key(|entry| entry.line), "entries out of order");
    assert!(map.problems.is_sorted_by_key(|problem| problem.line), "problems out of order");
    map
}

fn paths(map: &Map) -> PathTable {
    let lines: Vec<KeyLine> = map
        .entries
        .iter()
        .map(|entry| KeyLine { key: &entry.key, scope: &entry.scope, line: entry.line })
        .collect();
    let (table, problems) = PathTable::compile(&lines);
    for problem in problems {
        assert_ne!(problem.id, "scope-path", "a key that the grammar takes and nothing else");
        assert!(problem.first < problem.line && problem.line < lines.len());
    }
    table
}

fn aliases(map: &Map) -> Aliases {
    let lines: Vec<AliasLine> =
        map.entries.iter().map(|entry| AliasLine { alias: &entry.key, scope: &entry.scope }).collect();
    let (aliases, problems) = Aliases::compile(&lines);
    assert!(problems.iter().all(|problem| problem.line() < lines.len()));
    for (alias, end) in aliases.iter() {
        assert_eq!(aliases.resolve(end), end, "`{alias}` is not resolved to the end");
    }
    aliases
}

/// A text as a hot document, asked by the words of its own end.
pub fn document(text: &str) {
    let Ok(document) = Document::parse(text) else { return };
    parts(text, &document);
    let public = document.public();
    let cut = document.before_cut().unwrap_or_default();
    parts(cut, &public);
    assert!(text.starts_with(cut));
    for place in private_places(cut) {
        assert!(cut.get(place.span.start..place.span.end).is_some_and(|place| !place.is_empty()));
    }
    for document in [&document, &public] {
        twice(|| tools(text, document));
    }
}

fn parts(text: &str, document: &Document<'_>) {
    let mut end = 0;
    for section in document.blocks() {
        assert!(end <= section.open.start, "sections overlap");
        let inner = (section.open.end, section.close.start);
        assert!(inner.0 <= section.content.start && section.content.end <= inner.1, "{section:?}");
        assert!(text.get(section.open.start..section.close.end) == Some(section.block()), "{section:?}");
        assert_eq!(section.content(), section.content().trim(), "outer blank space");
        end = section.close.end;
    }
    for section in document.sections() {
        assert_eq!(document.section(section.id), Some(section), "not the section that is read");
    }
    for problem in document.problems() {
        assert!(text.get(problem.span.start..problem.span.end).is_some(), "{problem:?} is at no place");
        assert!(!problem.message().is_empty());
    }
}

fn tools(text: &str, document: &Document<'_>) -> String {
    let query = text.get(text.ceil_char_boundary(text.len().saturating_sub(60))..).unwrap_or_default();
    let workspace = Workspace::new(Some(query), None, MACHINE);
    let ask = Ask { active_scope: None, workspace: &workspace };
    let scopes = Scopes::default();
    let limits = Limits::new(Some(3), Some(1000)).expect("limits in their ranges");
    let routed = route_context(query, limits, ask, &scopes, document);
    let chars = routed.content.chars().count();
    assert!(
        routed.selected.len() <= 3 && chars <= 1000,
        "{} sections, {chars} characters",
        routed.selected.len()
    );
    assert_eq!(routed.selected.iter().map(|section| section.chars).sum::<usize>(), chars);
    let hot = read_hot_context(ask, &scopes, document);
    let health = memory_health(ask, &scopes, document);
    assert_eq!(health.hot.chars, hot.content.chars().count());
    assert!(is_scope(&hot.scope.scope), "`{}` is no scope", hot.scope.scope);
    let hits = matching(query, ask, &scopes, document);
    serde_json::to_string(&(routed, hot, health, hits)).expect("answers are JSON")
}

fn twice<T: PartialEq + std::fmt::Debug>(run: impl Fn() -> T) -> T {
    let first = run();
    assert_eq!(first, run(), "done twice, it differs");
    first
}
