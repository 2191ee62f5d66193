//! The bytes of a layer to text, or the reason why they are none.

use kontext_plan::LayerName;

use crate::diagnostic::Diagnostics;
use crate::diagnostic::layers::{Encoding, report_missing_explicit, report_not_utf8, report_unreadable};
use crate::source::{FileId, FileSpan, Sources};
use crate::world::{MAX_LAYER, World};

/// What was found under the name of an input.
pub(super) enum Found {
    /// There can be no such input here.
    Nowhere,
    /// It was looked for and is not there.
    Absent,
    /// It is there and its text is in the sources.
    Text(FileId, String),
    /// It is there and no text: that was reported. The digest, when its bytes could be read.
    Broken(Option<String>),
}

/// Reads an input. Its text goes to the sources, with the byte order mark if it has one.
pub(super) fn read(
    world: &dyn World,
    input: &str,
    layer: LayerName,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Found {
    let Some(display) = world.display(input) else { return Found::Nowhere };
    let mut fail = |reason: &str, help: Option<&str>, sources: &mut Sources| {
        let at = FileSpan::new(sources.add(input, &display, layer, String::new()), 0..0);
        report_unreadable(at, &display, reason, help, diagnostics);
        Found::Broken(None)
    };
    let bytes = match world.read(input) {
        Ok(Some(bytes)) if bytes.len() as u64 > MAX_LAYER => {
            return fail(
                "it is larger than 16 MiB",
                Some("is this the right file? a layer is a few kilobytes"),
                sources,
            );
        }
        Ok(Some(bytes)) => bytes,
        Ok(None) if input == super::EXPLICIT => {
            let at = FileSpan::new(sources.add(input, &display, layer, String::new()), 0..0);
            report_missing_explicit(at, &display, diagnostics);
            return Found::Broken(Some(kontext_plan::ABSENT.to_owned()));
        }
        Ok(None) => return Found::Absent,
        Err(error) => return fail(&error.reason, error.help.as_deref(), sources),
    };
    let digest = kontext_plan::sha256_hex(&bytes);
    match decode(bytes) {
        Ok(text) => Found::Text(sources.add(input, &display, layer, text), digest),
        Err(wrong) => {
            let end =
                wrong.text.get(wrong.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            let file = sources.add(input, &display, layer, wrong.text);
            let at = FileSpan::new(file, wrong.at..wrong.at + end);
            report_not_utf8(at, &display, wrong.looks_like, wrong.byte, diagnostics);
            Found::Broken(Some(digest))
        }
    }
}

/// Bytes that are not UTF-8: a text that can be shown, the first wrong byte, and what they look like.
struct Wrong {
    text: String,
    at: usize,
    byte: u8,
    looks_like: Encoding,
}

/// What bytes look like that are no UTF-8 text, and what precedes the first wrong one as far as it can be shown; none
/// for UTF-8.
#[must_use]
pub fn not_utf8(bytes: &[u8]) -> Option<(&'static str, String)> {
    let Wrong { mut text, at, looks_like, .. } = decode(bytes.to_owned()).err()?;
    text.truncate(text.floor_char_boundary(at));
    Some((looks_like.name(), text))
}

fn decode(bytes: Vec<u8>) -> Result<String, Wrong> {
    if let Some((looks_like, text, at)) = wide(&bytes) {
        let at = text.char_indices().map(|(offset, _)| offset).find(|offset| *offset >= at).unwrap_or(0);
        let byte = bytes.get(at).copied().unwrap_or(0);
        return Err(Wrong { text, at, byte, looks_like });
    }
    let nul = bytes.iter().position(|byte| *byte == 0);
    match (String::from_utf8(bytes), nul) {
        (Ok(text), None) => Ok(text),
        (Ok(text), Some(at)) => Err(Wrong { text, at, byte: 0, looks_like: Encoding::Binary }),
        (Err(error), _) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let at = nul.map_or(valid, |nul| nul.min(valid));
            let byte = bytes.get(at).copied().unwrap_or(0);
            let text = String::from_utf8_lossy(bytes).into_owned();
            Err(Wrong { text, at, byte, looks_like: narrow(bytes, valid, nul.is_some()) })
        }
    }
}

/// UTF-16 and UTF-32, with and without a byte order mark; and the first byte that shows it.
fn wide(bytes: &[u8]) -> Option<(Encoding, String, usize)> {
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => return Some((Encoding::Utf32, utf32(rest, u32::from_le_bytes), 0)),
        [0, 0, 0xfe, 0xff, rest @ ..] => return Some((Encoding::Utf32, utf32(rest, u32::from_be_bytes), 0)),
        [0xff, 0xfe, rest @ ..] => return Some((Encoding::Utf16Le, utf16(rest, u16::from_le_bytes), 0)),
        [0xfe, 0xff, rest @ ..] => return Some((Encoding::Utf16Be, utf16(rest, u16::from_be_bytes), 0)),
        _ => {}
    }
    let sample = bytes.get(..bytes.len().min(4096) / 4 * 4)?;
    if sample.is_empty() {
        return None;
    }
    let nuls = |place: usize| sample.iter().skip(place).step_by(4).filter(|byte| **byte == 0).count();
    let (most, few) = (sample.len() / 4 * 3 / 4, sample.len() / 4 / 4);
    let is = |pattern: [bool; 4]| {
        (0..4)
            .zip(pattern)
            .all(|(place, zero)| if zero { nuls(place) >= most.max(1) } else { nuls(place) <= few })
    };
    if is([false, true, true, true]) {
        Some((Encoding::Utf32, utf32(bytes, u32::from_le_bytes), 1))
    } else if is([true, true, true, false]) {
        Some((Encoding::Utf32, utf32(bytes, u32::from_be_bytes), 0))
    } else if is([false, true, false, true]) {
        Some((Encoding::Utf16Le, utf16(bytes, u16::from_le_bytes), 1))
    } else if is([true, false, true, false]) {
        Some((Encoding::Utf16Be, utf16(bytes, u16::from_be_bytes), 0))
    } else {
        None
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> String {
    let (quads, _) = bytes.as_chunks::<4>();
    quads.iter().map(|quad| char::from_u32(unit(*quad)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// What bytes that are no UTF-8 look like. `valid` bytes at the start are UTF-8.
fn narrow(bytes: &[u8], valid: usize, nul: bool) -> Encoding {
    let control = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0c);
    if nul || bytes.iter().filter(control).count() * 20 > bytes.len() {
        return Encoding::Binary;
    }
    if bytes.get(..valid).is_some_and(|start| !start.is_ascii()) {
        return Encoding::DamagedUtf8;
    }
    let windows = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
    if windows { Encoding::Windows1252 } else { Encoding::Latin1 }
}
