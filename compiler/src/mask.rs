//! Secrets that stand in the files, so that none is shown: not in a source line, and not in the words of a finding.

use std::borrow::Cow;
use std::ops::Range;

use crate::flow::literal;
use crate::source::{FileId, FileSpan, Sources};

/// What is shown in a secret's place.
pub const MASK: &str = "***";

/// Shortest word that can be a token.
const SHORTEST: usize = 20;
/// Characters of a secret that give it away.
const HEAD: usize = 12;
const KEY: &str = "-----BEGIN ";
/// Most characters of the line a key begins with.
const TITLE: usize = 64;

/// The places of all secrets: those that were found in values, and whatever looks like one elsewhere: in comments,
/// in values that another layer replaces, in files that are no TOML. Sorted, none in another.
pub fn places(sources: &Sources, found: Vec<FileSpan>) -> Vec<FileSpan> {
    let mut spans = found;
    for (file, source) in sources.files() {
        spans.extend(tokens(&source.text).into_iter().map(|range| FileSpan::new(file, range)));
    }
    spans.sort();
    let mut merged: Vec<FileSpan> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.file == span.file && span.start <= last.end => {
                last.end = last.end.max(span.end)
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// The texts of the secrets of all places, in the order of their bytes.
#[must_use]
pub fn secrets<'a>(sources: &'a Sources, places: &[FileSpan]) -> Vec<&'a str> {
    let mut texts: Vec<&str> = places.iter().map(|place| sources.text(*place)).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Those of the places that are in a file.
#[must_use]
pub fn in_file(places: &[FileSpan], file: FileId) -> Vec<FileSpan> {
    places.iter().filter(|place| place.file == file).copied().collect()
}

/// A text without secrets: neither one of those, whole or cut off, nor anything that looks like one. They stand in
/// the order of their bytes.
#[must_use]
pub fn hide<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let mut ranges = tokens(text);
    ranges.extend(beginnings(text, secrets));
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    let (mut shown, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        if range.start >= at {
            shown.push_str(text.get(at..range.start).unwrap_or(""));
            shown.push_str(MASK);
        }
        at = at.max(range.end);
    }
    shown.push_str(text.get(at..).unwrap_or(""));
    Cow::Owned(shown)
}

/// Where one of the secrets begins in a text, as far as the text goes on like it.
///
/// Each place is looked up among all secrets at once, and what was found is not looked through again: a file may hold
/// thousands of secrets, and one may be made of many like it.
fn beginnings(text: &str, secrets: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty() && !secrets.is_empty()) {
        let length = beginning(rest, secrets);
        if length > 0 {
            found.push(from..from + length);
        }
        from += rest.ceil_char_boundary(length.saturating_sub(HEAD).max(1));
    }
    found
}

/// How many bytes of a text a secret begins with; 0 when they do not give it away.
fn beginning(text: &str, secrets: &[&str]) -> usize {
    let next = secrets.partition_point(|secret| *secret < text);
    // The secrets most like the text stand before and behind the place where it would stand itself.
    let near = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| secrets.get(at));
    let near = near.map(|secret| common(text, secret)).max().filter(|(count, _)| *count >= HEAD);
    let whole = || {
        let short = text.char_indices().map(|(at, c)| at + c.len_utf8()).take(HEAD);
        short.filter(|end| text.get(..*end).is_some_and(|head| secrets.binary_search(&head).is_ok())).max()
    };
    near.map(|(_, length)| length).or_else(whole).unwrap_or(0)
}

/// The characters and bytes that two texts begin with alike.
fn common(text: &str, secret: &str) -> (usize, usize) {
    let same = text.chars().zip(secret.chars()).take_while(|(a, b)| a == b);
    same.fold((0, 0), |(count, length), (c, _)| (count + 1, length + c.len_utf8()))
}

/// Words of a text that look like tokens, and private keys. One pass over the bytes for each.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = keys(text);
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = text.as_bytes();
    let mut start = 0;
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(word) {
            continue;
        }
        if at - start >= SHORTEST {
            // The letter of an escape before the word is none of its letters.
            let escaped = start.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\\');
            for first in [Some(start), escaped.then_some(start + 1)].into_iter().flatten() {
                let literal = text.get(first..at).and_then(literal);
                found.extend(literal.map(|l| first + l.range.start..first + l.range.end));
            }
        }
        start = at + 1;
    }
    found
}

/// Private keys: to their end, or to the end of the line where they have none.
fn keys(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut ends) = (0, true);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(KEY)).map(|at| from + at) {
        from = at + KEY.len();
        let rest = text.get(at..).unwrap_or("");
        let title: String = rest.chars().take(TITLE).collect();
        if !title.contains("PRIVATE KEY") {
            continue;
        }
        let end = ends.then(|| key_end(rest)).flatten();
        ends &= end.is_some();
        from = at + end.unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()));
        found.push(at..from);
    }
    found
}

fn key_end(key: &str) -> Option<usize> {
    const END: &str = "-----END ";
    let end = key.find(END)? + END.len();
    Some(end + key.get(end..)?.find("-----")? + "-----".len())
}

#[cfg(test)]
mod tests {
    use kontext_plan::LayerName;

    use super::*;

    #[test]
    fn a_secret_is_hidden_whole_cut_and_escaped() {
        let token = format!("ghp_{}1", "aB3".repeat(12));
        let cut = token.get(..20).unwrap();
        assert_eq!(hide(&format!("`{token}` is wrong"), &[]), "`***` is wrong");
        assert_eq!(hide(&format!("`{cut}…` is wrong"), &[&token]), "`***…` is wrong");
        assert_eq!(hide(&format!("a\\n{token}\""), &[]), "a\\n***\"");
        assert_eq!(hide("ghp_ and github_personal", &[&token]), "ghp_ and github_personal");
        assert!(matches!(hide("nothing", &[&token]), Cow::Borrowed(_)));
        let secrets = ["pässwörd-of-the-other-one", "pässwörd-of-the-sea", "short", "shorter-than-most"];
        assert_eq!(hide("a short one, pässwörd-of-the-seal, short", &secrets), "a *** one, ***l, ***");
    }

    #[test]
    fn comments_and_keys_count() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
        let text = format!("# glpat-aaaa1111bbbb2222cccc and AKIAIOSFODNN7EXAMPLE1\nk = '''{key}'''\n");
        let mut sources = Sources::default();
        let file = sources.add("repo:.kontext.toml", ".kontext.toml", LayerName::Shared, text);
        let places = places(&sources, vec![FileSpan::new(file, 2..10)]);
        assert_eq!(secrets(&sources, &places), [key, "AKIAIOSFODNN7EXAMPLE1", "glpat-aaaa1111bbbb2222cccc"]);
    }
}
