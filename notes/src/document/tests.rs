use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Document<'_> {
    Document::parse(text).unwrap()
}

/// Sections as `id=content`.
fn sections(text: &str) -> Vec<String> {
    read(text).sections().map(|section| format!("{}={}", section.id, section.content())).collect()
}

/// Problems as `line id section`.
fn problems(text: &str) -> Vec<String> {
    let problems = read(text).problems().to_vec();
    problems
        .iter()
        .map(|one| format!("{} {} {}", one.line, one.id(), one.section).trim().to_owned())
        .collect()
}

#[test]
fn markers_in_every_form() {
    for text in [
        "<!-- section:a -->\nx\n<!-- /section:a -->",
        "<!--section:a-->x<!--/section:a-->",
        "<!--\tsection:a   -->\r\n\r\nx\r\n<!-- /section:a --> more",
        "- text <!-- section:a --> x <!-- /section:a --> text",
        "\u{FEFF}<!-- section:a -->x<!-- /section:a -->",
        "    <!-- section:a -->x<!-- /section:a -->",
        "`code` ``co`de`` <!-- section:a -->x<!-- /section:a --> `x",
        "\\` <!-- section:a -->x<!-- /section:a -->",
        "<!-- <!-- section:a -->x<!-- /section:a -->",
    ] {
        assert_eq!(sections(text), ["a=x"], "{text:?}");
        assert_eq!(problems(text), [""; 0], "{text:?}");
    }
    assert_eq!(sections("<!--section:A.b_c-1---->x<!-- /section:A.b_c-1-- -->"), ["A.b_c-1--=x"]);
    assert_eq!(sections("<!-- section:a --><!-- /section:a -->"), ["a="]);
}

#[test]
fn what_is_no_marker() {
    for text in [
        "<!-- section: a -->",
        "<!-- section:a b -->",
        "<!-- section:é -->",
        "<!-- section: -->",
        "<!-- / section:a -->",
        "<!-- SECTION:a -->",
        "<!- section:a -->",
        "<!-- section:a",
        "<!-- section:a ->",
        "<!-- section:a\n-->",
        "`<!-- section:a -->`",
        "``x ` <!-- section:a --> ``",
        "a ` b <!-- section:a -->\nand ` there",
        "```\n<!-- section:a -->\n```",
        "~~~~ <!-- section:a -->\n~~~\n<!-- section:a -->",
    ] {
        assert_eq!((sections(text), problems(text)), (vec![], vec![]), "{text:?}");
    }
    assert_eq!(sections("a ` b\n<!-- section:a -->x<!-- /section:a --> ` c"), ["a=x"]);
    assert_eq!(sections("- ```\n<!-- section:a -->x<!-- /section:a -->"), ["a=x"]);
    let escaped = "\\\\`<!-- section:a -->`";
    assert_eq!(problems(escaped), [""; 0], "the backslash is escaped, the back-tick is not");
}

#[test]
fn sections_in_fences_are_text_of_the_section_around_them() {
    let text = "<!-- section:a -->\n```\n<!-- /section:a -->\n```\n<!-- /section:a -->";
    assert_eq!(sections(text), ["a=```\n<!-- /section:a -->\n```"]);
    assert_eq!(problems("<!-- section:a -->\n```\n<!-- /section:a -->"), ["1 section-unclosed a"]);
}

#[test]
fn markers_without_a_partner() {
    assert_eq!(problems("\n<!-- section:a -->\n"), ["2 section-unclosed a"]);
    assert_eq!(
        problems("<!-- /section:a -->\n<!-- section:A -->"),
        ["1 section-orphan a", "2 section-unclosed A"]
    );
    let unclosed = "<!-- section:a -->\n<!-- section:b -->x<!-- /section:b -->";
    assert_eq!(
        (sections(unclosed), problems(unclosed)),
        (vec!["b=x".into()], vec!["1 section-unclosed a".into()])
    );
    let stray = "<!-- section:a -->x<!-- /section:b --><!-- /section:a -->";
    assert_eq!(problems(stray), ["1 section-orphan b"]);
    assert_eq!(sections(stray), ["a=x<!-- /section:b -->"]);
    let unclosed_inside = "<!-- section:a --><!-- section:b --><!-- /section:a -->";
    assert_eq!(problems(unclosed_inside), ["1 section-unclosed b"]);
}

