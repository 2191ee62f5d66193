//! Signs of a shell in the arguments of a program that is started without one.

use super::argv::Argv;
use super::programs;
use super::table::Sink;
use crate::check::Typed;
use crate::diagnostic::Diagnostics;
use crate::diagnostic::no_shell::{self as report, Sign};
use crate::source::FileSpan;

/// Programs to which such signs are arguments like any other.
const READ_SIGNS: [&str; 7] = ["test", "[", "expr", "tr", "find", "fd", "parallel"];

/// More signs than these are one finding.
const MANY: usize = 8;

/// A sign and where it stands.
struct Found<'a> {
    sign: Sign<'a>,
    at: usize,
    span: FileSpan,
}

/// Reports the signs of a command: pipes and redirections are one finding, for one script mends all; a substitution or
/// a pattern alone is told with its own mend.
pub fn check(argv: &Argv<'_>, sinks: &[Sink], diagnostics: &mut Diagnostics) {
    let (command, texts, program) = (argv.command, argv.texts(), argv.program);
    if !texts
        .iter()
        .flatten()
        .any(|text| text.contains(['|', '&', ';', '<', '>', '`', '*']) || text.contains("$("))
    {
        return;
    }
    let name = argv.name(program);
    if name.is_empty() || !programs::interpreter(&name).is_empty() && name != "jq" && !name.contains("awk") {
        return;
    }
    let mut found: Vec<Found<'_>> = Vec::new();
    for (at, argument) in command.iter().enumerate().skip(program + 1) {
        let script = sinks.get(at) == Some(&Sink::Script);
        if let Some(text) = texts.get(at).copied().flatten().filter(|_| !script)
            && let Some(sign) = sign(&texts, sinks, at, text, &name)
        {
            found.push(Found { sign, at, span: argument.span });
        }
    }
    let control = found.iter().position(|found| matches!(found.sign, Sign::Control(_)));
    // Each mend writes the whole command: for many signs one has to do.
    let control = control.or((found.len() > MANY).then_some(0));
    let Some(control) = control else {
        for Found { sign, span, at } in &found {
            let shell = script(command, &texts, &[*at]);
            diagnostics.push(report::report(*span, *sign, &name, shell, command));
        }
        return;
    };
    let signs: Vec<usize> = found.iter().map(|found| found.at).collect();
    let shell = script(command, &texts, &signs);
    if let Some(first) = found.get(control) {
        let finding = report::report(first.span, first.sign, &name, shell, command);
        let others = found.iter().enumerate().filter(|(at, _)| *at != control);
        diagnostics.push(others.fold(finding, |finding, (_, other)| finding.label(other.span, "this too")));
    }
}

/// The sign an argument is, if it is one.
fn sign<'t>(
    texts: &[Option<&'t str>],
    sinks: &[Sink],
    at: usize,
    text: &'t str,
    program: &str,
) -> Option<Sign<'t>> {
    let before = at.checked_sub(1).and_then(|before| texts.get(before).copied().flatten()).unwrap_or("");
    let behind_option = before.starts_with('-');
    let last = at + 1 == texts.len();
    let plain = !behind_option && !READ_SIGNS.contains(&program);
    match text {
        "|" | "||" | "&&" | ";" | "|&" if plain && !last => return Some(Sign::Control(text)),
        "&" if plain && last => return Some(Sign::Control(text)),
        ">" | ">>" | "<" | "<<" | "<<<" if plain && !last => return Some(Sign::Control(text)),
        _ if plain && is_redirection(text) => return Some(Sign::Control(text)),
        _ => {}
    }
    if let Some(inner) = substitution(text) {
        return Some(Sign::Substitution(text, inner));
    }
    // git reads patterns of files by itself.
    let file = sinks.get(at) == Some(&Sink::FileArgument) && program != "git";
    (file && is_pattern(text)).then_some(Sign::Pattern(text))
}

/// `2>&1`, `2>/dev/null`, `>out.txt`: a redirection in one word. `>=1.2` and `<b>` are none.
fn is_redirection(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    let Some(target) = rest.strip_prefix(">>").or_else(|| rest.strip_prefix('>')) else { return false };
    if let Some(descriptor) = target.strip_prefix('&') {
        return !descriptor.is_empty()
            && descriptor.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    }
    let name = target.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte));
    name && (target.starts_with('/')
        || (target.contains('.') && target.contains(|c: char| c.is_ascii_alphabetic())))
}

/// The command inside `$(…)` or back-ticks.
fn substitution(text: &str) -> Option<&str> {
    if let Some((_, rest)) = text.split_once("$(") {
        let inner = rest.split_once(')')?.0;
        return inner.starts_with(|c: char| c.is_ascii_lowercase()).then_some(inner);
    }
    let inner = text.strip_prefix('`')?.strip_suffix('`')?;
    let command = inner.starts_with(|c: char| c.is_ascii_lowercase()) && !inner.contains('`');
    command.then_some(inner)
}

/// Whether a file argument is a pattern that a shell would replace by the names it fits. `.*` is a regular expression's.
fn is_pattern(text: &str) -> bool {
    text.contains('*') && !text.contains(".*") && !text.contains(['\\', '(', '^', '$', '|', ' '])
}

/// The command as a script of `sh`: signs stay as they are, other words are quoted, and what has an expression becomes
/// an argument of its own. `signs` are places in ascending order: a command may have tens of thousands.
fn script<'a>(command: &'a [Typed], texts: &[Option<&str>], signs: &[usize]) -> report::Script<'a> {
    let mut words = Vec::new();
    let mut arguments = Vec::new();
    for (at, argument) in command.iter().enumerate() {
        match texts.get(at).copied().flatten() {
            Some(text) if signs.binary_search(&at).is_ok() => words.push(text.to_owned()),
            Some(text) => words.push(quoted(text)),
            None => {
                arguments.push(argument);
                words.push(format!("\"${}\"", arguments.len()));
            }
        }
    }
    report::Script { text: words.join(" "), arguments }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%~".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirections_in_one_word() {
        for yes in ["2>&1", "2>/dev/null", ">out.txt", ">>log/x.log", "&>/dev/null", "1>&2", ">/tmp/x"] {
            assert!(is_redirection(yes), "{yes}");
        }
        for no in [">=1.2", "<b>", ">", "a>b", "->x.y", "2>1", ">5", "=>", ">1.5"] {
            assert!(!is_redirection(no), "{no}");
        }
    }

    #[test]
    fn substitutions_and_patterns() {
        assert_eq!(substitution("$(pwd)/x"), Some("pwd"));
        assert_eq!(substitution("`date`"), Some("date"));
        for no in ["answer in `json`", "$()", "^a$(B)", "`A`", "a`b`c", "$(x"] {
            assert_eq!(substitution(no), None, "{no}");
        }
        assert!(is_pattern("*.md") && is_pattern("src/**/*.rs"));
        for no in [".*\\.md", "a.*b", "a|b*", "^*"] {
            assert!(!is_pattern(no), "{no}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a-b"), "a-b");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
