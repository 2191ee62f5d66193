//! What templates read as, what is said of broken ones, and laws that hold for any text.

use proptest::prelude::*;

use super::ast::*;
use super::parse;
use super::{common, parse::by_grammar};
use crate::quoted::quote;
use crate::{Span, SyntaxError};

/// A template as one line: text in quotes, expressions in braces.
fn shown(text: &str) -> String {
    let template = parse(text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}"));
    template.parts.iter().map(show_part).collect::<Vec<_>>().join(" ")
}

fn show_part(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("{:?}", text.text),
        Part::Expr(expr) => {
            let value = match &expr.value.kind {
                ValueKind::Path(path) => show_path(path),
                ValueKind::String(text) => format!("{text:?}"),
                ValueKind::Number(digits) => format!("#{digits}"),
                ValueKind::Bool(value) => format!("{value}!"),
            };
            let filters: String = expr.filters.iter().map(show_filter).collect();
            format!("{{{value}{filters}}}")
        }
    }
}

fn show_path(path: &PathRef) -> String {
    let steps = path.steps.iter().map(|step| match &step.kind {
        StepKind::Key(key) => format!(".{key:?}"),
        StepKind::Index(index) => format!("[{index}]"),
    });
    format!("{}{}", path.name.text, steps.collect::<String>())
}

fn show_filter(filter: &Filter) -> String {
    match &filter.argument {
        None => format!(" |{}", filter.name.text),
        Some(Argument { text, quoted: true, .. }) => format!(" |{}:quoted {text:?}", filter.name.text),
        Some(Argument { text, .. }) => format!(" |{}:{text:?}", filter.name.text),
    }
}