#[test]
fn sections_inside_sections() {
    let nested = "<!-- section:a -->\n<!-- section:b -->\nx\n<!-- /section:b -->\n<!-- /section:a -->";
    assert_eq!(problems(nested), ["2 section-nested b"]);
    assert_eq!(read(nested).sections().map(|section| section.id).collect::<Vec<_>>(), ["a"]);
    let ProblemKind::Nested { outer, outer_line } = &read(nested).problems()[0].kind.clone() else {
        panic!()
    };
    assert_eq!((outer.as_str(), *outer_line), ("a", 1));
    let overlap = "<!-- section:a -->1<!-- section:b -->2<!-- /section:a -->3<!-- /section:b -->";
    assert_eq!(problems(overlap), ["1 section-nested b"]);
    assert_eq!(sections(overlap), ["a=1<!-- section:b -->2"]);
    let again = "<!-- section:a -->\n<!-- section:a -->x<!-- /section:a -->";
    assert_eq!(problems(again), ["2 section-nested a"]);
    assert_eq!(read(again).sections().count(), 1);
    let later = format!("{overlap}\n<!-- section:b -->y<!-- /section:b -->");
    assert_eq!(sections(&later).len(), 2);
}

#[test]
fn the_last_of_two_is_read() {
    let text = "<!-- section:a -->1<!-- /section:a -->\n<!-- section:b -->2<!-- /section:b -->\n<!-- section:a -->3<!-- /section:a -->";
    assert_eq!(sections(text), ["b=2", "a=3"]);
    assert_eq!(problems(text), ["3 section-duplicate a"]);
    assert_eq!(read(text).problems()[0].kind, ProblemKind::Duplicate { earlier_line: 1 });
    assert_eq!(read(text).section("a").unwrap().content(), "3");
    assert_eq!(read(text).blocks().len(), 3);
}

#[test]
fn content_and_block() {
    let text = "\u{FEFF}é <!-- section:a -->\n \n  x\n\n y \n\n<!-- /section:a -->";
    let document = read(text);
    let section = document.section("a").unwrap();
    assert_eq!(section.content(), "x\n\n y");
    assert_eq!((section.line, section.content_line), (1, 3));
    assert_eq!(section.block(), "<!-- section:a -->\n \n  x\n\n y \n\n<!-- /section:a -->");
    assert_eq!(section.open.of(text), "<!-- section:a -->");
    assert_eq!(document.body().chars().next(), Some('é'));
    assert!(document.section("A").is_none());
}

#[test]
fn the_cut_stands_alone_on_its_line() {
    for cut in ["<!-- public-cut -->", "  <!--public-cut-->\t\r", "\t<!--  public-cut -->"] {
        let text = format!("public\n{cut}\nprivate");
        let document = read(&text);
        assert_eq!(document.cut().map(|cut| cut.line), Some(2), "{cut:?}");
        assert_eq!(document.before_cut(), Some("public\n"));
        assert_eq!(document.public().body(), "public\n");
    }
    let bom = "\u{FEFF}<!-- public-cut -->\nx";
    assert_eq!(read(bom).public().body(), "");
    for no_cut in [
        "x <!-- public-cut -->",
        "<!-- public-cut --> x",
        "- <!-- public-cut -->",
        "`<!-- public-cut -->`",
        "```\n<!-- public-cut -->\n```",
        "<!-- public cut -->",
        "<!-- /public-cut -->",
        "",
    ] {
        assert_eq!(read(no_cut).cut(), None, "{no_cut:?}");
        assert_eq!(read(no_cut).public().body(), "", "nothing is public without a cut");
    }
}

