//! Programs that say "nothing found" with an exit status, in ops that take it for a failure.

use super::argv::Argv;
use super::programs;
use crate::diagnostic::{Diagnostics, flow as report};

/// Says of an op without `ok_exit` that it fails where its program only found nothing.
pub fn check(argv: &Argv<'_>, diagnostics: &mut Diagnostics) {
    let texts = argv.texts();
    let arguments = texts.get(argv.program + 1..).unwrap_or_default();
    let Some(place) = argv.command.get(argv.program) else { return };
    if let Some((name, when)) = meaning(&argv.name(argv.program), arguments) {
        diagnostics.push(report::report_exit_status(place.span, &name, when));
    }
}

/// What a program means by exit status 1, when that is no failure.
fn meaning(name: &str, arguments: &[Option<&str>]) -> Option<(String, &'static str)> {
    const NOTHING: &str = "when it finds nothing";
    const DIFFERENT: &str = "when there is a difference";
    let has = |words: &[&str]| arguments.iter().flatten().any(|word| words.contains(word));
    let own = |when| Some((name.to_owned(), when));
    match name {
        "rg" | "ripgrep" | "grep" | "egrep" | "fgrep" | "zgrep" | "ugrep" | "ag" | "ack" | "pgrep" => {
            own(NOTHING)
        }
        "diff" | "cmp" | "sdiff" => own(DIFFERENT),
        "git" => match programs::git_subcommand(arguments)? {
            "grep" => Some(("git grep".to_owned(), NOTHING)),
            "diff" if has(&["--exit-code", "--quiet", "--no-index"]) => {
                Some(("git diff".to_owned(), DIFFERENT))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::meaning;

    #[test]
    fn exit_status_one_has_a_meaning_for_some() {
        let says = |command: &[&'static str]| {
            let arguments: Vec<Option<&str>> = command[1..].iter().map(|text| Some(*text)).collect();
            meaning(command[0], &arguments).map(|(name, _)| name)
        };
        for silent in [
            &["cat", "x"][..],
            &["git", "log"],
            &["git", "diff"],
            &["fd", "x"],
            &["git", "-C", "grep", "log"],
        ] {
            assert_eq!(says(silent), None, "{silent:?}");
        }
        assert_eq!(says(&["git", "-C", "x", "--no-pager", "grep", "y"]).as_deref(), Some("git grep"));
        assert_eq!(says(&["git", "diff", "--quiet"]).as_deref(), Some("git diff"));
        assert_eq!(says(&["rg", "x"]).as_deref(), Some("rg"));
    }
}
