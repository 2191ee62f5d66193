//! Filters from text to text.

/// Longest slug in characters.
const SLUG: usize = 80;

/// Lower-case ASCII letters and digits joined by `-`, at most 80 characters, no `-` at the ends.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut gap = false;
    for character in text.chars().flat_map(char::to_lowercase) {
        if !character.is_ascii_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && !slug.is_empty() {
            slug.push('-');
        }
        gap = false;
        slug.push(character);
        if slug.len() >= SLUG {
            break;
        }
    }
    slug.truncate(SLUG);
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// At most `limit` Unicode scalar values.
pub(super) fn truncate(text: &str, limit: u64) -> String {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    text.chars().take(limit).collect()
}

/// Up to the first LF or CRLF.
pub(super) fn first_line(text: &str) -> &str {
    match text.split_once('\n') {
        Some((line, _)) => line.strip_suffix('\r').unwrap_or(line),
        None => text,
    }
}

/// What follows the first separator; the whole when there is none.
pub(super) fn after<'t>(text: &'t str, separator: &str) -> &'t str {
    text.split_once(separator).map_or(text, |(_, rest)| rest)
}

/// What precedes the first separator; the whole when there is none.
pub(super) fn before<'t>(text: &'t str, separator: &str) -> &'t str {
    text.split_once(separator).map_or(text, |(start, _)| start)
}