#[test]
fn templates_read_as_written() {
    let table = [
        ("", ""),
        ("plain } text }}", r#""plain } text }}""#),
        ("{ {{a}}}", r#""{ " {a} "}""#),
        ("{{\n\ta\r\n}}", "{a}"),
        (
            "{{env.NOTES_URL|default:http://localhost:1933}}/s",
            r#"{env."NOTES_URL" |default:"http://localhost:1933"} "/s""#,
        ),
        ("{{a.b-c.0[1]['odd key'][\"x\"]}}", r#"{a."b-c"[0][1]."odd key"."x"}"#),
        ("{{'{{'}}", r#"{"{{"}"#),
        ("{{'}}'}} b", r#"{"}}"} " b""#),
        (r#"{{'\\\'\"\n\r\t'}}"#, r#"{"\\'\"\n\r\t"}"#),
        ("{{-1.50}}{{007}}", "{#-1.50} {#007}"),
        ("{{true}}{{false|json}}{{truest}}{{true-x}}", "{true!} {false! |json} {truest} {true-x}"),
        ("{{x|join: }}", r#"{x |join:" "}"#),
        ("{{x|join:\n}}", r#"{x |join:"\n"}"#),
        ("{{x|join:}}", r#"{x |join:""}"#),
        ("{{x|join:|trim}}", r#"{x |join:"" |trim}"#),
        ("{{x|join:''}}", r#"{x |join:quoted ""}"#),
        ("{{ x | join : a }}", "ERROR"),
        ("{{ x | join: a b  | first_line }}", r#"{x |join:"a b" |first_line}"#),
        ("{{x|default: 'a|b}}' |lower}}", r#"{x |default:quoted "a|b}}" |lower}"#),
        ("{{x|default:it's {{ }}", r#"{x |default:"it's {{"}"#),
        ("{{x|default:{a}}}", r#"{x |default:"{a"} "}""#),
        ("{{x|default:имя}}ы", r#"{x |default:"имя"} "ы""#),
    ];
    for (text, expected) in table {
        match expected {
            "ERROR" => assert!(parse(text).is_err(), "{text}"),
            _ => assert_eq!(shown(text), expected, "{text}"),
        }
    }
}

#[test]
fn spans_name_the_text_they_stand_for() {
    let text = r#"a{{ env["X y"][3] | default: 'b' |join:  c d }}"#;
    let template = parse(text).unwrap();
    let Part::Expr(expr) = &template.parts[1] else { panic!("no expression") };
    let ValueKind::Path(path) = &expr.value.kind else { panic!("no path") };
    let arguments: Vec<_> =
        expr.filters.iter().map(|filter| filter.argument.as_ref().unwrap().span.of(text)).collect();
    let filters: Vec<_> = expr.filters.iter().map(|filter| filter.span.of(text)).collect();
    assert_eq!(expr.span.of(text), text.strip_prefix("a").unwrap());
    assert_eq!(expr.value.span.of(text), r#"env["X y"][3]"#);
    assert_eq!(path.name.span.of(text), "env");
    assert_eq!(path.steps[0].span.of(text), r#""X y""#);
    assert_eq!(path.steps[1].span.of(text), "3");
    assert_eq!(arguments, ["'b'", "c d"]);
    assert_eq!(filters, ["default: 'b'", "join:  c d"]);
}

/// Each error as the text it underlines and its message.
fn errors(text: &str) -> Vec<(String, String)> {
    let errors = parse(text).expect_err(text);
    errors.into_iter().map(|error| (error.span.of(text).to_owned(), error.message)).collect()
}

#[test]
fn one_mistake_is_underlined_and_named() {
    let table = [
        ("{{", "{{", "`{{` is never closed: the string ends at character 2"),
        ("é {{ x } and", "{{", "`{{` is never closed: the string ends at character 12"),
        ("{{x|default:'}}'", "{{", "`{{` is never closed: the string ends at character 16"),
        ("{{ a {{b}}", "{{", "`{{` is not closed before the next `{{`"),
        ("{{}}", "{{}}", "the expression is empty"),
        ("é{{ \n}}", "{{ \n}}", "the expression is empty"),
        ("{{ a b }}", "b", "`b` follows the value without `|`"),
        ("{{a 'b c'}}", "'b c'", "`'b c'` follows the value without `|`"),
        ("{{ a..b }}", ".", "a name is missing between two dots"),
        ("{{ a. }}", ".", "a name or an index is missing after `.`"),
        ("{{ |x }}", "|", "the value before `|` is missing"),
        ("{{ a| }}", "|", "the filter after `|` is missing"),
        ("{{a||b}}", "|", "a filter is missing between two `|`"),
        ("{{a|:x}}", ":", "the filter's name before `:` is missing"),
        ("{{a|1}}", "1", "`1` is not a filter's name"),
        ("{{'abc}} x", "'", "the quote `'` is never closed"),
        ("{{x|default:'abc}} and {{y}}", "'", "the quote `'` is never closed"),
        (r#"{{x|default:"a\"}}"#, "\"", "the quote `\"` is never closed"),
        (r"{{'é\q'}}", r"\q", r"`\q` is not an escape"),
        ("{{x|default:'a'b}}", "b", "`b` follows a quoted argument"),
        ("{{ 1x }}", "1x", "`1x` is neither a name nor a number"),
        ("{{1.2.3}}", "1.2.3", "`1.2.3` is neither a name nor a number"),
        ("{{-x}}", "-x", "`-x` is neither a name nor a number"),
        ("{{имя}}", "имя", "`имя` is neither a name nor a number"),
        ("{{true.x}}", ".x", "`true` is a literal: it has no members"),
        ("{{'a'[0]}}", "[0]", "`'a'` is a literal: it has no members"),
        ("{{item.имя}}", "имя", "`имя` is neither a name nor an index"),
        ("{{a.$ref}}", "$ref", "`$ref` is neither a name nor an index"),
        ("{{a[x]}}", "x", "`x` is neither an index nor a quoted key"),
        ("{{a[]}}", "[]", "the index in `[]` is missing"),
        ("{{a[*]}}", "*", "a template cannot select several values with `*`"),
        ("{{a[-1]}}", "-1", "the index `-1` is not counted from 0"),
        ("{{a[0}}", "[", "`[` is never closed"),
        ("{{a[0:2]}}", ":", "`:` stands where `]` is expected"),
        (
            "{{a[99999999999999999999]}}",
            "99999999999999999999",
            "the index `99999999999999999999` is too large",
        ),
    ];
    for (text, underlined, message) in table {
        assert_eq!(errors(text), [(underlined.to_owned(), message.to_owned())], "{text}");
    }
}

#[test]
fn habits_from_other_languages_are_named() {
    let blocks = "begins no expression: templates have no blocks, partials or comments";
    let table = [
        ("{{{x}}}", "{", "three braces do not open an expression".to_owned()),
        ("{{#if a}}", "#", format!("`#` {blocks}")),
        ("{{/if}}", "/", format!("`/` {blocks}")),
        ("{{> x}}", ">", format!("`>` {blocks}")),
        ("{{% if %}}", "%", format!("`%` {blocks}")),
        ("{{- x -}}", "-", "`-` beside the braces does not remove blanks".to_owned()),
        ("{{x -}}", "-", "`-` cannot stand here".to_owned()),
        ("{{$x}}", "$", "`$` begins no variable".to_owned()),
        ("{{.Name}}", ".", "a name is missing before `.`".to_owned()),
        ("{{if x}}", "if", "`if` begins no block: templates have no conditions or loops".to_owned()),
        ("{{x|join(',')}}", "(", "`(` does not begin an argument".to_owned()),
        ("{{x|default 'a'}}", "'a'", "`'a'` follows the filter `default` without `:`".to_owned()),
        ("{{env:HOME}}", ":", "`:` follows a value, and only a filter has an argument".to_owned()),
        ("{{f(x)}}", "(", "a value cannot be called".to_owned()),
        ("{{a == b}}", "=", "`=` cannot stand here".to_owned()),
        ("{{“x”}}", "“", "“ is not a quote".to_owned()),
    ];
    for (text, underlined, message) in table {
        assert_eq!(errors(text), [(underlined.to_owned(), message)], "{text}");
    }
}

#[test]
fn every_broken_expression_has_its_error() {
    let text = "{{a..b}} {{ok}} {{c d}} {{ x } {{ y|}} {{ z";
    let places: Vec<_> = parse(text)
        .unwrap_err()
        .iter()
        .map(|error| (error.span.start, error.span.of(text).to_owned()))
        .collect();
    let expected = [(4, "."), (20, "d"), (24, "{{"), (35, "|"), (39, "{{")];
    assert_eq!(places, expected.map(|(at, text)| (at, text.to_owned())));
}

#[test]
fn a_long_broken_text_takes_linear_time() {
    for piece in ["{{a|b:", "{{a|b:|", "{{'", "{{", "{{a ", "{{a|b:'", "{{ a[\"}"] {
        let open = piece.repeat(20_000);
        assert!(parse(&open).is_err(), "{piece}");
        assert!(parse(&format!("{open}|}}}}")).is_err(), "{piece}");
    }
    for piece in ["a:'b['c{{w", "uery|d\tlt:'a['b{{wh", "q|d:x{{"] {
        assert!(parse(&format!("{{{{{}|d:'{{{{}}}}", piece.repeat(20_000))).is_err(), "{piece}");
    }
}

#[test]
fn behind_the_first_mistake_only_so_many_expressions_are_read() {
    let text = format!("{}{{{{b..}}}}{}", "{{a}}".repeat(500), "{{'{{'|}} {{c..}}".repeat(500));
    let errors = parse(&text).unwrap_err();
    assert_eq!(errors[0].span, Span::new(2504, 2505));
    assert!((10..30).contains(&errors.len()), "{}", errors.len());
    assert_eq!(parse(&"{{a}}".repeat(500)).unwrap().parts.len(), 500);
}

fn check_errors(text: &str, errors: &[SyntaxError]) {
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.span.start <= error.span.end && text.get(error.span.start..error.span.end).is_some());
        assert!(!error.message.contains("cannot be read") && !error.message.ends_with('.'), "{error:?}");
        assert!(error.help.is_some());
    }
}

fn check_tree(text: &str, template: &Template) {
    let mut at = 0;
    for part in &template.parts {
        let span = match part {
            Part::Text(part) => {
                assert_eq!(part.text, part.span.of(text));
                part.span
            }
            Part::Expr(expr) => {
                check_expr(text, expr);
                expr.span
            }
        };
        assert_eq!(span.start, at);
        at = span.end;
    }
    assert_eq!(at, text.len());
}

fn check_expr(text: &str, expr: &Expr) {
    assert!(expr.span.of(text).starts_with("{{") && expr.span.of(text).ends_with("}}"));
    within(text, expr.value.span, expr.span);
    if let ValueKind::Path(path) = &expr.value.kind {
        within(text, path.name.span, expr.value.span);
        path.steps.iter().for_each(|step| within(text, step.span, expr.value.span));
    }
    for filter in &expr.filters {
        within(text, filter.span, expr.span);
        within(text, filter.name.span, filter.span);
        if let Some(argument) = &filter.argument {
            within(text, argument.span, filter.span);
            assert!(argument.quoted || argument.text == argument.span.of(text));
        }
    }
}

fn within(text: &str, inner: Span, outer: Span) {
    assert!(outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end);
    assert!(text.get(inner.start..inner.end).is_some());
}

/// Writes a tree down again; the spans do not matter.
fn print(template: &Template) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.text.clone(),
        Part::Expr(expr) => {
            let value = match &expr.value.kind {
                ValueKind::Path(path) => print_path(path),
                ValueKind::String(text) => quote(text, '\''),
                ValueKind::Number(digits) => digits.clone(),
                ValueKind::Bool(value) => value.to_string(),
            };
            let filters: String = expr.filters.iter().map(print_filter).collect();
            format!("{{{{ {value}{filters}}}}}")
        }
    };
    template.parts.iter().map(part).collect()
}

fn print_path(path: &PathRef) -> String {
    let steps = path.steps.iter().map(|step| match &step.kind {
        StepKind::Key(key) => format!("[{}]", quote(key, '"')),
        StepKind::Index(index) => format!("[{index}]"),
    });
    path.name.text.clone() + &steps.collect::<String>()
}

fn print_filter(filter: &Filter) -> String {
    match &filter.argument {
        None => format!("| {} ", filter.name.text),
        Some(Argument { text, quoted: true, .. }) => format!("|{}: {} ", filter.name.text, quote(text, '"')),
        Some(Argument { text, .. }) => format!("|{}:{text}", filter.name.text),
    }
}

/// A tree without its places.
fn bare(template: &Template) -> String {
    let debug = format!("{template:?}");
    debug.split("span: Span {").map(|piece| piece.trim_start_matches(|c: char| c != '}')).collect()
}

const NOWHERE: Span = Span::new(0, 0);

fn name() -> impl Strategy<Value = Name> {
    "[A-Za-z_][A-Za-z0-9_-]{0,6}"
        .prop_filter("keyword", |text| text != "true" && text != "false")
        .prop_map(|text| Name { text, span: NOWHERE })
}

fn value() -> impl Strategy<Value = Value> {
    let step = prop_oneof![any::<String>().prop_map(StepKind::Key), any::<u64>().prop_map(StepKind::Index),];
    let steps = prop::collection::vec(step.prop_map(|kind| Step { kind, span: NOWHERE }), 0..3);
    let kind = prop_oneof![
        (name(), steps).prop_map(|(name, steps)| ValueKind::Path(PathRef { name, steps })),
        any::<String>().prop_map(ValueKind::String),
        "-?[0-9]{1,5}(\\.[0-9]{1,3})?".prop_map(ValueKind::Number),
        any::<bool>().prop_map(ValueKind::Bool),
    ];
    kind.prop_map(|kind| Value { kind, span: NOWHERE })
}

fn filter() -> impl Strategy<Value = Filter> {
    let argument = prop_oneof![
        Just(None),
        any::<String>().prop_map(|text| Some((text, true))),
        "([a-zé:/{][a-zé:/{'\" ]{0,8}[a-zé:/{]| ?)".prop_map(|text| Some((text, false))),
    ];
    (name(), argument).prop_map(|(name, argument)| Filter {
        name,
        argument: argument.map(|(text, quoted)| Argument { text, quoted, span: NOWHERE }),
        span: NOWHERE,
    })
}

fn template() -> impl Strategy<Value = Template> {
    let filters = prop::collection::vec(filter(), 0..3);
    let expr = (value(), filters).prop_map(|(value, filters)| Expr { value, filters, span: NOWHERE });
    let text = "([a-z }é\n'|{]{0,6}[a-z }é\n])?".prop_filter("opens", |text| !text.contains("{{"));
    prop::collection::vec((text, expr), 0..4).prop_map(|pairs| {
        let mut parts = Vec::new();
        for (text, expr) in pairs {
            if !text.is_empty() {
                parts.push(Part::Text(Text { text, span: NOWHERE }));
            }
            parts.push(Part::Expr(expr));
        }
        Template { parts }
    })
}

#[test]
fn the_common_reader_reads_what_is_common() {
    for text in ["{{query}}", "a {{ env.NOTES_URL | default:http://h:1/{x} | trim }}/s {{x}}", "{{a|b: }}"] {
        assert_eq!(common::parse(text), by_grammar(text).ok(), "{text}");
        assert!(common::parse(text).is_some(), "{text}");
    }
    for text in ["{{true}}", "{{a|b:'c'}}", "{{a[0]}}", "{{a.0}}", "{{1}}", "{{a", "{{a|b:c", "{{é}}"] {
        assert_eq!(common::parse(text), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_gives_a_tree_or_errors_in_bounds(text in "(\\{\\{|\\}\\}|[ -~]|[|.:'\"\\\\\\[\\]{}]|[a-z ]{1,4}|true|\\PC|\r?\n){0,24}") {
        match parse(&text) {
            Ok(template) => check_tree(&text, &template),
            Err(errors) => check_errors(&text, &errors),
        }
    }

    #[test]
    fn a_printed_tree_reads_as_itself(template in template()) {
        let text = print(&template);
        let read = parse(&text).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}"));
        check_tree(&text, &read);
        prop_assert_eq!(bare(&read), bare(&template));
    }

    #[test]
    fn the_common_reader_agrees_with_the_grammar(
        text in "(\\{\\{|\\{\\{(a|b-1|true)|\\}\\}|\\.[a-c]|\\|[a-c]|:|[ -~]|\\|d:\"?[ a{}]{0,3}|[|.:'\"\\[{}]|[a-z \t]{1,4}|\\PC|\r?\n){0,16}"
    ) {
        if let Some(template) = common::parse(&text) {
            prop_assert_eq!(Ok(template), by_grammar(&text));
        }
    }
}
