//! Secrets by the name they stand under: `Authorization = "Basic …"`, `X-Api-Key = "…"`, `--token …`.

use std::ops::Range;

use super::secret::Literal;

/// Words behind which a header holds credentials.
const SCHEMES: [(&str, usize, &str); 5] = [
    ("bearer ", 16, "a bearer token"),
    ("basic ", 8, "a user and a password"),
    ("token ", 16, "a token"),
    ("apikey ", 16, "a key"),
    ("api-key ", 16, "a key"),
];

/// Ends of names that hold a secret, without `-` and `_`.
const NAMES: [&str; 12] = [
    "apikey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "authorization",
    "accesskey",
    "secretkey",
    "privatekey",
    "credential",
    "xauth",
];

/// Words that stand where a secret will be.
const STAND_INS: [&str; 12] = [
    "your",
    "example",
    "changeme",
    "placeholder",
    "xxxx",
    "dummy",
    "redacted",
    "insert",
    "replace",
    "sample",
    "…",
    "...",
];

/// The secret a text is, by the name it stands under.
#[must_use]
pub fn under(name: &str, text: &str) -> Option<Literal> {
    if text.len() < SHORTEST_PASSWORD || text.contains("{{") || text.contains("${") {
        return None;
    }
    for (scheme, least, what) in SCHEMES {
        let rest = scheme.len();
        if text.get(..rest).is_some_and(|head| head.eq_ignore_ascii_case(scheme)) {
            let value = text.get(rest..)?;
            let written = value.len() >= least && is_word(value) && !is_stand_in(value) && is_varied(value);
            return written.then_some(Literal { range: rest..text.len(), what });
        }
    }
    let what = holds_secret(name)?;
    let password = what == "a password";
    let written = is_word(text) && !is_stand_in(text) && if password { is_mixed(text) } else { is_key(text) };
    written.then_some(Literal { range: 0..text.len(), what })
}

/// The secret in the query of a URL: `?api_key=…`.
#[must_use]
pub fn in_query(text: &str) -> Option<Literal> {
    let mut from = text.find('?')? + 1;
    while let Some(rest) = text.get(from..) {
        let length = rest.find(['&', '#', ' ']).unwrap_or(rest.len());
        let pair = rest.get(..length)?;
        if let Some((name, value)) = pair.split_once('=') {
            let start = from + name.len() + 1;
            if let Some(found) = under(name, value) {
                let range = Range { start: start + found.range.start, end: start + found.range.end };
                return Some(Literal { range, what: found.what });
            }
        }
        if length == rest.len() {
            break;
        }
        from += length + 1;
    }
    None
}

/// Bytes of the shortest text that is looked at.
const SHORTEST_PASSWORD: usize = 8;
/// Bytes of the shortest text that is a key by its looks.
const SHORTEST_KEY: usize = 20;

/// What a name says its value is.
#[must_use]
pub fn holds_secret(name: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|end| ends_with(name, end))?;
    Some(match *found {
        "password" | "passwd" | "passphrase" => "a password",
        "token" | "authorization" | "xauth" => "a token",
        _ => "a key",
    })
}

/// Whether a name ends in a word, but for case, `-`, `_` and `.`.
fn ends_with(name: &str, word: &str) -> bool {
    let mut letters = name.bytes().rev().filter(|byte| !matches!(byte, b'-' | b'_' | b'.'));
    word.bytes().rev().all(|wanted| letters.next().is_some_and(|byte| byte.to_ascii_lowercase() == wanted))
}

/// One word without anything that addresses, names files or marks a gap.
fn is_word(text: &str) -> bool {
    !text.contains("://")
        && !text.starts_with(['/', '~', '.', '<', '[', '(', '{', '$', '%'])
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'{' | b'}'))
}

fn is_stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    STAND_INS.iter().any(|word| lower.contains(word))
}

/// More than a few different characters.
fn is_varied(text: &str) -> bool {
    let kinds: std::collections::BTreeSet<u8> = text.bytes().collect();
    kinds.len() > 5
}

/// Letters and digits.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && is_varied(text)
}

/// A long hexadecimal number, or capitals, small letters and digits together.
fn is_key(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') && digits >= 4;
    let cased = text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
        && digits >= 2;
    text.len() >= SHORTEST_KEY && is_varied(text) && (hexadecimal || cased)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_schemes_tell_secrets() {
        let found = |name: &str, text: &str| Some(text.get(under(name, text)?.range)?.to_owned());
        let hex = "0123456789abcdef0123456789abcdef";
        assert_eq!(found("X-Api-Key", hex).as_deref(), Some(hex));
        assert_eq!(found("Authorization", "Basic dXNlcjpwYXNz").as_deref(), Some("dXNlcjpwYXNz"));
        assert_eq!(found("x", "Bearer aB3dE5gH7jK9mN1p").as_deref(), Some("aB3dE5gH7jK9mN1p"));
        assert_eq!(found("DB_PASSWORD", "hunter2hunter").as_deref(), Some("hunter2hunter"));
        assert_eq!(
            found("notes_token", "6f1ed002-ab55-4f28-9e36-7d0bd84fa271").map(|text| text.len()),
            Some(36)
        );
    }

    #[test]
    fn gaps_names_and_addresses_are_none() {
        for (name, text) in [
            ("Authorization", "Bearer {{env.TOKEN}}"),
            ("Authorization", "Bearer ${TOKEN}"),
            ("Authorization", "Bearer <your token here>"),
            ("Authorization", "Bearer YOUR_API_TOKEN_GOES_HERE"),
            ("Authorization", "Bearer V:abc"),
            ("X-Api-Key", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
            ("X-Api-Key", "00000000000000000000000000000000"),
            ("api_key", "the-name-of-the-key-in-the-vault-1"),
            ("token", "/run/secrets/notes-token-AbC123456"),
            ("token_url", "0123456789abcdef0123456789abcdef"),
            ("Idempotency-Key", "0123456789abcdef0123456789abcdef"),
            ("commit", "0123456789abcdef0123456789abcdef01234567"),
            ("password", "correct horse battery staple 7"),
            ("password", "password"),
            ("secret", "https://vault.example.test/Abcdef123456"),
        ] {
            assert_eq!(under(name, text), None, "{name} = {text}");
        }
    }

    #[test]
    fn queries_are_read_pair_by_pair() {
        let url = "https://a.example/s?page=2&api_key=0123456789abcdef0123456789abcdef#x";
        let found = in_query(url).unwrap();
        assert_eq!(url.get(found.range).unwrap(), "0123456789abcdef0123456789abcdef");
        for none in ["https://a.example/?", "?a=b&&c=d", "a?token=x", "?token={{env.T}}"] {
            assert_eq!(in_query(none), None, "{none}");
        }
    }
}
