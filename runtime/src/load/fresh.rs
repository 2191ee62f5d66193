//! Whether the inputs of a plan are as they were when it was built.

use std::cell::OnceCell;

use kontext_host::{HostError, Places, Roots};
use kontext_notes::Document;
use kontext_plan::notes::{HOT_DOCUMENT, section_digest};
use kontext_plan::{ABSENT, Input, Notes, Plan};

/// Larger than any input that `build` reads.
const INPUT_LIMIT: u64 = 64 * 1024 * 1024;

/// An input that is not as it was.
pub(super) struct Change {
    /// What happened to it, in words.
    pub(super) what: String,
    /// Its file as people know it.
    pub(super) file: String,
}

/// The inputs of a plan on this machine.
pub(super) struct Inputs<'a> {
    places: &'a Places,
    notes: &'a Notes,
    roots: &'a Roots,
    /// The hot document, read once for all of its sections.
    document: OnceCell<Result<String, HostError>>,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(places: &'a Places, notes: &'a Notes, roots: &'a Roots) -> Inputs<'a> {
        Inputs { places, notes, roots, document: OnceCell::new() }
    }

    /// The first input that is not as it was.
    pub(super) fn change(&self, plan: &Plan) -> Option<Change> {
        plan.inputs.iter().find_map(|input| match input.name.split_once(':') {
            Some(("root", file)) => self.file(input, file),
            Some(("section", section)) => self.section(input, section),
            _ => self.layer(input),
        })
    }

    fn layer(&self, input: &Input) -> Option<Change> {
        let path = self.places.input(&input.name);
        if path.is_none() && (input.name == "explicit" || input.digest == ABSENT) {
            return None;
        }
        let shown = self.places.display_logical(&input.name);
        let Some(path) = path else {
            return Some(Change { what: format!("`{shown}` has no place here"), file: shown });
        };
        compare(input, &shown, kontext_host::read_limited(&path, INPUT_LIMIT))
    }

    /// A file of a root.
    fn file(&self, input: &Input, file: &str) -> Option<Change> {
        let (root, relative) = file.split_once('/')?;
        let shown = self.notes.root(root).map_or_else(|| file.to_owned(), |root| root.shown(relative));
        compare(input, &shown, self.roots.read(root, relative, INPUT_LIMIT))
    }

    /// A section of the hot document.
    fn section(&self, input: &Input, section: &str) -> Option<Change> {
        let (root, id) = section.split_once('/')?;
        let read = self.document.get_or_init(|| {
            let bytes = self.roots.read(root, HOT_DOCUMENT, INPUT_LIMIT)?;
            Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
        });
        let change = |what: String| Some(Change { what, file: self.notes.scopes.hot_file.clone() });
        let text = match read {
            Ok(text) => text,
            Err(error) => return change(error.to_string()),
        };
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(large) => return change(large.to_string()),
        };
        let now = section_digest(&document, id);
        let what = match (now == ABSENT, input.digest == ABSENT) {
            (false, true) => "appeared",
            (true, false) => "vanished",
            _ if now == input.digest => return None,
            _ => "changed",
        };
        change(format!("the section `{id}` of `{}` {what}", self.notes.scopes.hot_file))
    }
}

fn compare(input: &Input, shown: &str, read: Result<Option<Vec<u8>>, HostError>) -> Option<Change> {
    let what = match (read, input.digest == ABSENT) {
        (Ok(Some(_)), true) => format!("`{shown}` appeared"),
        (Ok(Some(bytes)), false) if kontext_plan::sha256_hex(&bytes) != input.digest => {
            format!("`{shown}` changed")
        }
        (Ok(None), false) => format!("`{shown}` vanished"),
        (Ok(_), _) => return None,
        (Err(error), _) => error.to_string(),
    };
    Some(Change { what, file: shown.to_owned() })
}
