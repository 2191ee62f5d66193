//! The one table of information flow: which source may reach which sink.

use crate::diagnostic::Lint;
use crate::diagnostic::lint::{
    CALLER_CONTROLS_HOST, CALLER_CONTROLS_PATH, CALLER_CONTROLS_PROGRAM, JSON_IN_STRING, OPTION_INJECTION,
    SECRET_IN_ARGV, SECRET_IN_OUTPUT, SECRET_IN_URL, SHELL_INJECTION,
};

/// Where a value comes from. Filters and longer texts keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// An input: whoever calls the op, or the note of an event.
    Caller,
    /// A secret variable of the environment.
    Secret,
    /// A fact about the repository: the text of a foreign checkout. It may name hosts and directories that the user
    /// wrote it into.
    Repository,
    /// Where the repository is on this machine.
    Root,
    /// Another fact: an open variable of the environment, the clock, the adapter's name.
    Fact,
    /// A field of a result item: the text of another system.
    Upstream,
}

impl Source {
    /// Every source.
    pub const ALL: [Source; 6] =
        [Source::Caller, Source::Secret, Source::Repository, Source::Root, Source::Fact, Source::Upstream];
}

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sink {
    /// The program of a command.
    Program,
    /// The working directory of a command.
    Directory,
    /// The name of an MCP tool.
    Tool,
    /// An environment entry that decides what code is loaded (`PATH`, `LD_PRELOAD`, `NODE_OPTIONS`).
    Loader,
    /// Another environment entry.
    Environment,
    /// A script that a shell or an interpreter runs.
    Script,
    /// An argument of its own where a program still reads options.
    OptionPlace,
    /// An argument that a program opens as a file.
    FileArgument,
    /// Any other argument.
    Argument,
    /// Standard input.
    Stdin,
    /// Scheme, host and port of a URL.
    Host,
    /// A path segment of a URL.
    UrlPath,
    /// A query value.
    Query,
    /// A header.
    Header,
    /// A value of a JSON body or of MCP arguments.
    Json,
    /// The inside of a string body that looks like JSON.
    JsonText,
    /// Another string body.
    TextBody,
    /// A field of a hit.
    Result,
}

/// Every source, in the order of the docs.
pub const SOURCES: [Source; 6] =
    [Source::Caller, Source::Upstream, Source::Repository, Source::Root, Source::Secret, Source::Fact];

/// Every sink, in the order of the docs.
pub const SINKS: [Sink; 18] = [
    Sink::Program,
    Sink::Directory,
    Sink::Tool,
    Sink::Loader,
    Sink::Environment,
    Sink::Script,
    Sink::OptionPlace,
    Sink::FileArgument,
    Sink::Argument,
    Sink::Stdin,
    Sink::Host,
    Sink::UrlPath,
    Sink::Query,
    Sink::Header,
    Sink::Json,
    Sink::JsonText,
    Sink::TextBody,
    Sink::Result,
];

/// What is said when a source reaches a sink; nothing where it is fine. A literal may go anywhere.
#[must_use]
pub fn verdict(source: Source, sink: Sink) -> Option<&'static Lint> {
    match (source, sink) {
        (_, Sink::JsonText) => Some(&JSON_IN_STRING),
        (Source::Caller | Source::Upstream, Sink::Program | Sink::Directory | Sink::Tool | Sink::Loader)
        | (Source::Repository, Sink::Program | Sink::Tool | Sink::Loader) => Some(&CALLER_CONTROLS_PROGRAM),
        (Source::Caller | Source::Repository | Source::Root | Source::Upstream, Sink::Script) => {
            Some(&SHELL_INJECTION)
        }
        (Source::Caller | Source::Repository | Source::Upstream, Sink::OptionPlace) => {
            Some(&OPTION_INJECTION)
        }
        (Source::Caller | Source::Upstream, Sink::FileArgument) => Some(&CALLER_CONTROLS_PATH),
        (Source::Caller | Source::Upstream, Sink::Host) => Some(&CALLER_CONTROLS_HOST),
        (
            Source::Secret,
            Sink::Program | Sink::Script | Sink::OptionPlace | Sink::FileArgument | Sink::Argument,
        ) => Some(&SECRET_IN_ARGV),
        (Source::Secret, Sink::Host | Sink::UrlPath | Sink::Query) => Some(&SECRET_IN_URL),
        (Source::Secret, Sink::Result) => Some(&SECRET_IN_OUTPUT),
        _ => None,
    }
}

/// The table as Markdown, for the docs.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| value goes to |");
    for source in SOURCES {
        text.push_str(&format!(" {} |", source.name()));
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(SOURCES.len()));
    text.push('\n');
    for sink in SINKS {
        text.push_str(&format!("| {} |", sink.name()));
        for source in SOURCES {
            let cell = verdict(source, sink)
                .map_or_else(|| "–".to_owned(), |lint| format!("{} `{}`", lint.severity.as_str(), lint.id));
            text.push_str(&format!(" {cell} |"));
        }
        text.push('\n');
    }
    text
}

impl Source {
    /// What messages and docs call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Caller => "the caller's text",
            Source::Secret => "a secret",
            Source::Repository => "the repository's text",
            Source::Root => "the repository's path",
            Source::Fact => "another fact",
            Source::Upstream => "another system's text",
        }
    }
}

impl Sink {
    /// What messages and docs call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Sink::Program => "the program of a command",
            Sink::Directory => "a working directory",
            Sink::Tool => "an MCP tool's name",
            Sink::Loader => "an environment entry that decides what code runs",
            Sink::Environment => "another environment entry",
            Sink::Script => "a script argument",
            Sink::OptionPlace => "an argument where options are still read",
            Sink::FileArgument => "a file argument",
            Sink::Argument => "another argument",
            Sink::Stdin => "standard input",
            Sink::Host => "scheme, host or port of a URL",
            Sink::UrlPath => "a path segment of a URL",
            Sink::Query => "a query value",
            Sink::Header => "a header",
            Sink::Json => "a JSON value",
            Sink::JsonText => "text inside a JSON string body",
            Sink::TextBody => "another string body",
            Sink::Result => "a field of a hit",
        }
    }
}
