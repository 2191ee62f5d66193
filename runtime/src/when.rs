//! Whether an adapter can be used on this machine, and in words why not.

use std::path::Path;

use kontext_host::{Env, Repository};
use kontext_plan::template::{Piece, Template};
use kontext_plan::{Adapter, Call, Condition, Connection, Driver, Exists, InScope, Need, OriginId, When};

use crate::value::{self, Facts, Scope};

/// What conditions are looked up in.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'a> {
    pub(crate) env: &'a Env,
    pub(crate) repository: &'a Repository,
    pub(crate) facts: &'a Facts,
}

/// Why an adapter is inactive.
#[derive(Debug, Clone)]
pub(crate) struct Inactive {
    /// In words.
    pub(crate) reason: String,
    /// The condition or slot it comes from.
    pub(crate) at: OriginId,
}

/// Why the adapter is inactive; none when it is active. Of an adapter that is not trusted nothing is looked up.
pub(crate) fn inactive(
    machine: Machine<'_>,
    name: &str,
    adapter: &Adapter,
    trusted: bool,
) -> Option<Inactive> {
    let whole = |reason: &str| Some(Inactive { reason: reason.to_owned(), at: adapter.at });
    if !adapter.enabled {
        return whole("`enabled = false`");
    }
    if !trusted {
        return whole("not trusted: run `kontext trust`");
    }
    let needed = |need: &Need| Some(Inactive { reason: missing(machine.env, need)?, at: need.at });
    unmet(machine, name, adapter).or_else(|| adapter.needs.iter().find_map(needed))
}

fn missing(env: &Env, need: &Need) -> Option<String> {
    let name = &need.env;
    match env.get(name) {
        None => Some(format!("`{}` needs the variable `{name}`, which is not set", need.slot)),
        Some("") => Some(format!("`{}` needs the variable `{name}`, which is set but empty", need.slot)),
        Some(_) => None,
    }
}

/// The first condition that does not hold.
fn unmet(machine: Machine<'_>, name: &str, adapter: &Adapter) -> Option<Inactive> {
    let When { command, file, repo, env, exists, scope } = &adapter.when;
    let fixed = |condition: &Option<Condition>, test: fn(Machine<'_>, &str) -> Option<String>| {
        let Condition { value, at } = condition.as_ref()?;
        Some(Inactive { reason: test(machine, value)?, at: *at })
    };
    let templated =
        |exists: &Exists| Some(Inactive { reason: no_path(machine, name, adapter, exists)?, at: exists.at });
    let program = |condition: &Condition| {
        let path = search_path(machine, name, adapter);
        Some(Inactive { reason: no_program(machine, &condition.value, path.as_deref())?, at: condition.at })
    };
    command
        .as_ref()
        .and_then(program)
        .or_else(|| fixed(file, no_file))
        .or_else(|| fixed(repo, other_repository))
        .or_else(|| fixed(env, no_variable))
        .or_else(|| exists.as_ref().and_then(templated))
        .or_else(|| scope.as_ref().and_then(|list| other_scope(machine, list)))
}

/// Scopes that a reason names.
const SHOWN_SCOPES: usize = 5;

fn other_scope(machine: Machine<'_>, list: &InScope) -> Option<Inactive> {
    let start = match machine.facts.scope() {
        Some(Ok(start)) if list.ids.contains(&start.id) => return None,
        Some(Ok(start)) => format!("the scope here is `{}` (step `{}`)", start.id, start.step),
        Some(Err(why)) => format!("the scope here is not known: {why}"),
        None => "the plan does not list the fact `scope.id`".to_owned(),
    };
    let wanted: Vec<String> = list.ids.iter().take(SHOWN_SCOPES).map(|id| format!("`{id}`")).collect();
    let more = match list.ids.len().saturating_sub(SHOWN_SCOPES) {
        0 => String::new(),
        more => format!(" or {more} more"),
    };
    let reason = format!("`when.scope`: {start}, wanted is {}{more}", wanted.join(" or "));
    Some(Inactive { reason, at: list.at })
}

/// The `PATH` that the adapter's programs get, by which they are looked up when they are started.
fn search_path(machine: Machine<'_>, name: &str, adapter: &Adapter) -> Option<String> {
    let inputs = serde_json::Map::new();
    let scope = Scope::new(name, adapter, machine.facts, &inputs);
    let ops = adapter.ops.values().filter_map(|op| match &op.call {
        Call::Command(call) => Some(&call.env),
        Call::Http(_) | Call::Mcp(_) => None,
    });
    let server = match &adapter.driver {
        Driver::Mcp(server) => match &server.connect {
            Connection::Stdio { env, .. } => Some(env),
            Connection::Http { .. } => None,
        },
        Driver::Http | Driver::Command => None,
    };
    let given = ops.chain(server).flatten().find(|entry| entry.name == "PATH");
    let given = given.and_then(|entry| value::text(&scope, &entry.value).ok().flatten());
    given.or_else(|| machine.env.get("PATH").map(str::to_owned))
}

fn no_program(machine: Machine<'_>, program: &str, path: Option<&str>) -> Option<String> {
    let root = machine.repository.root();
    let expanded = machine.env.expand_home(program);
    let text = expanded.as_deref().and_then(Path::to_str).unwrap_or(program);
    if kontext_host::find_program(text, path, root).is_some() {
        return None;
    }
    let place = if program.contains('/') { "is no program that can be executed" } else { "is not on PATH" };
    Some(format!("`when.command`: `{program}` {place}"))
}

