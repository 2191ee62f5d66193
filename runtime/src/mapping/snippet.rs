//! Shapes a snippet: one line, not too long, without a copy of the title in front.

/// Most characters of a snippet.
const LONGEST: usize = 400;

/// One line of at most 400 characters without a leading copy of the title.
pub(super) fn shape(text: &str, title: Option<&str>) -> String {
    let whole = OneLine::of(text);
    let rest = title.and_then(|title| behind_title(whole.clone(), title)).unwrap_or(whole);
    let mut line: String = rest.take(LONGEST).collect();
    line.truncate(line.trim_end().len());
    line
}

/// What follows a copy of the title, blanks and dashes after it dropped; none when the text does not begin with one.
fn behind_title<'t>(mut line: OneLine<'t>, title: &str) -> Option<OneLine<'t>> {
    let mut last = None;
    for expected in OneLine::of(title.trim_end()) {
        if line.next() != Some(expected) {
            return None;
        }
        last = Some(expected);
    }
    let word = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if last.is_none() || (word(last) && word(line.clone().next())) {
        return None;
    }
    loop {
        let ahead = line.clone();
        match line.next() {
            Some(' ' | ':' | '-' | '–' | '—' | '.') => {}
            _ => return Some(ahead),
        }
    }
}

/// The characters of a text with every run of blanks as one space, none at the start.
#[derive(Clone)]
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
