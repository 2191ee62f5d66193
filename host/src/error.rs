//! What can go wrong between kontext and the file system, in words a user can act on.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of the machine, not of the configuration's content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// The directory to work in is not there.
    #[error("there is no directory `{}`", path.display())]
    NoSuchDirectory {
        /// As the caller gave it.
        path: PathBuf,
    },
    /// The directory to work in is something else.
    #[error("`{}` is not a directory", path.display())]
    NotADirectory {
        /// As the caller gave it.
        path: PathBuf,
    },
    /// A file was wanted and a directory found.
    #[error("`{}` is a directory, a file is needed", path.display())]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// It exists and cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// It is longer than a file of its kind may be.
    #[error("`{}` is larger than {}, the most kontext reads", path.display(), size(*limit))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// Symbolic links lead to a place that may not be read.
    #[error("`{}` leads to `{}`, which is outside the repository and every root of yours", path.display(), target.display())]
    Outside {
        /// The file.
        path: PathBuf,
        /// Where it is in the end.
        target: PathBuf,
    },
    /// It cannot be written.
    #[error("cannot write `{}`: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
}

impl HostError {
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> HostError {
        HostError::Unreadable { path: path.to_owned(), reason: words(error) }
    }

    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> HostError {
        HostError::Unwritable { path: path.to_owned(), reason: words(error) }
    }
}

/// The system's message in lower case and without its error number, which helps nobody.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split_once(" (os error").map_or(text.as_str(), |(message, _)| message);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_as_sentences() {
        let path = PathBuf::from("/a b");
        let large = |limit| HostError::TooLarge { path: path.clone(), limit }.to_string();
        assert_eq!(large(16 << 20), "`/a b` is larger than 16 MiB, the most kontext reads");
        assert_eq!(large(1000), "`/a b` is larger than 1000 bytes, the most kontext reads");
        let denied = io::Error::from_raw_os_error(13);
        assert_eq!(
            HostError::unwritable(&path, &denied).to_string(),
            "cannot write `/a b`: permission denied"
        );
    }
}
