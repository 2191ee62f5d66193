//! Which lines are entries, which are mistakes, which are prose; and that reading never fails.

use proptest::prelude::*;

use super::ast::{Map, MapKind};
use super::parse;

/// Entries as `line key|scope`, problems as `line id underlined`, both in the order of the lines.
fn shown(text: &str, kind: MapKind) -> Vec<String> {
    let Map { entries, problems } = parse(text, kind);
    let mut all = Vec::new();
    for entry in entries {
        match kind {
            MapKind::Path => assert_eq!(entry.key_span.of(text), entry.key, "{text:?}"),
            MapKind::Alias => assert_eq!(entry.key_span.of(text).to_lowercase(), entry.key, "{text:?}"),
        }
        assert_eq!(entry.scope_span.of(text).to_lowercase(), entry.scope, "{text:?}");
        all.push((entry.key_span.start, format!("{} {}|{}", entry.line, entry.key, entry.scope)));
    }
    for problem in problems {
        assert!(!problem.help.is_empty() && !problem.message.ends_with('.'), "{problem:?}");
        let line = crate::error::before(text, problem.span.start).matches('\n').count() + 1;
        assert_eq!(problem.line, line, "{text:?}: {problem:?}");
        all.push((problem.span.start, format!("{} {} {}", problem.line, problem.id, problem.span.of(text))));
    }
    all.sort();
    all.into_iter().map(|(_, line)| line).collect()
}

fn check(kind: MapKind, table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(shown(text, kind), *expected, "{text:?}");
    }
}

#[test]
fn path_entries_in_every_form() {
    check(
        MapKind::Path,
        &[
            ("/srv => a\n/srv/app => b", &["1 /srv|a", "2 /srv/app|b"]),
            ("c:\\work\\x: b", &["1 c:\\work\\x|b"]),
            ("C:/work/x: b", &["1 C:/work/x|b"]),
            ("- c:\\work\\x = B", &["1 c:\\work\\x|b"]),
            ("//srv/share => u", &["1 //srv/share|u"]),
            ("\\\\srv\\share\\x: u", &["1 \\\\srv\\share\\x|u"]),
            ("- `/srv/app` => `web` # main", &["1 /srv/app|web"]),
            ("/ => root", &["1 /|root"]),
            ("c:\\ => root", &["1 c:\\|root"]),
            ("~ => h\n~/x: y", &["1 ~|h", "2 ~/x|y"]),
            ("/a=>b", &["1 /a|b"]),
            ("/a=b", &["1 /a|b"]),
            ("  \t* /a => B.c_D-1 ", &["1 /a|b.c_d-1"]),
            ("+ /a => b\r\n12. /b => c\r\n", &["1 /a|b", "2 /b|c"]),
            ("\u{FEFF}/a => b", &["1 /a|b"]),
            ("/my app/x y => b", &["1 /my app/x y|b"]),
            ("\"/a #1: b\" => 'c'", &["1 /a #1: b|c"]),
            ("'/a #1: b=c': d #e", &["1 /a #1: b=c|d"]),
            ("/a#b => c #d", &["1 /a#b|c"]),
            ("/a => b # c => d", &["1 /a|b"]),
            ("///a => b\n// => c", &["1 ///a|b", "2 //|c"]),
            ("/a/$1/100%/c$ => b", &["1 /a/$1/100%/c$|b"]),
            ("\\\\srv\\c$\\x => b", &["1 \\\\srv\\c$\\x|b"]),
            ("/a\\b => c", &["1 /a\\b|c"]),
            ("/a/../.. => c", &["1 /a/../..|c"]),
            ("/a ==> b", &["1 /a =|b"]),
        ],
    );
}

#[test]
fn lines_that_are_no_entries_and_say_nothing() {
    for text in [
        "",
        "\n\n",
        "# Title",
        "  # a => b",
        "- # a => b",
        "3. #/a => b",
        "-",
        "- ",
        "prose: about it",
        "see https://example.com/x: y",
        "word = word",
        "src/app: web",
        "/srv/*: web",
        "/a # => b",
        "/a",
        "c:\\work",
        "c:/work # x: y",
        "- item",
        "```\n/a => b\n```",
        "   ~~~ text ``` => \n/a => b\n```\n~~~~ x\n/a => b",
        "````\n```\n/a => b\n`````  \r",
        "```rust\n/a => b",
    ] {
        assert_eq!(shown(text, MapKind::Path), [""; 0], "{text:?}");
    }
}

