//! What each argument of a command is to the program that gets it: a script, a file, a place for options.

use std::collections::BTreeMap;

use crate::check::Typed;

use super::programs;
use super::table::Sink;

/// A command as far as it is known before running, read once for all that is asked of it.
pub struct Argv<'a> {
    /// The arguments, the program's own first.
    pub command: &'a [Typed],
    /// The text of each, or none where it has expressions.
    texts: Vec<Option<String>>,
    /// Where the program stands: behind `env`, `nice` and their like.
    pub program: usize,
}

impl<'a> Argv<'a> {
    /// Reads a command.
    #[must_use]
    pub fn of(command: &'a [Typed]) -> Argv<'a> {
        let texts: Vec<Option<String>> = command.iter().map(Typed::literal).collect();
        let program = programs::behind_wrappers(&borrowed(&texts));
        Argv { command, texts, program }
    }

    /// The text of each argument, or none where it has expressions.
    #[must_use]
    pub fn texts(&self) -> Vec<Option<&str>> {
        borrowed(&self.texts)
    }

    /// The name of the program at a position; empty when it is not known.
    #[must_use]
    pub fn name(&self, at: usize) -> String {
        self.texts.get(at).and_then(Option::as_deref).map(programs::base_name).unwrap_or_default()
    }

    /// The sink of every argument, and the programs that read them.
    #[must_use]
    pub fn sinks(&self) -> (Vec<Sink>, Readers) {
        let texts = self.texts();
        let mut sinks = vec![Sink::Argument; texts.len()];
        for at in [0, self.program] {
            if let Some(sink) = sinks.get_mut(at) {
                *sink = Sink::Program;
            }
        }
        plain_arguments(self.command, &texts, self.program, &mut sinks);
        let mut shells = BTreeMap::new();
        for (script, by) in scripts(&texts, self.program) {
            shells.entry(script).or_insert_with(|| self.name(by));
            if let Some(sink) = sinks.get_mut(script) {
                *sink = Sink::Script;
            }
        }
        positional_arguments(&texts, self.program, &mut sinks);
        (sinks, Readers { own: self.name(self.program), shells })
    }

    /// What standard input is to the program: its script, or data.
    #[must_use]
    pub fn stdin_sink(&self) -> Sink {
        let texts = self.texts();
        let arguments = texts.get(self.program + 1..).unwrap_or_default();
        if programs::reads_script(&self.name(self.program), arguments) { Sink::Script } else { Sink::Stdin }
    }
}

fn borrowed(texts: &[Option<String>]) -> Vec<Option<&str>> {
    texts.iter().map(Option::as_deref).collect()
}

/// The names of the programs that read the arguments of a command.
pub struct Readers {
    /// That of the command's own program.
    own: String,
    /// Those of shells, by the scripts they run.
    shells: BTreeMap<usize, String>,
}

impl Readers {
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
