//! Shapes a snippet: one line, not too long, without a copy of the title in front.

/// Most characters of a snippet.
const LONGEST: usize = 400;

/// One line of at most 400 characters without a leading copy of the title.
pub(super) fn shape(text: &str, title: Option<&str>) -> String {
    one_line(title.and_then(|title| behind_title(text, title)).unwrap_or(text))
}

/// The text with every run of blanks as one space, none at the ends, cut to the longest. Long runs of plain text are
/// copied whole, because this is most of the work of a mapping.
fn one_line(text: &str) -> String {
    let mut rest = text.trim_start();
    let mut line = String::with_capacity(rest.len().min(LONGEST));
    let mut left = LONGEST;
    while left > 0 {
        let (plain, after) = rest.split_at_checked(plain(rest.as_bytes(), left)).unwrap_or((rest, ""));
        line.push_str(plain);
        left -= plain.len();
        let mut characters = after.chars();
        match characters.next() {
            None => break,
            Some(_) if left == 0 => break,
            Some(blank) if blank.is_whitespace() => {
                rest = after.trim_start();
                if !line.ends_with(' ') {
                    line.push(' ');
                    left -= 1;
                }
            }
            Some(character) => {
                rest = characters.as_str();
                line.push(character);
                left -= 1;
            }
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// How many bytes are looked at together.
const STRIDE: usize = 32;

/// Length of the printable ASCII text without two spaces in a row that the bytes begin with.
fn plain(bytes: &[u8], most: usize) -> usize {
    let bytes = bytes.get(..most).unwrap_or(bytes);
    let odd = |byte: u8, next: u8| !(b' '..=b'~').contains(&byte) | ((byte == b' ') & (next == b' '));
    let strides = bytes.chunks_exact(STRIDE).zip(bytes.get(1..).unwrap_or_default().chunks_exact(STRIDE));
    let clean = strides.take_while(|(these, next)| {
        // Without an early exit the compiler looks at all of them in one step.
        !these.iter().zip(*next).fold(false, |found, (byte, next)| found | odd(*byte, *next))
    });
    let done = clean.count() * STRIDE;
    let rest = bytes.get(done..).unwrap_or_default();
    let next = rest.iter().skip(1).chain(&[0]);
    done + rest.iter().zip(next).position(|(byte, next)| odd(*byte, *next)).unwrap_or(rest.len())
}

/// What follows a copy of the title, blanks and dashes after it dropped; none when the text does not begin with one.
fn behind_title<'t>(text: &'t str, title: &str) -> Option<&'t str> {
    let mut line = OneLine::of(text);
    let mut last = None;
    for expected in OneLine::of(title.trim_end()) {
        if line.next() != Some(expected) {
            return None;
        }
        last = Some(expected);
    }
    let rest = line.rest.as_str();
    let word = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if last.is_none() || (word(last) && word(rest.chars().next())) {
        return None;
    }
    Some(rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '-' | '–' | '—' | '.')))
}

/// The characters of a text with every run of blanks as one space, none at the start.
struct OneLine<'t> {
    rest: std::str::Chars<'t>,
}

impl<'t> OneLine<'t> {
    fn of(text: &'t str) -> OneLine<'t> {
        OneLine { rest: text.trim_start().chars() }
    }
}

impl Iterator for OneLine<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if !character.is_whitespace() {
            return Some(character);
        }
        self.rest = self.rest.as_str().trim_start().chars();
        Some(' ')
    }
}
