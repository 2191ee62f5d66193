//! Where a piece of a string's text stands in its file, and which of its text is its own.

use std::ops::Range;

use kontext_grammar::{Span, template};

use crate::cell::CellMap;
use crate::source::{FileSpan, Sources};

/// The place of a range of a string's decoded text.
pub fn inside(sources: &Sources, string: FileSpan, range: Range<usize>) -> FileSpan {
    let map = CellMap::new(sources.text(string), string.start);
    FileSpan::new(string.file, map.range(Span::new(range.start, range.end)))
}

/// Where the text of a string begins: behind its opening quotes.
pub fn text_start(sources: &Sources, string: FileSpan) -> FileSpan {
    inside(sources, string, 0..0)
}

/// The byte ranges of a template's own text: what stands outside `{{…}}`. An unclosed `{{` ends the list.
pub fn literal_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let at = next?;
        let rest = text.get(at..)?;
        let open = template::opening(rest);
        let close = open.and_then(|open| Some(open + rest.get(open..)?.find("}}")?));
        next = close.map(|close| at + close + 2);
        Some(at..open.map_or(text.len(), |open| at + open))
    })
    .filter(|range| !range.is_empty())
}

/// The text before the first `{{`.
pub fn literal_head(text: &str) -> &str {
    template::opening(text).and_then(|open| text.get(..open)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_text_is_what_stands_outside_expressions() {
        let pieces = |text: &'static str| -> Vec<&str> {
            literal_ranges(text).filter_map(|range| text.get(range)).collect()
        };
        assert_eq!(pieces("a{{b}}c"), ["a", "c"]);
        assert_eq!(pieces("{{b}}"), Vec::<&str>::new());
        assert_eq!(pieces("a{{b"), ["a"]);
        assert_eq!(pieces(""), Vec::<&str>::new());
        assert_eq!(pieces("}}x"), ["}}x"]);
    }
}
