//! `kontext demo`: the whole path on a built-in sample. Every step is a command line that goes through the same
//! parser and the same functions as one that was typed.

pub mod program;
mod sample;
mod service;

use std::path::Path;

use clap::{Args, Parser};
use kontext_host::Env;

use super::{Context, Failure, OK, Outcome, dispatch};
use crate::args::{Cli, Color, Globals};
use crate::output;

/// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(
    after_help = "The sample lives in a temporary directory that is removed at the end. Nothing outside it is read or
written, and nothing beyond this machine is contacted."
)]
pub struct DemoArgs {}

/// A command line of the demo and what it shows.
struct Step {
    title: &'static str,
    words: &'static [&'static str],
    status: u8,
}

/// Before the mistakes are mended.
const BROKEN: Step = Step {
    title: "A configuration with mistakes. All are found at once, each at its own place, before anything runs:",
    words: &["check"],
    status: 1,
};

/// After.
const FIXED: &[Step] = &[
    Step { title: "The same configuration, mended:", words: &["check"], status: 0 },
    Step { title: "Compiled: the plan is all that `run` reads.", words: &["build"], status: 0 },
    Step { title: "What the plan could do, said before it does it:", words: &["plan", "show"], status: 0 },
    Step { title: "One question to both systems at once:", words: &["run", "search", "rollback"], status: 0 },
    Step {
        title: "One of the results in full, from the adapter that owns its address:",
        words: &["run", "read", "notes://rollback-drill", "--text"],
        status: 0,
    },
    Step {
        title: "Which notes an agent that works in `docs` gets, and which line says so:",
        words: &["scope", "docs"],
        status: 0,
    },
];

/// Shows every step.
///
/// # Errors
/// When the sample cannot be written, or a step does not end as it should.
pub fn run(context: &Context, _args: &DemoArgs) -> Outcome {
    let sample = sample::Sample::create()?;
    let address = service::start()
        .map_err(|error| Failure::refused(format!("no local port can be opened: {error}")))?;
    let demo = Context {
        globals: globals(context, sample.repository()),
        env: environment(context, &sample, &address)?,
        json: false,
    };
    output::data(&format!(
        "A sample repository with {}, and an HTTP service on {address}.\nThe adapters are in `{}`, the layer of \
         this clone alone; adapters in a file that is shared would wait for your trust.\n",
        "two pages of documentation, notes for agents",
        sample::CONFIG,
    ))?;
    sample.configure(sample::BROKEN)?;
    step(&demo, 1, &BROKEN)?;
    sample.configure(sample::FIXED)?;
    for (number, one) in (2..).zip(FIXED) {
        step(&demo, number, one)?;
    }
    output::data(
        "\nThat was all of it; nothing is left behind. Next: `kontext init` in a repository of yours.\n",
    )?;
    Ok(OK)
}

fn step(context: &Context, number: usize, step: &Step) -> Result<(), Failure> {
    let (bold, plain) = if context.colour_stdout() { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
    output::data(&format!(
        "\n{bold}{number}. {}{plain}\n$ kontext {}\n\n",
        step.title,
        step.words.join(" ")
    ))?;
    let words = std::iter::once("kontext").chain(step.words.iter().copied());
    let cli = Cli::try_parse_from(words).map_err(|error| Failure::refused(error.to_string()))?;
    let status = dispatch(context, cli.command)?;
    if status == step.status {
        return Ok(());
    }
    Err(Failure::failed(format!("step {number} of the demo ended with status {status}, not {}", step.status)))
}

fn globals(context: &Context, repository: &Path) -> Globals {
    let color = context.globals.color;
    let color = if context.globals.quiet { Color::Never } else { color };
    Globals { directory: Some(repository.to_owned()), color, ..Globals::default() }
}

/// The user's environment without kontext's own variables, so that no layer and no setting of theirs takes part.
fn environment(context: &Context, sample: &sample::Sample, address: &str) -> Result<Env, Failure> {
    let program =
        std::env::current_exe().map_err(|e| Failure::refused(format!("kontext cannot find itself: {e}")))?;
    let own = [
        ("KONTEXT_CONFIG_DIR", sample.config_dir().display().to_string()),
        ("DEMO_NOTES_URL", format!("http://{address}")),
        ("DEMO_SEARCH_PATH", program.display().to_string()),
    ];
    let inherited =
        context.env.iter().filter(|(name, _)| !name.starts_with("KONTEXT_") && !name.starts_with("DEMO_"));
    let inherited = inherited.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok(Env::from_pairs(inherited.chain(own.map(|(name, value)| (name.to_owned(), value)))))
}
