//! Which variables of the environment are secret, and which texts are secrets that should not stand in a file.

use std::collections::BTreeSet;
use std::ops::Range;

/// Variables that describe the session, not what it may do.
const SESSION: [&str; 12] = [
    "HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "HOSTNAME",
];
/// Beginnings of names that hold no secret.
const OPEN_PREFIXES: [&str; 3] = ["LC_", "XDG_", "KONTEXT_"];
/// Ends of names that say what they hold.
const OPEN_SUFFIXES: [&str; 14] = [
    "_URL", "_URI", "_HOST", "_PORT", "_ADDR", "_DIR", "_PATH", "_HOME", "_ROOT", "_FILE", "_USER",
    "_REGION", "_PROFILE", "_MODEL",
];

/// Whether the value of a variable must not appear in anything kontext writes.
#[must_use]
pub fn is_secret(name: &str, public_env: &BTreeSet<String>) -> bool {
    let open = SESSION.contains(&name)
        || OPEN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || OPEN_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || public_env.contains(name);
    !open
}

/// Prefixes that issuers give their tokens, the least length of what follows, and who issues them.
const TOKENS: [(&str, usize, &str); 20] = [
    ("sk-ant-", 20, "an Anthropic key"),
    ("sk-proj-", 20, "an OpenAI key"),
    ("sk-", 32, "an API key"),
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("ghu_", 30, "a GitHub token"),
    ("github_pat_", 30, "a GitHub token"),
    ("glpat-", 16, "a GitLab token"),
    ("xoxb-", 16, "a Slack token"),
    ("xoxp-", 16, "a Slack token"),
    ("xapp-", 16, "a Slack token"),
    ("AKIA", 16, "an AWS access key"),
    ("ASIA", 16, "an AWS access key"),
    ("AIza", 30, "a Google API key"),
    ("npm_", 30, "an npm token"),
    ("pypi-", 40, "a PyPI token"),
    ("hf_", 30, "a Hugging Face token"),
    ("lin_api_", 30, "a Linear key"),
    ("-----BEGIN ", 16, "a private key"),
];

/// A secret written in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is.
    pub what: &'static str,
}

/// The first secret that stands in a text: by its issuer's prefix, or the password of a URL.
#[must_use]
pub fn literal(text: &str) -> Option<Literal> {
    issued(text).or_else(|| password(text))
}

/// `scheme://user:password@host`: the password, when it is written out.
fn password(text: &str) -> Option<Literal> {
    if !text.contains('@') {
        return None;
    }
    let start = text.find("://")? + "://".len();
    let rest = text.get(start..)?;
    let authority = rest.get(..rest.find(['/', '?', '#', ' ', '"']).unwrap_or(rest.len()))?;
    let (user_info, _) = authority.rsplit_once('@')?;
    let (user, password) = user_info.split_once(':')?;
    let from = start + user.len() + 1;
    let written = !password.is_empty() && !user_info.contains(['{', '}', '$', '<']);
    written.then(|| Literal { range: from..from + password.len(), what: "the password of a URL" })
}

fn issued(text: &str) -> Option<Literal> {
    if text.len() < SHORTEST {
        return None;
    }
    let mut inside = false;
    text.bytes().enumerate().find_map(|(at, byte)| {
        let kind = kind(byte);
        let begins = !inside && matches!(kind, Byte::Begins);
        inside = !matches!(kind, Byte::Other);
        begins.then(|| token(text, at)).flatten()
    })
}

/// What a byte can be of a token.
#[derive(Clone, Copy)]
enum Byte {
    /// Nothing.
    Other,
    /// Any but its first.
    Inside,
    /// Its first, too.
    Begins,
}

/// A text is read once, whatever the number of prefixes: these are their first bytes.
fn kind(byte: u8) -> Byte {
    match byte {
        b'-' | b'A' | b'g' | b'h' | b'l' | b'n' | b'p' | b's' | b'x' => Byte::Begins,
        b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => Byte::Inside,
        _ => Byte::Other,
    }
}

/// Bytes of the shortest secret.
const SHORTEST: usize = 20;

fn is_token(byte: u8) -> bool {
    !matches!(kind(byte), Byte::Other)
}

/// The secret that begins at the start of a word.
fn token(text: &str, start: usize) -> Option<Literal> {
    let word = text.get(start..)?;
    TOKENS.iter().find_map(|(prefix, least, what)| {
        let rest = word.strip_prefix(prefix)?;
        let key = prefix.starts_with("-----");
        let len = if key {
            rest.contains("PRIVATE KEY").then_some(rest.len())?
        } else {
            rest.bytes().position(|byte| !is_token(byte)).unwrap_or(rest.len())
        };
        let range = start..start + prefix.len() + len;
        let varied =
            key || text.get(range.clone()).is_some_and(|token| token.bytes().any(|b| b.is_ascii_digit()));
        (len >= *least && varied).then_some(Literal { range, what })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_what_they_hold_are_open() {
        let public = BTreeSet::from(["TEAM".to_owned()]);
        for open in ["HOME", "LC_ALL", "NOTES_URL", "XDG_DATA_HOME", "KONTEXT_X", "TEAM", "AWS_REGION"] {
            assert!(!is_secret(open, &public), "{open}");
        }
        for secret in ["NOTES_TOKEN", "PASSWORD", "URL", "NOTES_URLS", "HOMES"] {
            assert!(is_secret(secret, &public), "{secret}");
        }
    }

    #[test]
    fn every_prefix_is_looked_for() {
        for (prefix, least, _) in TOKENS {
            assert!(prefix.len() + least >= SHORTEST, "{prefix}");
            assert!(matches!(kind(prefix.as_bytes()[0]), Byte::Begins), "{prefix}");
        }
        let text = format!("sk-short {}", "ghp_a1".repeat(8));
        assert_eq!(literal(&text).map(|found| found.range.start), Some(9));
    }

    #[test]
    fn tokens_are_found_by_their_issuers_prefix() {
        let token = format!("ghp_{}1", "aB3".repeat(12));
        let text = format!("Bearer {token} x");
        let found = literal(&text).unwrap();
        assert_eq!(text.get(found.range), Some(token.as_str()));
        let found = literal("http://usr:passw0rd@h/x").unwrap();
        assert_eq!("http://usr:passw0rd@h/x".get(found.range), Some("passw0rd"));
        for open in ["http://h/a:b@c", "http://user@h", "http://u:{{env.PW}}@h", "mailto:a@b"] {
            assert_eq!(literal(open), None, "{open}");
        }
        for harmless in
            ["sk-learn", "task-1234567890123456789012345678901234567890", "AKIA", "hf_model", "sk-{{x}}"]
        {
            assert_eq!(literal(harmless), None, "{harmless}");
        }
    }
}
