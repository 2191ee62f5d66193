//! Git's configuration syntax, as far as a few facts need it: no process is started and nothing is executed.
//!
//! `include.path` is followed when relative or absolute; `~` in it, `includeIf`, and the user's and the system's files
//! are not read, so `url.….insteadOf` has no effect. A line that git would refuse gives no entry.

use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

use crate::{HostError, read_limited};

const LIMIT: u64 = 4 << 20;
const INCLUDE_DEPTH: u8 = 10;

/// The entries of a configuration in the order they count.
#[derive(Debug, Default)]
pub(super) struct Config {
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq)]
struct Entry {
    /// `section.key` or `section.subsection.key`; section and key in lower case.
    name: String,
    /// None for a key without `=`, which means true.
    value: Option<String>,
}

impl Config {
    /// Adds the entries of a file and of what it includes; an absent file adds nothing.
    pub(super) fn read(&mut self, path: &Path) -> Result<(), HostError> {
        self.read_nested(path, INCLUDE_DEPTH)
    }

    /// The first value of a key that may have several; an empty value forgets those before it.
    pub(super) fn first(&self, name: &str) -> Option<&str> {
        let named = self.entries.iter().filter(|entry| entry.name == name);
        let values: Vec<Option<&str>> = named.map(|entry| entry.value.as_deref()).collect();
        let start =
            values.iter().rposition(|value| *value == Some("")).map_or(0, |empty| empty.saturating_add(1));
        values.get(start).copied().flatten()
    }

    /// The value that counts of a key that has one.
    pub(super) fn last(&self, name: &str) -> Option<&str> {
        self.entries.iter().rev().find(|entry| entry.name == name)?.value.as_deref()
    }

