//! No super-linear time: what an input costs when a stretch of it is repeated must grow as its length does.
//!
//! Processor time of the thread is measured, so that other work on the machine does not count.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Lengths of the two texts that are compared.
const SHORT: usize = 4 * 1024;
const LONG: usize = 4 * SHORT;
/// Four times the text may take this many times as long, and [`SLACK`] for what does not depend on it.
const FACTOR: u32 = 9;
const SLACK: Duration = Duration::from_millis(20);
/// Every how many-th input is repeated.
const EVERY: u64 = 64;
/// Measurements of which the least counts: a page fault or a cold cache is no algorithm.
const TRIES: usize = 3;

/// Repeats a stretch of one text in 64 and compares the cost of four times as much.
///
/// # Panics
/// When it is more than linear: that is the finding.
pub fn linear(text: &str, run: impl Fn(&str)) {
    let hash = hash(text.as_bytes());
    if text.is_empty() || !hash.is_multiple_of(EVERY) {
        return;
    }
    let (a, b) = (place(text, hash >> 8), place(text, hash >> 32));
    let (head, stretch, tail) = parts(text, a.min(b), a.max(b));
    let repeated = |length: usize| format!("{head}{}{tail}", stretch.repeat(length.div_ceil(stretch.len())));
    let (short, long) = (repeated(SHORT), repeated(LONG));
    let mut seen = (Duration::MAX, Duration::MAX);
    for _ in 0..TRIES {
        seen = (seen.0.min(cost(&short, &run)), seen.1.min(cost(&long, &run)));
        if seen.1 <= seen.0 * FACTOR + SLACK {
            return;
        }
    }
    panic!(
        "{} bytes take {:?}, {} take {:?}: {head:?} + {stretch:?} repeated + {tail:?}",
        short.len(),
        seen.0,
        long.len(),
        seen.1
    );
}

fn parts(text: &str, a: usize, b: usize) -> (&str, &str, &str) {
    let (head, rest) = text.split_at(a);
    let (stretch, tail) = rest.split_at(b - a);
    if stretch.is_empty() { ("", text, "") } else { (head, stretch, tail) }
}

/// A character boundary of the text.
fn place(text: &str, seed: u64) -> usize {
    let at = usize::try_from(seed % (text.len() as u64 + 1)).unwrap_or(0);
    text.floor_char_boundary(at)
}

/// The processor time of a run.
pub fn cost(text: &str, run: &impl Fn(&str)) -> Duration {
    let before = now();
    run(text);
    now().saturating_sub(before)
}

fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// FNV-1a: the same input is repeated in the same way in every run.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
