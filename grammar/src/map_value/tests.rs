//! Which language a map value is in, and where its errors stand.

use proptest::prelude::*;

use super::ast::MapValue;
use super::parse;
use super::parse::by_grammar;
use crate::template::ast as tpl;

/// `paths / literal`, `re …` or `tpl …`, with the text under each span.
fn shown(text: &str) -> String {
    match parse(text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}")) {
        MapValue::Path { alternatives, literal } => {
            let paths: Vec<_> = alternatives.iter().map(|one| one.span.of(text)).collect();
            let literal = literal.map(|literal| {
                assert_eq!(literal.span.of(text), literal.text);
                format!(" / {:?}", literal.text)
            });
            format!("{paths:?}{}", literal.unwrap_or_default())
        }
        MapValue::Regex { text: regex, span } => {
            assert_eq!(span.of(text), regex);
            format!("re {regex}")
        }
        MapValue::Template { template, span } => format!("tpl {} {}", span.of(text), template.parts.len()),
    }
}

#[test]
fn map_values_read_as_written() {
    let table = [
        ("", r#"[""]"#),
        ("a.b|c", r#"["a.b", "c"]"#),
        ("a|=x|y ", r#"["a"] / "x|y ""#),
        ("a | = x", r#"["a"] / " x""#),
        ("=x", r#"[] / "x""#),
        ("a|=", r#"["a"] / """#),
        ("a=b|c=d", r#"["a=b", "c=d"]"#),
        ("['a|=b']|=c", r#"["['a|=b']"] / "c""#),
        ("re:a|(b)", "re a|(b)"),
        (r#"["re:x"]"#, r#"["[\"re:x\"]"]"#),
        ("tpl:", "tpl  0"),
        ("tpl:{{a}} b", "tpl {{a}} b 2"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn errors_stand_in_the_whole_value() {
    let table = [
        ("tpl:x{{a..b}}", 9, "."),
        ("tpl:é{{", 6, "{{"),
        ("a..b|=x", 2, "."),
        ("a||=x", 1, "|"),
        ("|=x", 0, "|"),
        (" |=x", 1, "|"),
        ("a|", 1, "|"),
    ];
    for (text, start, underlined) in table {
        let errors = parse(text).expect_err(text);
        let found: Vec<_> = errors.iter().map(|error| (error.span.start, error.span.of(text))).collect();
        assert_eq!(found, [(start, underlined)], "{text}");
    }
}

#[test]
fn a_templates_places_are_those_of_the_whole_value() {
    let text = "tpl:a {{item['b']|default: c}}";
    let MapValue::Template { template, .. } = parse(text).unwrap() else { panic!("no template") };
    let tpl::Part::Expr(expr) = &template.parts[1] else { panic!("no expression") };
    let tpl::ValueKind::Path(path) = &expr.value.kind else { panic!("no path") };
    assert_eq!(expr.span.of(text), "{{item['b']|default: c}}");
    assert_eq!(path.name.span.of(text), "item");
    assert_eq!(path.steps[0].span.of(text), "'b'");
    assert_eq!(expr.filters[0].span.of(text), "default: c");
    assert_eq!(expr.filters[0].argument.as_ref().unwrap().span.of(text), "c");
}

proptest! {
    #[test]
    fn any_text_gives_a_value_or_errors_in_bounds(text in "(re:|tpl:)?([ -~]|[|='\"{}]|\\PC|\\|=){0,12}") {
        if let Err(errors) = parse(&text) {
            for error in errors {
                prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{:?}", error);
                prop_assert!(!error.message.contains("cannot be read"), "{:?}", error);
            }
        }
    }

    #[test]
    fn a_text_without_marks_reads_as_the_grammar_reads_it(text in "( |re|tpl|:|=|[a-c.|\\[\\]*'\"]|\\PC){0,10}") {
        prop_assert_eq!(parse(&text), by_grammar(&text));
    }
}

#[test]
fn a_long_text_takes_linear_time() {
    for piece in ["'\\", "'1.\\\\\\", "\\'", "\"'", "'|", "a|=", "['"] {
        let _ = parse(&piece.repeat(20_000));
    }
    assert!(parse(r"a\'|b'").is_err());
}
