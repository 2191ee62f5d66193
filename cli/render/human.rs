//! Diagnostics for people: what is wrong, the lines it is about, what to write instead.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::source::{FileId, FileSpan, Sources};
use miette::{GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};

use super::Masked;
use super::excerpt::{Excerpt, Mark, excerpts};

/// Context lines asked of an excerpt: all it has.
const ALL: usize = 1_000;

/// All findings, one after the other with an empty line between; empty without findings. What stands at the `masked`
/// places is shown nowhere.
pub fn human(sources: &Sources, masked: &[FileSpan], diagnostics: &[&Diagnostic], colour: bool) -> String {
    let styles = if colour { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    let renderer = Renderer {
        sources,
        masked: Masked::new(sources, masked),
        colour,
        handler: GraphicalReportHandler::new_themed(theme).with_context_lines(ALL).with_links(false),
    };
    diagnostics.iter().map(|finding| renderer.finding(finding)).collect::<Vec<_>>().join("\n")
}

struct Renderer<'a> {
    sources: &'a Sources,
    masked: Masked<'a>,
    colour: bool,
    handler: GraphicalReportHandler,
}

impl Renderer<'_> {
    fn finding(&self, finding: &Diagnostic) -> String {
        let word = format!("{}[{}]", finding.severity.as_str(), finding.lint.id);
        let style = match finding.severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Info => "1;36",
        };
        let mut text =
            format!("{}: {}\n", self.styled(&word, style), self.styled(&self.shown(&finding.message), "1"));
        for excerpt in self.excerpts(finding) {
            text.push_str(&self.excerpt(&excerpt));
        }
        // Writing to a string cannot fail.
        for help in &finding.help {
            let _ = writeln!(text, "  {}: {}", self.styled("help", "36"), self.shown(help));
        }
        let _ = writeln!(text, "  for more: kontext explain {}", finding.lint.id);
        text
    }

    /// The excerpts of a finding: the file it is about first, the others by name.
    fn excerpts(&self, finding: &Diagnostic) -> Vec<Excerpt<'_>> {
        let primary = Mark {
            at: finding.primary.range(),
            words: finding.note.as_deref().map(|note| self.shown(note)),
            primary: true,
        };
        let mut by_file: BTreeMap<(bool, &str, FileId), Vec<Mark>> = BTreeMap::new();
        let key =
            |file: FileId| (file != finding.primary.file, self.sources.file(file).display.as_str(), file);
        by_file.insert(key(finding.primary.file), vec![primary]);
        for label in &finding.labels {
            let mark =
                Mark { at: label.span.range(), words: Some(self.shown(&label.message)), primary: false };
            by_file.entry(key(label.span.file)).or_default().push(mark);
        }
        by_file
            .into_iter()
            .flat_map(|((_, _, id), marks)| excerpts(self.sources.file(id), marks, &self.masked.in_file(id)))
            .collect()
    }

    /// The excerpt without the line miette has for a message.
    fn excerpt(&self, excerpt: &Excerpt<'_>) -> String {
        let mut text = String::new();
        if self.handler.render_report(&mut text, excerpt).is_err() {
            return String::new();
        }
        text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned())
    }

    /// Words without secrets, and without characters that would act on a terminal.
    fn shown(&self, text: &str) -> String {
        plain(&self.masked.text(text))
    }

    fn styled(&self, text: &str, style: &str) -> String {
        if self.colour { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Words without characters that would act on a terminal.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}