#[test]
fn cuts_in_the_wrong_place() {
    let inside = "<!-- section:a -->\n<!-- public-cut -->\n<!-- /section:a -->\n<!-- public-cut -->";
    assert_eq!(problems(inside), ["2 cut-inside-section a", "4 cut-duplicate"]);
    assert_eq!(read(inside).cut().unwrap().line, 2);
    assert_eq!(read(inside).public().sections().count(), 0);
    assert_eq!(problems("<!-- section:a -->\n<!-- public-cut -->"), ["1 section-unclosed a"]);
}

#[test]
fn maps_before_the_cut() {
    let text =
        "<!-- section:scope-map-v1 -->\nx\n<!-- public-cut -->\n<!-- section:workspace-scope-map-v1 -->";
    let document = read(text);
    let maps: Vec<_> = document.maps_before_cut().map(|map| (map.id, map.line, map.span.of(text))).collect();
    assert_eq!(maps, [("scope-map-v1", 1, "<!-- section:scope-map-v1 -->")]);
    assert_eq!(read("`<!-- section:scope-map-v1 -->`\n<!-- public-cut -->").maps_before_cut().count(), 0);
    assert_eq!(read("<!-- section:scope-map-v1 -->").maps_before_cut().count(), 0);
}

#[test]
fn a_document_may_be_large_but_not_larger() {
    let piece = "<!-- section:a --><!-- /section:b -->` \n";
    let text = piece.repeat(LONGEST_DOCUMENT / piece.len());
    assert!(!read(&text).problems().is_empty());
    let bytes = LONGEST_DOCUMENT + 1;
    let error = Document::parse(&" ".repeat(bytes)).unwrap_err();
    assert_eq!(error, TooLarge { bytes });
    assert!(error.to_string().contains("4194305"));
    assert!(Document::parse(&" ".repeat(LONGEST_DOCUMENT)).is_ok());
}

#[test]
fn hard_lines_take_time_in_proportion() {
    for piece in [
        "`",
        "` `` ",
        "<!--",
        "<!-- section:",
        "\\",
        "<!-- section:a -->",
        "<",
        "<!--section:a--",
        "```\n",
        "<!-- /section:a --><!-- section:b -->",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        let _ = read(&text);
    }
}

proptest! {
    #[test]
    fn any_text_is_a_document_of_disjoint_sections(
        text in "(\u{FEFF})?(<!-- section:[ab] -->|<!-- /section:[ab] -->|\n<!-- public-cut -->\n|`|```|\n|\r\n|~~~|<!--|-->|\\\\| |x|\\PC){0,40}"
    ) {
        let document = read(&text);
        let mut end = 0;
        for section in document.blocks() {
            prop_assert!(end <= section.open.start && section.open.end <= section.content.start);
            prop_assert!(section.content.end <= section.close.start);
            prop_assert_eq!(section.content().trim(), section.content());
            prop_assert!(text.get(section.open.start..section.close.end).is_some());
            let line = |at: usize| text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
            prop_assert_eq!(line(section.open.start), section.line);
            prop_assert_eq!(line(section.content.start), section.content_line);
            end = section.close.end;
        }
        for problem in document.problems() {
            prop_assert!(text.get(problem.span.start..problem.span.end).is_some());
        }
        prop_assert!(document.problems().is_sorted_by_key(|problem| problem.span.start));
        let public = document.public();
        prop_assert!(public.cut().is_none());
        prop_assert!(text.starts_with(document.before_cut().unwrap_or_default()));
    }

    /// What the runtime reads does not depend on line breaks.
    #[test]
    fn crlf_changes_nothing(
        text in "(<!-- section:[ab] -->|<!-- /section:[ab] -->|\n<!-- public-cut -->\n|`|```|\n|x){0,40}"
    ) {
        let crlf = text.replace('\n', "\r\n");
        let ids = |text: &str| read(text).sections().map(|one| (one.id.to_owned(), one.line)).collect::<Vec<_>>();
        prop_assert_eq!(ids(&text), ids(&crlf));
        prop_assert_eq!(problems(&text), problems(&crlf));
    }
}
