//! The ways a text can be read: as it is, percent-decoded, and with the escapes of JSON undone.
//!
//! Looking for a secret in what the text *means* finds it however much of it was escaped, which no list of its
//! encoded forms could.

use std::borrow::Cow;
use std::ops::Range;

/// How often JSON text may stand within JSON text.
const NESTED: usize = 3;

/// Bytes, and for each of them and for their end the place in the text; none when they are the text.
pub(super) struct Reading<'t> {
    bytes: Cow<'t, [u8]>,
    places: Option<Vec<u32>>,
}

impl Reading<'_> {
    /// What it reads as.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The part of the text that reads as this part of the bytes.
    pub(super) fn original(&self, part: Range<usize>) -> Range<usize> {
        let Some(places) = &self.places else { return part };
        let place =
            |at: usize| places.get(at).map_or(0, |place| usize::try_from(*place).unwrap_or(usize::MAX));
        place(part.start)..place(part.end)
    }
}

/// Shows a finder every reading of a text that differs from the others, one at a time.
pub(super) fn each(text: &str, blanks: bool, mut look: impl FnMut(&Reading<'_>)) {
    let mut reading = Reading { bytes: Cow::Borrowed(text.as_bytes()), places: None };
    for _ in 0..=NESTED {
        look(&reading);
        if let Some(decoded) = reread(&reading, b'%', percent) {
            look(&decoded);
        }
        if blanks && let Some(decoded) = reread(&reading, b'+', form) {
            look(&decoded);
        }
        match reread(&reading, b'\\', escape) {
            Some(unescaped) => reading = unescaped,
            None => break,
        }
    }
}

/// Undoes one kind of escape: how many bytes it takes, and what they mean.
type Undo = fn(&[u8]) -> Option<(usize, Meaning)>;

/// Up to four bytes.
struct Meaning {
    bytes: [u8; 4],
    length: usize,
}

impl Meaning {
    fn of(character: char) -> Meaning {
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len();
        Meaning { bytes, length }
    }

    fn byte(byte: u8) -> Meaning {
        Meaning { bytes: [byte, 0, 0, 0], length: 1 }
    }
}

/// Reads a reading once more; none when it holds nothing to undo.
fn reread<'t>(reading: &Reading<'_>, mark: u8, undo: Undo) -> Option<Reading<'t>> {
    let bytes = reading.bytes();
    if !bytes.contains(&mark) {
        return None;
    }
    let mut read = Vec::with_capacity(bytes.len());
    let mut places = Vec::with_capacity(bytes.len() + 1);
    let mut at = 0;
    let mut changed = false;
    while let Some((&first, _)) = bytes.get(at..).and_then(<[u8]>::split_first) {
        let place = u32::try_from(reading.original(at..at).start).unwrap_or(u32::MAX);
        let undone = bytes.get(at..).and_then(undo);
        changed |= undone.is_some();
        let (taken, meaning) = undone.unwrap_or((1, Meaning::byte(first)));
        for byte in meaning.bytes.into_iter().take(meaning.length) {
            read.push(byte);
            places.push(place);
        }
        at += taken;
    }
    places.push(u32::try_from(reading.original(at..at).start).unwrap_or(u32::MAX));
    changed.then_some(Reading { bytes: Cow::Owned(read), places: Some(places) })
}

fn percent(bytes: &[u8]) -> Option<(usize, Meaning)> {
    match bytes {
        [b'%', high, low, ..] => Some((3, Meaning::byte(u8::try_from(hex(&[*high, *low])?).ok()?))),
        _ => None,
    }
}

/// Form encoding: percent escapes, and `+` for a blank.
fn form(bytes: &[u8]) -> Option<(usize, Meaning)> {
    if bytes.first() == Some(&b'+') { Some((1, Meaning::byte(b' '))) } else { percent(bytes) }
}

fn escape(bytes: &[u8]) -> Option<(usize, Meaning)> {
    let [b'\\', kind, rest @ ..] = bytes else { return None };
    let byte = match kind {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        b'"' | b'\\' | b'/' | b'\'' => *kind,
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((2, Meaning::byte(byte)))
}

/// What follows `\u`: four digits, and the second half of a pair.
fn unicode(rest: &[u8]) -> Option<(usize, Meaning)> {
    let first = hex(rest.get(..4)?)?;
    if let Some(character) = char::from_u32(first) {
        return Some((6, Meaning::of(character)));
    }
    let second = hex(rest.get(4..10)?.strip_prefix(b"\\u")?)?;
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    let high = first.checked_sub(0xD800).filter(|high| *high < 0x400)?;
    char::from_u32(0x1_0000 + (high << 10) + low).map(|character| (12, Meaning::of(character)))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}
