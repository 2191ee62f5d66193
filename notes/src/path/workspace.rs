//! The place an agent works in, as people, editors and systems write it.

use super::{Family, Normal, is_separator};

/// What the machine knows that a path may stand against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine<'a> {
    /// The current directory, absolute.
    pub current_dir: Option<&'a str>,
    /// The home directory, absolute.
    pub home: Option<&'a str>,
}

/// A workspace: its path as given, the same with symbolic links resolved, and what `~` in a key stands for.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(super) given: Option<Normal>,
    pub(super) resolved: Option<Normal>,
    pub(super) home: Option<Normal>,
    written: String,
}

impl Workspace {
    /// The workspace a caller gave, else the current directory. `resolved` is its path with symbolic links followed,
    /// where that is known.
    #[must_use]
    pub fn new(written: Option<&str>, resolved: Option<&str>, machine: Machine) -> Self {
        let written = written
            .filter(|text| !text.trim().is_empty())
            .or(machine.current_dir)
            .unwrap_or_default()
            .to_owned();
        Self {
            given: Self::locate(&written, machine),
            resolved: resolved.and_then(|path| Self::locate(path, machine)),
            home: machine.home.and_then(plain),
            written,
        }
    }

    /// The absolute path that `written` stands for: a path, a `file://` URL, `~`, or relative to the current directory.
    #[must_use]
    pub fn locate(written: &str, machine: Machine) -> Option<Normal> {
        if written.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("file://")) {
            return of_url(written.get(7..)?);
        }
        let home = || machine.home.and_then(plain);
        match written.strip_prefix('~') {
            Some("") => return home(),
            Some(tail) if tail.starts_with('/') => return Some(home()?.join(tail)),
            Some(tail) if tail.starts_with('\\') => {
                if let Some(home) = home().filter(|home| home.family() != Family::Posix) {
                    return Some(home.join(tail));
                }
            }
            _ => {}
        }
        plain(written).or_else(|| relative(written, machine.current_dir.and_then(plain)?))
    }

    /// The path as given, normalised; `None` when it is none.
    #[must_use]
    pub fn given(&self) -> Option<&Normal> {
        self.given.as_ref()
    }

    /// The path with symbolic links resolved, normalised.
    #[must_use]
    pub fn resolved(&self) -> Option<&Normal> {
        self.resolved.as_ref()
    }

    /// What the caller wrote, else the current directory.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }
}

/// An absolute path; also in the form that Windows gives resolved paths, `\\?\C:\x` and `\\?\UNC\host\share`.
fn plain(text: &str) -> Option<Normal> {
    match text.strip_prefix("\\\\?\\") {
        Some(tail) => match tail.get(..4).filter(|start| start.eq_ignore_ascii_case("UNC\\")) {
            Some(unc) => Normal::parse(&format!("\\\\{}", tail.get(unc.len()..)?)),
            None => Normal::parse(tail),
        },
        None => Normal::parse(text),
    }
}

/// A path that stands against the current directory.
fn relative(text: &str, current: Normal) -> Option<Normal> {
    if is_cut_short(text.as_bytes()) {
        return None;
    }
    let rooted = current.family() != Family::Posix && text.starts_with(is_separator);
    Some(if rooted { current.top().join(text) } else { current.join(text) })
}

/// `//host`, `\\host`, `c:` or `c:x`: incomplete everywhere, and nobody means a folder of that name.
fn is_cut_short(bytes: &[u8]) -> bool {
    match bytes {
        [b'/', b'/', ..] | [b'\\', b'\\', ..] => true,
        [letter, b':', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The path of a `file` URL, of which `text` stands behind `//`.
fn of_url(text: &str) -> Option<Normal> {
    let (host, path) = text.split_at_checked(text.find('/')?)?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return None;
    }
    let path = decoded(path)?;
    match path.as_bytes() {
        [b'/', letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => {
            Normal::parse(path.get(1..)?)
        }
        _ => Normal::parse(&path),
    }
}

/// Percent escapes taken off once; `None` when what comes out is no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, tail) {
            (b'%', [high, low, behind @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high * 16 + low);
                    rest = behind;
                }
                _ => bytes.push(byte),
            },
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
