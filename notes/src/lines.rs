//! The lines of a markdown text, each with whether a code fence holds it.

/// One line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// Where it begins in the text.
    pub(crate) start: usize,
    /// Its text without the line feed.
    pub(crate) text: &'a str,
    /// It opens, closes or stands inside a fence.
    pub(crate) fenced: bool,
}

/// The lines of `text`, fences as CommonMark has them.
pub(crate) fn lines(text: &str) -> Lines<'_> {
    Lines { rest: Some(text), start: 0, number: 0, fence: None }
}

/// See [`lines`].
pub(crate) struct Lines<'a> {
    rest: Option<&'a str>,
    start: usize,
    number: usize,
    fence: Option<Fence>,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        let (text, tail) = match rest.split_once('\n') {
            Some((text, tail)) => (text, Some(tail)),
            None => (rest, None),
        };
        let start = self.start;
        self.start += text.len() + 1;
        self.number += 1;
        self.rest = tail;
        let inside = self.fence.is_some();
        match &self.fence {
            Some(fence) if fence.is_closed_by(text) => self.fence = None,
            Some(_) => {}
            None => self.fence = Fence::opened_by(text),
        }
        Some(Line { number: self.number, start, text, fenced: inside || self.fence.is_some() })
    }
}

/// An open fence: its character and how many of them.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let body = unindented(line)?;
        let mark = body.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = body.trim_start_matches(mark);
        let length = body.len() - info.len();
        let opens = length >= 3 && !(mark == '`' && info.contains('`'));
        opens.then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        unindented(line).is_some_and(|body| {
            let tail = body.trim_start_matches(self.mark);
            body.len() - tail.len() >= self.length && tail.trim_matches(is_blank).is_empty()
        })
    }
}

/// The line without up to three spaces before it; `None` when there are more.
fn unindented(line: &str) -> Option<&str> {
    let body = line.trim_start_matches(' ');
    (line.len() - body.len() <= 3).then_some(body)
}

/// A blank inside a line; the carriage return of CRLF counts.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}
