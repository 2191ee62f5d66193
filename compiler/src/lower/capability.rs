//! The capability manifest: each thing the plan could do, with the line that says so.

use kontext_plan::template::Filter;
use kontext_plan::{Capability, CapabilityKind};

use super::adapter::InAdapter;
use super::origins;
use crate::check::Typed;
use crate::check::typed::{Piece, Source, VarRef};
use crate::source::FileSpan;

/// Bytes after which a shown template is cut.
const LONGEST_SHOWN: usize = 300;
/// How deep variables of variables are written out.
const DEEPEST_SHOWN: usize = 8;

impl InAdapter<'_, '_> {
    /// Notes something the adapter could do. Layers are filled in when the adapter is complete.
    pub(super) fn capability(&mut self, kind: CapabilityKind, value: String, span: FileSpan) {
        let place = origins::place(self.lowering.sources, span);
        let file = place.file.strip_prefix("repo:").unwrap_or(&place.file);
        let at = format!("{file}:{}", place.line);
        let adapter = self.adapter.name.clone();
        self.capabilities.insert(Capability { kind, value, adapter, layers: Vec::new(), at });
    }

    /// A template as people read it: variables of the configuration are written out, run-time values stand in
    /// braces, with what stands in for them.
    pub(super) fn shown(&self, typed: &Typed) -> String {
        let mut text = String::new();
        self.show(typed, DEEPEST_SHOWN, &mut text);
        text
    }

    fn show(&self, typed: &Typed, depth: usize, text: &mut String) {
        for piece in &typed.pieces {
            if text.len() > LONGEST_SHOWN || depth == 0 {
                return text.push('…');
            }
            match piece {
                Piece::Text { text: more, .. } => text.push_str(more),
                Piece::Expr(expr) => match &expr.from {
                    Source::Literal(value) if expr.filters.is_empty() => {
                        text.push_str(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                    }
                    Source::Var(var) if expr.filters.is_empty() => self.show_var(var, depth - 1, text),
                    from => {
                        let default = expr.filters.iter().find_map(|filter| match filter {
                            Filter::Default(value) => Some(value.as_str().unwrap_or_default()),
                            _ => None,
                        });
                        let default = default.map(|value| format!(" or {value}")).unwrap_or_default();
                        text.push_str(&format!("{{{}{default}}}", from.shown()));
                    }
                },
            }
        }
    }

    fn show_var(&self, var: &VarRef, depth: usize, text: &mut String) {
        let global = || self.lowering.globals.get(*self.lowering.places.get(var.name.as_str())?);
        let found = if var.global { global() } else { self.own.get(var.name.as_str()).copied() };
        if let Some(found) = found {
            self.show(&found.value, depth, text);
        }
    }

    /// Notes the host of a URL: what stands up to the path, as the configuration has it, without user and password.
    pub(super) fn host(&mut self, url: &Typed, span: FileSpan) {
        let shown = self.shown(url);
        if let Some(fact) = shown.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            // The whole host is a run-time value.
            return self.capability(CapabilityKind::Host, format!("{{{}}}", fact.0), span);
        }
        let (scheme, rest) =
            shown.split_once("://").map_or(("", shown.as_str()), |(scheme, rest)| (scheme, rest));
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let value = if scheme.is_empty() { host.to_owned() } else { format!("{scheme}://{host}") };
        self.capability(CapabilityKind::Host, value, span);
    }

    /// The capabilities, each from the adapter's layers.
    pub(super) fn finish_capabilities(&mut self) {
        let layers: Vec<_> = self.layers.iter().copied().collect();
        let own = std::mem::take(&mut self.capabilities);
        self.lowering
            .capabilities
            .extend(own.into_iter().map(|capability| Capability { layers: layers.clone(), ..capability }));
    }
}
