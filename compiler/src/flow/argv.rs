//! What each argument of a command is to the program that gets it: a script, a file, a place for options.

use std::collections::BTreeMap;

use crate::check::Typed;

use super::programs;
use super::table::Sink;

/// The sink of every argument, the program's own first. `command` holds what can be known before running: the text
/// of an argument, or none where it has expressions.
#[must_use]
pub fn sinks(command: &[Typed]) -> Vec<Sink> {
    let literals: Vec<Option<String>> = command.iter().map(Typed::literal).collect();
    let texts: Vec<Option<&str>> = literals.iter().map(Option::as_deref).collect();
    let mut sinks = vec![Sink::Argument; command.len()];
    if let Some(first) = sinks.first_mut() {
        *first = Sink::Program;
    }
    let at = programs::behind_wrappers(&texts);
    if let Some(wrapped) = sinks.get_mut(at) {
        *wrapped = Sink::Program;
    }
    plain_arguments(command, &texts, at, &mut sinks);
    for (script, _) in scripts(&texts, at) {
        if let Some(sink) = sinks.get_mut(script) {
            *sink = Sink::Script;
        }
    }
    positional_arguments(&texts, at, &mut sinks);
    sinks
}

/// What standard input is to the program: its script, or data.
#[must_use]
pub fn stdin_sink(command: &[Typed]) -> Sink {
    let literals: Vec<Option<String>> = command.iter().map(Typed::literal).collect();
    let texts: Vec<Option<&str>> = literals.iter().map(Option::as_deref).collect();
    let at = programs::behind_wrappers(&texts);
    let name = texts.get(at).copied().flatten().map(programs::base_name).unwrap_or_default();
    let arguments = texts.get(at + 1..).unwrap_or_default();
    if programs::reads_script(&name, arguments) { Sink::Script } else { Sink::Stdin }
}

/// The names of the programs that read the arguments of a command.
pub struct Readers {
    /// That of the command's own program.
    own: String,
    /// Those of shells, by the scripts they run.
    shells: BTreeMap<usize, String>,
}

impl Readers {
    /// The readers of a command, looked for once for all its arguments.
    #[must_use]
    pub fn of(command: &[Typed]) -> Readers {
        let literals: Vec<Option<String>> = command.iter().map(Typed::literal).collect();
        let texts: Vec<Option<&str>> = literals.iter().map(Option::as_deref).collect();
        let program = programs::behind_wrappers(&texts);
        let name = |at: usize| texts.get(at).copied().flatten().map(programs::base_name).unwrap_or_default();
        let mut shells = BTreeMap::new();
        for (script, by) in scripts(&texts, program) {
            shells.entry(script).or_insert_with(|| name(by));
        }
        Readers { own: name(program), shells }
    }

    /// The program that reads the argument at a position: the shell of a script, the command's own for any other.
    #[must_use]
    pub fn reader(&self, argument: usize) -> &str {
        self.shells.get(&argument).unwrap_or(&self.own)
    }
}

/// `--to-command=…`: an option that starts a program, with its value in the same argument.
fn starts_program_inline(program: &str, start: &str) -> bool {
    start.split_once('=').is_some_and(|(option, _)| programs::option_starts_program(program, option))
}

/// The positions of script arguments, each with that of the program that runs it: the program itself, or any shell
/// that stands among the arguments (`find -exec sh -c …`).
fn scripts(texts: &[Option<&str>], program: usize) -> Vec<(usize, usize)> {
    let mut scripts = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let Some(name) = text.map(programs::base_name) else { continue };
        if at == program || (at > program && programs::is_shell(&name)) {
            let rest = texts.get(at + 1..).unwrap_or_default();
            scripts.extend(programs::script_arguments(&name, rest).map(|script| (at + 1 + script, at)));
        }
    }
    scripts
}

/// What stands behind the one script of a shell or an interpreter is handed to the script as it is.
fn positional_arguments(texts: &[Option<&str>], program: usize, sinks: &mut [Sink]) {
    let name = texts.get(program).copied().flatten().map(programs::base_name).unwrap_or_default();
    if programs::hands_on_arguments(&name)
        && let Some(script) = sinks.iter().position(|sink| *sink == Sink::Script)
    {
        for sink in sinks.iter_mut().skip(script + 1).filter(|sink| **sink == Sink::OptionPlace) {
            *sink = Sink::Argument;
        }
    }
}

/// Arguments that are no script: files, places where options are still read, and the others.
fn plain_arguments(command: &[Typed], texts: &[Option<&str>], program: usize, sinks: &mut [Sink]) {
    let mut name = texts.get(program).copied().flatten().map(programs::base_name).unwrap_or_default();
    let mut files = programs::files_from(&name);
    let mut operands = 0;
    let mut options_end = false;
    let mut value_of_option = false;
    let mut named_value = false;
    for (at, argument) in command.iter().enumerate().skip(program + 1) {
        let text = texts.get(at).copied().flatten();
        let takes_value = std::mem::replace(&mut value_of_option, std::mem::take(&mut named_value));
        let option = text.filter(|text| !options_end && text.starts_with('-'));
        if let Some(option) = option.filter(|option| !takes_value || *option == "--") {
            options_end = option == "--";
            // A name, then its value.
            named_value = !options_end && programs::takes_name_and_value(&name, option);
            value_of_option = !options_end && (named_value || programs::takes_value(&name, option));
            continue;
        }
        let Some(sink) = sinks.get_mut(at) else { continue };
        if takes_value {
            let option = at.checked_sub(1).and_then(|before| texts.get(before).copied().flatten());
            if option.is_some_and(|option| programs::option_starts_program(&name, option)) {
                *sink = Sink::Program;
            }
            continue;
        }
        if starts_program_inline(&name, argument.literal_start()) {
            *sink = Sink::Program;
            continue;
        }
        if let Some(program) = programs::of_subcommand(&name, text) {
            program.clone_into(&mut name);
            files = programs::files_from(program);
            continue;
        }
        let alone = argument.single().is_some();
        if files.is_some_and(|first| operands >= first) {
            *sink = Sink::FileArgument;
        } else if alone && !options_end {
            *sink = Sink::OptionPlace;
        }
        operands += 1;
    }
}
