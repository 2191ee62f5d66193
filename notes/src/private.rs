//! What must not stand in a text that anyone may read: paths of one machine and addresses of one network.

use std::net::Ipv4Addr;

use crate::Span;

/// What a private place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivateKind {
    /// `c:\work`.
    Drive,
    /// `\\host\share`.
    Unc,
    /// `/home/NAME/…` or `/Users/NAME/…`.
    Home,
    /// A URL whose host is on a private network.
    Network,
}

/// One private place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Private {
    /// What it is.
    pub kind: PrivateKind,
    /// Its place in the text.
    pub span: Span,
    /// Its line, from 1.
    pub line: usize,
}

/// Private places of `text`, but for lines that hold the comment `<!-- kontext:allow-path -->`.
#[must_use]
pub fn private_places(text: &str) -> Vec<Private> {
    let mut found = Vec::new();
    let mut start = 0;
    for (line, raw) in (1..).zip(text.split('\n')) {
        if !is_allowed(raw) {
            in_line(raw, |kind, span: Span| {
                let span = Span::new(span.start + start, span.end + start);
                found.push(Private { kind, span, line });
            });
        }
        start += raw.len() + 1;
    }
    found
}

fn is_allowed(line: &str) -> bool {
    let mut comments = line.split("<!--").skip(1).filter_map(|tail| tail.split_once("-->"));
    comments.any(|(text, _)| text.trim() == "kontext:allow-path")
}

fn in_line(line: &str, mut found: impl FnMut(PrivateKind, Span)) {
    let mut at = 0;
    while let Some((behind, tail)) = line.split_at_checked(at).filter(|(_, tail)| !tail.is_empty()) {
        let here = Here { behind, before: behind.chars().next_back(), tail };
        match here.kind() {
            Some(kind) => {
                let start =
                    if kind == PrivateKind::Network { behind.len() - scheme(behind).len() } else { at };
                at += extent(tail);
                found(kind, Span::new(start, at));
            }
            None => at += tail.chars().next().map_or(1, char::len_utf8),
        }
    }
}

/// A place in a line.
struct Here<'a> {
    behind: &'a str,
    before: Option<char>,
    tail: &'a str,
}

impl Here<'_> {
    /// What private place begins here.
    fn kind(&self) -> Option<PrivateKind> {
        match self.tail.as_bytes() {
            [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() && !self.in_word() => {
                Some(PrivateKind::Drive)
            }
            [b'\\', b'\\', ..] if !self.in_word() && self.before != Some('\\') => {
                is_share(self.tail.trim_start_matches('\\'), 2).then_some(PrivateKind::Unc)
            }
            [b':', b'/', b'/', ..] => self.url(),
            [b'/', b'/', ..] if !self.in_word() && !matches!(self.before, Some(':' | '/' | '\\')) => {
                is_share(self.tail.get(2..)?, 1).then_some(PrivateKind::Unc)
            }
            [b'/', ..] => (self.may_begin_a_path() && is_home(self.tail)).then_some(PrivateKind::Home),
            _ => None,
        }
    }

    /// Only ASCII counts: text in a wrong encoding puts odd letters before a path.
    fn in_word(&self) -> bool {
        self.before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    fn url(&self) -> Option<PrivateKind> {
        let scheme = scheme(self.behind);
        let authority = self.tail.get(3..).filter(|_| !scheme.is_empty())?;
        if scheme.eq_ignore_ascii_case("file") {
            let local = authority.get(..10).is_some_and(|host| host.eq_ignore_ascii_case("localhost/"));
            return (!local && is_share(authority, 1)).then_some(PrivateKind::Unc);
        }
        is_private_host(host(authority)).then_some(PrivateKind::Network)
    }

    /// Not in the middle of a longer path or URL: `src/home/x`, `./home/x`, `http://home/x`.
    fn may_begin_a_path(&self) -> bool {
        let option = self.before.is_some_and(|c| c.is_ascii_uppercase()) && {
            let mut chars = self.behind.chars().rev().skip(1);
            chars.next() == Some('-') && chars.next().is_none_or(char::is_whitespace)
        };
        let inside = self.in_word()
            || matches!(self.before, Some('.' | '~' | '}' | ')'))
            || self.behind.ends_with(":/");
        option || !inside
    }
}

/// The scheme of a URL that ends where `behind` does.
fn scheme(behind: &str) -> &str {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let start = behind.trim_end_matches(is_scheme).len();
    behind.get(start..).unwrap_or_default()
}

/// Whether `host/share` begins `text`; a host of one letter is more often a regular expression than a machine.
fn is_share(text: &str, shortest: usize) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '$');
    let tail = text.trim_start_matches(is_name);
    let host = text.len() - tail.len();
    let share = tail.trim_start_matches(['/', '\\']);
    host >= shortest && share.len() < tail.len() && share.starts_with(is_name)
}

