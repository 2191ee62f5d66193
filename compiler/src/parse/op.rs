//! Ops, and the tools that may hold one in place.

use serde_json::Value as JsonValue;

use super::{Cell, Parser, at_most, params, read};
use crate::config::{Json, Op, Spanned, Tool, ToolOp};
use crate::source::FileSpan;
use crate::tree::{Element, Node, Table, Value, elements};

impl Parser<'_> {
    /// `ops`: each entry that is a table.
    pub(super) fn ops(&mut self, node: Option<&Node>) -> Vec<Op<Cell>> {
        let Some(table) = node.and_then(Node::as_table) else { return Vec::new() };
        let entries = table.entries.iter();
        let ops =
            entries.filter_map(|(name, entry)| Some(self.op(Some(name), entry.key, entry.node.as_table()?)));
        let mut ops = at_most(table.entries.len(), ops);
        ops.sort_by(|a, b| a.name.cmp(&b.name));
        ops
    }

    fn op(&mut self, name: Option<&str>, key: FileSpan, table: &Table) -> Op<Cell> {
        Op {
            name: name.map(str::to_owned),
            key,
            reach: self.reach(table),
            base: None,
            hits: false,
            method: read::choice(table.get("method")),
            path: table.get("path").and_then(|node| self.cell(node)),
            query: self.named(table.get("query")),
            body: table.get("body").and_then(|node| self.json(node)),
            stdin: table.get("stdin").and_then(|node| self.cell(node)),
            ok_exit: table.get("ok_exit").and_then(exit_statuses),
            output_file: table.get("output_file").and_then(Node::as_bool).unwrap_or(false),
            tool: table.get("tool").and_then(|node| self.cell(node)),
            args: table.get("args").and_then(|node| self.json(node)),
            format: read::choice(table.get("format")).unwrap_or_default(),
            timeout_ms: read::millis(table.get("timeout_ms")),
            result: self.result_fields(table),
            owns: read::spanned_texts(table.get("owns")),
        }
    }

    /// A value whose strings, keys too, are templates. nan and inf were reported by `validate`.
    pub(super) fn json(&mut self, node: &Node) -> Option<Json<Cell>> {
        Some(match &node.value {
            Value::String(text) => Json::Slot(self.cell_of(text, node.span, 0)),
            Value::Integer(value) => Json::Scalar(JsonValue::from(*value), node.span),
            Value::Float(value) => Json::Scalar(serde_json::Number::from_f64(*value)?.into(), node.span),
            Value::Bool(value) => Json::Scalar(JsonValue::from(*value), node.span),
            Value::Datetime(text) => Json::Slot(self.cell_of(text, node.span, 0)),
            Value::Array(items) => {
                Json::Array(items.iter().filter_map(|item| self.json(item)).collect(), node.span)
            }
            Value::Table(table) => Json::Object(self.members(table), node.span),
            Value::Unread => return None,
        })
    }

    fn members(&mut self, table: &Table) -> Vec<(Cell, Json<Cell>)> {
        let entries = table.entries.iter();
        entries
            .filter_map(|(key, entry)| {
                let value = self.json(&entry.node)?;
                Some((self.cell_of(key, entry.key, 0), value))
            })
            .collect()
    }

    /// `tools`: each entry that has a name and an op.
    pub(super) fn tools(&mut self, node: Option<&Node>) -> Vec<Tool<Cell>> {
        node.map(elements).unwrap_or_default().into_iter().filter_map(|item| self.tool(item)).collect()
    }

    fn tool(&mut self, element: Element<'_>) -> Option<Tool<Cell>> {
        let table = element.node.as_table()?;
        let named = element.name.map(|(name, span)| Spanned { value: name.to_owned(), span });
        Some(Tool {
            name: read::spanned(table.get("name")).or(named)?,
            description: table.get("description").and_then(Node::as_str).unwrap_or_default().to_owned(),
            schema: params::schema(params::node(table)),
            op: self.tool_op(table.entry("op")?)?,
        })
    }

    fn tool_op(&mut self, entry: &crate::tree::Entry) -> Option<ToolOp<Cell>> {
        if let Some(name) = entry.node.as_str() {
            return Some(ToolOp::Named(Spanned { value: name.to_owned(), span: entry.node.span }));
        }
        let table = entry.node.as_table()?;
        Some(ToolOp::Inline(Box::new(self.op(None, entry.key, table))))
    }
}

fn exit_statuses(node: &Node) -> Option<Vec<u8>> {
    let items = node.as_array()?;
    Some(items.iter().filter_map(Node::as_integer).filter_map(|status| u8::try_from(status).ok()).collect())
}
