//! The templates most strings are, read without pest: names, members, and filters with raw arguments.
//!
//! The grammar defines the language; this only makes its common part cheap (an eighth of the time). It gives up at
//! anything else, mistakes included, and a property test holds it to the grammar's tree.

use super::ast::{Expr, Filter, Name, Part, PathRef, Step, StepKind, Template, Text, Value, ValueKind};
use super::build;
use super::parse::opening;
use crate::Span;
use crate::error::{is_blank, rest};

/// The tree of a template of the common kind; none for any other text.
pub(super) fn parse(text: &str) -> Option<Template> {
    // Vectors grow to four elements at once, and most templates have one or two of everything.
    let braces = text.bytes().filter(|byte| *byte == b'{').count();
    let mut parts = Vec::with_capacity((braces / 2 + 1).min(8));
    let mut at = 0;
    loop {
        let tail = rest(text, at);
        let open = opening(tail).unwrap_or(tail.len());
        if open > 0 {
            let text = tail.get(..open)?.to_owned();
            parts.push(Part::Text(Text { text, span: Span::at(at, open) }));
        }
        at += open;
        if at == text.len() {
            return Some(Template { parts });
        }
        let expr = Cursor { text, at: at + "{{".len() }.expr(at)?;
        at = expr.span.end;
        parts.push(Part::Expr(expr));
    }
}

/// A place in the text that moves over what it reads.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl Cursor<'_> {
    /// What follows the `{{` that stands at `start`, its `}}` included.
    fn expr(&mut self, start: usize) -> Option<Expr> {
        self.blanks();
        let value = self.value()?;
        let mut filters = Vec::new();
        loop {
            self.blanks();
            if self.takes("}}") {
                return Some(Expr { value, filters, span: Span::new(start, self.at) });
            }
            if !self.takes("|") {
                return None;
            }
            self.blanks();
            if filters.is_empty() {
                filters.reserve_exact(1);
            }
            filters.push(self.filter()?);
        }
    }

    fn value(&mut self) -> Option<Value> {
        let name = self.name().filter(|name| !matches!(name.text.as_str(), "true" | "false"))?;
        let mut steps = Vec::with_capacity(1);
        while self.takes(".") {
            let Name { text, span } = self.name()?;
            steps.push(Step { kind: StepKind::Key(text), span });
        }
        let span = Span::new(name.span.start, self.at);
        Some(Value { kind: ValueKind::Path(PathRef { name, steps }), span })
    }

    fn filter(&mut self) -> Option<Filter> {
        let name = self.name()?;
        let mut argument = None;
        if self.takes(":") {
            let written = rest(self.text, self.at);
            let written = written.get(..end_of_raw(written)?)?;
            if written.trim_start_matches(is_blank).starts_with(['\'', '"']) {
                return None;
            }
            argument = Some(build::raw(written, self.at));
            self.at += written.len();
        }
        let end = argument.as_ref().map_or(name.span.end, |argument| argument.span.end);
        Some(Filter { span: Span::new(name.span.start, end), name, argument })
    }

    fn name(&mut self) -> Option<Name> {
        let tail = rest(self.text, self.at);
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = tail.bytes().position(|byte| !inside(&byte)).unwrap_or(tail.len());
        let text =
            tail.get(..length).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))?;
        let span = Span::at(self.at, length);
        self.at = span.end;
        Some(Name { text: text.to_owned(), span })
    }

    fn blanks(&mut self) {
        let tail = rest(self.text, self.at);
        self.at += tail.len() - tail.trim_start_matches(is_blank).len();
    }

    fn takes(&mut self, literal: &str) -> bool {
        let there = rest(self.text, self.at).starts_with(literal);
        self.at += if there { literal.len() } else { 0 };
        there
    }
}

/// Where a raw argument ends: before `|` or `}}`.
fn end_of_raw(written: &str) -> Option<usize> {
    let bytes = written.as_bytes();
    bytes.iter().enumerate().position(|(at, byte)| match byte {
        b'|' => true,
        b'}' => bytes.get(at + 1) == Some(&b'}'),
        _ => false,
    })
}
