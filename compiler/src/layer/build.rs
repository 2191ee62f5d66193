//! Parser events to a [`Table`]: the rules of TOML about which table may be opened, extended or defined again.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::RandomState;
use indexmap::map::Entry as Slot;
use toml::de::DeValue;
use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind};
use toml_parser::{ParseError, Source, Span};

use super::explain::SMART_QUOTES;
use super::parse::{DATE, DUPLICATE, MAX_DEPTH, NOT_A_TABLE, RANGE, TOO_DEEP};
use crate::source::{FileId, FileSpan};
use crate::tree::{Entry, Node, Table, Value};

/// How a table came to be, which decides what may be added to it later. A table that is in none of these states is
/// an inline one: it is complete where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// By its own `[header]`.
    Header,
    /// By a longer header; its own may still come.
    Implicit,
    /// By a dotted key.
    Dotted,
}

/// A decoded key and its place.
struct Key {
    text: String,
    at: Range<usize>,
}

/// Builds the tree from events. Tables are recognised by where they start: no two start at one byte.
pub(super) struct Builder<'s> {
    source: Source<'s>,
    events: &'s [Event],
    next: usize,
    file: FileId,
    origins: HashMap<usize, Origin, RandomState>,
    arrays_of_tables: HashSet<usize, RandomState>,
    errors: &'s mut Vec<ParseError>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(
        source: Source<'s>,
        events: &'s [Event],
        file: FileId,
        errors: &'s mut Vec<ParseError>,
    ) -> Builder<'s> {
        let (origins, arrays_of_tables) = (HashMap::default(), HashSet::default());
        Builder { source, events, next: 0, file, origins, arrays_of_tables, errors }
    }

    /// The whole document.
    pub(super) fn document(mut self) -> Table {
        let mut root = Table::default();
        self.body(&mut root, 0);
        while let Some(event) = self.peek() {
            self.next += 1;
            if matches!(event.kind(), EventKind::StdTableOpen | EventKind::ArrayTableOpen) {
                let mut lost = Table::default();
                let (table, depth) = self.header(&mut root, event).unwrap_or((&mut lost, 0));
                self.body(table, depth);
            }
        }
        root
    }

    /// The key-value pairs up to the next header.
    fn body(&mut self, table: &mut Table, depth: usize) {
        while let Some(event) = self.peek() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => return,
                EventKind::SimpleKey => self.pair(table, depth),
                _ => self.next += 1,
            }
        }
    }

    /// `[a.b]` or `[[a.b]]`: the table it opens and how deep that stands.
    fn header<'t>(&mut self, root: &'t mut Table, open: Event) -> Option<(&'t mut Table, usize)> {
        let mut keys = self.keys();
        let last = keys.pop()?;
        let mut span = open.span().append(Span::new_unchecked(last.at.start, last.at.end));
        if let Some(close) = self.peek()
            && matches!(close.kind(), EventKind::StdTableClose | EventKind::ArrayTableClose)
        {
            self.next += 1;
            span = open.span().append(close.span());
        }
        let depth = keys.len() + 1;
        if depth > MAX_DEPTH {
            self.error(TOO_DEEP, &last.at, None);
            return None;
        }
        let parent = self.descend_header(root, keys)?;
        let table = if open.kind() == EventKind::ArrayTableOpen {
            self.open_array(parent, last, span)
        } else {
            self.open_table(parent, last, span)
        };
        Some((table?, depth))
    }

    /// The table the last part of a header stands in.
    fn descend_header<'t>(&mut self, root: &'t mut Table, keys: Vec<Key>) -> Option<&'t mut Table> {
        let mut table = root;
        for key in keys {
            let entry = match table.entries.entry(key.text) {
                Slot::Vacant(slot) => {
                    self.origins.insert(key.at.start, Origin::Implicit);
                    slot.insert(new_table(self.file, &key.at, &key.at))
                }
                Slot::Occupied(slot) => slot.into_mut(),
            };
            let start = entry.node.span.start;
            let (first, array) = (entry.key.range(), self.arrays_of_tables.contains(&start));
            table = match &mut entry.node.value {
                Value::Table(table) if self.origins.contains_key(&start) => table,
                Value::Array(items) if array => last_table(items)?,
                _ => {
                    self.error(NOT_A_TABLE, &key.at, Some(first));
                    return None;
                }
            };
        }
        Some(table)
    }

    /// The table of `[…last]`.
    fn open_table<'t>(&mut self, parent: &'t mut Table, key: Key, header: Span) -> Option<&'t mut Table> {
        let span = FileSpan::new(self.file, header.start()..header.end());
        let entry = match parent.entries.entry(key.text) {
            Slot::Vacant(slot) => slot.insert(new_table(self.file, &key.at, &span.range())),
            Slot::Occupied(slot) => {
                let entry = slot.into_mut();
                if self.origins.get(&entry.node.span.start) != Some(&Origin::Implicit) {
                    self.error(DUPLICATE, &key.at, Some(entry.key.range()));
                    return None;
                }
                entry.key = FileSpan::new(self.file, key.at);
                entry.node.span = span;
                entry
            }
        };
        self.origins.insert(span.start, Origin::Header);
        as_table(&mut entry.node)
    }

    /// A new last element of `[[…last]]`.
    fn open_array<'t>(&mut self, parent: &'t mut Table, key: Key, header: Span) -> Option<&'t mut Table> {
        let span = FileSpan::new(self.file, header.start()..header.end());
        let entry = match parent.entries.entry(key.text) {
            Slot::Vacant(slot) => {
                self.arrays_of_tables.insert(span.start);
                let key = FileSpan::new(self.file, key.at);
                slot.insert(Entry { key, node: Node::new(Value::Array(Vec::new()), span) })
            }
            Slot::Occupied(slot) => {
                let entry = slot.into_mut();
                let array = self.arrays_of_tables.contains(&entry.node.span.start);
                if !array || entry.node.as_array().is_none() {
                    self.error(DUPLICATE, &key.at, Some(entry.key.range()));
                    return None;
                }
                entry
            }
        };
        self.origins.insert(span.start, Origin::Header);
        let Value::Array(items) = &mut entry.node.value else { return None };
        items.push(Node::new(Value::Table(Table::default()), span));
        last_table(items)
    }

    /// `a.b = value`.
    fn pair(&mut self, table: &mut Table, depth: usize) {
        let mut keys = self.keys();
        if self.peek().is_none_or(|event| event.kind() != EventKind::KeyValSep) {
            return;
        }
        self.next += 1;
        let depth = depth + keys.len();
        let value = self.value(depth);
        let (Some(last), Some(node)) = (keys.pop(), value) else { return };
        if depth > MAX_DEPTH {
            self.error(TOO_DEEP, &last.at, None);
            return;
        }
        let Some(table) = self.descend_dotted(table, keys) else { return };
        match table.entries.entry(last.text) {
            Slot::Vacant(slot) => {
                slot.insert(Entry { key: FileSpan::new(self.file, last.at), node });
            }
            Slot::Occupied(slot) => {
                let first = slot.get().key.range();
                self.error(DUPLICATE, &last.at, Some(first));
            }
        }
    }

    /// The table the last part of a dotted key stands in.
    fn descend_dotted<'t>(&mut self, table: &'t mut Table, keys: Vec<Key>) -> Option<&'t mut Table> {
        let mut table = table;
        for key in keys {
            let entry = match table.entries.entry(key.text) {
                Slot::Vacant(slot) => {
                    self.origins.insert(key.at.start, Origin::Dotted);
                    slot.insert(new_table(self.file, &key.at, &key.at))
                }
                Slot::Occupied(slot) => slot.into_mut(),
            };
            let start = entry.node.span.start;
            let first = entry.key.range();
            let open = matches!(self.origins.get(&start), Some(Origin::Implicit | Origin::Dotted));
            table = match &mut entry.node.value {
                Value::Table(table) if open => table,
                Value::Table(_) => {
                    self.error(DUPLICATE, &key.at, Some(first));
                    return None;
                }
                _ => {
                    self.error(NOT_A_TABLE, &key.at, Some(first));
                    return None;
                }
            };
            self.origins.insert(start, Origin::Dotted);
        }
        Some(table)
    }

    /// The parts of a key.
    fn keys(&mut self) -> Vec<Key> {
        let mut keys = Vec::with_capacity(1);
        while let Some(event) = self.peek().filter(|event| event.kind() == EventKind::SimpleKey) {
            self.next += 1;
            let mut text = Cow::Borrowed("");
            if let Some(raw) = self.source.get(event) {
                raw.decode_key(&mut text, self.errors);
            }
            keys.push(Key { text: text.into_owned(), at: event.span().start()..event.span().end() });
            if self.peek().is_none_or(|event| event.kind() != EventKind::KeySep) {
                break;
            }
            self.next += 1;
        }
        keys
    }

    /// A value, or none when the parser found nothing that could be one.
    fn value(&mut self, depth: usize) -> Option<Node> {
        let event = self.peek()?;
        let node = match event.kind() {
            EventKind::Scalar => {
                self.next += 1;
                return Some(self.scalar(event));
            }
            EventKind::ArrayOpen => self.array(event, depth),
            EventKind::InlineTableOpen => self.inline_table(event, depth),
            _ => return None,
        };
        if depth >= MAX_DEPTH {
            self.error(TOO_DEEP, &(event.span().start()..event.span().end()), None);
            return None;
        }
        Some(node)
    }

    fn array(&mut self, open: Event, depth: usize) -> Node {
        self.next += 1;
        let (mut items, mut end) = (Vec::new(), open.span().end());
        while let Some(event) = self.peek() {
            end = event.span().end().max(end);
            match event.kind() {
                EventKind::ArrayClose => {
                    self.next += 1;
                    break;
                }
                EventKind::Scalar | EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                    items.extend(self.value(depth + 1));
                }
                _ => self.next += 1,
            }
        }
        items.shrink_to_fit();
        Node::new(Value::Array(items), FileSpan::new(self.file, open.span().start()..end))
    }

    fn inline_table(&mut self, open: Event, depth: usize) -> Node {
        self.next += 1;
        let (mut table, mut end) = (Table::default(), open.span().end());
        while let Some(event) = self.peek() {
            end = event.span().end().max(end);
            match event.kind() {
                EventKind::InlineTableClose => {
                    self.next += 1;
                    break;
                }
                EventKind::SimpleKey => self.pair(&mut table, depth),
                _ => self.next += 1,
            }
        }
        Node::new(Value::Table(table), FileSpan::new(self.file, open.span().start()..end))
    }

    fn scalar(&mut self, event: Event) -> Node {
        let at = event.span().start()..event.span().end();
        let mut text = Cow::Borrowed("");
        let before = self.errors.len();
        let kind = match self.source.get(event) {
            Some(raw) => raw.decode_scalar(&mut text, self.errors),
            None => ScalarKind::String,
        };
        let broken = self.errors.len() > before;
        let value = match kind {
            ScalarKind::String if broken && self.is_unreadable(&at, &text) => Value::Unread,
            ScalarKind::Integer(_) | ScalarKind::Float if broken => Value::Unread,
            ScalarKind::String => Value::String(text.into_owned()),
            ScalarKind::Boolean(value) => Value::Bool(value),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&text, radix.value()) {
                Ok(value) => Value::Integer(value),
                Err(_) => self.unfit(RANGE, &at),
            },
            ScalarKind::Float => match text.parse::<f64>() {
                Ok(value) if value.is_finite() || text.contains("inf") || text.contains("nan") => {
                    Value::Float(value)
                }
                _ => self.unfit(RANGE, &at),
            },
            ScalarKind::DateTime if broken => Value::Unread,
            ScalarKind::DateTime => match DeValue::parse(&text).map(|parsed| parsed.into_inner()) {
                Ok(DeValue::Datetime(value)) => Value::Datetime(value.to_string()),
                _ => self.unfit(DATE, &at),
            },
        };
        Node::new(value, FileSpan::new(self.file, at))
    }

    /// Whether a broken string does not even say what was meant: its end is missing, or its quotes are another's.
    fn is_unreadable(&self, at: &Range<usize>, text: &str) -> bool {
        let raw = self.source.input().get(at.clone()).unwrap_or("");
        let unclosed = ['"', '\''].iter().any(|quote| {
            raw.starts_with(*quote) && (raw.len() < 2 || !raw.ends_with(*quote) || raw.ends_with("\\\""))
        });
        unclosed || text.contains(SMART_QUOTES)
    }

    /// A number or a date that is written right and cannot be.
    fn unfit(&mut self, what: &'static str, at: &Range<usize>) -> Value {
        self.error(what, at, None);
        Value::Unread
    }

    fn error(&mut self, what: &'static str, at: &Range<usize>, first: Option<Range<usize>>) {
        let mut error = ParseError::new(what).with_unexpected(Span::new_unchecked(at.start, at.end));
        if let Some(first) = first {
            error = error.with_context(Span::new_unchecked(first.start, first.end));
        }
        self.errors.push(error);
    }

    fn peek(&self) -> Option<Event> {
        self.events.get(self.next).copied()
    }
}

fn new_table(file: FileId, key: &Range<usize>, span: &Range<usize>) -> Entry {
    let node = Node::new(Value::Table(Table::default()), FileSpan::new(file, span.clone()));
    Entry { key: FileSpan::new(file, key.clone()), node }
}

fn as_table(node: &mut Node) -> Option<&mut Table> {
    if let Value::Table(table) = &mut node.value { Some(table) } else { None }
}

fn last_table(items: &mut [Node]) -> Option<&mut Table> {
    items.last_mut().and_then(as_table)
}
