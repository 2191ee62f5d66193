//! `items`, `split`, `where`, `map` and `text`: from a payload to hits or text.

use kontext_grammar::map_value::ast::MapValue;
use kontext_grammar::path::ast as path_ast;
use kontext_grammar::{Span, SyntaxError, map_value, path};
use kontext_plan::path::{Path, Step};
use kontext_plan::result::HitField;

use super::{Cell, Parser, read};
use crate::config::{MapEntry, MapRule, ResultFields, Spanned};
use crate::diagnostic::paths;
use crate::source::FileSpan;
use crate::tree::{Entry, Node, Table, Value};

impl Parser<'_> {
    /// The result fields of an op.
    pub(super) fn result_fields(&mut self, table: &Table) -> ResultFields<Cell> {
        ResultFields {
            items: table.entry("items").and_then(|entry| {
                let text = entry.node.as_str()?;
                let value = (self.path(text, entry.node.span)?, text.to_owned());
                Some(Spanned { value, span: entry.key })
            }),
            split: table
                .entry("split")
                .and_then(|entry| Some(Spanned { value: entry.node.as_str()?.to_owned(), span: entry.key })),
            conditions: table.entry("where").and_then(|entry| self.conditions(entry)),
            map: table.entry("map").and_then(|entry| self.map_entries(entry)),
            text: table.entry("text").and_then(|entry| {
                let value = self.path(entry.node.as_str()?, entry.node.span)?;
                Some(Spanned { value, span: entry.key })
            }),
        }
    }

    /// A path, or none when it is broken (reported here).
    fn path(&mut self, text: &str, span: FileSpan) -> Option<Path> {
        match path::parse(text) {
            Ok(tree) => {
                self.other_alternative(text, span);
                Some(lower_path(&tree.alternatives))
            }
            Err(errors) => {
                self.report_path_errors(&errors, span);
                None
            }
        }
    }

    /// jq writes `a // b` for what is `a|b` here, and so it is a key with a strange name.
    fn other_alternative(&mut self, text: &str, span: FileSpan) {
        if let Some(at) = text.find(" // ") {
            let place = self.place(span, Span { start: at + 1, end: at + 3 });
            self.diagnostics.push(paths::report_other_alternative(place, text));
        }
    }

    fn report_path_errors(&mut self, errors: &[SyntaxError], span: FileSpan) {
        // One map for all: a path may have thousands of wrong alternatives.
        let map = self.map(span);
        for error in errors {
            let place = FileSpan::new(span.file, map.range(error.span));
            self.diagnostics.push(paths::report_path_syntax(place, error));
        }
    }

    fn conditions(&mut self, entry: &Entry) -> Option<Spanned<Vec<(Path, String)>>> {
        let mut conditions = Vec::new();
        self.condition_table(entry.node.as_table()?, &[Vec::new()], &mut conditions);
        Some(Spanned { value: conditions, span: entry.key })
    }

    /// A nested table continues the path of its key.
    fn condition_table(&mut self, table: &Table, before: &[Vec<Step>], into: &mut Vec<(Path, String)>) {
        for (key, entry) in &table.entries {
            let Some(path) = self.path(key, entry.key) else { continue };
            let joined = join(before, &path.alternatives);
            if let Value::Table(nested) = &entry.node.value {
                self.condition_table(nested, &joined, into);
            } else if let Some(text) = scalar_text(&entry.node) {
                into.push((Path { alternatives: joined }, text));
            }
        }
    }

    fn map_entries(&mut self, entry: &Entry) -> Option<Spanned<Vec<MapEntry<Cell>>>> {
        let table = entry.node.as_table()?;
        let mut entries = Vec::with_capacity(table.entries.len());
        for (key, entry) in &table.entries {
            let Some(field) =
                read::choice::<HitField>(Some(&Node::new(Value::String(key.clone()), entry.key)))
            else {
                self.diagnostics.push(paths::report_unknown_map_field(entry.key, key));
                continue;
            };
            if let Some(rule) = self.map_rule(&entry.node) {
                entries.push(MapEntry { field, span: entry.node.span, rule });
            }
        }
        Some(Spanned { value: entries, span: entry.key })
    }

    fn map_rule(&mut self, node: &Node) -> Option<MapRule<Cell>> {
        let text = node.as_str()?;
        if let Some(template) = text.strip_prefix("tpl:") {
            return Some(MapRule::Template(self.cell_of(template, node.span, "tpl:".len())));
        }
        match map_value::parse(text) {
            Ok(MapValue::Regex { text, span }) => {
                self.regex(&text, node.span, span.start);
                Some(MapRule::Regex(text))
            }
            Ok(MapValue::Path { alternatives, literal }) => {
                self.other_alternative(text, node.span);
                Some(MapRule::Path {
                    alternatives: lower_path(&alternatives).alternatives,
                    literal: literal.map(|literal| literal.text),
                })
            }
            // Templates were taken above.
            Ok(MapValue::Template { .. }) => None,
            Err(errors) => {
                self.report_path_errors(&errors, node.span);
                None
            }
        }
    }

    /// Reports a regular expression that does not compile; `offset` is where it starts in the decoded string.
    pub(super) fn regex(&mut self, pattern: &str, string: FileSpan, offset: usize) {
        // Making the engine's tables takes far longer than reading. What is short and repeats nothing a counted number
        // of times stays below its limit.
        const SHORT: usize = 64;
        let small = pattern.len() <= SHORT && !pattern.contains('{');
        if small && regex_syntax::Parser::new().parse(pattern).is_ok() {
            return;
        }
        let Err(error) = regex::Regex::new(pattern) else { return };
        let problem = paths::regex_problem(pattern, &error);
        let span = Span { start: problem.start + offset, end: problem.end + offset };
        let place = self.place(string, span);
        self.diagnostics.push(paths::report_invalid_regex(place, &problem));
    }
}

/// `a.b` continued by `c`: every alternative of the one with every alternative of the other.
fn join(before: &[Vec<Step>], after: &[Vec<Step>]) -> Vec<Vec<Step>> {
    before.iter().flat_map(|head| after.iter().map(|tail| [head.as_slice(), tail].concat())).collect()
}

fn scalar_text(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) | Value::Datetime(text) => Some(text.clone()),
        Value::Integer(value) => Some(value.to_string()),
        Value::Float(value) => serde_json::Number::from_f64(*value).map(|number| number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Table(_) | Value::Array(_) | Value::Unread => None,
    }
}

fn lower_path(alternatives: &[path_ast::Alternative]) -> Path {
    let steps = |alternative: &path_ast::Alternative| {
        alternative.steps.iter().map(|step| lower_step(&step.kind)).collect::<Vec<_>>()
    };
    Path { alternatives: alternatives.iter().map(steps).collect() }
}

fn lower_step(step: &path_ast::StepKind) -> Step {
    match step {
        path_ast::StepKind::Key(key) => Step::Key(key.clone()),
        path_ast::StepKind::Index(index) => Step::Index(*index),
        path_ast::StepKind::Each => Step::Each,
        path_ast::StepKind::Any => Step::Any,
    }
}
