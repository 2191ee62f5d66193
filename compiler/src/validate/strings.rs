//! Which checks the text of a string gets, by where it goes.

use super::{Place, Walk, control, foreign, names, paths, placeholders, script, types, urls};
use crate::diagnostic::fields::values as field_values;
use crate::fields::{Slot, Type, Word};
use crate::tree::Node;

/// The text of a template.
pub fn template(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str, slot: Slot, place: &Place) {
    if control::has_unknown_escape(walk.sources.text(node.span)) {
        // What was meant is not known; the escape was reported where the file is read.
        return;
    }
    placeholders::foreign(walk, node, text);
    match slot {
        Slot::Text => {}
        Slot::Directory => {
            control::check(walk, key, node, text);
            paths::directory(walk, key, node, text);
        }
        Slot::File => {
            control::check(walk, key, node, text);
            paths::wildcards(walk, key, node, text);
        }
        Slot::UrlPath => {
            control::check(walk, key, node, text);
            urls::relative(walk, key, node, text);
        }
        Slot::Url | Slot::Base => {
            control::check(walk, key, node, text);
            urls::scheme(walk, key, node, text);
            if slot == Slot::Base && place.driver_name() == Some("http") {
                urls::base(walk, key, node, text);
            }
        }
    }
}

/// A plain text.
pub fn word(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str, word: Word) {
    if placeholders::not_a_template(walk, key, node, text) {
        return;
    }
    match word {
        Word::Any => {}
        Word::Variable => names::variable(walk, key, node, text),
        Word::Program => {
            control::check(walk, key, node, text);
            not_empty(walk, key, node, text);
        }
        Word::Inside => {
            control::check(walk, key, node, text);
            paths::inside_repository(walk, key, node, text);
        }
        Word::Anywhere => {
            control::check(walk, key, node, text);
            not_empty(walk, key, node, text);
        }
        Word::UriPrefix => urls::owned(walk, node, text),
        Word::ToolName => names::tool(walk, node, text),
        Word::ToolPrefix => names::tool_prefix(walk, node, text),
        Word::Scope => names::scope(walk, key, node, text),
    }
}

/// A program and its arguments.
pub fn argv(walk: &mut Walk<'_>, key: &str, node: &Node, items: &[Node], place: &Place) {
    let texts: Vec<&str> = items.iter().map(|item| item.as_str().unwrap_or("")).collect();
    let scripts = script::positions(&texts);
    for (at, item) in items.iter().enumerate() {
        let Some(text) = item.as_str() else {
            types::wrong_element(walk, item, &Type::Template(Slot::Text));
            continue;
        };
        if control::has_unknown_escape(walk.sources.text(item.span)) {
            continue;
        }
        if at == 0 {
            program(walk, key, item, text, place);
        } else if !scripts.contains(&at) {
            placeholders::foreign(walk, item, text);
            paths::tilde(walk, item, text);
        }
    }
    if items.is_empty() {
        walk.push(field_values::report_empty_list(node.span, key, "`[\"program\", \"argument\"]`"));
    }
}

/// The program of a command.
fn program(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str, place: &Place) {
    let key = format!("{key}[0]");
    if text.trim().is_empty() {
        walk.push(field_values::report_empty(node.span, &key));
        return;
    }
    placeholders::foreign(walk, node, text);
    control::check(walk, &key, node, text);
    paths::program(walk, node, text);
    if foreign::is_command_line(text) {
        walk.push(field_values::report_command_line(node.span, text, place.driver_name()));
    }
}

fn not_empty(walk: &mut Walk<'_>, key: &str, node: &Node, text: &str) {
    if text.is_empty() {
        walk.push(field_values::report_empty(node.span, key));
    }
}
