//! From what the parser says to what the writer did: one finding for one cause.

use std::ops::Range;

use toml_parser::{Expected, ParseError};

use super::causes::{Cause, causes, end_of_line};
use super::looks::{foreign_comment, is_invisible, out_of_range, second_word};
use super::parse::{DATE, DUPLICATE, NOT_A_TABLE, RANGE, TOO_DEEP};
use super::times::unquoted;
use crate::diagnostic::{
    Diagnostics, fields::times, layers_text as odd, layers_toml as say, layers_values as values,
};
use crate::source::{FileId, FileSpan};

/// What word processors make of `"` and `'`.
pub(super) const SMART_QUOTES: [char; 8] = ['“', '”', '„', '‟', '‘', '’', '«', '»'];

/// Reports the causes of a file's syntax errors.
pub(super) fn explain(text: &str, file: FileId, errors: Vec<ParseError>, diagnostics: &mut Diagnostics) {
    let body = text.trim_start_matches('\u{feff}').trim_start();
    if body.starts_with('{') {
        let start = text.len() - body.len();
        return odd::report_json(FileSpan::new(file, start..start + 1), diagnostics);
    }
    let (causes, hidden) = causes(text, errors);
    let mut explainer = Explainer { text, file, yaml: false, diagnostics };
    for cause in &causes {
        explainer.explain(cause);
    }
    if let (Some(last), true) = (causes.last(), hidden > 0) {
        let at = explainer.span(last.at..last.at);
        odd::report_more_errors(at, hidden, explainer.diagnostics);
    }
}

