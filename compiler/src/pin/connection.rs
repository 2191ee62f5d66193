//! What says where a server is: its digest, to which a lock entry is bound, and the layers it comes from, which decide
//! the file of that entry.

use std::collections::BTreeSet;

use kontext_plan::lock::FILE_NAME;
use kontext_plan::{LayerName, canonical_json, sha256_hex};
use serde_json::{Value, json};

use super::Place;
use crate::check::Typed;
use crate::check::typed::{Expr, Piece, Source, VarRef};
use crate::config::{Adapter, Named};
use crate::layer::Loaded;
use crate::source::FileSpan;

/// How deep variables of variables are followed; deeper ones were reported as a circle.
const DEEPEST: usize = 64;

/// Where the entry of an adapter belongs; none when nothing says where its server is, which was reported.
pub(super) fn place(adapter: &Adapter<Typed>, globals: &[Named<Typed>], loaded: &Loaded) -> Option<Place> {
    let mut compiled = Compiled { adapter, globals, loaded, layers: BTreeSet::new() };
    let reach = &adapter.reach;
    let connection = match (&reach.command, &reach.url) {
        (Some(command), None) => {
            json!({ "command": command.iter().map(|part| compiled.template(part, DEEPEST)).collect::<Vec<_>>() })
        }
        (None, Some(url)) => json!({ "url": compiled.template(url, DEEPEST) }),
        _ => return None,
    };
    let shared = compiled.layers.iter().all(|layer| matches!(layer, LayerName::Shared | LayerName::Defaults));
    let file = match shared {
        true => beside_shared(loaded),
        false => format!("clone:{FILE_NAME}"),
    };
    let text = canonical_json(&connection).unwrap_or_default();
    Some(Place { file, connection: sha256_hex(text.as_bytes()) })
}

/// The place that says where the server is, and its key.
pub(super) fn shown(adapter: &Adapter<Typed>) -> (FileSpan, &'static str) {
    match (&adapter.reach.command, &adapter.reach.url) {
        (_, Some(url)) => (url.span, "url"),
        (Some(command), _) => match (command.first(), command.last()) {
            (Some(first), Some(last)) if first.span.file == last.span.file => {
                (FileSpan { end: last.span.end.max(first.span.end), ..first.span }, "command")
            }
            _ => (adapter.key, "command"),
        },
        _ => (adapter.key, "command"),
    }
}

fn beside_shared(loaded: &Loaded) -> String {
    let shared = loaded.layers_read().find(|(layer, _)| *layer == LayerName::Shared);
    let folder =
        shared.and_then(|(_, input)| input.strip_suffix("kontext.toml")).filter(|at| !at.ends_with('.'));
    format!("{}{FILE_NAME}", folder.unwrap_or("repo:"))
}

/// Templates with what they are made of, without places and names of variables.
struct Compiled<'a> {
    adapter: &'a Adapter<Typed>,
    globals: &'a [Named<Typed>],
    loaded: &'a Loaded,
    layers: BTreeSet<LayerName>,
}

impl<'a> Compiled<'a> {
    fn template(&mut self, typed: &Typed, depth: usize) -> Value {
        self.layers.insert(self.loaded.sources.layer(typed.span));
        let mut pieces = Vec::new();
        self.pieces(typed, depth, &mut pieces);
        match pieces.as_slice() {
            [single] => single.clone(),
            _ => Value::Array(pieces),
        }
    }

    fn pieces(&mut self, typed: &Typed, depth: usize, into: &mut Vec<Value>) {
        for piece in &typed.pieces {
            match piece {
                Piece::Text { text, .. } => push_text(text, into),
                Piece::Expr(expr) => self.expr(expr, depth, into),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, depth: usize, into: &mut Vec<Value>) {
        let plain = expr.filters.is_empty();
        let from = match &expr.from {
            Source::Literal(value) | Source::Constant(_, value) => match value.as_str() {
                Some(text) if plain => return push_text(text, into),
                _ => json!({ "literal": value }),
            },
            Source::Var(var) => match self.var(var).filter(|_| depth > 0) {
                Some(value) => {
                    self.layers.insert(self.loaded.sources.layer(value.span));
                    if plain {
                        return self.pieces(value, depth - 1, into);
                    }
                    self.template(value, depth - 1)
                }
                None => Value::Null,
            },
            other => json!({ "from": other.shown() }),
        };
        into.push(json!({ "value": from, "filters": expr.filters }));
    }

    fn var(&self, var: &VarRef) -> Option<&'a Typed> {
        let (adapter, globals) = (self.adapter, self.globals);
        let table = if var.global { globals } else { adapter.vars.as_slice() };
        table.iter().find(|known| known.name == var.name).map(|known| &known.value)
    }
}

/// Texts that stand side by side are one.
fn push_text(text: &str, into: &mut Vec<Value>) {
    match into.last_mut() {
        Some(Value::String(last)) => last.push_str(text),
        _ => into.push(Value::from(text)),
    }
}