    /// Whether a yes-or-no key is on; false when it is absent.
    pub(super) fn is_on(&self, name: &str) -> bool {
        match self.entries.iter().rev().find(|entry| entry.name == name) {
            Some(Entry { value: Some(value), .. }) => {
                let number = value.parse::<i64>().is_ok_and(|number| number != 0);
                number || ["true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
            }
            Some(Entry { value: None, .. }) => true,
            None => false,
        }
    }

    fn read_nested(&mut self, path: &Path, depth: u8) -> Result<(), HostError> {
        let Some(bytes) = read_limited(path, LIMIT)? else { return Ok(()) };
        for entry in parse(&String::from_utf8_lossy(&bytes)) {
            let include = (entry.name == "include.path").then(|| entry.value.clone()).flatten();
            self.entries.push(entry);
            if let (Some(include), Some(depth)) = (include, depth.checked_sub(1))
                && !include.is_empty()
                && !include.starts_with('~')
            {
                self.read_nested(&path.parent().unwrap_or(path).join(include), depth)?;
            }
        }
        Ok(())
    }
}

fn parse(text: &str) -> Vec<Entry> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut reader = Reader { chars: text.chars().peekable() };
    let mut entries = Vec::new();
    let mut section = None;
    while let Some(&next) = reader.chars.peek() {
        match next {
            '[' => section = reader.section(),
            c if c.is_ascii_alphabetic() => {
                let entry = reader.entry();
                if let (Some(section), Some((key, value))) = (&section, entry) {
                    entries.push(Entry { name: format!("{section}.{key}"), value });
                }
            }
            c if c.is_whitespace() => drop(reader.chars.next()),
            _ => reader.skip_line(),
        }
    }
    entries
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    /// `[section]`, `[section "Sub"]` or the old `[section.sub]`; none, and the rest of the line gone, when malformed.
    fn section(&mut self) -> Option<String> {
        self.chars.next();
        let mut name =
            self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).to_ascii_lowercase();
        self.blanks();
        if self.chars.next_if_eq(&'"').is_some() {
            name.push('.');
            self.subsection(&mut name)?;
        }
        if self.chars.next_if_eq(&']').is_none() {
            self.skip_line();
            return None;
        }
        Some(name)
    }

    fn subsection(&mut self, name: &mut String) -> Option<()> {
        loop {
            match self.chars.next_if(|c| *c != '\n')? {
                '"' => return Some(()),
                '\\' => name.push(self.chars.next_if(|c| *c != '\n')?),
                c => name.push(c),
            }
        }
    }

    fn entry(&mut self) -> Option<(String, Option<String>)> {
        let key = self.word(|c| c.is_ascii_alphanumeric() || c == '-').to_ascii_lowercase();
        self.blanks();
        match self.chars.peek() {
            Some('=') => {
                self.chars.next();
                let value = self.value();
                if value.is_none() {
                    self.skip_line();
                }
                Some((key, Some(value?)))
            }
            None | Some('\n' | '#' | ';') => {
                self.skip_line();
                Some((key, None))
            }
            Some(_) => {
                self.skip_line();
                None
            }
        }
    }

    /// A value up to the end of its last line. Blanks at its ends do not count unless quoted.
    fn value(&mut self) -> Option<String> {
        self.blanks();
        let mut value = String::new();
        let mut kept = 0;
        let mut quoted = false;
        while let Some(c) = self.chars.next_if(|c| *c != '\n') {
            match c {
                '"' => quoted = !quoted,
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                '\\' => value.extend(self.escape()?),
                c => value.push(c),
            }
            if quoted || !c.is_whitespace() {
                kept = value.len();
            }
        }
        value.truncate(kept);
        (!quoted).then_some(value)
    }

    /// What follows a backslash; the outer none is a mistake, the inner one a continued line.
    fn escape(&mut self) -> Option<Option<char>> {
        match self.chars.next()? {
            '\n' => Some(None),
            't' => Some(Some('\t')),
            'n' => Some(Some('\n')),
            'b' => Some(Some('\u{8}')),
            c @ ('"' | '\\') => Some(Some(c)),
            _ => None,
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(c) = self.chars.next_if(|c| belongs(*c)) {
            word.push(c);
        }
        word
    }

    fn blanks(&mut self) {
        while self.chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    }

    /// Up to the line's end, which stays.
    fn skip_line(&mut self) {
        while self.chars.next_if(|c| *c != '\n').is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<(String, Option<String>)> {
        parse(text).into_iter().map(|entry| (entry.name, entry.value)).collect()
    }

    fn one(text: &str) -> String {
        let entries = entries(&format!("[s]\nk = {text}\n"));
        assert_eq!(entries.len(), 1, "{text}");
        entries[0].1.clone().unwrap()
    }

    #[test]
    fn values() {
        for (text, value) in [
            ("plain", "plain"),
            ("  two  words\t ", "two  words"),
            ("a # comment", "a"),
            ("a;b", "a"),
            ("\"a # b\" ; c", "a # b"),
            ("\"  padded  \"", "  padded  "),
            ("un\"quo ted\"x", "unquo tedx"),
            (r#"a\tb\\c\"d"#, "a\tb\\c\"d"),
            ("one\\\n  two", "one  two"),
            ("\"q\\\nr\"", "qr"),
            ("", ""),
            ("a=b", "a=b"),
            ("a\r", "a"),
        ] {
            assert_eq!(one(text), value, "{text:?}");
        }
    }

    #[test]
    fn names() {
        let text =
            "\u{feff}; c\r\n[Remote \"Ori\\\"gin\"] URL = a\r\n\tpush-Url\n[Core]\nBare # c\n[old.SUB]x=1";
        assert_eq!(
            entries(text),
            [
                ("remote.Ori\"gin.url".to_owned(), Some("a".to_owned())),
                ("remote.Ori\"gin.push-url".to_owned(), None),
                ("core.bare".to_owned(), None),
                ("old.sub.x".to_owned(), Some("1".to_owned())),
            ]
        );
    }

    #[test]
    fn malformed_lines_give_nothing_and_hide_nothing() {
        let text = "x = 1\n[a\nb = 1\n[c]\nd e\n= 2\nq = \"open\nr = \\x y\n[s \"t]\nz=1\n[f]\ng = 1\n";
        assert_eq!(entries(text), [("f.g".to_owned(), Some("1".to_owned()))]);
    }

    fn config(text: &str) -> Config {
        Config { entries: parse(text) }
    }

    #[test]
    fn which_of_several_counts() {
        let list = config("[r]\nu = a\nu = b\n");
        assert_eq!((list.first("r.u"), list.last("r.u"), list.first("r.x")), (Some("a"), Some("b"), None));
        assert_eq!(config("[r]\nu = a\nu =\nu = c\nu = d").first("r.u"), Some("c"));
        assert_eq!(config("[r]\nu = a\nu =").first("r.u"), None);
    }

    #[test]
    fn yes_or_no() {
        for (text, on) in
            [("b", true), ("b=Yes", true), ("b=2", true), ("b=0", false), ("b=", false), ("", false)]
        {
            assert_eq!(config(&format!("[c]\n{text}\n")).is_on("c.b"), on, "{text}");
        }
    }

    #[test]
    fn includes_stand_against_their_file_and_end() {
        let dir = tempfile::tempdir().unwrap();
        let main = dir.path().join("config");
        std::fs::write(&main, "[include]\npath = more\npath = ~/x\npath = none\n[a]\nb = 2\n").unwrap();
        std::fs::write(dir.path().join("more"), "[a]\nb = 1\n[include]\npath = config\n").unwrap();
        let mut config = Config::default();
        config.read(&main).unwrap();
        assert_eq!((config.first("a.b"), config.last("a.b")), (Some("1"), Some("2")));
    }
}