struct Explainer<'a> {
    text: &'a str,
    file: FileId,
    /// The file was already said to look like YAML.
    yaml: bool,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Explainer<'a> {
    fn explain(&mut self, cause: &Cause) {
        let error = &cause.error;
        let at = cause.at;
        if self.odd_character(at) || self.time(at) {
            return;
        }
        let context = error.context().map_or(at..at, |span| span.start()..span.end());
        let unexpected = error.unexpected().map_or(at..at, |span| span.start()..span.end());
        match error.description() {
            "missing escaped value" | "too few unicode value digits" | "invalid value" => {
                self.escape(&context, at);
            }
            "invalid basic string"
            | "invalid literal string"
            | "invalid multi-line basic string"
            | "invalid multi-line literal string" => self.string(error, &context, at),
            "string values must be quoted" | "invalid boolean" | "invalid float" => self.value(&context, at),
            "invalid unquoted key" => self.key(&context, &unexpected),
            "key with no value" | "missing value for key" => self.no_value(at),
            "unexpected key or value" => self.after_value(at),
            "unclosed array" | "unclosed inline table" => self.unclosed(cause),
            DUPLICATE => self.duplicate(&unexpected, &context),
            NOT_A_TABLE => {
                let (at, first) = (self.span(unexpected.clone()), self.span(context));
                say::report_not_a_table(at, self.get(&unexpected), first, self.diagnostics);
            }
            other => self.plain(other, &context, &unexpected),
        }
    }

    /// Errors that need no second look at the text.
    fn plain(&mut self, description: &str, context: &Range<usize>, unexpected: &Range<usize>) {
        if let Some(template) = self.template(unexpected.start) {
            let span = self.span(template.clone());
            return values::report_unquoted_template(span, self.get(&template), self.diagnostics);
        }
        let word = self.word(unexpected.start);
        let at = self.span(word.clone());
        let whole = self.span(context.clone());
        let (whole_text, word_text) = (self.get(context), self.get(&word));
        match description {
            "missing opening quote" => say::report_missing_opening_quote(whole, whole_text, self.diagnostics),
            "unexpected leading zero" => values::report_leading_zero(whole, whole_text, self.diagnostics),
            RANGE if out_of_range(word_text) => {
                values::report_number_range(at, word_text, self.diagnostics);
            }
            RANGE => values::report_no_number(at, word_text, self.diagnostics),
            DATE => values::report_no_date(at, word_text, self.diagnostics),
            "unquoted keys cannot be empty" => {
                say::report_empty_key(self.character(unexpected.start), self.diagnostics);
            }
            "unclosed table" | "unclosed array table" | "invalid table" => {
                let line = self.line(unexpected.start);
                say::report_header(self.span(line.clone()), self.get(&line), self.diagnostics);
            }
            "missing comma between array elements" | "missing comma between key-value pairs" => {
                match self.text.get(..unexpected.start).and_then(|before| before.chars().next_back()) {
                    Some(quote @ ('"' | '\'')) => say::report_quote_inside(at, quote, self.diagnostics),
                    _ => say::report_missing_comma(at, word_text, self.diagnostics),
                }
            }
            "extra comma in array" | "extra comma in inline table" => {
                say::report_extra_comma(at, self.diagnostics);
            }
            "missing assignment between key-value pairs" => self.no_value(unexpected.start),
            "missing array opening" | "missing inline table opening" | "missing table open" => {
                say::report_stray_bracket(at, word_text, self.diagnostics);
            }
            "extra `=`" | "extra assignment between key-value pairs" | "unexpected `=` in array" => {
                say::report_stray_equals(at, self.diagnostics);
            }
            "invalid comment character" => self.control(unexpected.start),
            TOO_DEEP => say::report_too_deep(at, self.diagnostics),
            deep if deep.starts_with("cannot recurse") => say::report_too_deep(at, self.diagnostics),
            _ if self.numeric(context) => values::report_no_number(whole, whole_text, self.diagnostics),
            _ => say::report_unexpected(at, word_text, self.diagnostics),
        }
    }

    /// A byte order mark, a lone carriage return, or an invisible character, wherever it stands.
    fn odd_character(&mut self, at: usize) -> bool {
        let before = self.text.get(..at).and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        if after == Some('\u{feff}') {
            odd::report_byte_order_mark(self.span(at..at + '\u{feff}'.len_utf8()), self.diagnostics);
        } else if before == Some('\r') && after != Some('\n') {
            odd::report_carriage_return(self.span(at - 1..at), self.diagnostics);
        } else if after == Some('\r') && self.text.get(at + 1..at + 2) != Some("\n") {
            odd::report_carriage_return(self.span(at..at + 1), self.diagnostics);
        } else if let Some(invisible) = after.filter(|c| is_invisible(*c)) {
            let span = self.span(at..at + invisible.len_utf8());
            odd::report_invisible(span, invisible, self.diagnostics);
        } else {
            return false;
        }
        true
    }

    /// A time with its unit, where milliseconds are counted.
    fn time(&mut self, at: usize) -> bool {
        let Some(found) = unquoted(self.text, self.line(at), at) else { return false };
        let Some(time) = times::unquoted(found.written) else { return false };
        let (at, names) = (self.span(found.at), (found.key, found.field));
        values::report_unquoted_time(at, found.written, names, &time, self.diagnostics);
        true
    }

    /// A backslash that begins no escape.
    fn escape(&mut self, string: &Range<usize>, at: usize) {
        let before = self.get(&(string.start..at));
        let start = string.start + before.rfind('\\').unwrap_or(0);
        let rest = self.get(&(start + 1..string.end.saturating_sub(1)));
        let letter = rest.chars().next().map_or(0, char::len_utf8);
        let digits = match rest.chars().next() {
            Some('x' | 'u' | 'U') => rest.chars().skip(1).take(8).take_while(char::is_ascii_hexdigit).count(),
            _ => 0,
        };
        let escape = self.get(&(start..start + 1 + letter + digits));
        let written = self.get(string);
        say::report_escape(
            self.span(start..start + 1),
            self.span(string.clone()),
            escape,
            written,
            self.diagnostics,
        );
    }

    fn string(&mut self, error: &ParseError, string: &Range<usize>, at: usize) {
        let quotes = [r#"""#, r#"""""#, "'", "'''"];
        let closing = error
            .expected()
            .is_some_and(|expected| matches!(expected, [Expected::Literal(quote)] if quotes.contains(quote)));
        if !closing {
            return self.control(at);
        }
        let written = self.get(string).trim_end_matches('\r');
        let shown =
            if written.starts_with(r#"""""#) || written.starts_with("'''") { 3 } else { written.len() };
        let span = self.span(string.start..string.start + shown);
        say::report_unclosed_string(span, written, self.diagnostics);
    }

    /// A number or a boolean, and something else after a blank.
    fn two_values(&mut self, second: usize, end: usize) {
        let word = self.word(second);
        let (span, text) = (self.span(word.clone()), self.get(&word));
        if self.text.get(end..).is_some_and(|rest| rest.trim_start().starts_with([',', ']'])) {
            say::report_missing_comma(span, text, self.diagnostics);
        } else {
            say::report_after_value(span, text, self.diagnostics);
        }
    }

    fn control(&mut self, at: usize) {
        let Some(character) = self.text.get(at..).and_then(|rest| rest.chars().next()) else { return };
        odd::report_control(self.span(at..at + character.len_utf8()), character, self.diagnostics);
    }

    /// A value that is no string, number, date or boolean.
    fn value(&mut self, raw: &Range<usize>, at: usize) {
        let written = self.get(raw);
        let span = self.span(raw.clone());
        if let Some(second) = second_word(written) {
            return self.two_values(raw.start + second, raw.end);
        }
        if written.is_empty() {
            let line = self.line(at);
            let equals = self.get(&(line.start..at)).rfind('=').map_or(at, |offset| line.start + offset);
            let span = self.span(equals..(equals + 1).min(line.end).max(equals));
            say::report_missing_value(span, self.diagnostics);
        } else if written.contains(SMART_QUOTES) {
            say::report_smart_quotes(span, written, self.diagnostics);
        } else if matches!(written.to_ascii_lowercase().as_str(), "true" | "false") {
            values::report_boolean_case(span, written, self.diagnostics);
        } else if matches!(written.to_ascii_lowercase().as_str(), "none" | "null" | "nil" | "undefined" | "~")
        {
            values::report_null(span, written, self.diagnostics);
        } else if self.numeric(raw) && written.contains(['.', '_', 'e', 'E']) {
            values::report_no_number(span, written, self.diagnostics);
        } else {
            values::report_unquoted(span, written, self.diagnostics);
        }
    }

    /// A character that no bare key may have.
    fn key(&mut self, key: &Range<usize>, odd: &Range<usize>) {
        let line = self.line(odd.start);
        let text = self.get(&line).trim_start();
        let span = self.span(odd.clone());
        if foreign_comment(text) {
            say::report_foreign_comment(self.trimmed(&line), self.diagnostics);
        } else if self.get(odd).starts_with(':') {
            self.colon(odd.start);
        } else if self.get(odd).contains(SMART_QUOTES) {
            let key = self.get(key);
            say::report_smart_quotes(span, key, self.diagnostics);
        } else {
            say::report_bare_key(span, self.get(odd), self.get(key), self.diagnostics);
        }
    }

    /// A key that no `=` follows.
    fn no_value(&mut self, at: usize) {
        let line = self.line(at);
        let text = self.get(&line).trim_start();
        let rest = self.get(&(at..line.end));
        let colon = line.end - rest.trim_start().len();
        let rest = rest.trim();
        let key = self.get(&(line.start..at)).rsplit(['{', ',', '[']).next().unwrap_or("").trim();
        if rest.starts_with(':') {
            self.colon(colon);
        } else if text.starts_with("- ") || text.trim_end() == "---" || text.trim_end() == "-" {
            self.yaml(self.trimmed(&line));
        } else if foreign_comment(text) {
            say::report_foreign_comment(self.trimmed(&line), self.diagnostics);
        } else if rest.is_empty() || rest.starts_with(['#', ',', '}']) {
            let key_start = self.get(&(line.start..at)).rfind(key).map_or(at, |offset| line.start + offset);
            let span = self.span(key_start..key_start + key.len());
            say::report_no_value(span, key, self.diagnostics);
        } else {
            let word = self.word(at);
            say::report_missing_equals(self.span(word.clone()), key, self.get(&word), self.diagnostics);
        }
    }

    fn colon(&mut self, at: usize) {
        let line = self.line(at);
        if self.yaml || self.get(&(at + 1..line.end)).trim().is_empty() {
            self.yaml(self.span(at..at + 1));
        } else {
            let key = self.get(&(line.start..at)).trim();
            let bare = key.trim_matches(['"', '\'']);
            let alone = !bare.is_empty() && !bare.contains(['{', '[', '=', ',', '"', '\'', ' ']);
            let entry = alone.then(|| (bare, self.get(&(at + 1..line.end))));
            say::report_colon(self.span(at..at + 1), entry, self.diagnostics);
        }
    }

    fn yaml(&mut self, at: FileSpan) {
        if !self.yaml {
            odd::report_yaml(at, self.diagnostics);
        }
        self.yaml = true;
    }

    /// Something behind a finished value.
    fn after_value(&mut self, at: usize) {
        let word = self.word(at);
        let (span, text) = (self.span(word.clone()), self.get(&word));
        let quote = self.text.get(..at).and_then(|before| before.chars().next_back());
        match (text, quote) {
            (",", _) => say::report_line_comma(span, self.diagnostics),
            (_, Some(quote @ ('\'' | '"'))) if !text.starts_with([']', '}', ',', ';', '/', '=']) => {
                say::report_quote_inside(span, quote, self.diagnostics);
            }
            (text, _) if text.starts_with(['/', ';']) => say::report_foreign_comment(span, self.diagnostics),
            _ => say::report_after_value(span, text, self.diagnostics),
        }
    }

    fn unclosed(&mut self, cause: &Cause) {
        let open = self.span(cause.at..cause.at + 1);
        let next = cause.swallowed.map(|at| {
            let line = self.line(at);
            self.trimmed(&line)
        });
        let array = cause.error.description() == "unclosed array";
        say::report_unclosed_bracket(open, array, next, self.diagnostics);
    }

    fn duplicate(&mut self, key: &Range<usize>, first: &Range<usize>) {
        let header =
            self.text.get(self.line(key.start)).is_some_and(|line| line.trim_start().starts_with('['));
        let (at, first) = (self.span(key.clone()), self.span(first.clone()));
        say::report_duplicate(at, self.get(key), first, header, self.diagnostics);
    }

    /// Whether a value begins like a number.
    fn numeric(&self, raw: &Range<usize>) -> bool {
        self.get(raw).trim_start_matches(['+', '-', '.', '_']).starts_with(|c: char| c.is_ascii_digit())
    }

    /// The expression of a template whose second brace stands here, outside any string.
    fn template(&self, at: usize) -> Option<Range<usize>> {
        let start = at.checked_sub(1)?;
        let rest = self.text.get(start..self.line(at).end)?;
        let end = rest.strip_prefix("{{").and_then(|_| rest.find("}}"))?;
        Some(start..start + end + 2)
    }

    /// The line a place is in, without its break.
    fn line(&self, at: usize) -> Range<usize> {
        let start = self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |offset| offset + 1);
        start..end_of_line(self.text, at)
    }

    /// A line without blanks at its ends.
    fn trimmed(&self, line: &Range<usize>) -> FileSpan {
        let text = self.get(line);
        let start = line.start + (text.len() - text.trim_start().len());
        self.span(start..start + text.trim().len())
    }

    /// The word at a place: up to a blank or a bracket; at least one character where there is one.
    fn word(&self, at: usize) -> Range<usize> {
        let rest = self.text.get(at..end_of_line(self.text, at)).unwrap_or("");
        let stop = |c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}' | '=' | '#');
        let quoted = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let length = match quoted {
            Some(quote) => {
                rest.char_indices().skip(1).find(|(_, c)| *c == quote).map(|(offset, _)| offset + 1)
            }
            None => rest.find(stop),
        };
        let first = rest.chars().next().map_or(0, char::len_utf8);
        at..at + length.unwrap_or(rest.trim_end().len()).max(first)
    }

    /// The character at a place; nothing at the end of a line.
    fn character(&self, at: usize) -> FileSpan {
        let next = self.text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| *c != '\n');
        self.span(at..at + next.map_or(0, char::len_utf8))
    }

    fn get(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or("")
    }

    fn span(&self, range: Range<usize>) -> FileSpan {
        FileSpan::new(self.file, range)
    }
}
