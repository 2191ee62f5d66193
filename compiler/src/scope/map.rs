//! The path map: the first of its three sources that holds an entry.

use kontext_grammar::Span;
use kontext_grammar::scope_map::ast::{Entry, Map, MapKind};
use kontext_grammar::scope_map::parse;
use kontext_notes::MapSection;
use kontext_notes::document::{Document, MAP_SECTIONS, Section};
use kontext_notes::path::{KeyLine, PathTable};

use super::Compiler;
use crate::diagnostic::scope as report;
use crate::source::{FileId, FileSpan};

/// A text with the lines of a map.
pub(super) struct Source<'a> {
    /// The text of the file or section.
    text: &'a str,
    /// The file it is in.
    file: FileId,
    /// Byte of the file at which the text begins.
    start: usize,
    /// Lines of the file before the text.
    before: usize,
    /// What people call it.
    shown: String,
    /// The file's name in answers.
    in_file: String,
    /// Where it begins.
    at: FileSpan,
    /// The section it is.
    section: Option<MapSection>,
}

impl<'a> Source<'a> {
    pub(super) fn file(file: FileId, text: &'a str, shown: &str) -> Source<'a> {
        let at = FileSpan::new(file, 0..text.find('\n').unwrap_or(text.len()));
        let (shown, in_file) = (format!("`{shown}`"), shown.to_owned());
        Source { text, file, start: 0, before: 0, shown, in_file, at, section: None }
    }

    fn section(file: FileId, section: &Section<'a>, in_file: &str) -> Source<'a> {
        Source {
            text: section.content(),
            file,
            start: section.content.start,
            before: section.content_line - 1,
            shown: format!("the section `{}` of `{in_file}`", section.id),
            in_file: in_file.to_owned(),
            at: super::hot::place(file, section.open),
            section: Some(MapSection { id: section.id.to_owned(), line: section.content_line }),
        }
    }

    /// A place in the text as one in its file.
    pub(super) fn place(&self, span: Span) -> FileSpan {
        FileSpan::new(self.file, self.start + span.start..self.start + span.end)
    }

    /// The number of a line of the text in its file.
    pub(super) fn line(&self, line: usize) -> usize {
        self.before + line
    }

    pub(super) fn parse(&self, kind: MapKind) -> Map {
        parse(self.text, kind)
    }
}

impl Compiler<'_> {
    /// Compiles the path map.
    pub(super) fn paths(&mut self, document: &Document<'_>) {
        let sources = self.sources;
        let mut all: Vec<Source> = Vec::new();
        if let Some(file) = self.files.map {
            all.push(Source::file(file, &sources.file(file).text, &self.files.map_file));
        }
        if let Some(file) = self.files.hot {
            let found = MAP_SECTIONS.iter().filter_map(|id| document.section(id));
            all.extend(found.map(|section| Source::section(file, section, &self.scopes.hot_file)));
        }
        let mut answers: Option<Source> = None;
        for source in all {
            let map = source.parse(MapKind::Path);
            match &answers {
                Some(first) if !map.entries.is_empty() => self.shadowed(first, &source, map.entries.len()),
                Some(_) => {}
                None => {
                    self.lines(&source, &map);
                    if !map.entries.is_empty() {
                        self.table(&source, &map.entries);
                        answers = Some(source);
                    }
                }
            }
        }
    }

    /// Reports the wrong lines of a map.
    pub(super) fn lines(&mut self, source: &Source<'_>, map: &Map) {
        for problem in &map.problems {
            let found = report::report_line(source.place(problem.span), problem);
            self.about_map(found, Some(source.line(problem.line)));
        }
    }

    fn shadowed(&mut self, first: &Source<'_>, later: &Source<'_>, entries: usize) {
        let found = report::report_shadowed(later.at, &first.shown, &later.shown, entries);
        let found = found.label(first.at, "this map answers");
        self.scopes.ignored_sources.push(format!("{} is ignored: {} has entries", later.shown, first.shown));
        self.diagnostics.push(found);
    }

    fn table(&mut self, source: &Source<'_>, entries: &[Entry]) {
        let line = |entry: &Entry| source.line(entry.line);
        let lines: Vec<KeyLine> = entries
            .iter()
            .map(|entry| KeyLine { key: &entry.key, scope: &entry.scope, line: line(entry) })
            .collect();
        let (table, problems) = PathTable::compile(&lines);
        self.scopes.map = table;
        self.scopes.map_file = Some(source.in_file.clone());
        self.scopes.map_section.clone_from(&source.section);
        for problem in problems {
            let (Some(later), Some(first)) = (entries.get(problem.line), entries.get(problem.first)) else {
                continue;
            };
            let at = source.place(later.key_span);
            let found = match problem.id {
                "scope-duplicate" => report::report_same_key(at, &later.key, &later.scope),
                _ => report::report_key_conflict(at, &later.key, &later.scope, &first.scope),
            };
            let found = found.label(source.place(first.key_span), "first here");
            self.about_map(found, Some(line(later)));
        }
    }
}
