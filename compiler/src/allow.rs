//! `# kontext: allow(id)`: comments that silence a warning where it is meant, and are told of when they silence none.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::diagnostic::{Diagnostics, Severity, allow as report, lint};
use crate::source::{FileId, FileSpan, Sources};
use crate::suggest;

/// What every such comment holds; a text without it is not looked at.
const MARK: &str = "kontext:";

/// Words people write for `allow`.
const OTHER_WORDS: [&str; 5] = ["ignore", "disable", "expect", "silence", "noqa"];

/// Takes out the warnings and notes that comments allow, and adds what is wrong with the comments. In a `broken`
/// configuration findings may be missing, so that a comment that silences none is nobody's mistake.
pub fn allow(sources: &Sources, broken: bool, diagnostics: &mut Diagnostics) {
    let mut allowed = Allowed::default();
    for (id, file) in sources.files().filter(|(_, file)| !file.is_lock() && file.text.contains(MARK)) {
        let comments = Comments::read(&file.text);
        for comment in &comments.list {
            allowed.comment(id, &file.text, comment, diagnostics);
        }
        allowed.files.insert(id, comments);
    }
    if allowed.ids.is_empty() {
        return;
    }
    diagnostics.retain(|found| !allowed.silences(found.lint.id, found.severity, found.primary));
    let mut about = allowed.reports(broken, |id| id != lint::UNUSED_ALLOW.id);
    about.retain(|found| !allowed.silences(found.lint.id, found.severity, found.primary));
    diagnostics.append(about);
    diagnostics.append(allowed.reports(broken, |id| id == lint::UNUSED_ALLOW.id));
}

/// Every id that some comment allows.
#[derive(Default)]
struct Allowed {
    files: BTreeMap<FileId, Comments>,
    ids: Vec<Allowance>,
    /// Which ids are allowed on a line.
    by_line: BTreeMap<(FileId, usize), Vec<usize>>,
}

/// One id of a comment.
struct Allowance {
    id: String,
    at: FileSpan,
    silenced: bool,
    /// An error stands where a warning was to be silenced.
    error: bool,
}

impl Allowed {
    /// Reads what a comment allows.
    fn comment(&mut self, file: FileId, text: &str, comment: &Comment, diagnostics: &mut Diagnostics) {
        let written = text.get(comment.range.clone()).unwrap_or("");
        let span = |range: Range<usize>| {
            FileSpan::new(file, comment.range.start + range.start..comment.range.start + range.end)
        };
        for directive in directives(written) {
            match directive {
                Directive::Other(word) => {
                    let shown = written.get(word.clone()).unwrap_or("");
                    diagnostics.push(report::report_other_word(span(word.clone()), shown));
                }
                Directive::NoId(at) => diagnostics.push(report::report_no_id(span(at))),
                Directive::Id(at) => {
                    let id = written.get(at.clone()).unwrap_or("").to_owned();
                    for line in [comment.line, comment.target] {
                        let on_line = self.by_line.entry((file, line)).or_default();
                        if on_line.last() != Some(&self.ids.len()) {
                            on_line.push(self.ids.len());
                        }
                    }
                    self.ids.push(Allowance { id, at: span(at), silenced: false, error: false });
                }
            }
        }
    }

    /// Whether a finding is allowed; remembers which comments did it.
    fn silences(&mut self, id: &str, severity: Severity, primary: FileSpan) -> bool {
        let Some(comments) = self.files.get(&primary.file) else { return false };
        let mut silenced = false;
        for line in comments.lines_of(primary.start) {
            for at in self.by_line.get(&(primary.file, line)).into_iter().flatten() {
                let Some(allowance) = self.ids.get_mut(*at).filter(|allowance| allowance.id == id) else {
                    continue;
                };
                if severity == Severity::Error {
                    allowance.error = true;
                } else {
                    allowance.silenced = true;
                    silenced = true;
                }
            }
        }
        silenced
    }

    /// What is wrong with the ids that silenced nothing.
    fn reports(&self, broken: bool, about: impl Fn(&str) -> bool) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        for Allowance { id, at, silenced, error } in &self.ids {
            if *silenced || !about(id) {
                continue;
            }
            if lint::find(id).is_none() {
                let near = suggest::nearest(id, lint::ALL.iter().map(|lint| lint.id));
                diagnostics.push(report::report_unknown_id(*at, id, near));
            } else if *error {
                diagnostics.push(report::report_error(*at, id));
            } else if !broken {
                diagnostics.push(report::report_silences_nothing(*at, id));
            }
        }
        diagnostics
    }
}

/// A comment, and the line it is about: its own, or the one below when nothing else stands on its own.
struct Comment {
    range: Range<usize>,
    line: usize,
    target: usize,
}

