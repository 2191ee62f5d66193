//! Puts an entry into a JSON file that people keep: comments, layout, trailing commas and line ends stay.

mod write;

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};

use self::write::{Layout, compact, pretty, quoted};
use super::text::{Change, Edit, Merged, Refusal, apply, between, breaks, indent, line_before, position};

/// A file as it was read.
struct Parsed<'a> {
    text: &'a str,
    root: Option<Node<'a>>,
    tokens: Vec<TokenAndRange<'a>>,
}

/// The text with the entry at the path. Of an entry that is there, only what differs is changed; keys that are not
/// ours (variables, time limits) stay, unless it is an entry for an address.
///
/// # Errors
/// The text is no JSON, or has something else where the entry goes.
pub fn merge(text: &str, path: &[&str], entry: &Map<String, Value>) -> Result<Merged, Refusal> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let found = Parsed::new(body)?.find(path)?;
    let whole = Value::Object(entry.clone());
    let (new, change) = match &found {
        None => (set(body, path, &whole)?, Change::Added),
        Some(Value::Object(old)) if !old.contains_key("url") => {
            let mut new = body.to_owned();
            let differ = entry.iter().filter(|(key, value)| old.get(*key) != Some(value));
            let differ: Vec<(&String, &Value)> = differ.collect();
            for (key, value) in &differ {
                let path: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
                new = set(&new, &path, value)?;
            }
            match differ.is_empty() {
                true => (new, Change::Same),
                false => (new, Change::Keys(differ.into_iter().map(|(key, _)| key.clone()).collect())),
            }
        }
        Some(_) => (set(body, path, &whole)?, Change::Replaced),
    };
    prove(body, &new, path, entry)?;
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    Ok(Merged { text: format!("{mark}{new}"), change, path })
}

/// The value at a path; none when it is not there.
///
/// # Errors
/// As [`merge`].
pub fn find(text: &str, path: &[&str]) -> Result<Option<Value>, Refusal> {
    Parsed::new(text.trim_start_matches('\u{feff}'))?.find(path)
}

/// Holds the new text against the old one: the entry is in it, and nothing else differs.
fn prove(old: &str, new: &str, path: &[&str], entry: &Map<String, Value>) -> Result<(), Refusal> {
    let parse = |text| Parsed::new(text).map_err(|_| Refusal::unsure());
    let (old, new) = (parse(old)?, parse(new)?);
    let written = new.find(path).map_err(|_| Refusal::unsure())?;
    let is_in = written
        .as_ref()
        .is_some_and(|written| entry.iter().all(|(key, value)| written.get(key) == Some(value)));
    let mut expected = old.model().unwrap_or_else(|| Value::Object(Map::new()));
    put(&mut expected, path, written.unwrap_or_default());
    if is_in && new.model() == Some(expected) { Ok(()) } else { Err(Refusal::unsure()) }
}

/// The same change in the model.
fn put(model: &mut Value, path: &[&str], value: Value) {
    match (path.split_first(), model) {
        (None, model) => *model = value,
        (Some((key, rest)), Value::Object(map)) => {
            put(map.entry(*key).or_insert_with(|| Value::Object(Map::new())), rest, value);
        }
        (Some(_), _) => {}
    }
}

/// The text with a value at a path; objects on the way are made.
fn set(text: &str, path: &[&str], value: &Value) -> Result<String, Refusal> {
    let parsed = Parsed::new(text)?;
    let layout = Layout::of(text, parsed.root.as_ref());
    let Some(root) = &parsed.root else {
        let gap = if text.is_empty() || breaks(text.get(text.len() - 1..).unwrap_or("")) {
            ""
        } else {
            layout.newline
        };
        let document = pretty(&nested(path, value), &layout, "");
        return Ok(format!("{text}{gap}{document}{}", layout.newline));
    };
    let mut node = root;
    for (done, key) in path.iter().enumerate() {
        let object = as_object(node, path, done)?;
        match property(text, object, key)? {
            Some(property) => node = &property.value,
            None => {
                let rest = path.get(done + 1..).unwrap_or(&[]);
                let edits = parsed.insertion(object, key, &nested(rest, value), &layout);
                return Ok(apply(text, &edits));
            }
        }
    }
    let range = node.range();
    let written = match layout.compact {
        true => compact(value, &layout),
        false => pretty(value, &layout, indent(text, range.start)),
    };
    Ok(apply(text, &[Edit { range: range.start..range.end, text: written }]))
}

/// The value inside objects with one key each.
fn nested(path: &[&str], value: &Value) -> Value {
    path.iter()
        .rev()
        .fold(value.clone(), |inner, key| Value::Object([((*key).to_owned(), inner)].into_iter().collect()))
}

fn as_object<'n, 'a>(node: &'n Node<'a>, path: &[&str], done: usize) -> Result<&'n Object<'a>, Refusal> {
    node.as_object().ok_or_else(|| {
        let what = match done.checked_sub(1).and_then(|last| path.get(last)) {
            Some(key) => format!("`{key}` is not an object"),
            None => "the file does not hold an object".to_owned(),
        };
        Refusal::at(node.range().start, what)
    })
}

