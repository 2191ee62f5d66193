//! The line `current: ID` of the section `active-scope`.

use crate::lines::{Line, is_blank, lines};
use crate::scopes::is_scope;

/// What the section says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Current {
    /// The scope in lower case, and its line counted from 0.
    pub(crate) scope: Option<(String, usize)>,
    /// A line before it that begins with `current:` and names no scope, counted from 0.
    pub(crate) broken: Option<usize>,
}

/// Reads the content of the section.
pub(crate) fn read(content: &str) -> Current {
    let mut current = Current::default();
    for Line { number, text, fenced, .. } in lines(content) {
        let Some(value) = value(text).filter(|_| !fenced) else { continue };
        match scope(value) {
            Some(scope) => {
                current.scope = Some((scope, number - 1));
                break;
            }
            None => current.broken = current.broken.or(Some(number - 1)),
        }
    }
    current
}

/// What stands behind `current:`.
fn value(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(is_blank);
    let line = unbulleted(line).unwrap_or(line);
    let (word, tail) = line.split_at_checked("current".len())?;
    if !word.eq_ignore_ascii_case("current") {
        return None;
    }
    tail.trim_start_matches(is_blank).strip_prefix(':')
}

/// The line behind its bullet: `-`, `*`, `+` or a number, and a blank.
fn unbulleted(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let tail = match digits.len() < line.len() {
        true => digits.strip_prefix('.')?,
        false => line.strip_prefix(['-', '*', '+'])?,
    };
    tail.starts_with(is_blank).then(|| tail.trim_start_matches(is_blank))
}

/// A scope with nothing but a comment behind it.
fn scope(value: &str) -> Option<String> {
    let value = value.trim_matches(is_blank);
    let (id, tail) = match value.strip_prefix('`') {
        Some(quoted) => {
            quoted.split_once('`').filter(|(_, tail)| tail.is_empty() || tail.starts_with(is_blank))?
        }
        None => value.split_once(is_blank).unwrap_or((value, "")),
    };
    let tail = tail.trim_start_matches(is_blank);
    let remark = tail.is_empty() || tail.starts_with('#') || is_comment(tail);
    (remark && is_scope(id)).then(|| id.to_ascii_lowercase())
}

/// One HTML comment up to the end of the line.
fn is_comment(text: &str) -> bool {
    text.strip_prefix("<!--")
        .and_then(|text| text.strip_suffix("-->"))
        .is_some_and(|text| !text.contains("-->"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(content: &str) -> Option<(String, usize)> {
        read(content).scope
    }

    #[test]
    fn the_line_in_every_form() {
        for line in [
            "current: web",
            "current:web",
            "Current : web",
            "CURRENT:  WEB",
            "- current: web",
            "  * current: web",
            "+ current: `web`",
            "12. current:\tweb",
            "current: web # now",
            "current: web #now",
            "current: `Web` <!-- now -->",
            "current: web\r",
            "text\n\ncurrent: web",
            "```\ncurrent: no\n```\ncurrent: web",
            "current: two words\ncurrent: web",
            "the current: no\ncurrent: web",
            "currently: no\ncurrent: web",
            "current: web\ncurrent: no",
        ] {
            assert_eq!(shown(line).map(|(scope, _)| scope).as_deref(), Some("web"), "{line:?}");
        }
        assert_eq!(shown("a\ncurrent: web"), Some(("web".to_owned(), 1)));
    }

    #[test]
    fn what_is_no_such_line() {
        for line in [
            "",
            "current",
            "current:",
            "current: ",
            "current: two words",
            "current: wéb",
            "-current: web",
            "~~~\ncurrent: web",
            "current: web#x",
            "current: `web",
            "current: web`",
            "current = web",
            "**current:** web",
            "current: `web`#",
            "current: # x",
            "> current: web",
            "current: web <!-- x",
            "current: ``",
        ] {
            assert_eq!(shown(line), None, "{line:?}");
        }
        assert_eq!(read("x\ncurrent: a b").broken, Some(1));
        assert_eq!(read("x\nand current: a b").broken, None);
    }
}
