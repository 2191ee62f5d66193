//! The client's file: found, read, and written only when it is still what was read.

use std::path::{Path, PathBuf};

use kontext_compiler::layer::not_utf8;
use kontext_host::{read_limited, write_atomically};

use super::client::{Facts, NAME, Syntax};
use super::jsonc;
use super::text::position;
use crate::commands::Failure;
use crate::compile::Machine;

/// The most that is read of a client's file.
const LIMIT: u64 = 4 << 20;

/// A client's file.
#[derive(Debug)]
pub struct ClientFile {
    path: PathBuf,
    /// The path as people read it.
    pub shown: String,
    bytes: Option<Vec<u8>>,
}

impl ClientFile {
    /// The file that has the entry; without one the first that exists, else the first of the client's.
    ///
    /// # Errors
    /// Status 2 when one that exists cannot be read.
    pub fn find(machine: &Machine, facts: &Facts) -> Result<ClientFile, Failure> {
        let mut first: Option<ClientFile> = None;
        for name in facts.files {
            let file = ClientFile::read(machine, name)?;
            if file.has_entry(facts) {
                return Ok(file);
            }
            if first.as_ref().is_none_or(|first| first.bytes.is_none() && file.bytes.is_some()) {
                first = Some(file);
            }
        }
        first.ok_or_else(|| Failure::refused("this client has no file"))
    }

    fn read(machine: &Machine, name: &str) -> Result<ClientFile, Failure> {
        let path = machine.repository.root().join(name);
        let shown = machine.places.display(&path);
        if fs_err::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(Failure::refused(format!("`{shown}` is no regular file")));
        }
        let bytes = read_limited(&path, LIMIT).map_err(|error| Failure::refused(error.to_string()))?;
        Ok(ClientFile { path, shown, bytes })
    }

    fn has_entry(&self, facts: &Facts) -> bool {
        let Some(text) = self.bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
            return false;
        };
        let has = |path: &[&str]| jsonc::find(text, path).is_ok_and(|found| found.is_some());
        facts.syntax == Syntax::Json
            && (has(&[facts.servers, NAME]) || has(&[facts.servers, "servers", NAME]))
    }

    /// The text of the file; none when there is no file yet.
    ///
    /// # Errors
    /// Status 2 when it is not UTF-8.
    pub fn text(&self) -> Result<Option<&str>, Failure> {
        let Some(bytes) = &self.bytes else { return Ok(None) };
        let shown = &self.shown;
        if let Some((name, before)) = not_utf8(bytes) {
            let (line, column) = position(before.trim_start_matches('\u{feff}'), before.len());
            let failure =
                Failure::refused(format!("`{shown}` was not touched: it is not UTF-8; it looks like {name}"));
            return Err(failure.at(Some(format!("{shown}:{line}:{column}"))).help("save the file as UTF-8"));
        }
        Ok(std::str::from_utf8(bytes).ok())
    }

    /// Writes the new text.
    ///
    /// # Errors
    /// Status 2 when the file changed meanwhile, is read-only, or cannot be written.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        let refused = |reason: &str| Failure::refused(format!("`{}` was not touched: {reason}", self.shown));
        if is_read_only(&self.path) {
            return Err(refused("it is read-only"));
        }
        match read_limited(&self.path, LIMIT) {
            Ok(now) if now == self.bytes => {}
            _ => return Err(refused("it changed meanwhile").help("run the command again")),
        }
        write_atomically(&self.path, text.as_bytes()).map_err(|error| Failure::refused(error.to_string()))
    }
}

/// A rename would replace a file whose owner took the right to write it away.
fn is_read_only(path: &Path) -> bool {
    fs_err::metadata(path).is_ok_and(|found| found.permissions().readonly())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let file = |bytes: Option<&str>| ClientFile {
            path: path.clone(),
            shown: "a.json".to_owned(),
            bytes: bytes.map(|text| text.as_bytes().to_vec()),
        };
        file(None).write("{}").unwrap();
        for read in [None, Some("{ }")] {
            let failure = file(read).write("new").unwrap_err();
            assert_eq!(
                (failure.status, failure.message.as_str()),
                (2, "`a.json` was not touched: it changed meanwhile")
            );
            assert_eq!(fs_err::read_to_string(&path).unwrap(), "{}");
        }
        file(Some("{}")).write("new").unwrap();
        assert_eq!(fs_err::read_to_string(&path).unwrap(), "new");
    }
}