#[test]
fn fences_are_those_of_commonmark() {
    check(
        MapKind::Path,
        &[
            ("- ```\n/a => b", &["2 /a|b"]),
            ("    ```\n/a => b", &["2 /a|b"]),
            ("\t```\n/a => b", &["2 /a|b"]),
            ("``` a`b\n/a => b", &["2 /a|b"]),
            ("``\n/a => b", &["2 /a|b"]),
            ("```\nx\n``` no\n/a => a\n```\n/a => b", &["6 /a|b"]),
            ("~~~\n```\n~~~\n/a => b", &["4 /a|b"]),
            ("```\n    ```\n/x => y\n  ```\t\n/a => b", &["5 /a|b"]),
            ("```\r\n/x => y\r\n```\r\n/a => b", &["4 /a|b"]),
        ],
    );
}

#[test]
fn an_arrow_line_must_be_an_entry() {
    check(
        MapKind::Path,
        &[
            ("/a => b => c", &["1 scope-line =>"]),
            ("\"/a => b\" => c", &["1 scope-line =>"]),
            ("\"/a => b\"", &["1 scope-line \"/a => b\""]),
            ("=> b", &["1 scope-line =>"]),
            ("- => b", &["1 scope-line =>"]),
            ("\"\" => b", &["1 scope-line =>"]),
            ("=>", &["1 scope-line =>"]),
            ("/a =>", &["1 scope-line =>"]),
            ("/a => # later", &["1 scope-line =>"]),
            ("/a => ``", &["1 scope-line =>"]),
            ("/a => b c", &["1 scope-line b c"]),
            ("/a => b#c", &["1 scope-line b#c"]),
            ("/a => é", &["1 scope-line é"]),
            ("web => b c", &["1 scope-line web => b c"]),
            ("some prose => more prose", &["1 scope-line some prose => more prose"]),
            ("my notes => b", &["1 scope-line my notes"]),
            ("my dir/app => b", &["1 scope-line my dir/app"]),
            ("x\n\n/a => b c\r\n/b => ok", &["3 scope-line b c", "4 /b|ok"]),
        ],
    );
}

#[test]
fn a_key_that_is_no_path_we_take() {
    let keys = [
        "web",
        "src/app",
        "./x",
        "../x",
        ".",
        "~user",
        "~user/x",
        "~\\x",
        "$HOME",
        "$HOME/x",
        "${HOME}/x",
        "/srv/$USER/x",
        "%APPDATA%\\x",
        "c:\\%TEMP%",
        "/srv/*",
        "/srv/a?",
        "c:",
        "c:x",
        "c:x\\y",
        "//host",
        "//host/",
        "\\\\host",
        "\\\\",
        "\\x",
        "\\\\.\\pipe",
        "//../x",
        "//host/..",
        "\\\\\\a\\b",
        "file:///srv/a",
        "\"/a",
        "a:b",
    ];
    for key in keys {
        let text = format!("{key} => b");
        assert_eq!(shown(&text, MapKind::Path), [format!("1 scope-path {key}")], "{text:?}");
    }
}

#[test]
fn words_say_what_to_write() {
    let table = [
        (
            "web",
            "`web` is a word, not a path",
            "write an absolute path, as in `/srv/app`; an alias belongs in the alias map",
        ),
        (
            "src/app",
            "the path `src/app` is relative",
            "write the whole path, as in `/srv/src/app` or `~/src/app`",
        ),
        ("${HOME}/x", "the variable `${HOME}` is not filled in", "write `~/x`"),
        ("%USERPROFILE%\\x\\y", "the variable `%USERPROFILE%` is not filled in", "write `~/x/y`"),
        (
            "/srv/a*/b",
            "`*` in `/srv/a*/b`: a key is no pattern",
            "a key stands for everything below it: write `/srv`",
        ),
        ("c:x", "`c:x` names a place relative to the current directory of its drive", "write `c:\\x`"),
        ("file:///srv/a", "`file:///srv/a` is a URL, not a path", "write `/srv/a`"),
        ("\\x", "`\\x` names no drive", "write the drive too, as in `c:\\x`"),
    ];
    for (key, message, help) in table {
        let map = parse(&format!("{key} => b"), MapKind::Path);
        assert_eq!((map.problems[0].message.as_str(), map.problems[0].help.as_str()), (message, help));
    }
}

