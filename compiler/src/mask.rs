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

/// The texts of the secrets of all places, longest first.
#[must_use]
pub fn secrets<'a>(sources: &'a Sources, places: &[FileSpan]) -> Vec<&'a str> {
    let mut texts: Vec<&str> = places.iter().map(|place| sources.text(*place)).collect();
    texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    texts.dedup();
    texts
}

/// Those of the places that are in a file.
#[must_use]
pub fn in_file(places: &[FileSpan], file: FileId) -> Vec<FileSpan> {
    places.iter().filter(|place| place.file == file).copied().collect()
}

/// A text without secrets: neither one of those, whole or cut off, nor anything that looks like one.
#[must_use]
pub fn hide<'a>(text: &'a str, secrets: &[&str]) -> Cow<'a, str> {
    let mut ranges = tokens(text);
    for secret in secrets {
        let head: String = secret.chars().take(HEAD).collect();
        if head.is_empty() {
            continue;
        }
        for (start, _) in text.match_indices(head.as_str()) {
            let rest = text.get(start..).unwrap_or("");
            let same = rest.chars().zip(secret.chars()).take_while(|(a, b)| a == b);
            ranges.push(start..start + same.map(|(c, _)| c.len_utf8()).sum::<usize>());
        }
    }
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
    }

    #[test]
    fn comments_and_keys_count() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
        let text = format!("# glpat-aaaa1111bbbb2222cccc and AKIAIOSFODNN7EXAMPLE1\nk = '''{key}'''\n");
        let mut sources = Sources::default();
        let file = sources.add("repo:.kontext.toml", ".kontext.toml", LayerName::Shared, text);
        let places = places(&sources, vec![FileSpan::new(file, 2..10)]);
        assert_eq!(secrets(&sources, &places), [key, "glpat-aaaa1111bbbb2222cccc", "AKIAIOSFODNN7EXAMPLE1"]);
    }
}
