//! What paths read as, what is said of broken ones, and laws that hold for any text.

use proptest::prelude::*;

use super::ast::*;
use super::parse;
use super::{common, parse::by_grammar};
use crate::Span;
use crate::quoted::quote;

/// A path with every step in brackets.
fn shown(text: &str) -> String {
    print(&parse(text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}")))
}

fn print(path: &Path) -> String {
    path.alternatives.iter().map(print_alternative).collect::<Vec<_>>().join("|")
}

fn print_alternative(alternative: &Alternative) -> String {
    let steps = alternative.steps.iter().map(|step| match &step.kind {
        StepKind::Key(key) => format!("[{}]", quote(key, '"')),
        StepKind::Index(index) => format!("[{index}]"),
        StepKind::Each => "[*]".to_owned(),
        StepKind::Any => ".*".to_owned(),
    });
    format!("${}", steps.collect::<String>())
}

#[test]
fn paths_read_as_written() {
    let table = [
        ("", "$"),
        (" \n", "$"),
        ("$", "$"),
        (" $ ", "$"),
        ("a.b.c", r#"$["a"]["b"]["c"]"#),
        ("$.a[0][-1][*]", r#"$["a"][0][-1][*]"#),
        ("$[0]", "$[0]"),
        ("[ * ].*", "$[*].*"),
        ("*", "$.*"),
        ("* | a.*", r#"$.*|$["a"].*"#),
        (r#"["odd \"key\""]['x|y']"#, r#"$["odd \"key\""]["x|y"]"#),
        ("$ref", r#"$["$ref"]"#),
        ("$ ref", r#"$["$ ref"]"#),
        ("$ . a|$ [0]|$|$", r#"$["a"]|$[0]|$|$"#),
        ("a . b [0]", r#"$["a"]["b"][0]"#),
        ("created at | issue-title|名称", r#"$["created at"]|$["issue-title"]|$["名称"]"#),
        ("a\n b", r#"$["a\n b"]"#),
        ("** . *x. * y", r#"$["**"]["*x"]["* y"]"#),
        ("a.$.b", r#"$["a"]["$"]["b"]"#),
        ("=x.f()", r#"$["=x"]["f()"]"#),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn spans_name_the_text_they_stand_for() {
    let text = r#" a b . c [ "d" ] | $[-1].* "#;
    let path = parse(text).unwrap();
    let steps: Vec<_> =
        path.alternatives.iter().flat_map(|one| &one.steps).map(|step| step.span.of(text)).collect();
    let alternatives: Vec<_> = path.alternatives.iter().map(|one| one.span.of(text)).collect();
    assert_eq!(steps, ["a b", "c", r#""d""#, "-1", "*"]);
    assert_eq!(alternatives, [r#"a b . c [ "d" ]"#, "$[-1].*"]);
}

#[test]
fn one_mistake_is_underlined_named_and_put_right() {
    let table = [
        ("a..b", ".", "a key is missing between two dots", "single `.`"),
        ("a.", ".", "the key after `.` is missing", "behind `.`"),
        (".a", ".", "a path does not begin with `.`", "`a`"),
        (".a[]", ".", "a path does not begin with `.`", "`a[*]`"),
        (".", ".", "a path does not begin with `.`", "`$`"),
        ("a[]", "[]", "`[]` selects nothing", "`a[*]`"),
        ("a[", "[", "`[` is never closed", "`]`"),
        ("a[*", "[", "`[` is never closed", "`]`"),
        (r#"a["b["#, "\"", "the quote `\"` is never closed", "`\"`"),
        (r#"a["b[" x:]"#, "x", "`x` stands where `]` is expected", "one quoted key"),
        (r#"a["\"[":1]"#, r#""\"[":1"#, "a path cannot select a slice", "`[*]`"),
        ("a[x]", "x", "`x` is neither an index nor a quoted key", "`[\"x\"]`"),
        ("a|b[c|d]", "c|d", "`c|d` is neither an index nor a quoted key", "`[\"c|d\"]`"),
        ("a||b", "|", "an alternative is missing between two `|`", "`title|name`"),
        ("|a", "|", "the alternative before `|` is missing", "`title|name`"),
        ("a|", "|", "the alternative after `|` is missing", "`title|name`"),
        ("|", "|", "the alternative before `|` is missing", "`title|name`"),
        ("$[?(@.x || @.y)]", "?(@.x || @.y)", "a path cannot filter with `?`", "`where`"),
        ("$[?(@.a[0] || @['b'])]", "?(@.a[0", "a path cannot filter with `?`", "`where`"),
        ("$..a", "..", "a path cannot search every level with `..`", "every level"),
        ("a[1:2]", "1:2", "a path cannot select a slice", "`[*]`"),
        ("a[0,1]", "0,1", "a path cannot select several at once with `,`", "`a|b`"),
        ("a['x]", "'", "the quote `'` is never closed", "`'`"),
        (r"a['\x']", r"\x", r"`\x` is not an escape", r"`\\`"),
        ("\"", "\"", "`\"` stands outside brackets", "`[\"odd key\"]`"),
        ("it's", "'", "`'` stands outside brackets", "`[\"it's\"]`"),
        ("a.\"b c\".d", "\"", "`\"` stands outside brackets", "`[\"b c\"]`"),
        ("a[0]b", "b", "`b` follows `]` without a dot", "`.b`"),
        ("a]", "]", "`]` closes nothing", "`[`"),
        ("a.[0]", ".", "`.` before `[` is one too many", "`items[0]`"),
        ("a[-]", "-", "`-` is not an index", "`[-1]`"),
    ];
    for (text, underlined, message, help) in table {
        let errors = parse(text).expect_err(text);
        let found: Vec<_> = errors.iter().map(|e| (e.span.of(text), e.message.as_str())).collect();
        assert_eq!(found, [(underlined, message)], "{text}");
        assert!(errors[0].help.as_deref().unwrap().contains(help), "{text}: {:?}", errors[0].help);
    }
}

#[test]
fn every_broken_alternative_has_its_error() {
    let text = "a..b|ok|c[x]|d.";
    let places: Vec<_> = parse(text).unwrap_err().iter().map(|error| error.span).collect();
    assert_eq!(places, [Span::new(2, 3), Span::new(10, 11), Span::new(14, 15)]);
}

#[test]
fn a_long_broken_text_takes_linear_time() {
    for piece in ["[", "['", "['\\\"", "a.", "[[", "'"] {
        assert!(parse(&piece.repeat(20_000)).is_err(), "{piece}");
    }
}

fn path() -> impl Strategy<Value = Path> {
    let kind = prop_oneof![
        any::<String>().prop_map(StepKind::Key),
        any::<i64>().prop_map(StepKind::Index),
        Just(StepKind::Each),
        Just(StepKind::Any),
    ];
    let step = kind.prop_map(|kind| Step { kind, span: Span::default() });
    let alternative =
        prop::collection::vec(step, 0..4).prop_map(|steps| Alternative { steps, span: Span::default() });
    prop::collection::vec(alternative, 1..4).prop_map(|alternatives| Path { alternatives })
}

fn kinds(path: &Path) -> Vec<Vec<&StepKind>> {
    path.alternatives.iter().map(|one| one.steps.iter().map(|step| &step.kind).collect()).collect()
}

#[test]
fn the_common_reader_reads_what_is_common() {
    for text in ["title", "data.results[*].a-b|n_1[0][-1].0|[2]", "[*]", "-1"] {
        assert_eq!(common::parse(text), by_grammar(text).ok(), "{text}");
        assert!(common::parse(text).is_some(), "{text}");
    }
    for text in ["", "$", "a.", ".a", "a||b", "a b", "a.*", "[\"a\"]", "a[", "a[]", "a[+1]", "a]", "é", "a|"]
    {
        assert_eq!(common::parse(text), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_gives_a_path_or_errors_in_bounds(text in "([ -~]|[|.'\"\\\\\\[\\]*$]|[a-z ]{1,4}|\\[\\*\\]|\\PC|\n){0,16}") {
        match parse(&text) {
            Ok(path) => for one in &path.alternatives {
                prop_assert!(text.get(one.span.start..one.span.end).is_some());
                for step in &one.steps {
                    prop_assert!(one.span.start <= step.span.start && step.span.end <= one.span.end);
                    prop_assert!(!step.span.of(&text).is_empty());
                }
            },
            Err(errors) => for error in &errors {
                prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{:?}", error);
                prop_assert!(!error.message.contains("cannot be read"), "{:?}", error);
            },
        }
    }

    #[test]
    fn a_printed_path_reads_as_itself(path in path()) {
        let text = print(&path);
        let read = parse(&text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}"));
        prop_assert_eq!(kinds(&read), kinds(&path));
    }

    #[test]
    fn the_common_reader_agrees_with_the_grammar(
        text in "([a-c]|[0-9-]|\\.[a-c]|\\||\\[\\*\\]|\\[-?[0-9]{1,2}\\]|\\[[+0-9]{15,20}\\]|[ .$*\"\\[\\]]|\\PC){0,8}"
    ) {
        if let Some(path) = common::parse(&text) {
            prop_assert_eq!(Ok(path), by_grammar(&text));
        }
    }
}