fn is_home(text: &str) -> bool {
    let name = text.strip_prefix("/home/").or_else(|| text.strip_prefix("/Users/"));
    name.is_some_and(|tail| {
        let name = tail.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | '-')).next();
        let shared = text.starts_with("/Users/") && name == Some("Shared");
        !shared && tail.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

/// The host of what stands behind `://`: without user, port and the dot of the root.
fn host(authority: &str) -> &str {
    let end = authority.find(|c: char| matches!(c, '/' | '?' | '#' | '\\') || is_delimiter(c));
    let authority = authority.get(..end.unwrap_or(authority.len())).unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split(':').next().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}

fn is_private_host(host: &str) -> bool {
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_private();
    }
    let host = host.to_ascii_lowercase();
    [".local", ".internal"]
        .into_iter()
        .any(|zone| host.strip_suffix(zone).is_some_and(|name| !name.is_empty()))
}

/// How much of `text` belongs to the place that begins it.
fn extent(text: &str) -> usize {
    text.find(is_delimiter).unwrap_or(text.len()).max(1)
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '`' | '"' | '\'' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(PrivateKind, usize, &str)> {
        private_places(text).into_iter().map(|one| (one.kind, one.line, one.span.of(text))).collect()
    }

    #[test]
    fn places_of_every_kind() {
        use PrivateKind::{Drive, Home, Network, Unc};
        let table = [
            ("see C:\\Users\\x.", Drive, "C:\\Users\\x."),
            ("`c:/work` is", Drive, "c:/work"),
            ("the drive D:\\", Drive, "D:\\"),
            ("Ð¿c:\\x", Drive, "c:\\x"),
            ("file:///c:/x", Drive, "c:/x"),
            ("\"C:\\\\Users\\\\x\"", Drive, "C:\\\\Users\\\\x"),
            ("at \\\\srv\\share\\x", Unc, "\\\\srv\\share\\x"),
            ("(//srv/share)", Unc, "//srv/share"),
            ("\"\\\\\\\\srv\\\\share\"", Unc, "\\\\\\\\srv\\\\share"),
            ("file://srv/share", Unc, "://srv/share"),
            ("/home/bob/notes", Home, "/home/bob/notes"),
            ("in /Users/Anna/x, too", Home, "/Users/Anna/x"),
            ("PATH=/usr/bin:/home/bob/bin", Home, "/home/bob/bin"),
            ("cc -I/home/bob/include", Home, "/home/bob/include"),
            ("file:///home/bob/x", Home, "/home/bob/x"),
            ("/home/bob", Home, "/home/bob"),
            ("/home/żaneta/x", Home, "/home/żaneta/x"),
            ("http://10.0.0.1/x", Network, "http://10.0.0.1/x"),
            ("[x](https://172.16.3.4:80)", Network, "https://172.16.3.4:80"),
            ("http://172.31.0.9", Network, "http://172.31.0.9"),
            ("ssh://git@192.168.1.2/x", Network, "ssh://git@192.168.1.2/x"),
            ("http://user:pw@NAS.Local./x", Network, "http://user:pw@NAS.Local./x"),
            ("https://wiki.corp.internal/x", Network, "https://wiki.corp.internal/x"),
            ("<http://10.1.2.3>", Network, "http://10.1.2.3"),
        ];
        for (text, kind, underlined) in table {
            let text = format!("x\n{text}\r\ny");
            assert_eq!(shown(&text), [(kind, 2, underlined)], "{text:?}");
        }
        assert_eq!(shown("c:\\a c:\\b").len(), 2);
    }

    #[test]
    fn what_anyone_may_read() {
        for text in [
            "",
            "/srv/app",
            "https://example.com/home/bob/x",
            "src/home/components/x",
            "./home/x/y",
            "~/home/x",
            "${ROOT}/home/x/y",
            "/home/",
            "/home",
            "/home/<name>/x",
            "/home/$USER/x",
            "/home/*/x",
            "/Users/Shared/x",
            "/users/octocat/repos",
            "http://home/bob/x",
            "http://172.15.0.1",
            "http://172.32.0.1",
            "http://11.0.0.1",
            "http://local",
            "http://x.locals/",
            "http://localhost:1933",
            "http://example.com:10",
            "10.0.0.1",
            "nas.local",
            "// a comment",
            "a//b/c",
            "https://a/b//c/d",
            "`\\\\d+\\\\w`",
            "e.g.: /x",
            "note:/x",
            "https://10.example.com",
            "the end.\\\\ ",
            "a::/b",
            "c:\\x <!-- kontext:allow-path -->",
            "<!--kontext:allow-path--> http://10.0.0.1",
        ] {
            assert_eq!(shown(text), [], "{text:?}");
        }
        assert_eq!(shown("<!-- kontext:allow-path -->\nc:\\x").len(), 1);
    }
}
