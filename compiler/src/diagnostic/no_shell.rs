//! The words of `no-shell`: signs that only a shell reads, in a command that none reads.

use super::fields::written;
use super::{Diagnostic, Edit, Fix, lint};
use crate::check::Typed;
use crate::check::typed::Piece;
use crate::source::FileSpan;

/// A sign of a shell.
#[derive(Debug, Clone, Copy)]
pub enum Sign<'a> {
    /// A pipe, a list of commands, a redirection.
    Control(&'a str),
    /// `$(command)`, and the command.
    Substitution(&'a str, &'a str),
    /// A pattern of file names.
    Pattern(&'a str),
}

/// The command as a script.
#[derive(Debug)]
pub struct Script<'a> {
    /// The script, in which `"$1"` and so on stand for the arguments.
    pub text: String,
    /// The arguments that have expressions.
    pub arguments: Vec<&'a Typed>,
}

/// A sign in the arguments of a program.
#[must_use]
pub fn report(
    at: FileSpan,
    sign: Sign<'_>,
    program: &str,
    script: Script<'_>,
    command: &[Typed],
) -> Diagnostic {
    let (shown, message) = match sign {
        Sign::Control(text) => {
            (text, format!("`{program}` gets `{text}` as an argument: no shell reads this"))
        }
        Sign::Substitution(text, inner) => {
            (text, format!("`{program}` gets `{text}` as it is: no shell runs `{inner}`"))
        }
        Sign::Pattern(text) => {
            (text, format!("`{program}` looks for a file named `{text}`: no shell reads this as a pattern"))
        }
    };
    let finding = Diagnostic::new(&lint::NO_SHELL, at, message);
    match sign {
        Sign::Substitution(text, inner) if fact(inner).is_some() => {
            let mended = replaced(text, fact(inner).unwrap_or_default());
            finding
                .help(format!("write `{mended}`"))
                .fix(format!("write `{mended}`"), false, at, written::string(&mended))
        }
        Sign::Pattern(_) if matches!(program, "rg" | "ripgrep") => {
            finding.help(format!("let `{program}` choose the files: `\"-g\", {}`", written::string(shown)))
        }
        Sign::Pattern(_) if matches!(program, "grep" | "egrep" | "fgrep") && !shown.contains('/') => finding
            .help(format!(
                "let `{program}` choose the files: `\"-r\", {}, …, \".\"`",
                written::string(&format!("--include={shown}"))
            )),
        Sign::Control(text) if is_about_errors(text) => finding.help(
            "leave it out: the answer is what the program prints on standard output, and what it prints on standard error is shown when a call fails",
        ),
        _ => with_script(finding, script, command),
    }
}

/// `2>&1` and its kin.
fn is_about_errors(text: &str) -> bool {
    text.starts_with("2>") || text.starts_with("&>") || text == "1>&2"
}

/// What kontext knows without running a command.
fn fact(command: &str) -> Option<&'static str> {
    let words: Vec<&str> = command.split_whitespace().collect();
    Some(match words.as_slice() {
        ["pwd"] | ["git", "rev-parse", "--show-toplevel"] => "{{repo.root}}",
        ["date", "+%F" | "+%Y-%m-%d" | "-I"] | ["date"] => "{{now.date}}",
        ["git", "branch", "--show-current"] | ["git", "rev-parse", "--abbrev-ref", "HEAD"] => {
            "{{repo.branch}}"
        }
        ["whoami"] => "{{env.USER}}",
        ["basename", "$PWD" | "\"$PWD\""] => "{{repo.dir}}",
        _ => return None,
    })
}

/// A text with its substitution replaced.
fn replaced(text: &str, by: &str) -> String {
    let Some((before, rest)) = text.split_once("$(") else { return by.to_owned() };
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    format!("{before}{by}{after}")
}

/// The command line that starts a shell for it.
fn with_script(finding: Diagnostic, script: Script<'_>, command: &[Typed]) -> Diagnostic {
    let Script { text, arguments } = script;
    let mut shown = vec!["\"sh\"".to_owned(), "\"-c\"".to_owned(), written::string(&text)];
    let how = if arguments.is_empty() {
        "start a shell"
    } else {
        shown.push("\"sh\"".to_owned());
        shown.extend(arguments.iter().map(|argument| written::string(&as_template(argument))));
        "start a shell, and hand values to it as arguments"
    };
    let finding = finding.help(format!("{how}: `[{}]`", shown.join(", ")));
    fix(finding, &text, &arguments, command)
}

/// An argument as it is written, filters left out.
fn as_template(argument: &Typed) -> String {
    let pieces = argument.pieces.iter().map(|piece| match piece {
        Piece::Text { text, .. } => text.clone(),
        Piece::Expr(expr) if expr.filters.is_empty() => format!("{{{{{}}}}}", expr.from.shown()),
        Piece::Expr(expr) => format!("{{{{{}|…}}}}", expr.from.shown()),
    });
    pieces.collect()
}

/// The edits: everything before the first expression becomes the script; expressions stay where they are, behind it.
fn fix(mut finding: Diagnostic, script: &str, arguments: &[&Typed], command: &[Typed]) -> Diagnostic {
    let (Some(first), Some(last)) = (command.first(), command.last()) else { return finding };
    let start = format!("\"sh\", \"-c\", {}", written::string(script));
    let whole = |from: usize, to: usize| FileSpan::new(first.span.file, from..to);
    let mut edits = Vec::new();
    let mut from = first.span.start;
    for (at, argument) in arguments.iter().enumerate() {
        let text = if at == 0 { format!("{start}, \"sh\", ") } else { ", ".to_owned() };
        edits.push(Edit { span: whole(from, argument.span.start), text });
        from = argument.span.end;
    }
    let text = if arguments.is_empty() { start } else { String::new() };
    edits.push(Edit { span: whole(from, last.span.end), text });
    edits.retain(|edit| edit.span.start != edit.span.end || !edit.text.is_empty());
    finding.fixes.push(Fix { title: "start a shell".to_owned(), safe: false, edits });
    finding
}