/// The comments of a text that mention kontext, and what is needed to say which lines a finding is on.
#[derive(Default)]
struct Comments {
    list: Vec<Comment>,
    line_starts: Vec<usize>,
    /// Strings of several lines.
    strings: Vec<Range<usize>>,
}

impl Comments {
    fn read(text: &str) -> Comments {
        let mut found = Comments { line_starts: vec![0], ..Comments::default() };
        // Comments that stand alone and wait for the line they are about.
        let mut waiting = 0;
        let (mut code, mut comment) = (false, false);
        for token in Source::new(text).lex() {
            let range = token.span().start()..token.span().end();
            let line = found.line_starts.len();
            match token.kind() {
                TokenKind::Whitespace | TokenKind::Eof => {}
                TokenKind::Comment => {
                    comment = true;
                    if text.get(range.clone()).is_some_and(|written| written.contains(MARK)) {
                        let target = if code { line } else { line + 1 };
                        waiting += usize::from(!code);
                        found.list.push(Comment { range: range.clone(), line, target });
                    }
                }
                TokenKind::Newline => {
                    if !code && !comment {
                        waiting = 0;
                    }
                    (code, comment) = (false, false);
                }
                kind => {
                    if !code {
                        found.list.iter_mut().rev().take(waiting).for_each(|comment| comment.target = line);
                        waiting = 0;
                    }
                    code = true;
                    if matches!(kind, TokenKind::MlBasicString | TokenKind::MlLiteralString) {
                        found.strings.push(range.clone());
                    }
                }
            }
            let breaks = text.get(range.clone()).unwrap_or("").match_indices('\n');
            found.line_starts.extend(breaks.map(|(at, _)| range.start + at + 1));
        }
        found
    }

    fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }

    /// The lines on which a comment is about a place: its own; in a string of several lines, in which no comment can
    /// stand, also the string's first and last.
    fn lines_of(&self, at: usize) -> Vec<usize> {
        let mut lines = vec![self.line(at)];
        let next = self.strings.partition_point(|string| string.end <= at);
        if let Some(string) = self.strings.get(next).filter(|string| string.start <= at) {
            lines.extend([self.line(string.start), self.line(string.end)]);
            lines.sort_unstable();
            lines.dedup();
        }
        lines
    }
}

/// A part of a comment that speaks to kontext; ranges are of the comment.
enum Directive {
    /// An id to be allowed.
    Id(Range<usize>),
    /// `allow` without an id.
    NoId(Range<usize>),
    /// Another word than `allow`.
    Other(Range<usize>),
}

/// What stands behind every `# kontext:` of a comment. Anything may follow the closing parenthesis.
fn directives(comment: &str) -> Vec<Directive> {
    let mut found = Vec::new();
    for (mark, _) in comment.match_indices(MARK) {
        if !comment.get(..mark).is_some_and(|before| before.trim_end().ends_with('#')) {
            continue;
        }
        let word = skip(comment, mark + MARK.len(), char::is_whitespace);
        let end = skip(comment, word, |c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let open = skip(comment, end, char::is_whitespace);
        let listed = comment.get(open..).is_some_and(|rest| rest.starts_with('('));
        match comment.get(word..end).unwrap_or("") {
            "allow" if listed => ids(comment, word, open + 1, &mut found),
            "allow" if names_id(comment.get(open..).unwrap_or("")) => found.push(Directive::NoId(word..end)),
            other if listed && is_meant(other) => found.push(Directive::Other(word..end)),
            _ => {}
        }
    }
    found
}

/// The ids of a list that begins at `open`, and of `allow` itself where it holds none.
fn ids(comment: &str, word: usize, open: usize, found: &mut Vec<Directive>) {
    let rest = comment.get(open..).unwrap_or("");
    let list = rest.split(')').next().unwrap_or("");
    let (mut at, before) = (open, found.len());
    for item in list.split(',') {
        let start = at + (item.len() - item.trim_start().len());
        if !item.trim().is_empty() {
            found.push(Directive::Id(start..start + item.trim().len()));
        }
        at += item.len() + 1;
    }
    if found.len() == before {
        found.push(Directive::NoId(word..(open + list.len() + 1).min(comment.len())));
    }
}

/// Whether `allow` was written without its parentheses: an id follows, or nothing.
fn names_id(rest: &str) -> bool {
    let word = rest.split([',', ' ', '\t']).next().unwrap_or("");
    word.is_empty() || lint::find(word).is_some()
}

fn is_meant(word: &str) -> bool {
    OTHER_WORDS.contains(&word) || suggest::nearest(word, ["allow"]).is_some()
}

fn skip(text: &str, from: usize, over: impl Fn(char) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or("");
    from + rest.find(|c| !over(c)).unwrap_or(rest.len())
}