/// The property of a name. Two of one name are refused: readers do not agree which counts.
fn property<'n, 'a>(
    text: &str,
    object: &'n Object<'a>,
    name: &str,
) -> Result<Option<&'n ObjectProp<'a>>, Refusal> {
    let mut named = object.properties.iter().filter(|property| property.name.as_str() == name);
    let (first, second) = (named.next(), named.next());
    if let (Some(first), Some(second)) = (first, second) {
        let (line, _) = position(text, first.range.start);
        return Err(Refusal::at(
            second.range.start,
            format!("`{name}` is on line {line} already: keep one of the two"),
        ));
    }
    Ok(first)
}

impl<'a> Parsed<'a> {
    fn new(text: &'a str) -> Result<Parsed<'a>, Refusal> {
        let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &collect, &options).map_err(|error| {
            let words = error.kind().to_string();
            let mut letters = words.chars();
            let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
            Refusal::at(error.range().start, format!("it is no JSON: {first}{}", letters.as_str()))
        })?;
        Ok(Parsed { text, root: parsed.value, tokens: parsed.tokens.unwrap_or_default() })
    }

    fn find(&self, path: &[&str]) -> Result<Option<Value>, Refusal> {
        let Some(mut node) = self.root.as_ref() else { return Ok(None) };
        for (done, key) in path.iter().enumerate() {
            match property(self.text, as_object(node, path, done)?, key)? {
                Some(property) => node = &property.value,
                None => return Ok(None),
            }
        }
        Ok(Some(model(node)))
    }

    fn model(&self) -> Option<Value> {
        self.root.as_ref().map(model)
    }

    /// What puts a property behind the last of an object.
    fn insertion(&self, object: &Object<'a>, name: &str, value: &Value, layout: &Layout<'_>) -> Vec<Edit> {
        let (start, end) = (object.range.start + 1, object.range.end.saturating_sub(1));
        let Some(last) = object.properties.last() else {
            return vec![Edit::insert(start, self.only(object, name, value, layout))];
        };
        let first = object.properties.first().unwrap_or(last).range.start;
        let inside: Vec<&TokenAndRange<'a>> = self
            .tokens
            .iter()
            .filter(|token| token.range.start >= last.range.end && token.range.end <= end)
            .collect();
        let comma = inside.iter().find(|token| token.token == Token::Comma).map(|token| token.range.end);
        if layout.compact || !breaks(between(self.text, start, first)) {
            let text = format!("{}{}{}", layout.gap, quoted(name, layout), compact(value, layout));
            return match comma {
                Some(at) => vec![Edit::insert(at, format!("{text},"))],
                None => vec![Edit::insert(last.range.end, format!(",{text}"))],
            };
        }
        let own_line = line_before(self.text, last.range.start).trim().is_empty();
        let depth = indent(self.text, if own_line { last.range.start } else { first });
        let line =
            format!("{}{depth}{}{}", layout.newline, quoted(name, layout), pretty(value, layout, depth));
        match comma {
            Some(at) => vec![Edit::insert(self.line_end(at, &inside), format!("{line},"))],
            None => vec![
                Edit::insert(last.range.end, ","),
                Edit::insert(self.line_end(last.range.end, &inside), line),
            ],
        }
    }

    /// The only property of an object, and what stands round it.
    fn only(&self, object: &Object<'a>, name: &str, value: &Value, layout: &Layout<'_>) -> String {
        if layout.compact {
            return format!("{}{}", quoted(name, layout), compact(value, layout));
        }
        let outer = indent(self.text, object.range.start);
        let inner = format!("{outer}{}", layout.unit);
        let text =
            format!("{}{inner}{}{}", layout.newline, quoted(name, layout), pretty(value, layout, &inner));
        let closes = breaks(between(self.text, object.range.start, object.range.end));
        if closes { text } else { format!("{text}{}{outer}", layout.newline) }
    }

    /// The end of the comments that stand behind a byte on its line, so that they stay with what they are about.
    fn line_end(&self, from: usize, inside: &[&TokenAndRange<'a>]) -> usize {
        let comments = inside.iter().filter(|token| token.range.start >= from);
        comments
            .take_while(|token| matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_)))
            .fold((from, true), |(end, goes_on), token| {
                match goes_on && !breaks(between(self.text, end, token.range.start)) {
                    true => (token.range.end, true),
                    false => (end, false),
                }
            })
            .0
    }
}

/// What a node means; numbers keep their digits.
fn model(node: &Node<'_>) -> Value {
    match node {
        Node::StringLit(text) => Value::String(text.value.clone().into_owned()),
        Node::NumberLit(number) => {
            serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned()))
        }
        Node::BooleanLit(flag) => Value::Bool(flag.value),
        Node::Object(object) => {
            let pairs = object.properties.iter();
            Value::Object(pairs.map(|pair| (pair.name.as_str().to_owned(), model(&pair.value))).collect())
        }
        Node::Array(array) => Value::Array(array.elements.iter().map(model).collect()),
        Node::NullKeyword(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests;
