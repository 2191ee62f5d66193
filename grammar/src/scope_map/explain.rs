//! Why a key is no path that a map takes, and what to write.

use super::parse::variable;
use crate::Span;
use crate::error::{before, is_blank, rest, tick};

/// Ways in which shells write the home directory.
const HOMES: [&str; 4] = ["$HOME", "${HOME}", "%USERPROFILE%", "%HOME%"];

/// Message and help for a `key` that is no path of ours.
pub(super) fn key(key: &str) -> (String, String) {
    let known = quotes(key)
        .or_else(|| url(key))
        .or_else(|| filled_in(key))
        .or_else(|| pattern(key))
        .or_else(|| other_home(key))
        .or_else(|| drive(key))
        .or_else(|| slashes(key));
    known.unwrap_or_else(|| relative(key))
}

fn quotes(key: &str) -> Option<(String, String)> {
    let marks = ['`', '"', '\''];
    (key.starts_with(marks) || key.ends_with(marks)).then(|| {
        let help = "write the same quote before and behind the whole path, or none";
        (format!("the quotes of {} do not stand around the whole key", tick(key)), help.to_owned())
    })
}

fn url(key: &str) -> Option<(String, String)> {
    let (_, path) = key.split_once("://")?;
    let path =
        if path.starts_with('/') { tick(path) } else { "the path itself, as in `/srv/app`".to_owned() };
    Some((format!("{} is a URL, not a path", tick(key)), format!("write {path}")))
}

fn filled_in(key: &str) -> Option<(String, String)> {
    let found = variable(key)?;
    let name = found.of(key);
    let behind = rest(key, found.end);
    let help = if found.start == 0 && HOMES.contains(&name) {
        format!("write {}", tick(&format!("~{}", behind.replace('\\', "/"))))
    } else {
        "write the directory itself; `~` is the only part that is filled in at run time".to_owned()
    };
    Some((format!("the variable {} is not filled in", tick(name)), help))
}

fn pattern(key: &str) -> Option<(String, String)> {
    let at = key.find(['*', '?'])?;
    let mark = Span::at(at, 1).of(key);
    let folder = before(key, at);
    let folder = before(folder, folder.rfind(['/', '\\']).unwrap_or(0));
    let shown = if folder.is_empty() { "the directory".to_owned() } else { tick(folder) };
    Some((
        format!("`{mark}` in {}: a key is no pattern", tick(key)),
        format!("a key stands for everything below it: write {shown}"),
    ))
}

fn other_home(key: &str) -> Option<(String, String)> {
    let tail = key.strip_prefix('~')?;
    Some(match tail.strip_prefix('\\') {
        Some(tail) => (
            format!("{} is no path", tick(key)),
            format!("write {}", tick(&format!("~/{}", tail.replace('\\', "/")))),
        ),
        None => (
            format!("the home of another user, {}, is not looked up", tick(key)),
            "write its absolute path; your own home is `~`, as in `~/notes`".to_owned(),
        ),
    })
}

fn drive(key: &str) -> Option<(String, String)> {
    let mut chars = key.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let tail = chars.as_str().strip_prefix(':')?;
    Some((
        format!("{} names a place relative to the current directory of its drive", tick(key)),
        format!("write {}", tick(&format!("{letter}:\\{tail}"))),
    ))
}

fn slashes(key: &str) -> Option<(String, String)> {
    if key.starts_with("\\\\") || key.starts_with("//") {
        return Some((
            format!("{} does not name a host and a share", tick(key)),
            "write both, as in `\\\\host\\share` or `//host/share/folder`".to_owned(),
        ));
    }
    key.starts_with('\\').then(|| {
        let help = format!("write the drive too, as in {}", tick(&format!("c:{key}")));
        (format!("{} names no drive", tick(key)), help)
    })
}

fn relative(key: &str) -> (String, String) {
    if key.contains(['/', '\\']) {
        let tail = key.trim_start_matches(['.', '/', '\\']);
        let tail = if tail.is_empty() || key.starts_with("..") { "app" } else { tail };
        let help = format!(
            "write the whole path, as in {} or {}",
            tick(&format!("/srv/{tail}")),
            tick(&format!("~/{tail}"))
        );
        return (format!("the path {} is relative", tick(key)), help);
    }
    if key.contains(is_blank) {
        let help = "write an absolute path, as in `/srv/app => web`; prose must not hold `=>`";
        return (format!("{} is no path", tick(key)), help.to_owned());
    }
    (
        format!("{} is a word, not a path", tick(key)),
        "write an absolute path, as in `/srv/app`; an alias belongs in the alias map".to_owned(),
    )
}
