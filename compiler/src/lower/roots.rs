//! The notes roots that a plan reads, for people who decide whether it may.

use kontext_plan::{Capability, CapabilityKind};

use super::{Lowering, origins};
use crate::config::{NotesConfig, Spanned};

impl Lowering<'_> {
    /// Notes every configured root. The one in the repository that is always there needs no mention.
    pub(super) fn roots(&mut self, notes: &NotesConfig) {
        let named = notes.roots.iter().map(|root| &root.value);
        for path in named.chain(notes.read_only.iter().map(|(_, path)| path)) {
            let capability = self.root(path);
            self.capabilities.insert(capability);
        }
    }

    fn root(&self, path: &Spanned<String>) -> Capability {
        let place = origins::place(self.sources, path.span);
        let file = place.file.strip_prefix("repo:").unwrap_or(&place.file);
        Capability {
            kind: CapabilityKind::Root,
            value: path.value.clone(),
            adapter: String::new(),
            layers: vec![self.sources.layer(path.span)],
            at: format!("{file}:{}", place.line),
        }
    }
}