#[test]
fn a_path_with_an_ill_formed_scope_in_an_older_form() {
    check(
        MapKind::Path,
        &[
            ("/srv/app: see below", &["1 ignored-line see below"]),
            ("/srv/app:", &["1 ignored-line :"]),
            ("c:\\x = a = b", &["1 ignored-line a = b"]),
            ("`/srv/app`: two words", &["1 ignored-line two words"]),
        ],
    );
}

#[test]
fn alias_entries() {
    check(
        MapKind::Alias,
        &[
            ("WWW => Web", &["1 www|web"]),
            ("- `w`: web\n* w.2 = 'web_2' # x", &["1 w|web", "2 w.2|web_2"]),
            ("c: x", &["1 c|x"]),
            ("prose and: more prose", &[]),
            ("two words: web", &[]),
            ("é: b", &[]),
            ("w: two words", &[]),
            ("/srv/app => web", &["1 ignored-line /srv/app"]),
            ("c:\\x => web", &["1 ignored-line c:\\x"]),
            ("src/app => web", &["1 ignored-line src/app"]),
            ("~user => web", &["1 ignored-line ~user"]),
            ("my dir\\x => web", &["1 ignored-line my dir\\x"]),
            ("/srv/app: web", &["1 ignored-line /srv/app"]),
            ("src/app: web", &["1 ignored-line src/app"]),
            ("c:/x = web", &["1 ignored-line c:/x"]),
            ("read and/or write: yes", &[]),
            ("é => b", &["1 scope-line é"]),
            ("two words => b", &["1 scope-line two words"]),
            ("$x => b", &["1 scope-line $x"]),
            ("/srv => a b", &["1 scope-line a b"]),
            ("w => a b", &["1 scope-line a b"]),
            ("é => a b", &["1 scope-line é => a b"]),
            ("w =>", &["1 scope-line =>"]),
            ("a => b => c", &["1 scope-line =>"]),
        ],
    );
}

#[test]
fn long_maps_take_time_in_proportion() {
    for piece in [
        "` => ' => \" => ",
        "%a",
        "$",
        "   ",
        "```\n",
        "`",
        ":",
        "\"#",
        " #",
        "/a => b\n",
        "a `\n",
        "~~~ \n",
        "=>",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        parse(&text, MapKind::Path);
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_map_in_bounds(text in "([-/a-c:=>#`'\"~*. \t\r\n\\\\%$]|=>|```|/srv|c:\\\\|\\PC){0,60}") {
        for kind in [MapKind::Path, MapKind::Alias] {
            let map = parse(&text, kind);
            prop_assert_eq!(&map, &parse(&text, kind));
            for problem in &map.problems {
                prop_assert!(text.get(problem.span.start..problem.span.end).is_some(), "{:?}", problem);
                prop_assert!(!problem.span.is_empty() && !problem.span.of(&text).contains('\n'), "{:?}", problem);
            }
            prop_assert!(map.problems.is_sorted_by_key(|problem| problem.line));
            for entry in &map.entries {
                prop_assert!(entry.key_span.end <= entry.scope_span.start);
                prop_assert!(!entry.key.is_empty() && !entry.scope.is_empty());
            }
        }
    }

    /// Lines without fences are read each for itself.
    #[test]
    fn one_line_never_changes_another(
        lines in proptest::collection::vec("(/a|c:\\\\x|w| |=>|:|=|b|#|`|'){0,8}", 1..6)
    ) {
        prop_assume!(!lines.iter().any(|line| line.contains("```")));
        let whole = parse(&lines.join("\n"), MapKind::Path);
        let alone: usize = lines.iter().map(|line| {
            let map = parse(line, MapKind::Path);
            map.entries.len() + 1000 * map.problems.len()
        }).sum();
        prop_assert_eq!(whole.entries.len() + 1000 * whole.problems.len(), alone);
    }
}
