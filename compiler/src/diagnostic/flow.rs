//! The words of the *flow* group.

use super::{Diagnostic, Lint, lint, scripts};
use crate::check::typed::Expr;
use crate::flow::table::{Sink, Source};
use crate::source::FileSpan;

/// A value that reaches a sink it must not, or should not, reach. `reader` is the program that reads it, when it is an
/// argument.
pub fn report(lint: &'static Lint, expr: &Expr, source: Source, sink: Sink, reader: &str) -> Diagnostic {
    let shown = expr.from.shown();
    let what = source.name();
    let (message, help) = match lint.id {
        "caller-controls-program" => program(&shown, what, sink),
        "caller-controls-host" => (
            format!("`{shown}` is {what} and decides which host is contacted"),
            "write the host as text, or take it from `env.…`; a `read` op may take its whole `url` from `{{uri}}` when every `owns` prefix fixes the host: `https://docs.example.com/`".to_owned(),
        ),
        "shell-injection" => (
            format!("`{shown}` is {what} inside a script: {}", scripts::danger(reader)),
            scripts::instead(reader, &shown),
        ),
        "option-injection" => (
            format!("`{shown}` is {what} where options are still read: one that begins with `-` is taken for an option"),
            scripts::end_of_options(reader, &shown),
        ),
        "caller-controls-path" => (
            format!("`{shown}` is {what} and names a file that the program opens"),
            format!("keep it inside a directory: `{{{{{shown}|within:docs}}}}`"),
        ),
        "secret-in-argv" => (
            format!("`{shown}` is a secret: everyone on the machine can read the arguments of a program"),
            format!("pass it through the environment: `env = {{ NAME = \"{{{{{shown}}}}}\" }}`"),
        ),
        "secret-in-url" => (
            format!("`{shown}` is a secret: URLs are written into logs on the way"),
            format!("send it as a header: `headers = {{ Authorization = \"Bearer {{{{{shown}}}}}\" }}`"),
        ),
        "secret-in-output" => (
            format!("`{shown}` is a secret and would be part of a result that agents read"),
            "take it out of `map`".to_owned(),
        ),
        _ => (
            format!("`{shown}` stands inside a JSON text: a quote or a line break in the value breaks the body"),
            format!("write the body as a table, `body = {{ … }}`, or `{{{{{shown}|json}}}}` without quotes around it"),
        ),
    };
    Diagnostic::new(lint, expr.span, message).help(help)
}

fn program(shown: &str, what: &str, sink: Sink) -> (String, String) {
    let decides = match sink {
        Sink::Program => "decides which program is started",
        Sink::Directory => "decides the directory a program works in",
        Sink::Tool => "decides which tool is called",
        _ => "decides what code a program loads",
    };
    let help = match sink {
        Sink::Program => "write the program as text and pass the value as an argument",
        Sink::Directory => "write the directory as text, or use `{{repo.root}}`",
        Sink::Tool => "write the tool's name as text, with one op for each tool",
        _ => "write the entry as text",
    };
    (format!("`{shown}` is {what} and {decides}"), help.to_owned())
}

/// A program that says "nothing found" with exit status 1, in an op that takes it for a failure.
pub fn report_exit_status(place: FileSpan, program: &str, when: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::EXIT_STATUS,
        place,
        format!("`{program}` exits with 1 {when}: the call fails then"),
    )
    .help("if that is no failure, write `ok_exit = [0, 1]`")
}

/// A token written into a file.
pub fn report_literal_secret(place: FileSpan, what: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::LITERAL_SECRET,
        place,
        format!("this looks like {what}: whoever reads the file has it"),
    )
    .help("keep it in the environment and write `{{env.NAME}}`; a token that was committed should be revoked")
}

/// Variables that the programs of some adapters do not get: one note for all of them.
pub fn report_env_withheld(
    (place, adapter): (FileSpan, &str),
    others: &[(FileSpan, &str)],
    missing: &[(&str, &str)],
    most: usize,
) -> Diagnostic {
    let mut names: Vec<String> =
        missing.iter().take(most).map(|(name, owner)| format!("`{name}` (named by `{owner}`)")).collect();
    if missing.len() > most {
        names.push("others".to_owned());
    }
    let whose = match others {
        [] => format!("programs of `{adapter}`"),
        [(_, other)] => format!("programs of `{adapter}` and `{other}`"),
        _ => format!("programs of `{adapter}` and {} other adapters", others.len()),
    };
    let example = missing.first().map_or("NAME", |(name, _)| name);
    let finding =
        Diagnostic::new(&lint::ENV_WITHHELD, place, format!("{whose} do not inherit {}", names.join(", ")))
            .help(format!("if they need one, pass it: `env = {{ {example} = \"{{{{env.{example}}}}}\" }}`"));
    others.iter().take(most).fold(finding, |finding, (place, _)| finding.label(*place, "this one too"))
}
