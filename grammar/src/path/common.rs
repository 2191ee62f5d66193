//! The paths most strings are, read without pest: plain keys, `[*]` and indices, in alternatives without blanks.
//!
//! The grammar defines the language; this only makes its common part cheap. It gives up at anything else, mistakes
//! included, and a property test holds it to the grammar's tree.

use super::ast::{Alternative, Path, Step, StepKind};
use crate::Span;
use crate::error::rest;

/// The tree of a path of the common kind; none for any other text.
pub(super) fn parse(text: &str) -> Option<Path> {
    let mut at = 0;
    let mut alternatives = Vec::with_capacity(1);
    for slice in text.split('|') {
        alternatives.push(alternative(slice, at)?);
        at += slice.len() + 1;
    }
    Some(Path { alternatives })
}

/// An alternative that stands at `start` of the path.
fn alternative(slice: &str, start: usize) -> Option<Alternative> {
    let mut steps = Vec::with_capacity(2);
    let mut at = 0;
    while at < slice.len() || steps.is_empty() {
        let tail = rest(slice, at);
        let (kind, before, length, behind) = match tail.strip_prefix('[') {
            Some(inner) => (subscript(inner)?, 1, inner.find(']')?, 1),
            None => {
                let dot = usize::from(at > 0);
                let tail = if dot > 0 { tail.strip_prefix('.')? } else { tail };
                let length = key(tail)?;
                (StepKind::Key(tail.get(..length)?.to_owned()), dot, length, 0)
            }
        };
        steps.push(Step { kind, span: Span::at(start + at + before, length) });
        at += before + length + behind;
    }
    Some(Alternative { steps, span: Span::at(start, slice.len()) })
}

fn subscript(inner: &str) -> Option<StepKind> {
    let (written, _) = inner.split_once(']')?;
    if written == "*" {
        return Some(StepKind::Each);
    }
    let digits = written.strip_prefix('-').unwrap_or(written);
    let number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    number.then(|| written.parse().ok()).flatten().map(StepKind::Index)
}

/// The length of a key of letters, digits, `_` and `-`.
fn key(tail: &str) -> Option<usize> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = tail.bytes().position(|byte| !plain(byte)).unwrap_or(tail.len());
    let ends = tail.get(length..).is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']));
    (length > 0 && ends).then_some(length)
}
