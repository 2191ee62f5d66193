//! Programs that say "nothing found" with an exit status, in ops that take it for a failure.

use super::programs;
use crate::check::Typed;
use crate::config::Op;
use crate::diagnostic::{Diagnostics, flow as report};

/// Says of an op that it fails where its program only found nothing. One that says what `ok_exit` is, knows.
pub fn check(op: &Op<Typed>, diagnostics: &mut Diagnostics) {
    let Some(command) = op.reach.command.as_ref().filter(|_| op.ok_exit.is_none()) else { return };
    let literals: Vec<Option<String>> = command.iter().map(Typed::literal).collect();
    let texts: Vec<Option<&str>> = literals.iter().map(Option::as_deref).collect();
    let at = programs::behind_wrappers(&texts);
    let arguments = texts.get(at + 1..).unwrap_or_default();
    let (Some(Some(program)), Some(place)) = (texts.get(at), command.get(at)) else { return };
    if let Some((name, when)) = meaning(&programs::base_name(program), arguments) {
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
