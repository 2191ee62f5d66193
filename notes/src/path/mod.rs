//! Absolute paths of every system, normalised so that they compare component by component on any of them.

mod near;
mod order;
mod table;
#[cfg(test)]
mod tests;
mod workspace;

pub use near::{Near, NearMiss};
pub use table::{KeyLine, KeyProblem, PathMatch, PathTable, Row};
pub use workspace::{Machine, Workspace};

/// Which rules a path follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// `/srv/app`: exact, `\` is an ordinary character.
    Posix,
    /// `c:\work`: `/` and `\` are one separator, upper and lower case are one.
    Drive,
    /// `\\host\share\x`: like a drive.
    Unc,
}

/// A normalised absolute path.
///
/// `path` is `/srv/app`, `c:/work/x` or `//host/share/x`: one kind of separator, no `.`, `..` or trailing separator
/// (but of a lone root), and lower case where case does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normal {
    family: Family,
    path: String,
    /// Bytes of `path` that no `..` removes: ``, `c:`, `//host/share`.
    root: usize,
}

impl Normal {
    /// Reads an absolute path; `None` when `text` is none. `~` and URLs are not looked at here.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        match bytes {
            [b'/', b'/'] | [b'/', b'/', b'/', ..] => Some(Self::under(Family::Posix, String::new(), text)),
            [b'/', b'/', ..] | [b'\\', b'\\', ..] => Self::parse_share(text.get(2..)?),
            [b'/', ..] => Some(Self::under(Family::Posix, String::new(), text)),
            [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => {
                let root = format!("{}:", char::from(letter.to_ascii_lowercase()));
                Some(Self::under(Family::Drive, root, text.get(2..)?))
            }
            _ => None,
        }
    }

    /// The path behind the two separators of `\\host\share…`.
    fn parse_share(text: &str) -> Option<Self> {
        let (host, tail) = text.split_once(is_separator)?;
        let tail = tail.trim_start_matches(is_separator);
        let (share, tail) = tail.split_once(is_separator).unwrap_or((tail, ""));
        let named = |name: &str| !matches!(name, "" | "." | "..");
        (named(host) && named(share)).then(|| {
            let root = format!("//{}/{}", host.to_lowercase(), share.to_lowercase());
            Self::under(Family::Unc, root, tail)
        })
    }

    fn under(family: Family, root: String, tail: &str) -> Self {
        let bare = Self { family, root: root.len(), path: root };
        bare.join(tail)
    }

    /// This path with a relative one behind it, in which `..` removes its parent, never the root.
    #[must_use]
    pub fn join(&self, relative: &str) -> Self {
        let own = self.body().get(self.root..).unwrap_or_default();
        let mut components: Vec<String> =
            own.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let insensitive = self.family != Family::Posix;
        for name in relative.split(|c| c == '/' || (insensitive && c == '\\')) {
            match name {
                "" | "." => {}
                ".." => drop(components.pop()),
                name if insensitive => components.push(name.to_lowercase()),
                name => components.push(name.to_owned()),
            }
        }
        let mut path = self.path.get(..self.root).unwrap_or_default().to_owned();
        for name in &components {
            path.push('/');
            path.push_str(name);
        }
        if components.is_empty() && self.family != Family::Unc {
            path.push('/');
        }
        Self { family: self.family, path, root: self.root }
    }

    /// Which rules it follows.
    #[must_use]
    pub fn family(&self) -> Family {
        self.family
    }

    /// The normalised text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// How many components stand behind the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        order::components(self.body().get(self.root..).unwrap_or_default())
    }

    /// The text without the separator that a lone root ends in.
    fn body(&self) -> &str {
        order::body(&self.path)
    }

    /// Only its root: `/` of POSIX paths.
    fn top(&self) -> Self {
        Self::under(self.family, self.path.get(..self.root).unwrap_or_default().to_owned(), "")
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}
