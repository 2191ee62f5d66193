//! The capability manifest: each thing the plan could do, with the line that says so.

use kontext_plan::{Capability, CapabilityKind};

use super::adapter::InAdapter;
use super::origins;
use crate::check::Typed;
use crate::source::FileSpan;

impl InAdapter<'_, '_> {
    /// Notes something the adapter could do. Layers are filled in when the adapter is complete.
    pub(super) fn capability(&mut self, kind: CapabilityKind, value: String, span: FileSpan) {
        let place = origins::place(self.lowering.sources, span);
        let file = place.file.strip_prefix("repo:").unwrap_or(&place.file);
        let at = format!("{file}:{}", place.line);
        let adapter = self.adapter.name.clone();
        self.capabilities.insert(Capability { kind, value, adapter, layers: Vec::new(), at });
    }

    /// Notes the host of a URL: what stands up to the path, as the configuration has it, without user and password.
    pub(super) fn host(&mut self, url: &Typed, span: FileSpan) {
        let shown = url.shown();
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