fn no_file(machine: Machine<'_>, file: &str) -> Option<String> {
    let there = machine.repository.root().join(file).exists();
    (!there).then(|| format!("`when.file`: `{file}` is not in the repository"))
}

fn other_repository(machine: Machine<'_>, pattern: &str) -> Option<String> {
    let id = machine.repository.id();
    match regex::Regex::new(pattern) {
        Ok(regex) if regex.is_match(&id) => None,
        Ok(_) => Some(format!("`when.repo`: `{pattern}` does not match `{id}`")),
        Err(_) => Some(format!("`when.repo`: `{pattern}` is not a regular expression")),
    }
}

fn no_variable(machine: Machine<'_>, name: &str) -> Option<String> {
    match machine.env.get(name) {
        None => Some(format!("`when.env`: `{name}` is not set")),
        Some("") => Some(format!("`when.env`: `{name}` is set but empty")),
        Some(_) => None,
    }
}

fn no_path(machine: Machine<'_>, name: &str, adapter: &Adapter, exists: &Exists) -> Option<String> {
    let inputs = serde_json::Map::new();
    let scope = Scope::new(name, adapter, machine.facts, &inputs);
    let shown = |text: &str| machine.facts.mask().text(text).into_owned();
    let pattern = match pattern(&scope, &exists.path) {
        Ok(pattern) => pattern,
        Err(error) => return Some(format!("`when.exists`: {}", error.message)),
    };
    let text: String = pattern.iter().map(|token| token.character).collect();
    let Some(path) = machine.env.expand_home(&text) else {
        return Some(format!("`when.exists`: `{}` needs a home directory, and none is known", shown(&text)));
    };
    let path = machine.repository.root().join(path);
    let last = last_segment(&pattern);
    let found = match last.iter().any(|token| token.wild) {
        true => any_matches(&path, last),
        false => !text.is_empty() && path.exists(),
    };
    (!found).then(|| format!("`when.exists`: `{}` is not there", shown(&text)))
}

/// One character of a path; a wild one is `*` or `?` of the template's own text.
#[derive(Debug, Clone, Copy)]
struct Token {
    character: char,
    wild: bool,
}

fn pattern(scope: &Scope<'_>, path: &Template) -> Result<Vec<Token>, value::EvalError> {
    let own = |text: &str| {
        text.chars().map(|character| Token { character, wild: matches!(character, '*' | '?') }).collect()
    };
    let plain = |text: &str| text.chars().map(|character| Token { character, wild: false }).collect();
    match path {
        Template::Text(text) => Ok(own(text)),
        Template::Expr(_) => Ok(plain(&value::text(scope, path)?.unwrap_or_default())),
        Template::Concat(pieces) => {
            let mut tokens: Vec<Token> = Vec::new();
            for piece in pieces {
                let more: Vec<Token> = match piece {
                    Piece::Text(text) => own(text),
                    // As a part of a longer text, so that what is missing is an error and not a gap.
                    Piece::Expr(expr) => {
                        let whole = Template::Concat(vec![Piece::Expr(expr.clone())]);
                        plain(&value::text(scope, &whole)?.unwrap_or_default())
                    }
                };
                tokens.extend(more);
            }
            Ok(tokens)
        }
    }
}

fn last_segment(pattern: &[Token]) -> &[Token] {
    pattern.rsplit(|token| token.character == '/').next().unwrap_or_default()
}

/// Whether the directory holds a name that the segment matches; as in a shell `*` does not match a leading dot.
fn any_matches(path: &Path, segment: &[Token]) -> bool {
    let Some(entries) = path.parent().and_then(|directory| fs_err::read_dir(directory).ok()) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name: Vec<char> = entry.file_name().to_string_lossy().chars().collect();
        let hidden = name.first() == Some(&'.') && segment.first().is_some_and(|token| token.wild);
        !hidden && matches(segment, &name)
    })
}

/// Wild-card matching with one point to come back to: the last `*`.
fn matches(pattern: &[Token], name: &[char]) -> bool {
    let (mut at, mut place, mut star) = (0, 0, None);
    while place < name.len() {
        let token = pattern.get(at);
        match token {
            Some(Token { character: '*', wild: true }) => {
                star = Some((at, place));
                at += 1;
            }
            Some(token)
                if (token.wild && token.character == '?') || name.get(place) == Some(&token.character) =>
            {
                at += 1;
                place += 1;
            }
            _ => match star {
                Some((back, from)) => {
                    star = Some((back, from + 1));
                    at = back + 1;
                    place = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|token| token.wild && token.character == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_cards_match_and_others_are_literal() {
        let own = |text: &str| {
            text.chars().map(|c| Token { character: c, wild: matches!(c, '*' | '?') }).collect::<Vec<_>>()
        };
        let plain =
            |text: &str| text.chars().map(|c| Token { character: c, wild: false }).collect::<Vec<_>>();
        let name = |text: &str| text.chars().collect::<Vec<_>>();
        for (pattern, text, expected) in [
            ("*.md", "a.md", true),
            ("a*b*c", "axxbyyc", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*", "", true),
            ("a*", "b", false),
        ] {
            assert_eq!(matches(&own(pattern), &name(text)), expected, "{pattern} {text}");
        }
        assert!(!matches(&plain("*.md"), &name("a.md")));
        assert!(matches(&plain("*.md"), &name("*.md")));
    }
}
