//! Notes as a source: sections that match a search, and what an address `notes:…` stands for.

use kontext_notes::{Ask, matching};
use kontext_plan::notes::KNOWLEDGE;

use super::{About, LIMIT, SOURCE};
use crate::answer::{Note, ReadAnswer};
use crate::engine::Runtime;
use crate::error::{Failure, RunError};
use crate::mapping::Hit;
use crate::suggest;

impl Runtime {
    /// Whether there is a hot document with something in it, or one that cannot be read.
    pub(crate) fn has_notes(&self) -> bool {
        self.library.read().map_or(true, |text| !self.library.document(&text).is_blank())
    }

    /// Whether any root has a folder of files that can be read.
    pub(in crate::engine) fn has_knowledge(&self) -> bool {
        let library = &self.library;
        let mut roots = library.notes.roots.iter();
        let there = |name: &str| library.roots.path(name, KNOWLEDGE).is_some_and(|path| path.is_dir());
        !library.notes.public && roots.any(|root| there(&root.name))
    }

    /// The sections that a search finds, best first; none without notes.
    pub(in crate::engine) fn hits_in_notes(&self, query: &str) -> Result<Vec<Hit>, Note> {
        let text = self.library.read();
        let text = text.map_err(|failure| Note { source: SOURCE.to_owned(), message: failure.message })?;
        let document = self.library.document(&text);
        let workspace = self.library.workspace(About::default().workspace);
        let ask = Ask { active_scope: None, workspace: &workspace };
        let found = matching(query, ask, &self.library.notes.scopes, &document);
        let mask = self.mask();
        let hit = |section: kontext_notes::Selected| Hit {
            source: SOURCE.to_owned(),
            uri: Some(format!("notes:{}", section.id)),
            title: Some(mask.string(section.id)),
            snippet: Some(mask.string(section.preview)),
            score: section.score.into(),
            kind: Some("section".to_owned()),
            date: None,
        };
        Ok(found.into_iter().map(hit).collect())
    }

    /// The text behind `notes:<section>` or `notes:<root>/<path>`; none when the address is no such thing here.
    pub(in crate::engine) fn read_notes(&self, uri: &str) -> Option<Result<ReadAnswer, RunError>> {
        let name = uri.strip_prefix("notes:").filter(|name| !name.is_empty() && !name.starts_with('/'))?;
        let found = match name.split_once('/') {
            Some((root, path)) => self.library.file(root, path),
            None => self.library.section(name),
        };
        let answer = |text: String| ReadAnswer {
            source: SOURCE.to_owned(),
            uri: uri.to_owned(),
            text: self.mask().string(text),
            notes: Vec::new(),
        };
        match found {
            Ok(found) => Some(Ok(answer(found?))),
            Err(failure) => Some(Err(RunError::new(failure.id, failure.message))),
        }
    }

    /// What an address of notes that leads nowhere may have meant; none for other addresses.
    pub(in crate::engine) fn nearest_notes(&self, uri: &str) -> Option<String> {
        let name = uri.strip_prefix("notes:")?;
        if name.contains('/') {
            let roots: Vec<&str> = self.library.notes.roots.iter().map(|root| root.name.as_str()).collect();
            let known: Vec<String> = roots.iter().map(|root| format!("`notes:{root}/…`")).collect();
            return Some(format!("files of the folder `{KNOWLEDGE}` are {}", known.join(", ")));
        }
        let text = self.library.read().ok()?;
        let document = self.library.document(&text);
        let sections: Vec<String> =
            document.sections().map(|section| format!("notes:{}", self.mask().text(section.id))).collect();
        let known: Vec<&str> = sections.iter().map(String::as_str).collect();
        Some(suggest::among(uri, &known, "sections"))
    }
}

impl super::Library {
    fn section(&self, id: &str) -> Result<Option<String>, Failure> {
        let text = self.read()?;
        Ok(self.document(&text).section(id).map(|section| section.content().to_owned()))
    }

    /// A file of the folder `knowledge` of a root. A public plan reads none.
    fn file(&self, root: &str, path: &str) -> Result<Option<String>, Failure> {
        if self.notes.root(root).is_none() {
            return Ok(None);
        }
        let fail = |message| Failure::unsent("call-failed", message);
        if self.notes.public {
            return Err(fail(
                "a public plan reads nothing but the public part of the hot document".to_owned(),
            ));
        }
        let relative = format!("{KNOWLEDGE}/{path}");
        let bytes = self.roots.read(root, &relative, LIMIT).map_err(|error| fail(error.to_string()))?;
        let bytes = bytes.ok_or_else(|| fail(format!("there is no file `{path}` in the root `{root}`")))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
