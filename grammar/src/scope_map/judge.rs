//! Whether a line is an entry of its map, a mistake or prose.

use super::ast::{Entry, IGNORED_LINE, Map, MapKind, Problem, SCOPE_LINE, SCOPE_PATH};
use super::explain;
use super::parse::{is_path_key, is_word};
use crate::Span;
use crate::error::{is_blank, tick};

/// What a scope looks like.
const SCOPE_HELP: &str = "a scope is letters, digits, `.`, `_` and `-`, as in `web-app`";

/// One side of an entry, without outer blanks and the quotes around all of it.
pub(super) struct Side<'a> {
    text: &'a str,
    span: Span,
}

impl<'a> Side<'a> {
    /// The side at `span` of `text`.
    pub(super) fn of(text: &'a str, span: Span) -> Self {
        let raw = span.of(text);
        let from = raw.len() - raw.trim_start_matches(is_blank).len();
        let trimmed = raw.trim_matches(is_blank);
        let inner = ['`', '"', '\''].into_iter().find_map(|mark| {
            let inner = trimmed.strip_prefix(mark)?.strip_suffix(mark)?;
            (!inner.contains(mark)).then_some(inner)
        });
        let start = span.start + from + usize::from(inner.is_some());
        let text = inner.unwrap_or(trimmed);
        Self { text, span: Span::at(start, text.len()) }
    }
}

/// What is known while one line is judged.
pub(super) struct Judge<'a, 'm> {
    pub(super) text: &'a str,
    pub(super) kind: MapKind,
    pub(super) line: usize,
    pub(super) map: &'m mut Map,
}

impl Judge<'_, '_> {
    /// A line with one arrow: it must be an entry.
    pub(super) fn arrow(&mut self, key: &Side, arrow: Span, scope: &Side) {
        if key.text.is_empty() {
            let help = match self.kind {
                MapKind::Path => "write the path before it, as in `/srv/app => web`",
                MapKind::Alias => "write the alias before it, as in `www => web`",
            };
            return self.problem(SCOPE_LINE, arrow, "the key before `=>` is missing", help);
        }
        if scope.text.is_empty() {
            let message = format!("the scope of {} is missing", tick(key.text));
            return self.problem(SCOPE_LINE, arrow, message, SCOPE_HELP);
        }
        match (self.takes(key.text), is_word(scope.text)) {
            (true, true) => self.entry(key, scope),
            (true, false) => self.ill_formed_scope(scope),
            (false, true) => self.ill_formed_key(key),
            (false, false) if self.kind == MapKind::Alias && holds_path(key.text) => {
                self.ill_formed_scope(scope);
            }
            (false, false) => {
                let whole = Span::new(key.span.start, scope.span.end);
                let message = format!("{} is no entry of this map", tick(whole.of(self.text)));
                let help = format!("{}; {SCOPE_HELP}", self.key_help());
                self.problem(SCOPE_LINE, whole, message, help);
            }
        }
    }

    /// A line with a second arrow, the one at `arrow`.
    pub(super) fn two_arrows(&mut self, arrow: Span) {
        self.problem(
            SCOPE_LINE,
            arrow,
            "a second `=>` stands on this line",
            "write one entry a line, as in `key => scope`; no key or scope holds `=>`",
        );
    }

    /// A line in one of the older forms, or prose with a `:` or `=` in it.
    pub(super) fn older(&mut self, key: &Side, separator: Span, scope: &Side) {
        let well_formed = is_word(scope.text);
        let path = is_path_key(key.text);
        match self.kind {
            MapKind::Alias if path || (well_formed && holds_path(key.text) && is_one_word(key.text)) => {
                self.path_among_aliases(key);
            }
            _ if self.takes(key.text) && well_formed => self.entry(key, scope),
            MapKind::Path if path => {
                let place = if scope.text.is_empty() { separator } else { scope.span };
                let message = match scope.text {
                    "" => format!("no scope follows {}: the line is ignored", tick(key.text)),
                    scope => format!("{} is no scope: the line is ignored", tick(scope)),
                };
                let help =
                    format!("for an entry write `path => scope`: {SCOPE_HELP}; for a comment begin with `#`");
                self.problem(IGNORED_LINE, place, message, help);
            }
            _ => {}
        }
    }

    fn takes(&self, key: &str) -> bool {
        match self.kind {
            MapKind::Path => is_path_key(key),
            MapKind::Alias => is_word(key),
        }
    }

    fn ill_formed_scope(&mut self, scope: &Side) {
        let message = format!("{} is no scope", tick(scope.text));
        self.problem(SCOPE_LINE, scope.span, message, SCOPE_HELP);
    }

    fn ill_formed_key(&mut self, key: &Side) {
        match self.kind {
            MapKind::Alias if holds_path(key.text) => self.path_among_aliases(key),
            MapKind::Alias => {
                let message = format!("{} is no alias", tick(key.text));
                self.problem(SCOPE_LINE, key.span, message, self.key_help());
            }
            MapKind::Path => {
                let id = if is_one_word(key.text) { SCOPE_PATH } else { SCOPE_LINE };
                let (message, help) = explain::key(key.text);
                self.problem(id, key.span, message, help);
            }
        }
    }

    fn path_among_aliases(&mut self, key: &Side) {
        let message = format!("the path {} in the alias map is ignored", tick(key.text));
        self.problem(IGNORED_LINE, key.span, message, "move the line to the path map");
    }

    fn key_help(&self) -> &'static str {
        match self.kind {
            MapKind::Path => {
                "a key is an absolute path, as in `/srv/app`, `c:\\work`, `\\\\host\\share` or `~/notes`"
            }
            MapKind::Alias => "an alias is letters, digits, `.`, `_` and `-`, as in `www`",
        }
    }

    fn entry(&mut self, key: &Side, scope: &Side) {
        self.map.entries.push(Entry {
            key: match self.kind {
                MapKind::Path => key.text.to_owned(),
                MapKind::Alias => key.text.to_ascii_lowercase(),
            },
            key_span: key.span,
            scope: scope.text.to_ascii_lowercase(),
            scope_span: scope.span,
            line: self.line,
        });
    }

    fn problem(&mut self, id: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.map.problems.push(Problem { id, span, line: self.line, message, help });
    }
}

/// Whether a key of the alias map is meant as a path.
fn holds_path(key: &str) -> bool {
    key.contains(['/', '\\', '~'])
}

fn is_one_word(key: &str) -> bool {
    !key.contains(is_blank)
}
